"""Refuses passwords made of words that an attacker would try first (OWASP ASVS 5.0, 6.1.2)."""

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

_TEXT: Final = """
nmbrs numbers cards game play school schools schule schulen basisschool grundschule skola
grundskola class classroom klas klasse klass teacher teachers leerkracht juf meester lehrer
lehrerin lehrkraft larare lärare fröken password passwort wachtwoord lösenord losenord welcome
welkom willkommen välkommen valkommen admin operator table tables tafel tafels einmaleins
tabell maths rekenen rechnen räkna the my mijn mein min our
"""
WORDS: Final = frozenset(_TEXT.split())
"""Words for the site, the subject, the place and the user, in the languages of the site
(`docs/signing-in.md`)."""


class GuessableWordsValidator:
    """Refuses a password whose letters are nothing but `WORDS` or words of the adult's own address,
    such as `nmbrs2026!` or `MySchool123`."""

    def validate(self, password: str, user: Any = None) -> None:
        letters = "".join(char for char in password.casefold() if char.isalpha())
        if letters and consists_of(letters, WORDS | words_of(user)):
            raise ValidationError(
                _(
                    "This password is made up of words that people would guess first. Add a "
                    "word that has nothing to do with school."
                ),
                code="password_guessable_words",
            )

    def get_help_text(self) -> str:
        return _("Do not just add numbers to words such as “school”, “class” or “nmbrs”.")


def words_of(user: Any) -> frozenset[str]:
    """The words of an adult's address that have more than two letters and stand before the last
    dot: `alice` and `school` in alice.b@school.example."""
    address = str(getattr(user, "email", "") or "").casefold().rpartition(".")[0]
    words = "".join(char if char.isalpha() else " " for char in address).split()
    return frozenset(word for word in words if len(word) > 2)


def consists_of(letters: str, words: frozenset[str]) -> bool:
    """Whether the letters are these words, joined together.

    >>> consists_of("myschool", frozenset({"my", "school"}))
    True
    """
    longest = max(map(len, words))
    ends = [True] + [False] * len(letters)
    for end in range(1, len(letters) + 1):
        ends[end] = any(
            ends[start] and letters[start:end] in words
            for start in range(max(0, end - longest), end)
        )
    return ends[-1]
