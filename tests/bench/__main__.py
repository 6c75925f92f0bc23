from tests.bench import bots, live, moves, positions, random_play

random_play.report()
positions.report()
moves.report()
bots.report()
live.report()
