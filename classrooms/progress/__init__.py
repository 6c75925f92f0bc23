"""Turns the logs of games into figures for teachers.

There are three stages, each computed from the one before: `evidence` reads the logs, `counts`
counts the evidence by table and day, and `levels` folds the days of tables and the answers to
facts. The figures and pages of a child and of a class show the result. All that is stored here can
be deleted and made again (`manage.py rebuild_progress`).
"""
