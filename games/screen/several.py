"""What the page of a table of several players has in addition: the news to ask for, the signs, and
the flowers of everyone."""

from collections.abc import Iterable, Sequence

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from games.coach.times_tables import row_table_of
from games.engine.round import OVER_PHASES
from games.models import Seat
from games.play import presence, signs
from games.play.log import new_rows
from games.play.news import seat_token
from games.play.services import Outcome
from games.screen import words
from games.screen.garden import Garden, garden
from games.screen.others_steps import StepsOfOthers
from games.screen.view_models import OwnPlay, Player, Sign, TableIsland, TableOfSeveral


def sign_of(outcome: Outcome, seat: Seat) -> Sign | None:
    """The sign beside a player's face. It stays until their next turn ends, so that those who play
    before them see it; some signs end with the turn in which they were given."""
    view, (name, _, to) = outcome.view, seat.sign.partition(":")
    is_in_turn = view.turn == seat.number
    if not name or seat.sign_turn < signs.turn_number(view, seat.number) - is_in_turn:
        return None
    allowed = signs.signs_allowed(outcome.game, view, seat.number, outcome.recent_entries)
    if name in (signs.IN_OWN_TURN, signs.IN_OTHERS_TURNS) and name not in allowed:
        return None
    if name == signs.IN_OTHERS_TURNS and to != str(view.turn):
        return None
    to_name = outcome.seats[int(to)].name if to else ""
    return Sign(name, words.sign_words(name, to_name), to=to_name)


def table_of_several(
    outcome: Outcome, players: Sequence[Player], others: StepsOfOthers
) -> TableOfSeveral | None:
    if not outcome.has_several_players:
        return None
    game, view, seat = outcome.game, outcome.view, outcome.seat_number
    address = reverse("news", args=[game.pk, seat, seat_token(game.pk, seat), 0])
    awaited_seat = None if view.may_act else view.to_act
    allowed = signs.signs_allowed(game, view, seat, outcome.recent_entries)
    ready = [player.name for player in players if player.is_ready]
    now = timezone.now()
    inactivity = presence.inactivity_at(game, outcome.seats, seat, now)
    return TableOfSeveral(
        poll=address.removesuffix("0"),
        news=presence.shown_version(game.news, inactivity),
        signs=tuple(
            Sign(name, words.sign_words(name), name in allowed)
            for name in signs.SIGNS
            if name in signs.FOR_ROWS.union(allowed)
        ),
        may_sign=signs.signs_left(outcome.seats[seat], view) > 0,
        waits_for=next((player.silent for player in players if player.seat == awaited_seat), None),
        may_ask_for_bot=presence.may_ask_for_bot(game, outcome.seats, seat, now),
        is_asked_to_go_on=view.may_act and presence.is_asked_to_go_on(game),
        is_waited_for=view.may_act
        and any(player.is_other_player and not player.has_stand_in for player in players),
        fitting_sign=_fitting_sign(outcome, others),
        ready_text=words.with_explanation(gettext("Ready for the next round"), words.listed(ready))
        if ready
        else "",
    )


def _fitting_sign(outcome: Outcome, others: StepsOfOthers) -> str:
    """The sign of praise that suits this moment: for everybody at the end of a round, and during a
    round for a player who has just laid a row. Empty once the player has given it."""
    of_players = [step for step in others.steps if outcome.seats[step.seat].player]
    suits = signs.PRAISE if any(s.laid_cards and not s.is_stand_in for s in of_players) else ""
    if outcome.view.phase in OVER_PHASES:
        suits = "good-game"
    sign = sign_of(outcome, outcome.own_seat)
    return "" if sign and sign.name == suits else suits


def garden_of_table(
    outcome: Outcome, islands: Iterable[TableIsland], own: OwnPlay | None
) -> Garden | None:
    """A flower for each row that anyone at a table has laid in the round; flowers of rows that have
    just changed are marked. With a goal, there is a bridge instead."""
    view = outcome.view
    if not outcome.has_several_players or view.phase in OVER_PHASES or view.goal is not None:
        return None
    last_row = own.numbers if own else ()
    rows = [row for island in islands for row in island.rows]
    numbers_new = [row.numbers for row in rows if row.laid_at_step or row.numbers == last_row]
    tables = [_table_of(numbers) for numbers in new_rows(outcome.game, outcome.entries_of_round)]
    return garden(tables, new_tables=[_table_of(numbers) for numbers in numbers_new])


def _table_of(numbers: Iterable[int]) -> int:
    """The times table of a row, 0 for none."""
    return row_table_of(tuple(numbers)).times_table or 0
