"""What a refused play is answered with is true, for random wrong plays of all editions."""

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random
from typing import Final

import pytest

from games.coach.refusals import explain
from games.engine.actions import (
    Action,
    Claim,
    Deal,
    Discard,
    DrawClosed,
    DrawOpen,
    End,
    Knock,
    Pass,
)
from games.engine.cards import JOKERS, Laid, cards_in, deck
from games.engine.errors import Refused
from games.engine.match import apply
from games.engine.play_application import form
from games.engine.plays import Place, resolve
from games.engine.round import State
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.sequences import SHORTEST
from games.engine.table import Line, Play
from games.screen import refusal_words
from tests.counts import times
from tests.games.engine.random_positions import engine_position, random_position
from tests.games.engine.reference import At, CardLine, Lying, numbers_of, options_of, rows
from tests.games.rounds import random_match, random_ruleset
from tests.games.screen.refusal_judge import is_true
from tests.games.screen.wrong_plays import Wrong

TAPPED: Final = times(1_260, 100_800)
WRITTEN: Final = times(1_200, 24_000)
MATCHES: Final = times(2, 10)
RULESETS: Final = times(8, 60)
"""Rulesets of each edition; the slow list of all rows is made once for each."""
PLAYS_OF_A_POSITION: Final = 6
EVERYWHERE: Final = (
    "Choose the",
    "not in your hand",
    "not on the table",
    "is already in two rows",
    "These rows are already connected",
    "are in the same row",
    "A row needs 3",
    "is in your row twice",
    "You can swap",
    "times table, but your jumps",
    "Your row has jumps",
    "make all the jumps the same",
    "that is not a row in this game",
    "count back",
)
"""A part of each sentence that taps are answered with in every edition."""
EVERYWHERE_WRITTEN: Final = (
    "The game does not understand",
    "not in your hand",
    "not on the table",
    "To take a joker",
    "When you take a joker",
    "You cannot cross this number",
    "Some of these are already connected",
    "A joker can only be",
    "A row needs 3",
    "That is not a row in this game",
)
"""The same for plays that are written out."""


DUE: Final[dict[str, tuple[type, ...]]] = {
    "draw": (DrawOpen, DrawClosed),
    "offer": (Claim, Pass),
    "redraw": (DrawOpen, DrawClosed),
    "play": (Play, Discard, End),
    "knock": (Knock, Pass),
    "round over": (Deal,),
    "match over": (),
}
"""What is due in each phase (5, 6.5, 7.2 to 7.4). The closed pile may always be drawn from, even if
nothing is there (5.4)."""
PLAIN_ACTIONS: Final = (DrawOpen(), DrawClosed(), Claim(), Pass(), Knock(), End())


