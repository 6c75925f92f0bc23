from tests.bench import bots, live, moves, positions, progress, random_play

random_play.report()
positions.report()
moves.report()
bots.report()
live.report()
progress.report()
