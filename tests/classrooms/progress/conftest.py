import pytest

from classrooms.progress.receivers import publisher, publisher_of_sittings


@pytest.fixture(autouse=True)
def nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No message goes out of these tests unless they ask for it."""
    for sends in (publisher, publisher_of_sittings):
        monkeypatch.setattr(sends, "ask", lambda key: None)
