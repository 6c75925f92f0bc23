"""Random rounds with everything that a log can contain: rows with and without jokers, plays taken
back, hints about any row at any step, refused tries, and missed rows after turns, which the log may
name or not."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

from games.coach.rows import plain_plays
from games.engine.actions import Action, Discard
from games.engine.cards import Card, cards_in, is_joker, shuffled
from games.engine.play_application import Position
from games.engine.plays import legal_plays, plays_without_jokers
from games.engine.round import OVER_PHASES, State
from games.engine.ruleset import EDITIONS, Ruleset
from games.engine.table import Play
from games.engine.text.record import (
    LogEntry,
    LogReplay,
    Setting,
    Transition,
    act_entry,
    deal_entry,
    hint_entry,
    refusal_entry,
    take_back_entry,
)
from games.engine.view import legal_actions, view
from tests.games.rounds import choice, random_ruleset

DORA = 0


@cache
def random_round(seed: int) -> list[Transition]:
    """The log of a round. The seed chooses the edition; some rounds end in the middle."""
    random, hints = Random(seed), Random(f"hints {seed}")
    ruleset = random_ruleset(random, list(EDITIONS)[seed % len(EDITIONS)])
    seats = random.choice([2, 2, 2, 3])
    log = LogReplay(Setting(ruleset, seats, random.randrange(seats), seed))
    dealt = _deck(ruleset, ruleset.hand_size(seats), seed, random)
    steps = [log.apply_entry(deal_entry(dealt))]
    most_turns, eagerness = random.randint(6, 16), random.choice([0.1, 0.2, 0.5])
    while True:
        state = steps[-1].after
        if state.phase in OVER_PHASES or state.turns[DORA] >= most_turns:
            return steps
        steps += [log.apply_entry(entry) for entry in _before_drawing(state, hints)]
        steps += [log.apply_entry(entry) for entry in _next(state, random, eagerness, steps)]


def _deck(ruleset: Ruleset, hand: int, seed: int, random: Random) -> list[Card]:
    """Usually a deck that deals Dora many multiples of one number, hence many chances."""
    table = random.choice([0, 2, 3, 4, 5])
    cards = shuffled(ruleset.cards, seed)
    multiples = [card for card in cards if table and card % table == 0]
    first = multiples[: min(hand - 1, len(multiples) // 2)]
    return [*first, *(card for card in cards if card not in first)]


def _before_drawing(state: State, random: Random) -> Iterator[LogEntry]:
    """A hint about a row with one of the open cards, which may then be taken or not."""
    if state.phase in ("draw", "redraw") and state.to_act == DORA and random.random() < 0.15:
        position = state.position(DORA)
        cards = (*state.open_pile[-1:], *state.market)
        hand = position.hand | (1 << random.choice(cards) if cards else 0)
        yield _hint(position._replace(hand=hand), random)


def _next(
    state: State, random: Random, eagerness: float, steps: list[Transition]
) -> Iterator[LogEntry]:
    seat = state.to_act
    assert seat is not None
    if state.phase != "play" or seat != DORA:
        yield act_entry(seat, choice(legal_actions(view(state, seat)), random))
        return
    if isinstance(steps[-1].action, Play) and random.random() < 0.2:
        yield take_back_entry(DORA)
        return
    yield from _on_the_side(state, random)
    entry = act_entry(seat, _in_play(state, random, eagerness))
    yield replace(entry, missed=_missed_row(state, Random(f"shown {state}")))


def _on_the_side(state: State, random: Random) -> Iterator[LogEntry]:
    """A hint, or refused tries, before the next action."""
    position = state.position(DORA)
    if random.random() < 0.15:
        yield _hint(position, random)
    for _ in range(random.choice([0, 0, 0, 0, 0, 0, 1, 2, 3])):
        cards = random.sample(cards_in(position.hand), min(position.hand.bit_count(), 3))
        yield refusal_entry(DORA, "not-a-sequence", cards, ())


def _missed_row(state: State, random: Random) -> str | None:
    """Any row that could be laid, none, or, as in the log of an earlier release, no statement."""
    plays = sorted(map(str, plain_plays(state.position(DORA))))
    return random.choice(["", "", None, random.choice(plays or [""])])


def _hint(position: Position, random: Random) -> LogEntry:
    plays = legal_plays(position)
    return hint_entry(DORA, random.randint(1, 6), random.choice(plays) if plays else None)


def _in_play(state: State, random: Random, eagerness: float) -> Action:
    """A play of a row, sometimes with a joker, or the end of the turn. Mostly the cards of a row
    are kept, so that chances stay open."""
    position = state.position(DORA)
    plays = plays_without_jokers(position)
    if random.random() < eagerness / 3:
        plays = legal_plays(position)
    if plays and random.random() < eagerness:
        return random.choice(plays)
    useful = {card for play in plays for card, _ in play.hand}
    ends = [act for act in legal_actions(view(state, DORA)) if not isinstance(act, Play)]
    useless = [
        act
        for act in ends
        if not isinstance(act, Discard) or not (act.card in useful or is_joker(act.card))
    ]
    return random.choice(useless if useless and random.random() < 0.8 else ends)
