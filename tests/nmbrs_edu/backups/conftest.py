from pathlib import Path

import pytest
from django.conf import LazySettings

from tests.second_database import pg_programs, second_database

__all__ = ["pg_programs", "second_database"]


@pytest.fixture
def folder(pg_programs: None, settings: LazySettings, tmp_path: Path) -> Path:
    """Where backups are, at the beginning none."""
    settings.BACKUPS_DIR = str(tmp_path / "backups")
    return tmp_path / "backups"
