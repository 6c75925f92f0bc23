"""A beginner: it knows the easy tables, overlooks rows as children do, and lays one row a turn."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.bots.turns import with_card
from games.coach.times_tables import row_table_of
from games.engine.actions import Action, Discard
from games.engine.cards import Card, is_joker
from games.engine.play_application import Position, hand_after, make_play
from games.engine.plays import plays_with_jokers, plays_without_jokers
from games.engine.table import Play
from games.engine.view import View

NOTICE_CHANCES: Final = {2: 0.8, 5: 0.8, 10: 0.8, 3: 0.65, 4: 0.65}
"""The chance to notice a row, by its table: that of the middle model child (docs/learning.md, Model
children)."""
NOTICE_CHANCE_OF_OTHERS: Final = 0.4
FACTOR_ON_TABLE: Final = 0.8
FACTOR_ACROSS: Final = 0.5
TURNS_FOR_ALL: Final = 4
"""Until all have ended this many turns, it keeps at least `CARDS_KEPT` cards after a play."""
CARDS_KEPT: Final = 3


def choose(view: View, seed: int) -> Action:
    random = Random(seed)
    if view.phase != "play":
        card = next((card for card in view.open_cards if _wants(view, card, random)), None)
        if view.phase in ("offer", "knock") and random.random() >= FACTOR_ACROSS:
            card = None
        return view.action_to_take(card)
    play = _noticed_play(view, random) if not view.play_count else None
    return _discard(view, random) if play is None else play


def _wants(view: View, card: Card, random: Random) -> bool:
    """Whether the open card is a joker or makes a row that the bot notices."""
    if is_joker(card):
        return True
    position_after = with_card(view.position, card)
    return any(
        any(hand_card.card == card for hand_card in play.hand)
        and _notices(position_after, play, random)
        for play in plays_without_jokers(position_after)
    )


def _noticed_play(view: View, random: Random) -> Play | None:
    position = view.position
    plays = [play for play in plays_without_jokers(position) if _is_patient(view, play)]
    plays.sort(key=str)
    noticed = [play for play in plays if _notices(position, play, random)]
    if noticed:
        return max(noticed, key=lambda play: (make_play(position, play).points, str(play)))
    if any(is_joker(card) for card in view.hand) and random.random() < FACTOR_ACROSS:
        joker_plays = [play for play in plays_with_jokers(position, 1) if _is_patient(view, play)]
        joker_plays.sort(key=str)
        return random.choice(joker_plays) if joker_plays else None
    return None


def _notices(position: Position, play: Play, random: Random) -> bool:
    table = row_table_of(make_play(position, play).line.numbers).times_table
    chance = NOTICE_CHANCES.get(table or 0, NOTICE_CHANCE_OF_OTHERS)
    if play.lines:
        chance *= FACTOR_ON_TABLE
    if play.across or play.swaps:
        chance *= FACTOR_ACROSS
    return random.random() < chance


def _is_patient(view: View, play: Play) -> bool:
    """Whether it makes this play now, rather than wait until all have had their turns."""
    had_turns = min(view.turns) >= TURNS_FOR_ALL
    return had_turns or hand_after(view.position.hand, play).bit_count() >= CARDS_KEPT


def _discard(view: View, random: Random) -> Action:
    """Discard the card that shares easy tables with the fewest others, and a joker only if there is
    no number card."""
    numbers = [card for card in view.hand if not is_joker(card)]
    keepable = numbers or view.hand
    return Discard(min(keepable, key=lambda card: (_count_friends(card, numbers), random.random())))


def _count_friends(card: Card, cards: Sequence[Card]) -> int:
    """How many other cards share a times table that the bot knows with this card."""
    return sum(
        any(card % table == 0 and other_card % table == 0 for table in NOTICE_CHANCES)
        for other_card in cards
        if other_card != card
    )
