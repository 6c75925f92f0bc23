from collections.abc import Collection

from games.coach.turn_evidence import Piece, TurnEvidence, turns
from games.engine.cards import Laid
from games.engine.ruleset import Ruleset, edition
from games.engine.text.entries import LogEntry, hint_entry, refused_entry, take_back_entry
from games.engine.text.notation import parse_cards, parse_play
from games.engine.text.record import Setting
from tests.games.positions import BLOCKS, SIMPLIFIED

DORA, EMIL = 0, 1
HANDS = "5 10 15 12 16 20 49 1 2 3 9 18 27 36"
REST = "50 7 8 11"


def evidence_of(
    *entries: LogEntry,
    deal: str = f"{HANDS} {REST}",
    seats: Collection[int] = (DORA, EMIL),
    ruleset: Ruleset = SIMPLIFIED,
) -> list[TurnEvidence]:
    log = [LogEntry("deal", None, deal), *entries]
    return list(turns(Setting(ruleset, 2, DORA), log, seats))


def acts(seat: int, *texts: str) -> list[LogEntry]:
    return [LogEntry("act", seat, text) for text in texts]


def hinted(seat: int, step: int, play: str) -> LogEntry:
    return hint_entry(seat, step, parse_play(play, SIMPLIFIED))


def refused(seat: int, cards: str, *tapped: Laid) -> LogEntry:
    return refused_entry(seat, "not-a-sequence", parse_cards(cards.split(), SIMPLIFIED), tapped)


def pieces(turn: TurnEvidence) -> set[tuple[str, int, str]]:
    return {(piece.kind, piece.table, piece.row) for piece in turn.pieces}


DRAW = acts(DORA, "draw open")
DISCARD = acts(DORA, "discard 49")


def test_a_row_laid_and_kept_is_found_in_its_own_table() -> None:
    (turn,) = evidence_of(*DRAW, *acts(DORA, "12 16 20"), *DISCARD)
    assert Piece("found", 4, "12 16 20", (12, 16, 20)) in turn.pieces


def test_a_table_that_could_still_be_laid_is_missed() -> None:
    (turn,) = evidence_of(*DRAW, *acts(DORA, "12 16 20"), *DISCARD)
    assert ("missed", 5) in {(piece.kind, piece.table) for piece in turn.pieces}


def test_a_table_found_is_not_missed_as_well() -> None:
    (turn,) = evidence_of(*DRAW, *acts(DORA, "5 10 15"), *DISCARD)
    assert {piece.kind for piece in turn.pieces if piece.table == 5} == {"found"}


def test_of_a_table_one_row_is_missed_the_one_that_takes_least() -> None:
    (turn,) = evidence_of(*DRAW, *DISCARD)
    of_five = [piece for piece in turn.pieces if piece.table == 5]
    assert [(piece.kind, piece.row) for piece in of_five] == [("missed", "10 15 20")]


def test_a_row_in_no_table_goes_to_none() -> None:
    deal = "11 16 21 1 2 3 49 4 5 6 9 18 27 36 50 7"
    (turn,) = evidence_of(*DRAW, *acts(DORA, "11 16 21"), *DISCARD, deal=deal)
    assert ("found", 0, "11 16 21") in pieces(turn)


def test_a_row_taken_back_is_tried_not_found() -> None:
    (turn,) = evidence_of(*DRAW, *acts(DORA, "12 16 20"), take_back_entry(DORA), *DISCARD)
    assert ("tried", 4, "12 16 20") in pieces(turn)
    assert ("missed", 4, "12 16 20") in pieces(turn)
    assert not any(piece.kind == "found" for piece in turn.pieces)


def test_the_last_of_two_plays_is_the_one_taken_back() -> None:
    (turn,) = evidence_of(
        *DRAW, *acts(DORA, "5 10 15", "12 16 20"), take_back_entry(DORA), *DISCARD
    )
    assert ("found", 5, "5 10 15") in pieces(turn)
    assert ("tried", 4, "12 16 20") in pieces(turn)


def test_a_refused_row_is_tried_in_the_table_that_it_seems_to_mean() -> None:
    (turn,) = evidence_of(*DRAW, refused(DORA, "5 10 16"), refused(DORA, "12 49"), *DISCARD)
    assert ("tried", 5, "5 10 16") in pieces(turn)
    assert ("tried", 0, "12 49") in pieces(turn)


def test_what_was_tapped_on_the_table_is_part_of_a_refused_row() -> None:
    entry = refused(DORA, "10 a", Laid(20, 20), Laid(102, 30))
    (turn,) = evidence_of(*DRAW, entry, *DISCARD)
    (tried,) = [piece for piece in turn.pieces if piece.kind == "tried"]
    assert (tried.table, tried.row, tried.numbers) == (10, "10 a 20 b=30", (10, 20, 30))


def test_a_refused_card_alone_means_no_table() -> None:
    (turn,) = evidence_of(*DRAW, refused(DORA, "5"), *DISCARD)
    assert ("tried", 0, "5") in pieces(turn)


