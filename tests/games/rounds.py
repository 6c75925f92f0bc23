"""Random rounds. Each comes from a single seed, so that a failure can be repeated."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from random import Random
from typing import NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from games.bots.registry import Bot, find_bot
from games.engine.actions import Action, Deal
from games.engine.cards import Card, cards_in, mask_of, shuffled
from games.engine.errors import RulesetError
from games.engine.match import apply, first_starter, new_match
from games.engine.round import State
from games.engine.ruleset import DOUBLINGS, EDITIONS, Options, Ruleset, edition
from games.engine.sequences import FAMILIES
from games.engine.table import Play
from games.engine.text.notation import action_text
from games.engine.text.record import Setting
from games.engine.view import legal_actions, view
from tests.counts import times


class Moment(NamedTuple):
    """A state and the action in it (None at the end of the game)."""

    state: State
    seat: int | None
    action: Action | None


def random_ruleset(random: Random, name: str | None = None) -> Ruleset:
    """A random ruleset of this edition (by default any), with options that a teacher may set."""
    options = Options()
    if random.random() < 0.3:
        options["counts_back_to"] = random.choice([[0], [1], [0, 1]])
    if random.random() < 0.3:
        to_one = options.get("counts_back_to") == [1]
        options["tables"] = [1] if to_one else random.sample(range(1, 13), random.randint(1, 6))
    if random.random() < 0.3:
        options["families"] = random.sample(FAMILIES, random.randint(1, 3))
    if random.random() < 0.3:
        options["doubling"] = random.sample(DOUBLINGS, random.randint(0, 2))
    if random.random() < 0.3:
        options["offers"] = random.random() < 0.5
    if random.random() < 0.2:
        options["opening"] = False
    options["rounds"] = 1 if random.random() < 0.8 else 2
    name = name or random.choice(list(EDITIONS))
    random = Random(f"{name} {options}")  # Apart from the rest, so that older positions stay.
    pot = EDITIONS[name].has_pot
    if random.random() < 0.2:
        options["deck"] = random.choice(["thinned", "fitting"])
    if not pot and random.random() < 0.3:
        options["market"], options["offers"] = random.randint(1, 4), False
    if not pot and random.random() < 0.4:
        options["piles"], options["refill"] = random.randint(1, 2), random.random() < 0.7
        options["most_rows"] = random.choice([None, None, 3, 8])
    if "piles" in options and random.random() < 0.2:
        options["most_turns"] = random.randint(1, 6)
        options["least_fitting"] = random.randint(0, 3) if options["refill"] else 0
    if (pot or "piles" in options) and random.random() < 0.4:
        options["goal"] = random.choice([4, 12, 40])
        options["goal_up"], options["goal_down"] = random.randint(0, 3), random.randint(0, 9)
        options["equal_turns"] = random.random() < 0.5
    try:
        return edition(name, **options)
    except RulesetError:  # A deck that fits these rows would be too small.
        options["deck"] = "whole"
        return edition(name, **options)


@dataclass(frozen=True)
class Match:
    """A match of random actions. The last of its `moments` is the end of the match."""

    setting: Setting
    deck: tuple[Card, ...]
    moments: tuple[Moment, ...]

    @property
    def states(self) -> list[State]:
        return [moment.state for moment in self.moments]


def random_match(seed: int, ruleset: Ruleset | None = None) -> Match:
    """A match of any edition. More than half of the actions are plays."""
    random = Random(seed)
    ruleset = ruleset or random_ruleset(random)
    seats = min(random.choice([2, 2, 2, 3, 4, ruleset.most_seats]), ruleset.most_seats)
    setting = Setting(ruleset, seats, first_starter(ruleset, seats, seed), seed)
    cards = shuffled(ruleset.cards, seed)
    if random.random() < 0.3:
        cards = cards[: ruleset.hand_size(seats) * seats + random.randint(1, 12)]
    state = new_match(ruleset, seats, cards, setting.starter, seed)
    return Match(setting, cards, tuple(_moments(state, random)))


def _moments(state: State, random: Random) -> Iterator[Moment]:
    while state.phase != "match over":
        seat: int | None = None
        action: Action = Deal(shuffled(state.ruleset.cards, state.seed + state.round))
        if state.phase != "round over":
            seat = _who(state, random)
            action = choice(legal_actions(view(state, seat)), random)
        yield Moment(state, seat, action)
        state = apply(state, action)
    yield Moment(state, None, None)


def _who(state: State, random: Random) -> int:
    """The seat that acts. While a block is offered, any seat that may."""
    able = [seat for seat in range(state.seat_count) if legal_actions(view(state, seat))]
    assert state.to_act in able
    return random.choice(able)


def choice(actions: list[Action], random: Random) -> Action:
    plays = [action for action in actions if isinstance(action, Play)]
    if plays and random.random() < 0.6:
        return random.choice(plays)
    others = [action for action in actions if not isinstance(action, Play)]
    return random.choice(others)


def all_cards(state: State) -> list[int]:
    """Every card of the round, wherever it is."""
    hands = (card for hand in state.hands for card in range(1, 105) if hand >> card & 1)
    return sorted(
        chain(
            hands,
            state.table.laid_cards,
            state.open_pile,
            state.market,
            state.closed_pile,
            state.removed_cards,
        )
    )


def with_unseen_exchanged(state: State, seat: int, random: Random) -> State:
    """A state that this seat cannot tell from `state`. All cards that it cannot see, even those
    covered in the open pile, are exchanged."""
    others = [hand for other, hand in enumerate(state.hands) if other != seat]
    unseen = [card for hand in others for card in cards_in(hand)]
    unseen += [*state.closed_pile, *state.open_pile[:-1]]
    random.shuffle(unseen)
    following = iter(unseen)
    hands = tuple(
        hand if other == seat else mask_of(islice(following, hand.bit_count()))
        for other, hand in enumerate(state.hands)
    )
    return replace(
        state,
        hands=hands,
        closed_pile=tuple(islice(following, len(state.closed_pile))),
        open_pile=(*following, *state.open_pile[-1:]),
        seed=random.randrange(2**32),
    )


Watch = Callable[[State, Action], None]


def play_round(
    ruleset: Ruleset, levels: Sequence[str | Bot], seed: int, watch: Watch | None = None
) -> State:
    """Play a round among these levels. `watch` gets each state with its action."""
    seats = len(levels)
    bots = [find_bot(level) if isinstance(level, str) else level for level in levels]
    cards = shuffled(ruleset.cards, seed)
    state = new_match(ruleset, seats, cards, first_starter(ruleset, seats, seed), seed)
    moment = 0
    while state.to_act is not None:
        moment += 1
        action = bots[state.to_act](view(state, state.to_act), seed * 1000 + moment)
        if watch is not None:
            watch(state, action)
        state = apply(state, action)
    return state


def allowed(state: State, action: Action) -> None:
    """Check that each action is legal for its seat."""
    assert state.to_act is not None
    actions = legal_actions(view(state, state.to_act))
    assert action_text(action) in map(action_text, actions)


SEEDS = st.integers(0, 2**32 - 1)


def tries(small: int, full: int) -> settings:
    return settings(
        max_examples=times(small, full), derandomize=True, suppress_health_check=list(HealthCheck)
    )
