"""From the logs of games to what a teacher reads. Each stage is made of the one before.

`pipeline` reads the logs, counts and folds the counts into levels; `figures` is what can be said
of a class and its children; `pages` shows it. All that is stored here can be thrown away and made
again (`manage.py rebuild_progress`).
"""
