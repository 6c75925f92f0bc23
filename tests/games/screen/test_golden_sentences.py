"""The sentences of hints and refusals at random positions. They are stored in files, whose changes
are reviewed in the diff.

To change a sentence, run `NMBRS_GOLDEN=write pytest` on this file, and read the difference.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import pytest

from games.coach.hints import LAST_STEP, HintPosition, hidden_row, hint, hint_at_step
from games.coach.refusals import explain_refusal
from games.coach.times_tables import TABLES_TO_12, Fact, facts_of
from games.engine.cards import Card, card_text, cards_in, laid_card_text
from games.engine.play_application import Position
from games.engine.plays import TapTarget
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.table import Line
from games.screen import refusal_words
from games.screen.hint_words import hint_notice
from tests.counts import PROOF
from tests.games.engine.random_positions import engine_position, random_position, wrong_plays
from tests.games.engine.reference import options_of

FOLDER: Final = Path(__file__).parent
RULESETS: Final = {
    "simplified, tables 2, 5 and 10": edition("simplified", tables=(2, 5, 10)),
    "classic": EDITIONS["classic"],
    "blocks, with families": edition("blocks", families=("squares", "triangular")),
}
WRITES: Final = os.environ.get("NMBRS_GOLDEN") == "write"
POSITIONS: Final = 300 if PROOF or WRITES else 20
FACTS: Final = facts_of(TABLES_TO_12)

Case = tuple[str, list[str]]
"""A position, and its sentences."""


def hinted(ruleset: Ruleset) -> Iterator[Case]:
    """All steps of a hint, with the cards that each lights up."""
    for seed in range(POSITIONS):
        random = Random(seed)
        jokers = random.choice([0, 1, 2, 2, 3])
        at = random_position(random, options_of(ruleset), jokers, lines=4, cards=6)
        draws = not ruleset.has_pot and random.random() < 0.4
        open_card = random.choice([*at.hand, None]) if draws else None
        secure = random.sample(FACTS, random.choice([0, 3, 20]))
        position = engine_position(at, ruleset)
        hint_position = HintPosition(position, draws, open_card)
        before = f", before drawing; open: {card_text(open_card) if open_card else '–'}"
        yield position_text(position) + before * draws, hint_texts(hint_position, ruleset, secure)


def hint_texts(position: HintPosition, ruleset: Ruleset, secure: list[Fact]) -> list[str]:
    row = hidden_row(position)
    steps = range(1, LAST_STEP + 1)
    hints = (
        [hint_at_step(row, step, ruleset.tables or (), secure) for step in steps]
        if row
        else [hint(position, 1)]
    )
    return [
        f"{hint_notice(at_step, ruleset, is_too_soon=False).text} "
        f"[{cards(at_step.lit_in_hand + at_step.lit_on_table)}]"
        for at_step in hints
    ]


def refusal_cases(ruleset: Ruleset) -> Iterator[Case]:
    """The answer to taps that make no play."""
    for seed in range(POSITIONS):
        for tapped in wrong_plays(seed, ruleset):
            places = " and ".join(map(place_text, tapped.places)) or "no place"
            refusal = explain_refusal(tapped.at, tapped.cards, tapped.places)
            yield (
                f"{position_text(tapped.at)}; {cards(tapped.cards)} with {places}",
                [refusal_words.refusal_text(refusal, ruleset)],
            )


def position_text(at: Position) -> str:
    lines = " / ".join(map(str, at.table.lines)) or "empty"
    return f"hand {cards(cards_in(at.hand))}; table {lines}"


def place_text(place: TapTarget) -> str:
    return str(place) if isinstance(place, Line) else laid_card_text(place)


def cards(some: Iterable[Card]) -> str:
    return " ".join(map(card_text, sorted(some))) or "–"


def kind(text: str) -> str:
    """A sentence without its numbers and their count."""
    return re.sub(r"(from )?\d+( to \d+ is \d+)?(, | and | or )?", "#", text.partition(" [")[0])


def first_of_each_kind(cases: Iterator[Case]) -> Iterator[str]:
    earlier: set[str] = set()
    for at, sentences in cases:
        kinds = {re.sub("#+", "#", kind(sentence)) for sentence in sentences}
        if not kinds <= earlier:
            earlier |= kinds
            yield "\n".join([f"  {at}", *(f"    {sentence}" for sentence in sentences)])


@pytest.mark.parametrize(
    ("name", "cases", "most"), [("hints", hinted, 30), ("refusals", refusal_cases, 60)]
)
def test_the_sentences_are_the_reviewed_ones(
    name: str, cases: Callable[[Ruleset], Iterator[Case]], most: int
) -> None:
    parts = [
        "\n".join([title, *islice(first_of_each_kind(cases(ruleset)), most)])
        for title, ruleset in RULESETS.items()
    ]
    text = "\n\n".join(parts) + "\n"
    file = FOLDER / f"golden_{name}.txt"
    if WRITES:
        file.write_text(text, encoding="utf-8")
    golden = file.read_text(encoding="utf-8")
    assert [part for part in parts if part not in golden] == []
    assert text == golden or not PROOF
