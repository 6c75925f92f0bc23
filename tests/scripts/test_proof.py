"""`make proof` leaves no test out and runs none twice."""

from pathlib import Path

import pytest

from scripts import proof


def test_every_test_file_belongs_to_one_part() -> None:
    files = [name for part in proof.PARTS for name in proof.files_of(part)]
    assert sorted(files) == sorted(
        path.relative_to(proof.ROOT).as_posix()
        for path in (proof.ROOT / "tests").rglob("test_*.py")
    )
    assert all(proof.files_of(part) for part, starts in proof.PARTS.items() if starts)


def test_a_part_counts_for_its_commit_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "PASSED", tmp_path)
    monkeypatch.setattr(proof, "clean_commit", lambda: "a" * 40)
    assert "passed none" in proof.summary()
    (tmp_path / ("a" * 40)).write_text("engine\nbots\n", encoding="utf-8")
    assert "proof of aaaaaaa: passed engine, bots; still to run: games" in proof.summary()
    monkeypatch.setattr(proof, "clean_commit", lambda: "b" * 40)
    assert "passed none" in proof.summary()
