"""One deal for the class: everybody gets the same cards, luck plays no part in the comparison, and
children who have left do not count."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms.assignments import playing, status
from classrooms.assignments import services as assignments
from classrooms.assignments.presets import PRESETS
from classrooms.lesson import one_deal
from classrooms.models import Assignment, Attempt, Child, SchoolClass, User
from games.engine.actions import DrawClosed
from games.engine.round import view
from games.engine.text.record import transitions
from games.models import Entry, Game
from games.play import services as play
from games.play.log import entries_of, setting_of
from games.play.moves import Do
from tests.classrooms.lesson.deals import DealHand
from tests.classrooms.people import client_of, client_of_child
from tests.counts import times
from tests.factories import AssignmentFactory, ChildFactory
from tests.games.coach.deal_oracle import slow_count, slow_turns

pytestmark = pytest.mark.django_db
CHILDREN = times(5, 28)


@pytest.fixture
def deal(school_class: SchoolClass) -> Assignment:
    return one_deal.start(school_class, PRESETS["next"].choice)


def closed(deal: Assignment) -> Assignment:
    assignments.end(deal)
    deal.refresh_from_db()
    return deal


def state_of(child: Child, deal: Assignment) -> str:
    players = one_deal.board(deal, timezone.now()).players
    return next(one.state for one in players if one.child == child)


def answers_of_bots(game: Game, bots: int) -> Iterator[tuple[object, str]]:
    """Each bot's view with its rows in a fixed order, and its action."""
    for step in transitions(setting_of(game, bots + 1), entries_of(game)):
        seat = step.entry.seat
        if step.before is not None and seat:
            seen = view(step.before, seat)
            lines = tuple(sorted(map(str, seen.table.lines)))
            known = [value for name, value in each_field(seen) if name not in ("table", "ruleset")]
            yield (seat, str(known), lines), step.entry.text


def each_field(seen: object) -> list[tuple[str, object]]:
    return [(name, getattr(seen, name)) for name in seen.__slots__]  # type: ignore[attr-defined]


@pytest.mark.parametrize("bots", times([3], [1, 3]))
def test_a_whole_class_plays_one_deal(
    clock: Traveller, school_class: SchoolClass, bots: int
) -> None:
    """All get the same cards, and bots act alike in equal positions. The comparison matches a slow
    recount: without the child who left, and with the child who came late."""
    deal = one_deal.start(school_class, replace(PRESETS["next"].choice, bots=bots, more_rows=False))
    deal.deal_seed = 21  # a deal in which nobody is out before the second turn
    deal.save()
    *most, leaver, late = (ChildFactory.create(school_class=school_class) for _ in range(CHILDREN))
    for number, child in enumerate(most):
        DealHand(child, deal, number, 0.3 + number % 3 * 0.2).play_out()
    DealHand(leaver, deal, 91, 0.5).play_out(most_turns=2)
    assert (state_of(leaver, deal), state_of(late, deal)) == ("playing", "waiting")
    clock.shift(one_deal.AWAY_AFTER + timedelta(minutes=1))
    assert (state_of(leaver, deal), state_of(late, deal)) == ("left", "waiting")
    coming = DealHand(late, deal, 92, 0.5)
    assert state_of(late, deal) == "playing"
    coming.play_out()
    assert {state_of(child, deal) for child in (*most, late)} == {"finished"}
    games = [one.game for one in Attempt.objects.filter(assignment=deal).select_related("game")]
    decks = Entry.objects.filter(game__in=games, kind="deal").values_list("text", flat=True)
    assert len(games) == CHILDREN
    assert len(set(decks)) == 1
    answers: dict[object, str] = {}
    for game in games:
        for known, answer in answers_of_bots(game, bots):
            assert answers.setdefault(known, answer) == answer

    found = one_deal.comparison(closed(deal))
    compared = {attempt.child for attempt in found.attempts}
    assert compared == {*most, late}
    slow = [
        slow_turns(list(transitions(setting_of(one.game, bots + 1), entries_of(one.game))), 0)
        for one in found.attempts
    ]
    assert found.turns[0].players == CHILDREN - 1
    for turn in found.turns:
        expected = slow_count(slow, turn.number, turn.example)
        assert len(turn.rows) == len(expected)
        starts = [turns[turn.number - 1].before for turns in slow if len(turns) >= turn.number]
        assert turn.players == len(starts)
        assert turn.alike == max(starts.count(start) for start in starts)
        for row in turn.rows:
            counted = (row.could, row.laid, row.partly, row.later, row.never)
            assert expected[frozenset(row.numbers)] == counted
    assert state_of(leaver, deal) == "left"


def test_a_child_who_has_left_can_go_on_until_the_deal_is_closed(
    clock: Traveller, dora: Child, deal: Assignment
) -> None:
    hand = DealHand(dora, deal, 1, 0.5)
    hand.play_turn()
    clock.shift(one_deal.AWAY_AFTER + timedelta(minutes=1))
    assert state_of(dora, deal) == "left"
    hand.play_turn()
    assert state_of(dora, deal) == "playing"
    closed(deal)
    assert state_of(dora, deal) == "left"
    clock.shift(timedelta(seconds=1))
    hand.play_out()
    assert state_of(dora, deal) == "left"
    assert one_deal.comparison(deal).attempts == []


