"""Short questions: a few questions between rounds, with the answers and their times.

`classrooms.progress` reads the log (`models.Check`), which needs no game.
"""
