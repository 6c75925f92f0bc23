"""Makes, checks, restores and deletes backups (`docs/running.md`).

A backup is two files in `BACKUPS_DIR`: the dump (`databases.py`) and a manifest (`manifest.py`).
One more file, for all backups, says who was erased (`erasures.py`), because a backup cannot know
who is erased after it. None of these files has a key: `.env` is kept apart.
"""
