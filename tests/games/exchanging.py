"""A stored game (log, snapshot and seed) in which all cards that seat 0 has never seen are
exchanged.

In the log only the deck changes: cards that nobody at the table has seen change places in it. All
later actions use other cards, so the log stays legal, and to seat 0 the game is the same. Bots may
act differently afterwards, because they look at their own cards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from uuid import UUID

from games.engine.cards import Card, cards_in, mask_of
from games.engine.match import first_starter
from games.engine.round import State
from games.engine.text.record import (
    EntryKind,
    LogEntry,
    Setting,
    deal_entry,
    parse_deck,
    transitions,
)
from games.models import Entry, Game
from games.play.log import (
    GameSnapshot,
    derive_seed,
    entries_of,
    replay_snapshot,
    setting_of,
    snapshot_data,
    snapshot_of,
)

FEWEST_UNSEEN = 6
SEED_BITS = 62


@dataclass(frozen=True)
class Exchange:
    """A stored game in its first round, with the cards that seat 0 has never seen. The top of the
    closed pile, which the player may draw next, is not among them."""

    game: Game
    seats: int
    entries: tuple[LogEntry, ...]
    snapshot: GameSnapshot
    unseen: tuple[Card, ...]

    @classmethod
    def of(cls, game_id: UUID) -> "Exchange":
        game = Game.objects.get(pk=game_id)
        seats = game.seats.count()
        entries = tuple(entries_of(game))
        unseen = _unseen(setting_of(game, seats), entries)
        return cls(game, seats, entries, snapshot_of(game, seats), unseen)

    @property
    def is_possible(self) -> bool:
        """Whether there are enough cards to exchange. Reshuffled cards have been seen."""
        state = self.snapshot.state
        dealt = sum(entry.kind == EntryKind.DEAL for entry in self.entries)
        unseen = mask_of(self.unseen)
        in_one_hand = any(hand & unseen == unseen for hand in state.hands)
        has_enough = len(self.unseen) >= FEWEST_UNSEEN and not in_one_hand
        return has_enough and not state.reshuffles and dealt == 1

    def dealt_otherwise(self, random: Random) -> "Exchange":
        """The game with another deal and another seed, not stored."""
        becomes = self._other_cards(random)
        game = Game.objects.get(pk=self.game.pk)
        game.seed = self._another_seed(random)
        deal, *acts = self.entries
        deck = parse_deck(deal.text, game.ruleset)
        dealt = deal_entry([becomes.get(card, card) for card in deck])
        seed = setting_of(game, self.seats).seed
        state = _relabelled(self.snapshot.state, becomes, seed)
        snapshot = replace(self.snapshot, state=state)
        return replace(
            self,
            game=game,
            entries=(dealt, *acts),
            snapshot=snapshot,
        )

    def _other_cards(self, random: Random) -> Mapping[Card, Card]:
        """The new card for each unseen card. A hand or the pile differs."""
        state, cards = self.snapshot.state, list(self.unseen)
        while True:
            random.shuffle(cards)
            becomes = dict(zip(self.unseen, cards, strict=True))
            after = _relabelled(state, becomes, state.seed)
            if (after.hands, after.closed_pile) != (state.hands, state.closed_pile):
                return becomes

    def store(self) -> None:
        """Store the exchanged game in place of the old one."""
        snapshot = snapshot_data(self.snapshot)
        Game.objects.filter(pk=self.game.pk).update(seed=self.game.seed, snapshot=snapshot)
        first = Entry.objects.filter(game=self.game, number=1)
        first.update(text=self.entries[0].text)

    def replayed(self) -> GameSnapshot:
        """The state of the game, from its log alone."""
        snapshot = replay_snapshot(setting_of(self.game, self.seats), list(self.entries))
        return replace(snapshot, hint_step=self.snapshot.hint_step)

    def _another_seed(self, random: Random) -> int:
        """Another seed with which the same player begins."""
        ruleset, begins = self.game.ruleset, setting_of(self.game, self.seats).starter
        while True:
            seed = random.getrandbits(SEED_BITS)
            if first_starter(ruleset, self.seats, derive_seed(seed, "starter")) == begins:
                return seed


def _unseen(setting: Setting, entries: tuple[LogEntry, ...]) -> tuple[Card, ...]:
    seen_mask, hidden_mask = 0, 0
    for step in transitions(setting, entries):
        state = step.after
        seen_mask |= (
            state.hands[0]
            | mask_of(state.open_pile)
            | mask_of(state.removed_cards)
            | state.table.card_mask
        )
        hidden_mask = mask_of(state.closed_pile[:-1])
        for hand in state.hands[1:]:
            hidden_mask |= hand
        hidden_mask &= ~mask_of(state.closed_pile[-1:])
    return cards_in(hidden_mask & ~seen_mask)


def _relabelled(state: State, becomes: Mapping[Card, Card], seed: int) -> State:
    def hand_of(hand: int) -> int:
        return mask_of([becomes.get(card, card) for card in cards_in(hand)])

    own_hand, *other_hands = state.hands
    return replace(
        state,
        hands=(own_hand, *map(hand_of, other_hands)),
        closed_pile=tuple([becomes.get(card, card) for card in state.closed_pile]),
        seed=seed,
    )
