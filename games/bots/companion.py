"""A companion: an opponent of a given strength who makes the game a good one for the child, and
helps at a table that plays together (docs/bots.md)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

from games.bots.sight import Sight, jokers_of, noticed_sights, sights_of
from games.bots.turns import takes_last_plank, with_card
from games.bots.worth import need_for
from games.engine.actions import Action, Discard
from games.engine.cards import Card
from games.engine.play_application import Position, hand_after, make_play
from games.engine.table import Play
from games.engine.view import View

NAME: Final = "companion"
MILDEST: Final = 600.0
KEENEST: Final = 1200.0
TURNS_FOR_OTHERS: Final = 4
"""It does not go out before all others have had this many turns."""
TURNS_OF_PATIENCE: Final = (18, 10)
"""The numbers of turns after which the mildest and the keenest companion go out as soon as they
can, if all others have laid a row."""
LONGEST_WAIT: Final = 24
"""After this many turns it no longer waits for the others to lay a row."""
LEAST_CARDS_KEPT: Final = 2
"""It keeps at least this many cards after a play while it does not want to go out."""
MOST_DEALT_CARDS_LAID: Final = 2
"""In its first turn, a play may use this many of the cards that it was dealt."""
TURNS_A_CARD: Final = (2, 1)
"""The numbers of turns after which the mildest and the keenest companion keep one card less."""
NOTICE_CHANCES: Final = (0.7, 1.0)
"""The chances that the mildest and the keenest companion notice a row."""
LAY_CHANCES: Final = (0.4, 1.0)
"""The chances that the mildest and the keenest companion lay a row in a turn if hands are
refilled."""
QUIET_TURNS: Final = 3
"""It waits this many turns before it makes a play. Then it looks closer and overlooks nothing."""
MOST_QUIET_TURNS: Final = 4
"""After this many turns without a play, it makes any play that it can."""
COST_OF_OWN_PLAY: Final = 10.0
"""The cost of discarding a card of the smallest play that it could make."""
NEED_TO_TAKE: Final = 4.0
"""The need (`need_for`) with which it takes an open card. A mild companion does so only while
nobody has more cards."""
COST_OF_HELP: Final = 3.0
"""The cost of discarding a card that others could add to the table."""


def name_of(strength: float) -> str:
    """The name of a companion in a game's log: its strength is rounded to a point."""
    return f"{NAME} {strength:.0f}"


def strength_of(name: str) -> float | None:
    """The strength of the companion with this name; None for other bots."""
    kind, _, strength = name.partition(" ")
    return float(strength) if kind == NAME else None


def companion_of(strength: float) -> Callable[[View, int], Action]:
    """The companion with this strength, on the scale of `coach.rating`, as a function of its seat's
    view and a seed."""
    return lambda view, seed: _Turn(view, seed, skill_of(strength)).action()


