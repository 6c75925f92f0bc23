"""The rules of nmbrs! in pure Python: no Django, no I/O, no clock, no global random state."""

VERSION = "1"
"""Changes whenever an old log would replay to another state; a game keeps the version that it was
started with."""
