"""The words of sample rows, which show what rules mean (`coach.sample_rows`)."""

from dataclasses import dataclass

from games.coach import sample_rows
from games.coach.refusals import explain
from games.engine.cards import mask_of
from games.engine.play_application import Position
from games.engine.ruleset import Ruleset
from games.engine.sequences import SHORTEST
from games.engine.table import Table
from games.screen import refusal_words, words


@dataclass(frozen=True, slots=True)
class SampleText:
    """Some numbers as text, and why they are a row or not."""

    row: str
    why: str


@dataclass(frozen=True, slots=True)
class SampleTexts:
    allowed: tuple[SampleText, ...]
    refused: tuple[SampleText, ...]


def samples(ruleset: Ruleset) -> SampleTexts:
    """A few rows that the ruleset allows and a few that it refuses, in the language of the page."""
    allowed, refused = sample_rows.samples(ruleset)
    return SampleTexts(
        tuple(SampleText(_text(one), _name(one, ruleset)) for one in allowed),
        tuple(SampleText(_text(one), _why_not(one, ruleset)) for one in refused),
    )


def _name(one: sample_rows.SampleRow, ruleset: Ruleset) -> str:
    facts = words.row_facts(one.row, ruleset)
    name = words.row_name(one.row, ruleset)
    return words.explained(name, facts) if facts else name


def _why_not(one: sample_rows.SampleRow, ruleset: Ruleset) -> str:
    """Why the game would refuse the row, if the hand has one more card."""
    spare = next(n for n in range(1, SHORTEST + 2) if n not in one.numbers)
    hand = mask_of([*one.numbers, spare])
    refusal = explain(Position(ruleset, Table(), hand, False), one.numbers, ())
    return refusal_words.refusal(refusal, ruleset)


def _text(one: sample_rows.SampleRow) -> str:
    return ", ".join(map(str, one.numbers))
