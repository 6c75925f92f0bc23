"""What a child found, missed and tried follows from the log of its game alone."""

from datetime import UTC, date, datetime
from uuid import uuid4

import pytest

from classrooms.models import Assignment, Child
from classrooms.progress.models import Evidence, GameEvidence, Played, TableDay
from classrooms.progress.pipeline.evidence import dirty, look_at, read, store
from games.engine.text.entries import parse_hint
from games.models import Action
from games.play.moves import AskHint, Choose
from tests.classrooms.progress.playing import Hand, begin_with_a_row
from tests.classrooms.progress.stored import everything

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def hand(dora: Child, assignment: Assignment) -> Hand:
    return begin_with_a_row(dora, assignment)


def looked(hand: Hand) -> list[Evidence]:
    look_at(hand.attempt.game_id)
    return list(Evidence.objects.order_by("entry", "pk"))


def test_a_row_laid_is_found_without_a_hint(hand: Hand) -> None:
    hand.draw_until_a_row_is_there()
    row = hand.lay()
    hand.end()
    found = [piece for piece in looked(hand) if piece.kind == "found"]
    assert [(piece.row, piece.hint_step) for piece in found] == [(row, 0)]
    assert found[0].table in (2, 5, 10)
    assert found[0].school_class_id == hand.attempt.assignment.school_class_id


def test_a_row_laid_after_a_hint_is_found_with_its_step(hand: Hand) -> None:
    hand.draw_until_a_row_is_there()
    hand.hint(step=3)
    asked = Action.objects.filter(game=hand.attempt.game_id, kind="hint").latest("number")
    hint = parse_hint(asked.text, hand.attempt.game.ruleset)
    assert hint.step == 3
    hand.move(Choose(str(hint.play)))
    hand.end()
    found = [piece.hint_step for piece in looked(hand) if piece.kind == "found"]
    assert found == [3]
    assert Played.objects.get(what="turn", hints_asked__gt=0).hints_asked == 3


def test_a_row_left_in_the_hand_is_missed(hand: Hand) -> None:
    hand.draw_until_a_row_is_there()
    hand.end()
    last = looked(hand)[-1]
    assert last.kind == "missed"
    assert len(last.numbers) >= 3


def test_a_row_taken_back_is_tried(hand: Hand) -> None:
    hand.draw_until_a_row_is_there()
    row = hand.lay()
    hand.take_back()
    hand.end()
    assert {(piece.kind, piece.row) for piece in looked(hand)} >= {("tried", row)}
    assert not Evidence.objects.filter(kind="found").exists()


def test_a_logged_card_that_the_edition_lacks_spoils_no_report(hand: Hand) -> None:
    """As older versions logged what anyone could post."""
    hand.draw_until_a_row_is_there()
    hand.move(AskHint())
    Action.objects.filter(game=hand.attempt.game_id, kind="hint").update(
        kind="refused", text="not-in-hand 77 78 79"
    )
    row = hand.lay()
    hand.end()
    assert ("found", row) in [(piece.kind, piece.row) for piece in looked(hand)]


def test_who_lays_all_that_is_there_misses_nothing(hand: Hand) -> None:
    hand.play_round()
    pieces = looked(hand)
    assert {piece.kind for piece in pieces} == {"found"}


def test_a_finished_round_is_played_once(hand: Hand) -> None:
    hand.play_round()
    look_at(hand.attempt.game_id)
    assert Played.objects.filter(what="round").count() == 1
    assert Played.objects.filter(what="turn").count() > 1


def test_moves_of_the_bots_show_nothing_of_the_child(hand: Hand) -> None:
    hand.play_round(lays=False)
    assert not [piece for piece in looked(hand) if piece.kind == "found"]


def test_the_day_is_that_of_the_class(hand: Hand) -> None:
    hand.play_turn()
    late = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
    Action.objects.filter(game=hand.attempt.game_id).update(at=late)
    look_at(hand.attempt.game_id)
    assert Played.objects.get().day == date(2026, 11, 21)


def test_a_game_is_dirty_until_it_was_looked_at_and_after_each_move(hand: Hand) -> None:
    assert dirty().get() == hand.attempt
    look_at(hand.attempt.game_id)
    assert not dirty().exists()
    hand.play_turn()
    assert dirty().get() == hand.attempt


def test_looking_twice_is_looking_once(hand: Hand) -> None:
    hand.play_round()
    assert look_at(hand.attempt.game_id)
    once = everything()
    assert not look_at(hand.attempt.game_id)
    assert everything() == once


def test_a_late_reading_does_not_undo_a_newer_one(hand: Hand) -> None:
    hand.play_turn()
    late = read(hand.attempt)
    hand.play_turn()
    look_at(hand.attempt.game_id)
    newer = everything()
    assert not store(hand.attempt.child_id, [late])
    assert everything() == newer


def test_nobodys_game_is_nothing_to_look_at() -> None:
    assert not look_at(uuid4())


def test_a_log_that_the_rules_refuse_is_marked_and_keeps_what_came_before(hand: Hand) -> None:
    hand.play_turn()
    log = Action.objects.filter(game=hand.attempt.game_id)
    last = log.order_by("number").last()
    assert last
    Action.objects.create(
        game=hand.attempt.game, number=last.number + 1, kind="act", seat=0, text="discard 99"
    )
    look_at(hand.attempt.game_id)
    assert GameEvidence.objects.get().problem
    assert Played.objects.filter(what="turn").count() == 1
    assert not dirty().exists()


def test_counts_are_those_of_the_evidence(hand: Hand) -> None:
    hand.play_round(lays=False)
    hand.play_round()
    pieces = looked(hand)
    for counted in TableDay.objects.all():
        kinds = [
            (piece.kind, piece.hint_step > 0)
            for piece in pieces
            if piece.table == counted.table and piece.day == counted.day
        ]
        assert counted.found == kinds.count(("found", False))
        assert counted.hinted == kinds.count(("found", True))
        assert counted.missed == kinds.count(("missed", False))
