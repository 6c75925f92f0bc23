"""A steady player: while it has a play, it makes the one that earns most, and looks no further."""

from games.bots.turns import takes_last_plank, with_card
from games.bots.worth import card_with_fewest_friends
from games.engine.actions import Action, Discard, End
from games.engine.cards import Card, is_joker
from games.engine.play_application import Position, make_play
from games.engine.plays import plays_with_jokers, plays_without_jokers
from games.engine.table import Play
from games.engine.view import View


def choose(view: View, seed: int) -> Action:
    if view.phase != "play":
        cards = (card for card in view.open_cards if _can_lay(view, card))
        return view.action_to_take(next(cards, None))
    return _best_earning_play(view.position) or _end(view)


def choose_for_absent(view: View, seed: int) -> Action:
    """Like `choose`, but for a player who may come back, among players who are there: take no open
    card, lay one row a turn, none of the hand's jokers and not the last plank, so that cards, and a
    goal of the table, are left to the players. It does not lead where what is earned decides."""
    if view.phase != "play":
        return view.action_to_take(None)
    by_earnings = view.ruleset.earnings_decide and not view.ruleset.is_together
    leads = by_earnings and view.scores[view.seat] == max(view.scores)
    may_lay = not view.play_count and not leads
    play = _best_earning_play(view.position, most_jokers=0) if may_lay else None
    return play if play and not takes_last_plank(view, play) else _end(view)


def _end(view: View) -> Action:
    if view.ruleset.may_keep_all and len(view.hand) == 1:
        return End()
    return Discard(card_with_fewest_friends(view.ruleset.sequences, view.position.hand))


def _can_lay(view: View, card: Card) -> bool:
    if is_joker(card):
        return True
    position = with_card(view.position, card)
    return any(
        any(hand_card.card == card for hand_card in play.hand)
        for play in plays_without_jokers(position)
    )


def _best_earning_play(position: Position, most_jokers: int = 2) -> Play | None:
    """The play that earns most and, among equals, lays the most cards. It has as few jokers of the
    hand as possible."""
    for jokers in range(most_jokers + 1):
        plays = plays_with_jokers(position, jokers)
        if plays:
            return max(
                plays,
                key=lambda play: (make_play(position, play).points, len(play.hand), str(play)),
            )
    return None
