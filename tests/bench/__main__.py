from tests.bench import bots, positions, random_play

random_play.report()
positions.report()
bots.report()
