from tests.bench import bots, live, positions, random_play

random_play.report()
positions.report()
bots.report()
live.report()