def skill_of(strength: float) -> float:
    return min(max((strength - MILDEST) / (KEENEST - MILDEST), 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class _Turn:
    view: View
    seed: int
    skill: float  # from 0 for the mildest companion to 1 for the keenest

    def _by_skill(self, ends: tuple[float, float]) -> float:
        mildest, keenest = ends
        return mildest + (keenest - mildest) * self.skill

    def action(self) -> Action:
        view = self.view
        if view.phase != "play":
            return view.action_to_take(self._wanted_card)
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
        return self._draw_lot("keen", self.skill)

    @property
    def _may_go_out(self) -> bool:
        """Whether it goes out if it can. It waits for the turns and the rows of the others."""
        view = self.view
        other_seats = [seat for seat in range(len(view.turns)) if seat != view.seat]
        turns = min(view.turns[seat] for seat in other_seats)
        if turns >= LONGEST_WAIT:
            return True
        have_laid = not view.ruleset.opening or all(view.opened[seat] for seat in other_seats)
        if not have_laid or turns < TURNS_FOR_OTHERS:
            return False
        is_patient = turns < self._by_skill(TURNS_OF_PATIENCE)
        return not is_patient or self._draw_lot("ends", 0.03 * 33**self.skill)

    def _draw_lot(self, purpose: str, chance: float) -> bool:
        return Random(f"{self.seed}/{purpose}").random() < chance

    @property
    def _wanted_card(self) -> Card | None:
        cards = self.view.open_cards
        if self.view.ruleset.is_together:
            return None
        if len(cards) > 1:
            cards = tuple(sorted(cards, key=lambda card: -need_for(self.view, card)))
        return next(filter(self._wants, cards), None)

    def _helpful_play(self, plays: list[Play]) -> Play | None:
        """The play to make at a table that plays together: a small one, if possible a new row, to
        which others can add. It makes none while it has earned more than somebody else, unless it
        has been quiet for some turns."""
        view = self.view
        points_of_others = [earned for seat, earned in enumerate(view.earned) if seat != view.seat]
        if view.earned[view.seat] > min(points_of_others) and (
            view.turns_without_play < QUIET_TURNS or view.play_count
        ):
            return None
        plays = [play for play in plays if not takes_last_plank(view, play)]
        return min(plays, key=lambda play: (play.touches_table, *_size(play)), default=None)

    def _wants(self, card: Card) -> bool:
        if (self._is_keen or self._is_behind) and need_for(self.view, card) >= NEED_TO_TAKE:
            return True
        position_after = with_card(self.view.position, card)
        return bool(self._noticed_plays(sights_of(position_after, card)))

    @property
    def _is_behind(self) -> bool:
        """Whether nobody has more cards."""
        counts = self.view.hand_sizes
        return counts[self.view.seat] == max(counts)

    def _noticed_plays(self, sights: Iterable[Sight]) -> list[Play]:
        is_quiet = self.view.turns_without_play >= QUIET_TURNS
        chance = 1.0 if is_quiet else self._by_skill(NOTICE_CHANCES)
        noticed = noticed_sights(sights, lambda _: chance, self.seed)
        return [play for sight in noticed for play in sight.plays]

    def _gifts(self, sights: Iterable[Sight]) -> frozenset[Card]:
        """The cards that the next player could add to the table, if they have opened."""
        view = self.view
        next_seat = (view.seat + 1) % len(view.turns)
        needs_none = view.ruleset.is_together and not view.ruleset.opening
        if not view.opened[next_seat] and not needs_none:
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
        cards_laid = MOST_DEALT_CARDS_LAID + int(turns / self._by_skill(TURNS_A_CARD))
        return max(LEAST_CARDS_KEPT, size - cards_laid)

    def _small_play(self, plays: list[Play]) -> Play | None:
        """The smallest play that leaves enough cards for later turns. When it has opened, it lays
        only single cards, unless it has been quiet for too long."""
        view = self.view
        hand = view.position.hand
        least = self._cards_to_keep
        fitting_plays = [play for play in plays if hand_after(hand, play).bit_count() >= least]
        if (
            view.position.may_use_table
            and view.turns_without_play < MOST_QUIET_TURNS
            and not view.ruleset.has_pot
        ):
            fitting_plays = [play for play in fitting_plays if len(play.hand) == 1]
        return min(fitting_plays, key=_size, default=None)

    def _paced_play(self, plays: list[Play]) -> Play | None:
        """The play to make if hands are refilled, so that nobody goes out. A mild companion makes
        the smallest play, and in some turns none. A keen one makes the largest that it sees, and
        further ones."""
        view = self.view
        waits = view.turns_without_play < QUIET_TURNS and not self._draw_lot(
            "lays", self._by_skill(LAY_CHANCES)
        )
        if waits or (view.play_count and not self._is_keen):
            return None
        choose = max if self._is_keen else min
        return choose(plays, key=_size, default=None)

    def _winning_play(self, plays: list[Play]) -> Play | None:
        """The first of the plays with which it goes out in this turn, if it may and sees how."""
        if not plays or not self._may_go_out:
            return None
        position = self.view.position
        first = play = max(plays, key=_promise)
        while (result := make_play(position, play)).hand.bit_count() > 1:
            has_opened = position.has_opened or not play.touches_table
            position = Position(position.ruleset, result.table, result.hand, has_opened)
            plays = self._noticed_plays(sights_of(position))
            if not plays:
                return None
            play = max(plays, key=_promise)
        return first

    def _card_to_discard(self, sights: Iterable[Sight]) -> Card:
        """The card to discard: the lowest gift or, if it gives none, the card that it needs least.
        It keeps the cards of its smallest play. A keen companion also keeps what helps others."""
        smallest = min((play for sight in sights for play in sight.plays), key=_size, default=None)
        own_cards = frozenset([card for card, _ in smallest.hand] if smallest else [])
        is_generous = self.view.ruleset.is_together or not (self._is_keen or self._may_go_out)
        if is_generous and (gifts := self._gifts(sights) - own_cards):
            return min(gifts)
        is_greedy = self._is_keen and not is_generous
        helpful_cards = _single_cards(sights) if is_greedy else frozenset[Card]()
        random = Random(f"{self.seed}/discard")

        def loss(card: Card) -> tuple[float, float]:
            cost = COST_OF_OWN_PLAY * (card in own_cards) + COST_OF_HELP * (card in helpful_cards)
            return need_for(self.view, card) + cost, random.random()

        return min(self.view.hand, key=loss)


def _size(play: Play) -> tuple[int, int, str]:
    return len(play.hand), jokers_of(play), str(play)


def _promise(play: Play) -> tuple[int, int, str]:
    return len(play.hand), -jokers_of(play), str(play)


def _single_cards(sights: Iterable[Sight]) -> frozenset[Card]:
    """The cards that can be added to the table alone, without a joker."""
    return frozenset(
        play.hand[0].card
        for sight in sights
        if not sight.needs_joker
        for play in sight.plays
        if len(play.hand) == 1
    )
