"""From the logs of games to what a teacher reads.

`pipeline` has three stages, each made of the one before: `evidence` reads a log, `counts` counts
the evidence by table and day, `levels` folds the days of tables into mastery and `fact_levels` the
answers to facts. `figures` and `pages` show it. All that is stored here can be
deleted and made again (`manage.py rebuild_progress`).
"""
