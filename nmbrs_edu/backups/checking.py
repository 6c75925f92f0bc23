"""Whether the newest backup can be restored."""

from pathlib import Path

from nmbrs_edu.backups import manifest
from nmbrs_edu.backups.databases import this_database
from nmbrs_edu.backups.manifest import Manifest, Unreadable
from nmbrs_edu.backups.restoring import Incomplete, differing


def check_newest(folder: Path) -> Manifest:
    """Restore the newest backup into an empty database beside the real one, and compare. Raises
    `Unreadable`, `Incomplete` and `Failed`."""
    found = manifest.newest_in(folder)
    if found is None:
        raise Unreadable(f"There is no backup in {folder}.")
    path, record = found
    rows = this_database().try_out(manifest.dump_of(path, record))
    if difference := differing(record.rows, rows):
        raise Incomplete(difference)
    return record
