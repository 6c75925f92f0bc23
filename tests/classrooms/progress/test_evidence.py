"""A child's chances, play and answers follow from the logs of their games and questions alone."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec import to_builtins
from time_machine import Traveller

from classrooms.models import Assignment, Child
from classrooms.privacy.erasure import erase_class
from classrooms.progress import answer_evidence, fact_levels
from classrooms.progress.evidence import (
    LONGEST_THINKING,
    dirty_attempts,
    due_attempts,
    games_due,
    process_game,
    process_games,
    read_games,
    store_readings,
)
from classrooms.progress.models import (
    Chance,
    ChildAssignment,
    ChildDay,
    FactAbility,
    FactDay,
    FactMastery,
    GameEvidence,
    Played,
    ProgressLock,
    TableDay,
)
from classrooms.progress.rebuild import rebuild
from classrooms.progress.tasks import look_at_sitting, look_for_dirty
from classrooms.roster.merges import merge
from games.coach.questions.recall import Recall
from games.models import Entry, Game
from games.play.moves import AskHint, Choose
from tests.classrooms.progress.answering import answer, everything
from tests.classrooms.progress.playing import Hand, begin, begin_with_a_row
from tests.factories import AssignmentFactory, ChildFactory, SchoolClassFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

IDLE = override_settings(PROGRESS_IDLE_SECONDS=300)


@pytest.fixture
def hand(dora: Child, assignment: Assignment) -> Hand:
    return begin_with_a_row(dora, assignment)


def read_chances(hand: Hand) -> list[Chance]:
    process_game(hand.attempt.game_id)
    return list(Chance.objects.order_by("entry", "pk"))


def log_of(hand: Hand) -> list[Entry]:
    return list(Entry.objects.filter(game=hand.attempt.game_id).order_by("number"))


def test_a_logged_card_that_the_edition_lacks_breaks_no_report(hand: Hand) -> None:
    """Older versions logged whatever was posted."""
    hand.draw_until_a_row_is_there()
    hand.move(AskHint())
    Entry.objects.filter(game=hand.attempt.game_id, kind="hint").update(
        kind="refused", text="not-in-hand 77 78 79"
    )
    row = hand.lay()
    hand.end()
    (own,) = [chance for chance in read_chances(hand) if chance.is_laid]
    assert (own.outcome, own.row, own.tries) == ("at once", row, 1)
    assert Played.objects.get().tries_refused == 1


def test_class_and_day_are_those_of_the_play(hand: Hand, dora: Child) -> None:
    """The day ends by the class's clock. The chances of a child who moves later stay with the
    former class."""
    hand.play_round()
    late = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
    Entry.objects.filter(game=hand.attempt.game_id).update(at=late)
    school_class = dora.school_class
    dora.school_class = SchoolClassFactory.create()
    dora.save()
    for row in (*read_chances(hand), Played.objects.get()):
        assert (row.day, row.school_class_id) == (date(2026, 11, 21), school_class.pk)


def test_a_chance_belongs_to_the_day_on_which_it_ended(hand: Hand, clock: Traveller) -> None:
    hand.draw_until_a_row_is_there()
    hand.end()
    row = hand.rows()[0]
    clock.shift(timedelta(days=1))
    hand.draw()
    hand.move(Choose(row))
    hand.end()
    (own,) = [chance for chance in read_chances(hand) if chance.is_laid]
    assert (own.outcome, own.day) == ("later", date(2026, 3, 3))
    turns = dict(Played.objects.values_list("day", "turns_ended"))
    assert turns == {date(2026, 3, 2): own.last_turn - 1, date(2026, 3, 3): 1}


def test_thinking_begins_with_the_turn_and_with_the_last_row(
    dora: Child, assignment: Assignment, clock: Traveller
) -> None:
    hand = begin_with_a_row(dora, assignment)
    clock.shift(timedelta(seconds=20))
    hand.draw()
    clock.shift(timedelta(seconds=3))
    hand.lay()
    (own,) = _found_of(hand)
    assert own.thinking_ms == 23_000
    hand.play_round(lays=False)


def test_a_pause_of_several_minutes_is_not_thinking(
    dora: Child, assignment: Assignment, clock: Traveller
) -> None:
    hand = begin_with_a_row(dora, assignment)
    clock.shift(LONGEST_THINKING + timedelta(seconds=1))
    hand.draw()
    hand.lay()
    (own,) = _found_of(hand)
    assert own.thinking_ms is None


def _found_of(hand: Hand) -> list[Chance]:
    """End the turn, and read it."""
    if hand.look().view.phase == "play":
        hand.end()
    return [chance for chance in read_chances(hand) if chance.is_laid]


def test_a_game_is_dirty_after_each_move(hand: Hand) -> None:
    assert dirty_attempts().get() == hand.attempt
    process_game(hand.attempt.game_id)
    assert not dirty_attempts().exists()
    hand.play_turn()
    assert dirty_attempts().get() == hand.attempt


@IDLE
def test_a_round_is_counted_when_it_is_over(hand: Hand) -> None:
    hand.play_turn()
    assert not due_attempts().exists()
    look_for_dirty()
    assert not Played.objects.exists()
    hand.play_round()
    assert due_attempts().get() == hand.attempt
    look_for_dirty()
    assert Played.objects.get().rounds_ended == 1


@IDLE
def test_a_round_is_counted_while_the_next_one_is_played(dora: Child, school_class: object) -> None:
    task = AssignmentFactory.create(school_class=school_class, rounds=3)
    hand = Hand(begin(dora, task, seed=3))
    for rounds in (1, 2):
        hand.play_round()
        hand.play_turn()
        assert due_attempts().get() == hand.attempt
        look_for_dirty()
        assert not due_attempts().exists()
        assert sum(Played.objects.values_list("rounds_ended", flat=True)) == rounds
        while hand.look().view.round == rounds:
            hand.play_turn()


@IDLE
def test_an_unfinished_round_is_counted_as_far_as_it_was_played(
    hand: Hand, clock: Traveller
) -> None:
    """An open chance is neither found nor missed while the round may go on."""
    clock.shift(timedelta(seconds=1))
    hand.play_turn(lays=False)
    assert hand.rows()
    clock.shift(timedelta(seconds=299))
    assert not due_attempts().exists()
    clock.shift(timedelta(seconds=2))
    look_for_dirty()
    assert ChildDay.objects.get().turns == 1
    assert not Chance.objects.exists()
    hand.play_round(lays=False)
    look_for_dirty()
    assert {chance.outcome for chance in Chance.objects.all()} == {"missed"}
    assert Chance.objects.filter(first_turn=1).exists()


def test_reading_twice_changes_nothing(hand: Hand) -> None:
    hand.play_round()
    assert process_game(hand.attempt.game_id)
    once = everything()
    assert not process_game(hand.attempt.game_id)
    assert everything() == once


def test_only_the_moves_since_the_last_round_are_read(dora: Child, school_class: object) -> None:
    task = AssignmentFactory.create(school_class=school_class, rounds=3)
    hand = Hand(begin(dora, task, seed=5))
    hand.play_round()
    process_game(hand.attempt.game_id)
    end = GameEvidence.objects.get().start_entry
    assert end == hand.look().game.version
    hand.play_round(lays=False)
    (reading,) = read_games([hand.attempt.game_id])
    assert (reading.after_entry, reading.rounds) == (end, 2)
    assert {played.round for played in reading.played.values()} == {2}
    assert {chance.round for chance in reading.chances} == {2}
    assert store_readings([reading]) == 1
    counts = everything()
    rebuild(dora)
    assert everything() == counts


def test_an_unreadable_state_is_made_again(dora: Child, school_class: object) -> None:
    task = AssignmentFactory.create(school_class=school_class, rounds=3)
    hand = Hand(begin(dora, task, seed=3))
    hand.play_round()
    process_game(hand.attempt.game_id)
    GameEvidence.objects.update(start={"of": "another release"})
    hand.play_round()
    process_game(hand.attempt.game_id)
    counts = everything()
    rebuild(dora)
    assert everything() == counts


def test_a_late_reading_does_not_undo_a_newer_one(hand: Hand) -> None:
    hand.play_turn()
    late = read_games([hand.attempt.game_id])
    hand.play_turn()
    process_game(hand.attempt.game_id)
    newer = everything()
    assert not store_readings(late)
    assert everything() == newer


def test_a_reading_of_a_game_with_another_child_by_now_is_dropped(hand: Hand, emil: Child) -> None:
    hand.play_round()
    readings = read_games([hand.attempt.game_id])
    merge(hand.attempt.child, emil, None)
    readings[0].attempt.child_id = emil.pk
    hand.attempt.refresh_from_db()
    other = ChildFactory.create(school_class=emil.school_class)
    readings[0].attempt.child_id = other.pk
    assert not store_readings(readings)
    assert not Played.objects.exists()
    assert dirty_attempts().get() == hand.attempt


def test_an_outdated_reading_is_dropped(dora: Child, school_class: object) -> None:
    task = AssignmentFactory.create(school_class=school_class, rounds=3)
    hand = Hand(begin(dora, task, seed=3))
    hand.play_round()
    process_game(hand.attempt.game_id)
    hand.play_round()
    readings = read_games([hand.attempt.game_id])
    Played.objects.all().delete()
    GameEvidence.objects.all().delete()
    assert not store_readings(readings)
    assert process_game(hand.attempt.game_id)
    assert Played.objects.count() == 2


@IDLE
def test_a_message_about_a_game_also_reads_others_that_are_due(
    dora: Child, assignment: Assignment, clock: Traveller
) -> None:
    hands = [Hand(begin(dora, assignment, seed)) for seed in range(4)]
    hands.sort(key=lambda hand: hand.attempt.game_id)
    due, played, running, old = hands
    old.play_round()
    clock.shift(timedelta(hours=1))
    due.play_turn()
    played.play_round()
    running.play_turn()
    game = due.attempt.game_id
    assert games_due(game) == [game, played.attempt.game_id]
    process_games(games_due(game))
    assert games_due(game) == []


def test_a_broken_log_keeps_its_earlier_rounds(hand: Hand) -> None:
    hand.play_turn()
    log = Entry.objects.filter(game=hand.attempt.game_id)
    last = log.order_by("number").last()
    Entry.objects.create(
        game=hand.attempt.game, number=last.number + 1, kind="act", seat=0, text="discard 99"
    )
    process_game(hand.attempt.game_id)
    assert GameEvidence.objects.get().problem
    assert Played.objects.get().turns_ended == 1
    assert not dirty_attempts().exists()


def test_a_batch_that_fails_is_counted_game_by_game(
    dora: Child, emil: Child, assignment: Assignment
) -> None:
    hands = [Hand(begin(child, assignment, seed=3)) for child in (dora, emil)]
    for hand in hands:
        hand.play_round()
    Game.objects.filter(pk=hands[0].attempt.game_id).update(ruleset_data={"no": "ruleset"})
    look_for_dirty()
    assert list(Played.objects.values_list("child", flat=True)) == [emil.pk]
    assert dirty_attempts().get() == hands[0].attempt


def test_counts_are_those_of_the_chances(hand: Hand) -> None:
    hand.play_round(lays=False)
    hand.play_round()
    chances = read_chances(hand)
    names = {
        "at_once": "at once",
        "later": "later",
        "hinted": "with a hint",
        "tried": "after tries",
        "missed": "missed",
        "joker": "with a joker",
    }
    assert TableDay.objects.exists()
    for total in TableDay.objects.all():
        own = [
            chance.outcome
            for chance in chances
            if chance.table == total.table and chance.day == total.day
        ]
        for name, outcome in names.items():
            assert getattr(total, name) == own.count(outcome), name


def test_the_time_of_the_last_chance_is_counted(hand: Hand) -> None:
    hand.play_round()
    chances = read_chances(hand)
    assert max(TableDay.objects.values_list("last_at", flat=True)) == max(
        chance.at for chance in chances
    )
    assert timezone.now() - chances[-1].at < timedelta(minutes=10)


@pytest.mark.parametrize(
    ("name", "together"), [("classic", ""), ("simplified", ""), ("classic", "right")]
)
def test_rounds_have_the_points_of_the_match(
    dora: Child, school_class: object, name: str, together: str
) -> None:
    """The points of the rounds add up to the child's score, although each round is read alone. A
    round with a shared goal has no winner and no loser."""
    task = AssignmentFactory.create(
        school_class=school_class,
        edition=name,
        options={"offers": False},
        rounds=3,
        together=together,
    )
    hand = Hand(begin(dora, task, seed=3))
    start = hand.look().view.scores[0]
    for number in (1, 2, 3):
        hand.play_round()
        view = hand.look().view
        process_game(hand.attempt.game_id)
        rounds = Played.objects.filter(rounds_ended=1).order_by("round")
        points = [result.points for result in rounds if result.points is not None]
        assert len(points) == number
        assert sum(points) == view.scores[0] - start
    hand.attempt.game.refresh_from_db()
    winners = hand.attempt.game.round_winners
    won = [None if together else winner == 0 for winner in winners]
    assert [result.won for result in rounds] == won
    assert any(points)
    before = everything()
    rebuild(dora)
    assert everything() == before


NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_an_answer_counts_by_how_it_was_found(dora: Child) -> None:
    answer(dora, 6, 8, net_ms=2000)
    answer(dora, 6, 8, net_ms=5000)
    answer(dora, 6, 8, net_ms=9000)
    answer(dora, 6, 8, net_ms=None)
    answer(dora, 6, 8, net_ms=1000, hinted=True)
    answer(dora, 6, 8, net_ms=1000, right=False)
    look_for_dirty()
    fact = FactDay.objects.get()
    assert (fact.recalled, fact.derived, fact.hinted, fact.guessed) == (2, 2, 1, 1)
    assert fact.asked == 6


def test_answers_count_for_the_day_and_the_assignment(dora: Child, assignment: Assignment) -> None:
    answer(dora, 6, 8, assignment=assignment)
    answer(dora, 6, 7, assignment=assignment, right=False)
    look_for_dirty()
    for total in (ChildDay.objects.get(), ChildAssignment.objects.get()):
        assert (total.checks, total.checks_right, total.rounds) == (2, 1, 0)


def test_a_sitting_is_dirty_after_each_answer(dora: Child) -> None:
    sitting = answer(dora, 6, 8).sitting
    assert answer_evidence.dirty_sittings().get() == sitting
    look_at_sitting(sitting.pk)
    assert not answer_evidence.dirty_sittings().exists()
    answer(dora, 6, 9, sitting=sitting)
    assert answer_evidence.dirty_sittings().get() == sitting
    look_at_sitting(sitting.pk)
    look_at_sitting(sitting.pk)
    assert FactDay.objects.count() == 2


def test_two_quick_days_of_three_make_a_fact_fluent(dora: Child) -> None:
    reached = []
    for number, right in enumerate((True, False, True, False, False)):
        answer(dora, 7, 8, right=right, at=NOON + number * DAY)
        look_for_dirty()
        fact = FactMastery.objects.get()
        reached.append((fact.reached, (fact.reached_on - NOON.date()).days))
    assert reached == [
        ("learning", 0),
        ("learning", 0),
        ("fluent", 2),
        ("learning", 3),
        ("learning", 3),
    ]


def test_an_answer_folded_after_an_erasure_is_not_folded_twice(dora: Child) -> None:
    old = dora.school_class
    answer(dora, 7, 8, at=NOON)
    look_for_dirty()
    dora.school_class = SchoolClassFactory.create()
    dora.save()
    answer(dora, 7, 8, at=NOON + DAY)
    erase_class(old, None)
    assert ProgressLock.objects.get().stale
    look_for_dirty()
    assert FactAbility.objects.get().answers == FactMastery.objects.get().recalled == 1
    counts = everything()
    rebuild(dora)
    assert everything() == counts


def test_each_answer_is_folded_once(dora: Child) -> None:
    first = answer(dora, 7, 8, at=NOON)
    fact_levels.fold_all_facts([dora.pk])
    answer(dora, 6, 8, at=NOON + DAY, sitting=first.sitting)
    look_for_dirty()
    assert FactAbility.objects.get().answers == 2
    counts = everything()
    rebuild(dora)
    assert everything() == counts


def test_mastery_moves_with_a_child_to_the_next_class(dora: Child) -> None:
    answer(dora, 7, 8, at=NOON)
    look_for_dirty()
    dora.school_class = SchoolClassFactory.create()
    dora.save()
    answer(dora, 7, 8, at=NOON + DAY)
    look_for_dirty()
    assert FactDay.objects.values_list("school_class").distinct().count() == 2
    answer(dora, 7, 8, at=NOON + 2 * DAY)
    look_for_dirty()
    mastery = FactMastery.objects.get()
    assert (mastery.recalled, mastery.reached) == (3, "fluent")


def test_stored_facts_and_ability_follow_from_all_answers(dora: Child) -> None:
    answers = [("7 8", True), ("6 8", False), ("8 7", True), ("7 8", False), ("6 8", True)]
    folded = Recall()
    for number, (factors, right) in enumerate(answers):
        first, second = map(int, factors.split())
        check = answer(dora, first, second, right=right, at=NOON + number * DAY)
        folded.add(check.fact_answer())
        look_for_dirty()
    ability = FactAbility.objects.get()
    assert (ability.value, ability.answers) == (folded.ability.value, 5)
    for row in FactMastery.objects.all():
        fact = folded.facts[row.low, row.high]
        memory = fact.memory
        assert (row.stability, row.difficulty) == (memory.stability, memory.difficulty)
        assert (row.day.toordinal(), row.due_on.toordinal()) == (memory.last_day, memory.due)
        assert row.ability == fact.ability
        assert row.lately == to_builtins(list(fact.lately))
    assert FactMastery.objects.count() == 2


@pytest.mark.parametrize("untimed", [False, True])
def test_slow_answers_make_an_untimed_fact_fluent(dora: Child, untimed: bool) -> None:
    dora.is_untimed = untimed
    for day in range(3):
        answer(dora, 7, 8, net_ms=None, at=NOON + day * DAY)
    look_for_dirty()
    assert FactMastery.objects.get().reached == ("fluent" if untimed else "learning")


def test_an_answer_keeps_whether_it_was_timed(dora: Child) -> None:
    for day in range(4):
        dora.is_untimed = day < 3
        answer(dora, 7, 8, net_ms=None, at=NOON + day * DAY)
    look_for_dirty()
    stepwise = everything()
    dora.save()
    rebuild(dora)
    assert everything() == stepwise
    assert FactMastery.objects.get().reached == "fluent"


def test_a_late_answer_is_folded_in_its_place(dora: Child) -> None:
    for number in (0, 2, 1, 1, 3, 3):
        answer(dora, 7, 8, right=number != 2, at=NOON + number * DAY)
        answer(dora, 6, 8 + number % 2, right=number != 1, at=NOON + number * DAY)
        look_for_dirty()
    stepwise = everything()
    fact_levels.fold_all_facts([dora.pk])
    assert everything() == stepwise
    assert FactAbility.objects.get().answers == 12


def test_old_answers_are_folded_with_the_next_one(dora: Child) -> None:
    for number in range(3):
        answer(dora, 7, 8, at=NOON + number * DAY)
    look_for_dirty()
    FactMastery.objects.all().delete()
    FactAbility.objects.all().delete()
    answer(dora, 6, 8, at=NOON + 3 * DAY)
    look_for_dirty()
    assert FactAbility.objects.get().answers == 4
    assert FactMastery.objects.get(low=7).recalled == 3


def test_the_queries_of_an_answer_do_not_grow(dora: Child, emil: Child) -> None:
    def queries_for(*children: Child) -> int:
        checks = [answer(child, 6, high) for child in children for high in (7, 8)]
        with CaptureQueriesContext(connection) as queries, transaction.atomic():
            fact_levels.update_fact_levels(checks)
        return len(queries)

    for child in (dora, emil):
        answer(child, 6, 7, at=NOON)
    look_for_dirty()
    few = queries_for(dora)
    for number in range(20):
        answer(dora, 2 + number % 9, 9, at=timezone.now())
    look_for_dirty()
    assert queries_for(dora) == few
    assert queries_for(dora, emil) == few
