"""Short questions: a few questions between rounds, with the answers and their times.

`services` has the sittings and the stamps that children collect, `words` the texts. The log
(`models`) is read by `classrooms.progress`.
"""
