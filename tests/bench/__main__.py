from tests.bench import bots, class_page, live, moves, positions, progress, random_play

random_play.report()
positions.report()
moves.report()
bots.report()
live.report()
progress.report()
class_page.report()
