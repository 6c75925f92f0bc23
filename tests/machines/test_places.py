"""Where no namespaces can be made, the two places are addresses, and it is said why."""

import pytest

from tests.machines import places


def test_without_namespaces_two_addresses_are_taken_and_it_is_said_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*words: str) -> None:
        raise places.NotPermitted(f"`ip {words[0]}`: Operation not permitted")

    monkeypatch.setattr(places, "_ip", refused)
    with places.two_places() as found:
        assert [place.address for place in found] == ["127.0.0.2", "127.0.0.3"]
        assert all(place.enter == () for place in found)
    assert "Operation not permitted. Two loopback addresses" in capsys.readouterr().out