def test_a_find_after_a_hint_carries_its_highest_step() -> None:
    hints = [hinted(DORA, 1, "12 16 20"), hinted(DORA, 3, "12 16 20"), hint_entry(DORA, 1, None)]
    (turn,) = evidence_of(*DRAW, *hints, *acts(DORA, "12 16 20", "5 10 15"), *DISCARD)
    assert Piece("found", 4, "12 16 20", (12, 16, 20), 3) in turn.pieces
    assert Piece("found", 5, "5 10 15", (5, 10, 15), 0) in turn.pieces


def test_a_hint_counts_for_its_own_turn_only() -> None:
    emils = acts(EMIL, "draw open", "1 2 3", "discard 36")
    again = acts(DORA, "draw open", "12 16 20", "discard 50")
    log = [*DRAW, hinted(DORA, 4, "12 16 20"), *DISCARD, *emils, *again]
    last = evidence_of(*log)[-1]
    assert Piece("found", 4, "12 16 20", (12, 16, 20), 0) in last.pieces


def test_a_row_with_a_joker_of_the_hand_is_not_missed() -> None:
    deal = "12 16 a 1 7 30 49 4 5 6 9 18 27 36 50 8"
    (turn,) = evidence_of(*DRAW, *DISCARD, deal=deal)
    assert turn.pieces == ()


def test_a_turn_that_emptied_the_hand_missed_nothing() -> None:
    deal = "5 10 15 12 16 20 24 1 2 3 9 18 27 36 28 7"
    log = acts(DORA, "draw open", "5 10 15", "12 16 20 24 28")
    (turn,) = evidence_of(*log, deal=deal)
    assert {piece.kind for piece in turn.pieces} == {"found"}


def test_a_last_card_that_is_discarded_but_could_be_laid_is_missed() -> None:
    deal = "30 35 40 45 12 16 20 1 2 3 9 18 27 24 50 7"
    log = [
        *acts(DORA, "draw open", "12 16 20", "discard 50"),
        *acts(EMIL, "draw open", "discard 24"),
        *acts(DORA, "draw open", "30 35 40 45", "discard 24"),
    ]
    last = evidence_of(*log, deal=deal)[-1]
    assert pieces(last) == {("found", 5, "30 35 40 45"), ("missed", 4, "24 to 12-16-20")}


def test_only_the_seats_asked_for_are_reported() -> None:
    emils = acts(EMIL, "draw open", "1 2 3", "discard 36")
    assert [turn.seat for turn in evidence_of(*DRAW, *DISCARD, *emils)] == [DORA, EMIL]
    assert [turn.seat for turn in evidence_of(*DRAW, *DISCARD, *emils, seats=[EMIL])] == [EMIL]


def test_a_turn_says_which_one_it_is_and_where_it_lies_in_the_log() -> None:
    emils = acts(EMIL, "draw open", "1 2 3", "discard 36")
    again = acts(DORA, "draw open", "discard 36")
    spans = [
        (turn.seat, turn.round, turn.turn, turn.first_entry, turn.last_entry)
        for turn in evidence_of(*DRAW, *DISCARD, *emils, *again)
    ]
    assert spans == [(DORA, 1, 1, 1, 2), (EMIL, 1, 1, 3, 5), (DORA, 1, 2, 6, 7)]


def test_a_turn_under_way_is_not_reported() -> None:
    assert evidence_of(*DRAW, *acts(DORA, "12 16 20")) == []


def test_what_others_do_in_a_turn_is_none_of_its_evidence() -> None:
    offer = [*acts(DORA, "draw closed"), refused(EMIL, "1 2 9"), *acts(EMIL, "pass")]
    (turn,) = evidence_of(*offer, *acts(DORA, "12 16 20"), *DISCARD)
    assert {piece.kind for piece in turn.pieces} == {"found", "missed"}


def test_a_next_round_begins_a_new_turn() -> None:
    deal = "5 10 15 12 16 20 24 1 2 3 9 18 27 36 28 7"
    won = acts(DORA, "draw open", "5 10 15", "12 16 20 24 28")
    again = [LogEntry("deal", None, deal), *acts(EMIL, "draw open", "1 2 3", "discard 9")]
    last = evidence_of(*won, *again, deal=deal)[-1]
    assert (last.seat, last.round, last.turn, last.first_entry) == (EMIL, 2, 1, 5)


def test_in_blocks_a_turn_ends_with_its_discard() -> None:
    hands = "5 10 15 12 16 20 49 60 80 1 2 3 9 18 27 36 70 90"
    log = [*acts(DORA, "5 10 15", "discard 49"), *acts(EMIL, "pass")]
    (turn,) = evidence_of(*log, deal=f"{hands} 33 44 55 66", ruleset=BLOCKS)
    assert (turn.seat, turn.last_entry) == (DORA, 2)
    assert ("found", 5, "5 10 15") in pieces(turn)


def test_what_is_missed_follows_the_chosen_tables() -> None:
    only_four = edition("simplified", tables=[4])
    (turn,) = evidence_of(*DRAW, *DISCARD, ruleset=only_four)
    assert pieces(turn) == {("missed", 4, "12 16 20")}
