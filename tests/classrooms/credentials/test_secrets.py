import pytest
from cryptography.fernet import Fernet
from django.test import override_settings

from classrooms.credentials import secrets
from classrooms.credentials.pictures import PICTURES, PICTURES_PER_CHILD


def test_a_code_has_eight_signs_that_cannot_be_misread() -> None:
    for _ in range(200):
        code = secrets.new_code()
        assert len(code) == 8
        assert not set(code) & set("0O1IL2568QUAE")


def test_every_code_reads_as_itself() -> None:
    for _ in range(200):
        code = secrets.new_code()
        assert secrets.read_code(code) == code


@pytest.mark.parametrize("typed", ["bcdg hjz9", " BCDG-HJZ9 ", "8cd6hj29", "BCOGHI29", "bc0glj29"])
def test_small_letters_spaces_and_misread_signs_do_no_harm(typed: str) -> None:
    read = secrets.read_code(typed)
    assert read is not None
    assert read in {"BCDGHJZ9", "BCDGJJZ9"}


@pytest.mark.parametrize(
    "typed", ["", "BCDG", "BCDGHJZ99", "BCDGHJZA", "ÉÉÉÉÉÉÉÉ", "BCDG\x00HJZ", "🐟" * 8]
)
def test_what_cannot_be_a_code_is_none(typed: str) -> None:
    assert secrets.read_code(typed) is None


def test_pictures_are_three_of_the_24() -> None:
    assert len(PICTURES) == 24
    pictures = secrets.new_pictures()
    assert len(pictures) == PICTURES_PER_CHILD
    assert set(pictures) <= set(PICTURES)


def test_encrypted_pictures_say_nothing_and_come_back() -> None:
    encrypted = secrets.encrypt_pictures(("sun", "fish", "boat"))
    assert "sun" not in encrypted
    assert secrets.decrypt_pictures(encrypted) == ("sun", "fish", "boat")


def test_only_the_same_pictures_in_the_same_order_are_right() -> None:
    encrypted = secrets.encrypt_pictures(("sun", "fish", "boat"))
    assert secrets.same_pictures(encrypted, ("sun", "fish", "boat"))
    assert not secrets.same_pictures(encrypted, ("fish", "sun", "boat"))
    assert not secrets.same_pictures(encrypted, ("sun", "fish"))


def test_pictures_are_still_read_after_the_key_is_changed() -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    with override_settings(PICTURES_KEY=old):
        encrypted = secrets.encrypt_pictures(("sun", "fish", "boat"))
    with override_settings(PICTURES_KEY=f"{new},{old}"):
        assert secrets.decrypt_pictures(encrypted) == ("sun", "fish", "boat")


def test_picks_open_only_for_the_child_that_tapped_them() -> None:
    sealed = secrets.seal_picks("dora", ("sun",))
    assert secrets.open_picks(sealed, "dora", seconds=60) == ("sun",)
    assert secrets.open_picks(sealed, "emil", seconds=60) == ()
    assert secrets.open_picks("forged", "dora", seconds=60) == ()
