"""From the logs of games to what a teacher reads. Three stages, each made of the one before.

`evidence` reads a log; `rollups` counts the evidence by table and day; `reports` shows the counts.
All that is stored here can be thrown away and made again (`manage.py rebuild_progress`).
"""
