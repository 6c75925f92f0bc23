"""How a round may go on: played by players in a hurry, who see what is dealt to them.

Good enough to compare what an expert could do now, and quick: less than a thousandth of a
second a round.
"""

from typing import Final

from games.bots.worth import alone, friends_of, mean_friends
from games.engine.actions import Action, Claim, Discard, DrawClosed, DrawOpen, Knock, Pass
from games.engine.cards import NUMBER_MASK, Card, cards_in, is_joker
from games.engine.forming import Position, points
from games.engine.plays import plays_with_jokers
from games.engine.round import State
from games.engine.table import Play

WELL_BEFRIENDED: Final = 1.5
"""A card is drawn for its friends alone where it has so many times as many as is usual."""


def hurried(state: State) -> Action:
    """What a player in a hurry does: it lays the play that earns most, takes the open card when
    it can lay it at once or it has many friends, and puts down the card with fewest."""
    seat = state.seat
    assert seat is not None
    position = state.position(seat)
    match state.phase:
        case "draw" | "redraw":
            wanted = state.open and _wants(position, state.open[-1])
            return DrawOpen() if wanted else DrawClosed()
        case "offer":
            return Claim() if _can_lay(position, state.open[-1]) else Pass()
        case "knock":
            return Knock(seat) if _can_lay(position, state.open[-1]) else Pass(seat)
    return _most_earning(position) or Discard(_least_missed(position))


def _wants(position: Position, card: Card) -> bool:
    if _can_lay(position, card):
        return True
    sequences = position.ruleset.sequences
    met = (friends_of(sequences)[card] & ~position.table.takeable.covered).bit_count()
    return met > WELL_BEFRIENDED * mean_friends(sequences) * sequences.highest


def _can_lay(position: Position, card: Card) -> bool:
    """Whether a card makes a row with others, as far as can be told at a glance."""
    if is_joker(card):
        return True
    sequences = position.ruleset.sequences
    reach = position.hand & NUMBER_MASK
    if position.may_use_table:
        if alone(sequences, position.table) >> card & 1:
            return True
        reach |= position.table.takeable.crossable
    thirds = sequences.thirds[card]
    return any(thirds[other] & reach for other in cards_in(position.hand & NUMBER_MASK))


def _most_earning(position: Position) -> Play | None:
    ruleset, table = position.ruleset, position.table
    for jokers in (0, 1):
        plays = plays_with_jokers(position, jokers)
        if len(plays) > 1:
            return max(
                plays,
                key=lambda play: (
                    points(ruleset, play.hand, table.formed_by(play)),
                    len(play.hand),
                ),
            )
        if plays:
            return plays[0]
    return None


def _least_missed(position: Position) -> Card:
    """The card with fewest friends left, the lowest of them; a joker for want of others."""
    numbers = cards_in(position.hand & NUMBER_MASK)
    if not numbers:
        return cards_in(position.hand)[0]
    friends = friends_of(position.ruleset.sequences)
    left = ~position.table.takeable.covered
    return min(numbers, key=lambda card: (friends[card] & left).bit_count())
