import pytest


@pytest.fixture(autouse=True)
def _nobody_is_asked(nobody_is_asked: None) -> None:
    """For every test here."""