def rulesets(name: str) -> list[Ruleset]:
    """The edition itself, with options of its own, and two with sentences that are rare."""
    plain = EDITIONS[name]
    rows_of_three = edition(name, tables=[plain.highest // SHORTEST])
    own = [random_ruleset(Random(seed), name) for seed in range(RULESETS)]
    return [plain, rows_of_three, edition(name, counts_back_to=[0, 1]), *own]


def positions(name: str) -> Iterator[tuple[Random, At, Ruleset]]:
    known, seed = rulesets(name), 0
    while True:
        seed += 1
        random = Random(f"{name} {seed}")
        ruleset = known[seed % len(known)]
        yield random, random_position(random, options_of(ruleset), 4, lines=4, cards=6), ruleset


def wrong_taps(name: str) -> Iterator[tuple[Wrong, str]]:
    """Taps that make no play, with the sentence that answers them."""
    for random, at, ruleset in positions(name):
        for _ in range(PLAYS_OF_A_POSITION):
            tapped = _tapped(random, at)
            position = engine_position(tapped.at, ruleset)
            cards, places = tapped.cards, _places(tapped)
            if not resolve(position, cards, places):
                text = refusal_words.refusal(explain(position, cards, places), ruleset)
                yield tapped, text


def wrong_written(name: str) -> Iterator[tuple[Wrong, str]]:
    """Plays written out that the rules refuse, with the sentence that answers them."""
    for random, at, ruleset in positions(name):
        for _ in range(PLAYS_OF_A_POSITION):
            written = _written(random, _tapped(random, at))
            hand = [Laid(card, card) for card in written.cards if card <= 100]
            play = Play.of(
                [*hand, *(Laid(*lying) for lying in written.jokers)],
                [_line(line) for line in written.taken],
                [Laid(*lying) for lying in written.crossed],
                [Laid(*lying) for lying in written.swaps],
            )
            try:
                form(engine_position(written.at, ruleset), play)
            except Refused as refused:
                yield written, refusal_words.refused(refused.code, ruleset)


def _tapped(random: Random, at: At) -> Wrong:
    """Some cards of the hand and places of the table: anything, or nearly a row."""
    chance = random.random()
    if chance < 0.04:
        return _with_jokers_alone(random, at)
    if chance < 0.75:
        at, cards, crossed = _nearly_a_row(random, at)
    else:
        hand, lying = sorted(at.hand), sorted(numbers_of(at.lines).items())
        cards = random.sample(hand, random.randint(min(1, len(hand)), min(5, len(hand))))
        crossed = random.sample(lying, min(random.choice([0, 0, 1, 2]), len(lying)))
    taken: list[CardLine] = []
    if at.lines and random.random() < 0.3:
        taken.append(random.choice(at.lines))
        if random.random() < 0.6:
            crossed = [lying for lying in crossed if lying not in taken[0]]
        if random.random() < 0.2:
            taken.append(random.choice(at.lines))
    return _spoilt(random, Wrong(at, tuple(cards), tuple(taken), tuple(crossed)))


def _with_jokers_alone(random: Random, at: At) -> Wrong:
    """Jokers with one number or none."""
    lying = numbers_of(at.lines)
    jokers = [card for card in JOKERS if card not in lying]
    number = random.randint(1, at.options.highest)
    cards = jokers[: random.choice([2, 2, 2, 4])]
    if len(cards) < 4 and number not in lying:
        cards.append(number)
    return Wrong(at._replace(hand=at.hand | {*cards}), tuple(cards))


def _nearly_a_row(random: Random, at: At) -> tuple[At, list[int], list[Lying]]:
    """A row with equal jumps of any width, or of any three jumps, with what lies on the table, and
    in a hand that has the rest of it."""
    highest, length = at.options.highest, random.choice([3, 3, 3, 4, 4, 5])
    lying = numbers_of(at.lines)
    step = random.choice([random.randint(1, 12), random.randint(1, highest // (length - 1) - 1)])
    first = random.choice([random.randint(1, highest), *lying.values()])
    row = [number for number in range(first, first + step * length, step) if number <= highest]
    if random.random() < 0.15:
        row[-1] = random.randint(1, highest)
    jokers = [card for card in JOKERS if card not in lying][: random.choice([1, 2, 2, 3])]
    cards: list[int] = []
    crossed: list[Lying] = []
    for number in row:
        there = [(card, lies) for card, lies in lying.items() if lies == number]
        if there and (number in lying or random.random() < 0.7):
            crossed.append(random.choice(there))
        elif jokers and random.random() < 0.25:
            cards.append(jokers.pop())
        elif number not in lying:
            cards.append(number)
    hand = {*random.sample(sorted(at.hand), min(3, len(at.hand))), *cards}
    return at._replace(hand=frozenset(hand)), cards, crossed


def _spoilt(random: Random, tapped: Wrong) -> Wrong:
    """Sometimes with what no page offers, or with cards that belong together."""
    at = tapped.at
    cards, taken, crossed = [*tapped.cards], [*tapped.taken], [*tapped.crossed]
    lying, chance = numbers_of(at.lines), random.random()
    if chance < 0.02 and cards:
        cards.append(random.choice(cards))
    elif chance < 0.04:
        cards.append(random.randint(1, at.options.highest))
    elif chance < 0.05:
        cards = []
    elif chance < 0.07:
        card = random.randint(1, at.options.highest)
        crossed.append((card, card))
    elif chance < 0.09 and crossed:
        crossed.append(random.choice(crossed))
    elif chance < 0.11 and at.lines:
        taken.append(random.choice(at.lines)[1:])
    elif chance < 0.12 and taken:
        taken.append(taken[0])
    elif chance < 0.22 and at.lines:
        crossed.append(random.choice(random.choice(at.lines)))
    elif chance < 0.32 and any(card > 100 for card in lying):
        joker = random.choice([card for card in lying if card > 100])
        crossed.append((joker, lying[joker]))
        at = at._replace(hand=at.hand | {lying[joker]} - lying.keys())
        cards += at.hand & {lying[joker]} - set(cards)
    elif chance < 0.37 and (double := _line_with_a_double(random, at)):
        at = at._replace(lines=(*at.lines, double))
        (joker, number) = next(each for each in double if each[0] > 100)
        crossed += [(joker, number), (number, number)]
    elif chance < 0.42 and cards:
        at = at._replace(hand=frozenset(cards) & at.hand)
    return tapped._replace(at=at, cards=tuple(cards), taken=tuple(taken), crossed=tuple(crossed))


def _line_with_a_double(random: Random, at: At) -> CardLine | None:
    """A row of three beside the others, in which a joker stands for a number that lies there."""
    lying = numbers_of(at.lines)
    jokers = [card for card in JOKERS if card not in lying and card not in at.hand]
    taken = {*lying, *at.hand}
    fitting = [
        row
        for row in rows(at.options)
        if len(row) == SHORTEST and len(taken & {*row}) == 1 and lying.keys() & {*row}
    ]
    if not jokers or not fitting:
        return None
    return tuple((jokers[0] if n in taken else n, n) for n in random.choice(fitting))


def _written(random: Random, tapped: Wrong) -> Wrong:
    """The tap with numbers for its jokers, some of them swapped in."""
    at, highest = tapped.at, tapped.at.options.highest
    cards, swaps = list(tapped.cards), list[Lying]()
    for joker, number in sorted(tapped.lying):
        if joker > 100 and random.random() < 0.5:
            put_in = number if random.random() < 0.8 else random.randint(1, highest)
            at = at._replace(hand=at.hand | {put_in})
            swaps.append((joker, put_in))
            cards = [card for card in cards if card != put_in or random.random() < 0.1]
            cards += [joker] if random.random() < 0.8 else []
    jokers = []
    for card in (card for card in cards if card > 100):
        near = random.choice(tapped.numbers or [1]) + random.choice([-10, -5, -1, 1, 5, 10])
        far = random.randint(0, highest + 1)
        jokers.append((card, max(near, 0) if random.random() < 0.6 else far))
    crossed = [
        (card, number + 1) if card > 100 and random.random() < 0.02 else (card, number)
        for card, number in tapped.crossed
        if card not in dict(swaps) or random.random() < 0.2
    ]
    return tapped._replace(
        at=at,
        cards=tuple(cards),
        crossed=tuple(crossed),
        written=True,
        jokers=tuple(jokers),
        swaps=tuple(swaps),
    )


def _places(tapped: Wrong) -> list[Place]:
    return [*map(_line, tapped.taken), *(Laid(*lying) for lying in tapped.crossed)]


def _line(line: CardLine) -> Line:
    return Line.of(Laid(*lying) for lying in line)


def check(answers: Iterator[tuple[Wrong, str]], wanted: int, sentences: Iterable[str]) -> None:
    """Check that as many answers as wanted are true and that each of these sentences is among
    them."""
    missing, false = {*sentences}, []
    for wrong, text in islice(answers, wanted):
        missing -= {part for part in missing if part in text}
        if not is_true(text, wrong):
            false.append((text, wrong))
    assert not false, f"{len(false)} of {wanted} are false: {false[:5]}"
    assert not missing


@pytest.mark.parametrize("name", EDITIONS)
def test_what_answers_wrong_taps_is_true(name: str) -> None:
    check(wrong_taps(name), TAPPED // len(EDITIONS), EVERYWHERE)


@pytest.mark.parametrize("name", EDITIONS)
def test_what_answers_wrong_plays_in_writing_is_true(name: str) -> None:
    check(wrong_written(name), WRITTEN // len(EDITIONS), EVERYWHERE_WRITTEN)


LINE = ((10, 10), (20, 20), (30, 30))
OF_FIVES = options_of(edition("simplified", tables=[5]))
ON_TABLE = At(OF_FIVES, (LINE,), frozenset({1, 7, 10, 45, 101}), opened=True)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "20 is already in two rows. You cannot cross it again.",
            Wrong(ON_TABLE, (45,), (LINE,), ((20, 20),)),
        ),
        (
            "These rows are already connected. You can only join rows that are apart.",
            Wrong(ON_TABLE, (45,), (), ((10, 10), (30, 30))),
        ),
        (
            "From 1 to 7 is 6, from 7 to 10 is 3: make all the jumps the same.",
            Wrong(ON_TABLE, (1, 101, 7, 10)),
        ),
        (
            "With the joker you get 1, 4, 7 and 10. Your row has jumps of 3. "
            "In this game a row must be in the 5 or 10 times table.",
            Wrong(ON_TABLE, (1, 101, 7, 10)),
        ),
        ("20 is in your row twice. Use each number only once.", Wrong(ON_TABLE, (45,), (LINE,))),
        (
            "Keep one card. You need one to put down at the end of your turn.",
            Wrong(ON_TABLE, (1, 7, 10)),
        ),
    ],
)
def test_the_judge_does_not_believe_false_words(text: str, wrong: Wrong) -> None:
    assert not is_true(text, wrong)


def wrong_actions(name: str) -> Iterator[tuple[State, Action, str]]:
    """Actions other than plays that the rules refuse, at the moments of random matches."""
    for seed in range(MATCHES):
        random = Random(seed)
        for state in random_match(seed, EDITIONS[name]).states:
            card = random.choice(deck(state.ruleset.highest))
            cards = Deal(deck(state.ruleset.highest))
            for action in (*PLAIN_ACTIONS, Discard(card), cards):
                try:
                    apply(state, action)
                except Refused as refused:
                    yield state, action, refusal_words.refused(refused.code, state.ruleset)


@pytest.mark.parametrize("name", EDITIONS)
def test_what_answers_other_wrong_actions_is_true(name: str) -> None:
    claims: set[str] = set()
    for state, action, text in wrong_actions(name):
        due = DUE[state.phase]
        hand = state.hands[state.turn]
        true = {
            "You cannot do that now. See what you can do next.": not isinstance(action, due),
            "That pile is empty. Take from the other one.": (
                isinstance(action, DrawOpen) and not state.open
            ),
            "That card is not in your hand any more.": (
                isinstance(action, Discard) and action.card not in cards_in(hand)
            ),
            "Put one card down to end your turn.": (
                isinstance(action, End) and hand != 0 and state.ruleset.ending != "free"
            ),
        }
        claim = text.replace("block", "card")
        assert true[claim], (text, action, state)
        claims.add(claim)
    assert "You cannot do that now. See what you can do next." in claims
    assert "That card is not in your hand any more." in claims
