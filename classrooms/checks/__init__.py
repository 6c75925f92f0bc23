"""Short questions: a few questions between rounds, with the answers and their times.

The log, `models.Check`, can be read without any game; `classrooms.progress` does so.
"""
