import pytest

from classrooms.progress.receivers import publisher


@pytest.fixture(autouse=True)
def nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No message goes out of these tests unless they ask for it."""
    monkeypatch.setattr(publisher, "ask", lambda game_id: None)
