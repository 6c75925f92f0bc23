"""Rebuilds the answer to a move from the log, for a page that sends the same move again."""

from collections.abc import Sequence

from games.coach.refusals import Refusal, explain_refusal
from games.engine.cards import Card
from games.engine.plays import TapTarget
from games.engine.round import ends_turn
from games.engine.table import Table
from games.engine.text.record import EntryKind, parse_refusal, transitions
from games.play.log import entries_of, setting_of
from games.play.moves import NO_RESULT, MoveResult, result_of_turn
from games.play.sql import ShownEntry
from games.play.stored_game import StoredGame


def turn_result_of(stored: StoredGame, entry: ShownEntry) -> MoveResult:
    """What came of the turn that this entry ended, from the log."""
    game = stored.game
    if entry.kind != EntryKind.ACT:
        return NO_RESULT
    setting = setting_of(game, len(stored.seats))
    *_, transition = transitions(setting, entries_of(game)[: entry.number])
    before, after = transition.before, transition.after
    if before is None or not ends_turn(before, after):
        return NO_RESULT
    return result_of_turn(game, before, after)


def refusal_of(stored: StoredGame, entry: ShownEntry) -> Refusal | None:
    """The reason of a refused play, found again from the log; None for another entry."""
    if entry.kind != EntryKind.REFUSED:
        return None
    position = stored.snapshot.state.position(stored.seat_number)
    logged_refusal = parse_refusal(entry.text)
    tapped = [card for card, _ in logged_refusal.cards]
    laid_cards = position.table.laid_cards
    cards = [card for card in tapped if card not in laid_cards]
    table_cards = [card for card in tapped if card in laid_cards]
    # The log (`record.refusal_entry`) does not tell whether a row was tapped as a whole or card by
    # card. So both are tried, and the logged code decides.
    for places in (
        _places_of(position.table, table_cards),
        [laid_cards[card] for card in table_cards],
    ):
        refusal = explain_refusal(position, cards, places)
        if refusal.code == logged_refusal.code:
            return refusal
    return Refusal(logged_refusal.code)


def _places_of(table: Table, tapped: Sequence[Card]) -> Sequence[TapTarget]:
    """The places of the tapped table cards. All cards of a row, in its order, count as the row."""
    rows = {tuple(card for card, _ in line.cards): line for line in table.lines}
    places: list[TapTarget] = []
    cards_left = tuple(tapped)
    while cards_left:
        row = next((row for row in rows if cards_left[: len(row)] == row), None)
        places.append(table.laid_cards[cards_left[0]] if row is None else rows[row])
        cards_left = cards_left[1 if row is None else len(row) :]
    return places
