"""A companion: an opponent of a given strength who makes the game a good one for the child.

It sees only its seat's view and makes only honest plays. Its strength decides how many rows it
notices, how soon it goes out, and what it leaves for others: a mild companion discards cards that
others can add to rows, a keen one does not. However strong it is, it does not go out before
everyone else has had some turns and laid a row. Until then it makes a play, a small one, only after
some turns without one, so that it does more than draw and discard. At a table that plays together
it helps: it leaves the others what they can use, and never does more than its part.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

from games.bots.sight import Sight, jokers_of, noticed_sights, sights_of
from games.bots.turns import with_card
from games.bots.worth import need_for
from games.engine.actions import Action, Claim, Discard, Knock, Pass
from games.engine.cards import Card
from games.engine.play_application import Position, hand_after, make_play
from games.engine.round import View
from games.engine.table import Play

NAME: Final = "companion"
MILDEST: Final = 600.0
KEENEST: Final = 1200.0
TURNS_FOR_OTHERS: Final = 4
"""It does not go out before everyone else has had this many turns."""
TURNS_OF_PATIENCE: Final = (18, 10)
"""When everyone else has had this many turns and laid a row, the mildest and the keenest companion
go out as soon as they can."""
LONGEST_WAIT: Final = 24
"""After this many turns it no longer waits for the others to lay a row."""
LEAST_CARDS_KEPT: Final = 2
"""It keeps at least this many cards after a play, as long as it does not want to go out."""
MOST_DEALT_CARDS_LAID: Final = 2
"""In its first turn, a play may use this many of the cards that it was dealt."""
TURNS_A_CARD: Final = (2, 1)
"""The mildest and the keenest companion keep one card less each time this many turns have
passed."""
LAY_CHANCES: Final = (0.4, 1.0)
"""The chance that the mildest and the keenest companion lay a row in a turn, if hands are filled
up."""
QUIET_TURNS: Final = 3
"""It waits this many turns before it makes a play. Then it looks closer and overlooks nothing."""
MOST_QUIET_TURNS: Final = 4
"""After this many turns without a play, it makes any play that it can."""
COST_OF_OWN_PLAY: Final = 10.0
"""The cost of discarding a card of the smallest play that it could make."""
NEED_TO_TAKE: Final = 4.0
"""It takes an open card if it needs the card at least this much (`need_for`). A mild companion does
so only while nobody has more cards."""
COST_OF_HELP: Final = 3.0
"""The cost of discarding a card that others could add to the table."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a companion of some strength behaves: chances from 0 to 1, and numbers of turns."""

    notices: float  # the chance to notice a row that is there
    ends: float  # the chance to go out, in each turn in which it may
    keen: float  # the chance to take what helps itself and to leave nothing that helps others
    patience: float  # the turns of the others after which it goes out for certain
    spread: float  # the turns after which it keeps one card less
    lays: float  # the chance to lay a row in a turn, if hands are filled up


def behaviour_of(strength: float) -> Behaviour:
    """How a companion of this strength behaves, on the scale of `coach.rating`."""
    skill = min(max((strength - MILDEST) / (KEENEST - MILDEST), 0.0), 1.0)
    return Behaviour(
        notices=0.7 + 0.3 * skill,
        ends=0.03 * 33**skill,
        keen=skill,
        patience=_between(TURNS_OF_PATIENCE, skill),
        spread=_between(TURNS_A_CARD, skill),
        lays=_between(LAY_CHANCES, skill),
    )


def _between(ends: tuple[float, float], skill: float) -> float:
    mildest, keenest = ends
    return mildest + (keenest - mildest) * skill


def name_of(strength: float) -> str:
    """The name, in a game's log, of the companion with this strength, rounded to a point."""
    return f"{NAME} {strength:.0f}"


def strength_of(name: str) -> float | None:
    """The strength of the companion with this name; None for other bots."""
    kind, _, strength = name.partition(" ")
    return float(strength) if kind == NAME else None


