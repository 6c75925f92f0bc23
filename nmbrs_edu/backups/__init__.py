"""Backups: made, checked, restored and deleted. `docs/running.md` says how a school uses them.

A backup is two files in `BACKUPS_DIR`: the database's own, and a manifest (`manifest.py`). Beside
them is one file that tells who was erased (`erasures.py`), because a backup cannot know who was
erased after it. No key is in any of these files: `.env` is kept apart.
"""