def test_a_deal_with_a_last_day_can_be_played_at_any_time_before(
    clock: Traveller, alice: User, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    due_on = school_class.today() + timedelta(days=3)
    teacher, new = client_of(alice), reverse("classrooms:new_deal", args=[school_class.pk])
    page = teacher.post(new, {"preset": "next", "due_on": due_on.isoformat()}, follow=True)
    assert page.redirect_chain[-1][0] == reverse("classrooms:assignments", args=[school_class.pk])
    deal = Assignment.objects.get()
    assert (deal.is_one_deal, deal.due_on) == (True, due_on)
    board = reverse("classrooms:deal", args=[school_class.pk, deal.pk])
    assert "until Thursday<" in client_of_child(dora).get(reverse("classrooms:me")).text
    first = DealHand(dora, deal, 1, 0.5)
    first.play_out()
    assert "once two children have finished" in client_of(alice).get(board).text
    clock.shift(timedelta(days=2))
    second = DealHand(emil, deal, 2, 0.5)
    dealt = Entry.objects.filter(kind="deal").values_list("text", flat=True)
    assert len(dealt) == 2
    assert len(set(dealt)) == 1
    second.play_out()
    assert school_class.spaced_code in client_of(alice).get(board).text
    clock.shift(timedelta(days=2))
    over = client_of(alice).get(board).text
    assert school_class.spaced_code not in over
    assert "Close and discuss" in over
    assert "once two children have finished" not in over
    start = reverse("classrooms:start", args=[deal.pk])
    late = ChildFactory.create(school_class=school_class)
    assert client_of_child(late).post(start)["Location"] == reverse("classrooms:me")
    assert {one.child for one in one_deal.comparison(closed(deal)).attempts} == {dora, emil}


def test_a_last_day_in_the_past_is_refused(alice: User, school_class: SchoolClass) -> None:
    new = reverse("classrooms:new_deal", args=[school_class.pk])
    page = client_of(alice).post(new, {"preset": "next", "due_on": "2020-01-01"})
    assert "This day has passed." in page.text
    assert not Assignment.objects.exists()


def test_a_deal_can_change_its_last_day_only(alice: User, dora: Child, deal: Assignment) -> None:
    address = reverse("classrooms:edit_assignment", args=[deal.school_class_id, deal.pk])
    client, due_on = client_of(alice), deal.school_class.today() + timedelta(days=5)
    assert 'name="rounds"' not in client.get(address).text
    posted = {"due_on": due_on.isoformat(), "hint_steps": "0", "children": [str(dora.pk)]}
    client.post(address, posted)
    before = (deal.rounds, deal.hint_steps, deal.everyone)
    deal.refresh_from_db()
    assert deal.due_on == due_on
    assert (deal.rounds, deal.hint_steps, deal.everyone) == before


def test_a_child_idle_for_long_has_not_finished(dora: Child, deal: Assignment) -> None:
    game = playing.continue_or_start(dora, deal)
    assert state_of(dora, deal) == "playing"
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - 2 * one_deal.AWAY_AFTER)
    assert state_of(dora, deal) == "left"


def test_a_game_finished_too_late_is_not_compared(
    dora: Child, emil: Child, deal: Assignment
) -> None:
    DealHand(dora, deal, 1, 0.5).play_out()
    late = DealHand(emil, deal, 2, 0.5)
    closed(deal)
    late.play_out()
    assert [one.child for one in one_deal.comparison(deal).attempts] == [dora]
    assert (state_of(dora, deal), state_of(emil, deal)) == ("finished", "left")


def test_a_child_who_plays_again_gets_other_cards(dora: Child, deal: Assignment) -> None:
    first = DealHand(dora, deal, 1, 0.5)
    first.play_out()
    again = playing.continue_or_start(dora, deal)
    assert again.pk != first.game_id
    assert not again.shared_deal
    assert again.seed != deal.deal_seed
    assert [one.game_id for one in one_deal.comparison(closed(deal)).attempts] == [first.game_id]


def test_a_move_sent_again_after_a_minute_offline_is_made_once(
    dora: Child, emil: Child, deal: Assignment
) -> None:
    one, other = DealHand(dora, deal, 1, 0), DealHand(emil, deal, 1, 0)
    seen, key = one.outcome.game.version, uuid4()
    for _ in range(2):
        one.outcome = play.act(
            one.game_id, dora.player, version=seen, key=key, move=Do(DrawClosed())
        )
    other.move(Do(DrawClosed()))
    assert one.outcome.view.hand == other.outcome.view.hand
    assert entries_of(one.attempt.game) == entries_of(other.attempt.game)


def test_a_deal_comes_first_in_a_childs_list_until_it_is_played(
    dora: Child, school_class: SchoolClass
) -> None:
    begun = AssignmentFactory.create(school_class=school_class)
    playing.continue_or_start(dora, begun)
    deal = one_deal.start(school_class, PRESETS["first"].choice)
    first, second = status.playable_assignments(dora)
    assert (first.assignment, first.button) == (deal, "Play and compare")
    assert second.assignment == begun
    DealHand(dora, deal, 1, 0.5).play_out()
    assert status.playable_assignments(dora)[-1].button == "Play again"


def test_a_removed_child_is_not_compared(dora: Child, emil: Child, deal: Assignment) -> None:
    for number, child in enumerate((dora, emil)):
        DealHand(child, deal, number, 0.5).play_out()
    Child.objects.filter(pk=emil.pk).update(removed_at=timezone.now() - timedelta(days=1))
    assert [one.child for one in one_deal.comparison(closed(deal)).attempts] == [dora]