def of_strength(strength: float) -> Callable[[View, int], Action]:
    """The companion with this strength, as a function of its seat's view and a seed."""
    behaviour = behaviour_of(strength)

    def choose(view: View, seed: int) -> Action:
        return _Turn(view, seed, behaviour).action()

    return choose


@dataclass(frozen=True, slots=True)
class _Turn:
    view: View
    seed: int
    behaviour: Behaviour

    def action(self) -> Action:
        view = self.view
        match view.phase:
            case "draw" | "redraw":
                return view.action_to_take(self._wanted_card)
            case "offer":
                return Claim() if self._wanted_card else Pass()
            case "knock":
                return Knock(view.seat) if self._wanted_card else Pass(view.seat)
        sights = sights_of(view.position)
        plays = self._noticed_plays(sights)
        if view.ruleset.is_together:
            play = self._helpful_play(plays)
        elif view.ruleset.refill:
            play = self._paced_play(plays)
        else:
            play = self._winning_play(plays) or self._small_play(plays)
        return play if play is not None else Discard(self._card_to_discard(sights))

    @property
    def _is_keen(self) -> bool:
        return self._draw_lot("keen", self.behaviour.keen)

    @property
    def _may_go_out(self) -> bool:
        """Whether it goes out if it can: only after the others have had their turns and rows."""
        view = self.view
        other_seats = [seat for seat in range(len(view.turns)) if seat != view.seat]
        turns = min(view.turns[seat] for seat in other_seats)
        if turns >= LONGEST_WAIT:
            return True
        have_laid = not view.ruleset.opening or all(view.opened[seat] for seat in other_seats)
        if not have_laid or turns < TURNS_FOR_OTHERS:
            return False
        return turns >= self.behaviour.patience or self._draw_lot("ends", self.behaviour.ends)

    def _draw_lot(self, purpose: str, chance: float) -> bool:
        return Random(f"{self.seed}/{purpose}").random() < chance

    @property
    def _wanted_card(self) -> Card | None:
        """The wanted open card that it needs most."""
        cards = self.view.open_cards
        if self.view.ruleset.is_together:
            return None
        if len(cards) > 1:
            cards = tuple(sorted(cards, key=lambda card: -need_for(self.view, card)))
        return next(filter(self._wants, cards), None)

    def _helpful_play(self, plays: list[Play]) -> Play | None:
        """The play to make at a table that plays together: a small one, and rather a new row, to
        which others can add, than one that takes a place at a row. It makes none while it has
        earned more than somebody else, unless it has been quiet for some turns."""
        view = self.view
        points_of_others = [earned for seat, earned in enumerate(view.earned) if seat != view.seat]
        if view.earned[view.seat] > min(points_of_others) and (
            view.turns_without_play < QUIET_TURNS or view.play_count
        ):
            return None
        return min(plays, key=lambda play: (play.touches_table, *_size(play)), default=None)

    def _wants(self, card: Card) -> bool:
        """Whether it wants this card, because it needs the card or notices a play with it."""
        if (self._is_keen or self._is_behind) and need_for(self.view, card) >= NEED_TO_TAKE:
            return True
        position_after = with_card(self.view.position, card)
        return bool(self._noticed_plays(sights_of(position_after, card)))

    @property
    def _is_behind(self) -> bool:
        """Whether nobody has more cards."""
        counts = self.view.counts
        return counts[self.view.seat] == max(counts)

    def _noticed_plays(self, sights: Iterable[Sight]) -> list[Play]:
        chance = self.behaviour.notices if self.view.turns_without_play < QUIET_TURNS else 1.0
        noticed = noticed_sights(sights, lambda _: chance, self.seed)
        return [play for sight in noticed for play in sight.plays]

    def _gifts(self, sights: Iterable[Sight]) -> frozenset[Card]:
        """The cards that the next player could add to the table, if they have opened."""
        view = self.view
        following = (view.seat + 1) % len(view.turns)
        needs_none = view.ruleset.is_together and not view.ruleset.opening
        if not view.opened[following] and not needs_none:
            return frozenset()
        return _single_cards(sights)

    @property
    def _cards_to_keep(self) -> int:
        """How many cards it keeps after a play until it goes out: fewer in later turns."""
        view = self.view
        waits = 0 if view.ruleset.has_pot else QUIET_TURNS
        if view.play_count or view.turns_without_play < waits:
            return len(view.hand)
        if view.turns_without_play >= MOST_QUIET_TURNS:
            return LEAST_CARDS_KEPT
        size = view.ruleset.hand_size(len(view.turns))
        turns = view.turns[view.seat]
        return max(
            LEAST_CARDS_KEPT, size - MOST_DEALT_CARDS_LAID - int(turns / self.behaviour.spread)
        )

    def _small_play(self, plays: list[Play]) -> Play | None:
        """The smallest play that leaves enough cards for the turns to come. When it has opened, it
        lays only single cards, unless it has been quiet for too long."""
        view = self.view
        hand, keeps = view.position.hand, self._cards_to_keep
        fitting_plays = [play for play in plays if hand_after(hand, play).bit_count() >= keeps]
        if (
            view.position.may_use_table
            and view.turns_without_play < MOST_QUIET_TURNS
            and not view.ruleset.has_pot
        ):
            fitting_plays = [play for play in fitting_plays if len(play.hand) == 1]
        return min(fitting_plays, key=_size, default=None)

    def _paced_play(self, plays: list[Play]) -> Play | None:
        """The play to make if hands are filled up and so nobody goes out. A mild companion makes
        the smallest play, and in some turns none; a keen one makes the largest that it sees, and
        goes on."""
        view = self.view
        waits = view.turns_without_play < QUIET_TURNS and not self._draw_lot(
            "lays", self.behaviour.lays
        )
        if waits or (view.play_count and not self._is_keen):
            return None
        choose = max if self._is_keen else min
        return choose(plays, key=_size, default=None)

    def _winning_play(self, plays: list[Play]) -> Play | None:
        """The first of the plays that let it go out in this turn, if it may and sees how."""
        if not plays or not self._may_go_out:
            return None
        at = self.view.position
        first = play = max(plays, key=_promise)
        while (result := make_play(at, play)).hand.bit_count() > 1:
            has_opened = at.has_opened or not play.touches_table
            at = Position(at.ruleset, result.table, result.hand, has_opened)
            plays = self._noticed_plays(sights_of(at))
            if not plays:
                return None
            play = max(plays, key=_promise)
        return first

    def _card_to_discard(self, sights: Iterable[Sight]) -> Card:
        """The card to discard: the lowest gift, or else the card that it needs least. It keeps the
        cards of the smallest play; a keen companion also keeps what helps others."""
        smallest = min((play for sight in sights for play in sight.plays), key=_size, default=None)
        mine = frozenset([card for card, _ in smallest.hand]) if smallest else frozenset[Card]()
        gives = self.view.ruleset.is_together or not (self._is_keen or self._may_go_out)
        if gives and (gifts := self._gifts(sights) - mine):
            return min(gifts)
        helps = _single_cards(sights) if self._is_keen and not gives else frozenset[Card]()
        random = Random(f"{self.seed}/discard")

        def loss(card: Card) -> tuple[float, float]:
            loss_if_kept = COST_OF_OWN_PLAY * (card in mine) + COST_OF_HELP * (card in helps)
            return need_for(self.view, card) + loss_if_kept, random.random()

        return min(self.view.hand, key=loss)


def _size(play: Play) -> tuple[int, int, str]:
    return len(play.hand), jokers_of(play), str(play)


def _promise(play: Play) -> tuple[int, int, str]:
    return len(play.hand), -jokers_of(play), str(play)


def _single_cards(sights: Iterable[Sight]) -> frozenset[Card]:
    """The cards that can each be added to the table alone."""
    return frozenset(
        play.hand[0].card
        for sight in sights
        if not sight.joker
        for play in sight.plays
        if len(play.hand) == 1
    )
