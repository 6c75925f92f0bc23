"""From the logs of games to what a teacher reads.

There are three stages, each made of the one before: `evidence` reads a log, `counts` counts the
evidence by table and day, `levels` folds the days of tables and the answers to facts. The figures
and pages of a child and of a class show it. All that is stored here can be deleted and made again
(`manage.py rebuild_progress`).
"""
