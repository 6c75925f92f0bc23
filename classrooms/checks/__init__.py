"""Quick checks: a few questions between rounds, what was answered, and in what time.

They need no game to be read: `models.Check` is the log, which `classrooms.progress` reads.
"""
