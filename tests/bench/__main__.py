from tests.bench import positions, random_play

random_play.report()
positions.report()
