"""Every step of every hint is true, for random positions of all editions."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final

import pytest

from games.coach.facts import Fact, facts_of
from games.coach.hints import LAST_STEP, Hint, HintPosition, at_step, hidden_row, hint
from games.coach.times_tables import TABLES_TO_12
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.table import Play
from games.engine.text.notation import parse_card
from games.screen.learning_panels import hint_notice
from tests.counts import times
from tests.games.engine.random_positions import engine_position, random_position
from tests.games.engine.reference import At, WrittenPlay, numbers_of, options_of
from tests.games.rounds import random_ruleset
from tests.games.screen.hint_judge import Hinted, Shown, faults

POSITIONS: Final = times(1_890, 50_400)
RULESETS: Final = times(2, 60)
"""Rulesets of each edition; the slow list of all rows is made once for each."""
STEPS: Final = range(1, LAST_STEP + 1)
SHARE_BEFORE_DRAWING: Final = 0.4
"""The share of positions before drawing, in editions in which cards are taken."""
EVERYWHERE: Final = (
    "hiding in your",
    "rows with what is on the table",
    "Swap a joker",
    "ots of rows",
    "Use your joker.",
    "It belongs to a row",
    "It makes a row with what is on the table",
    "for the joker on the table",
    "make jumps of",
    "its jumps are not equal",
    "It is in a row of the",
    "One more",
    "not in any times table",
    "Double that",
    "So your joker can be",
    "lands on",
    "Then the joker can be",
    "the row from",
    "The joker is",
    "No row this time",
)
"""A part of each sentence that is met in every edition."""
BEFORE_DRAWING: Final = (
    "it makes a row with your cards",
    "it makes a row on the table",
    "then you can swap a joker",
    "Take the open card. ",
    "First take a card from the pile. ",
    "First take a card. ",
    "Take one from the pile: that helps most.",
    "Take the open card: it helps you most.",
)
"""The same where cards are taken."""
BESIDE_TABLES: Final = ("The whole row is in",)
"""The same where rows need not count back to 0 or 1."""


def rulesets(name: str) -> list[Ruleset]:
    """The edition itself, with families, and with options of its own."""
    own = [random_ruleset(Random(seed), name) for seed in range(RULESETS)]
    return [EDITIONS[name], edition(name, families=["squares", "triangular"]), *own]


def hinted_positions(name: str) -> Iterator[Hinted]:
    known, seed = rulesets(name), 0
    facts = facts_of(TABLES_TO_12)
    while True:
        seed += 1
        random = Random(f"{name} {seed}")
        ruleset = known[seed % len(known)]
        jokers = random.choice([0, 1, 2, 2, 3])
        at = random_position(random, options_of(ruleset), jokers, lines=4, cards=6)
        drawing = not ruleset.with_pot and random.random() < SHARE_BEFORE_DRAWING
        open_card = random.choice([*at.hand, None]) if drawing else None
        secure = random.sample(facts, random.choice([0, 3, 20]))
        yield hinted(at, ruleset, secure, drawing, open_card)


def hinted(
    at: At,
    ruleset: Ruleset,
    secure: list[Fact],
    drawing: bool = False,
    open_card: int | None = None,
) -> Hinted:
    asked = HintPosition(engine_position(at, ruleset), drawing, open_card)
    row = hidden_row(asked)
    if row is None:
        shown = [hint(asked, 1)]
    else:
        shown = [at_step(row, step, ruleset.tables or (), secure) for step in STEPS]
    play = None if row is None else written(row.play, at)
    pages = tuple(on_the_page(one, ruleset) for one in shown)
    return Hinted(at, play, pages, drawing, open_card)


def written(play: Play, at: At) -> WrittenPlay:
    there = numbers_of(at.lines)
    return WrittenPlay(
        tuple((laid.card, laid.number) for laid in play.hand),
        tuple(tuple((laid.card, laid.number) for laid in line.cards) for line in play.lines),
        tuple((laid.card, there[laid.card]) for laid in play.across),
        tuple((laid.card, laid.number) for laid in play.swaps),
    )


def on_the_page(one: Hint, ruleset: Ruleset) -> Shown:
    notice = hint_notice(one, ruleset, too_soon=False)
    points = notice.line.points if notice.line else ()
    whole = tuple((parse_card(face.card, ruleset), int(face.number)) for face in notice.whole)
    return Shown(
        notice.text.replace("\N{NO-BREAK SPACE}", " "),
        frozenset(one.lit),
        frozenset(one.on_table),
        tuple(point.label for point in points),
        whole,
    )


@pytest.mark.parametrize("name", EDITIONS)
def test_every_step_of_every_hint_is_true(name: str) -> None:
    missing: set[str] = {*EVERYWHERE}
    wrong: list[tuple[str, Hinted]] = []
    if EDITIONS[name].counts_back_to is None:
        missing |= {*BESIDE_TABLES}
    if not EDITIONS[name].with_pot:
        missing |= {*BEFORE_DRAWING}
    for case in islice(hinted_positions(name), POSITIONS // len(EDITIONS)):
        text = " ".join(shown.text for shown in case.steps)
        missing -= {part for part in missing if part in text}
        wrong += [(fault, case) for fault in faults(case)]
    assert not wrong, f"{len(wrong)} faults: {wrong[:3]}"
    assert not missing


SIMPLIFIED: Final = EDITIONS["simplified"]
TABLES: Final = edition("simplified", tables=[6, 7, 8, 9])
WITH_JOKERS: Final = (
    ((101, 30), (36, 36), (42, 42)),
    ((104, 27), (36, 36), (45, 45)),
    ((6, 6), (103, 12), (18, 18), (24, 24)),
)


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (1, "1 row is hiding in your cards."),
        (1, "First take a card from the pile. 1 row is hiding in your cards."),
        (1, "Take the open card: it makes a row on the table."),
        (2, "Look here: 12. It belongs to a row."),
        (2, "Take the open card. Look here: 20. It belongs to a row."),
        (3, "First take a card. Look at 12 and make jumps of 4."),
    ],
)
def test_the_judge_sees_what_is_false_before_drawing(step: int, text: str) -> None:
    at = At(options_of(SIMPLIFIED), (), frozenset({12, 16, 20, 47}), opened=True)
    case = hinted(at, SIMPLIFIED, [], drawing=True, open_card=20)
    assert not list(faults(case))
    steps = list(case.steps)
    steps[step - 1] = steps[step - 1]._replace(text=text)
    assert list(faults(case._replace(steps=tuple(steps))))


def steps_of(*hand: int) -> tuple[Hinted, list[str]]:
    """The hints for these cards beside the jokers on the table."""
    at = At(options_of(TABLES), WITH_JOKERS, frozenset(hand), opened=True)
    case = hinted(at, TABLES, [])
    return case, [shown.text for shown in case.steps]


def test_a_joker_on_the_table_is_swapped() -> None:
    case, texts = steps_of(12, 35, 38, 47)
    assert [shown.lit for shown in case.steps] == [frozenset()] + [frozenset({12})] * 5
    assert all(103 in shown.on_table for shown in case.steps[1:])
    assert texts == [
        "Swap a joker: then you can make lots of rows.",
        "Look here: 12. Swap it for the joker on the table.",
        "Swap your 12 for the joker. Look at 27 and make jumps of 9. "
        "Use the row from 27 to 45 on the table.",
        "Swap your 12 for the joker. Look at 27. It is in a row of the 9 times table. "
        "Use the row from 27 to 45 on the table.",
        "Put your 12 where the joker is. Then the joker can be 18.",
        "Swap your 12 for the joker. Here is the row. 18, 27, 36 and 45, in the 9 times table: "
        "2 × 9, 3 × 9, 4 × 9, 5 × 9. The joker is 18. Use the row from 27 to 45 on the table.",
    ]


def test_what_lies_on_the_table_is_said_and_lit() -> None:
    case, texts = steps_of(10, 35, 40, 49)
    assert texts[:3] == [
        "You can make 1 row with what is on the table.",
        "Look here: 35. It makes a row with what is on the table.",
        "Look at 35 and make jumps of 7. Use 42 on the table.",
    ]
    assert [42 in shown.on_table for shown in case.steps] == [False, False, True, True, True, True]


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (1, "1 row is hiding in your cards."),
        (1, "You can make many rows with what is on the table."),
        (2, "Look here: 49. It makes a row with what is on the table."),
        (2, "Look here: 35. It belongs to a row."),
        (3, "Look at 35 and make jumps of 14. Use 42 on the table."),
        (3, "Look at 35 and make jumps of 7."),
        (4, "Look at 49. It is in a row of the 7 times table. Use 42 on the table."),
        (4, "Look at 35. It is in a row of the 8 times table. Use 42 on the table."),
        (4, "Look at 35 and make jumps of 7. Use 42 on the table."),
        (5, "7 × 7 is 48. One 7 less is 42. So 42 is in this row."),
        (5, "3 × 7 is 21. Two more jumps of 7 make 35. So 56 is in this row."),
        (5, "2 × 14 is 28. One 14 more is 42. So 42 is in this row."),
        (5, "Put your 35 where the joker is. Then the joker can be 49."),
        (6, "Here is the row. 35, 42 and 49, in the 7 times table: 5 × 7, 6 × 7, 7 × 7."),
        (6, "Here is the row. 35, 42 and 56: 7 times table. Use 42 on the table."),
    ],
)
def test_the_judge_sees_what_is_false(step: int, text: str) -> None:
    case, _ = steps_of(10, 35, 40, 49)
    assert not list(faults(case))
    steps = list(case.steps)
    steps[step - 1] = steps[step - 1]._replace(text=text)
    assert list(faults(case._replace(steps=tuple(steps))))


def test_the_judge_sees_lights_that_lead_astray() -> None:
    case, _ = steps_of(10, 35, 40, 49)
    for step, lit in ((1, {35}), (2, {10}), (3, {35, 49}), (6, {35})):
        steps = list(case.steps)
        steps[step - 1] = steps[step - 1]._replace(lit=frozenset(lit))
        assert list(faults(case._replace(steps=tuple(steps))))
