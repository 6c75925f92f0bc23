"""Files that take long to make: a worker makes them for teachers, and they are kept for a week.

`kinds` lists the files, `services` requests them, `tasks` makes them, and `limits` keeps anybody
from occupying the machine.
"""
