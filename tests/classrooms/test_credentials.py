"""Class codes, and children's pictures, which are stored encrypted."""

import pytest
from cryptography.fernet import Fernet
from django.test import override_settings

from classrooms import credentials
from tests.counts import for_each


def test_every_code_reads_as_itself() -> None:
    for _ in range(200):
        code = credentials.new_code()
        assert credentials.read_code(code) == code


@pytest.mark.parametrize("typed", ["bcdg hjz9", " BCDG-HJZ9 ", "8cd6hj29", "BCOGHI29", "bc0glj29"])
def test_small_letters_spaces_and_misread_characters_do_no_harm(typed: str) -> None:
    code = credentials.read_code(typed)
    assert code is not None
    assert code in {"BCDGHJZ9", "BCDGJJZ9"}


@for_each(
    ["ＢＭ３４７９ＨＴ", "вм3479нт", "BM٣٤٧٩HT", "ΒΜ۳۴۷۹ΗΤ", "https://nmbrs.example/play/BM3479HT/"]
)
def test_a_code_may_be_typed_in_any_form_or_pasted_as_an_address(typed: str) -> None:
    assert credentials.read_code(typed) == "BM3479HT"


@for_each(["", "BCDG", "BCDGHJZ99", "BCDGHJZA", "ÉÉÉÉÉÉÉÉ", "BCDG\x00HJZ", "🐟" * 8])
def test_anything_else_is_not_a_code(typed: str) -> None:
    assert credentials.read_code(typed) is None


def test_encrypted_pictures_reveal_nothing_and_can_be_decrypted() -> None:
    encrypted = credentials.encrypt_pictures(("sun", "fish", "boat"))
    assert "sun" not in encrypted
    assert credentials.decrypt_pictures(encrypted) == ("sun", "fish", "boat")


def test_only_the_same_pictures_in_the_same_order_are_right() -> None:
    encrypted = credentials.encrypt_pictures(("sun", "fish", "boat"))
    assert credentials.pictures_match(encrypted, ("sun", "fish", "boat"))
    assert not credentials.pictures_match(encrypted, ("fish", "sun", "boat"))
    assert not credentials.pictures_match(encrypted, ("sun", "fish"))


def test_pictures_can_still_be_read_after_a_new_key() -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    with override_settings(PICTURES_KEY=old):
        encrypted = credentials.encrypt_pictures(("sun", "fish", "boat"))
    with override_settings(PICTURES_KEY=f"{new},{old}"):
        assert credentials.decrypt_pictures(encrypted) == ("sun", "fish", "boat")


def test_picks_open_only_for_the_child_who_tapped_them() -> None:
    sealed = credentials.seal_picks("dora", ("sun",))
    assert credentials.open_picks(sealed, "dora") == ("sun",)
    assert credentials.open_picks(sealed, "emil") == ()
    assert credentials.open_picks("forged", "dora") == ()
