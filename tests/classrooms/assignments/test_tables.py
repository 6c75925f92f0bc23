"""Children of a class meet at tables: they sit down, wait, go on and leave. A bully finds nothing
there to hurt somebody with."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from classrooms.assignments import playing, services, table_care, table_offers, tables
from classrooms.assignments.choice import Choice
from classrooms.assignments.playing import pace_at, ratings_of
from classrooms.assignments.status import AssignmentOfChild
from classrooms.assignments.table_offers import Offer, offers
from classrooms.locks import Changed
from classrooms.models import Assignment, Attempt, Chair, Child, GameTable, SchoolClass, Seating
from classrooms.privacy.erasure import erase_child
from games.bots import companion
from games.coach.goals import with_goal
from games.coach.hints import LAST_STEP
from games.engine.round import MATCH_OVER
from games.models import Game, Seat
from games.play import services as play
from games.play import starting
from games.play.log import next_goal_of
from games.play.moves import AskHint
from games.play.presence import INACTIVE_AFTER
from games.screen.player_faces import PLAIN_FACE
from tests.classrooms.at_tables import at_turn, game_of, play_round, play_turn
from tests.classrooms.people import client_of_child, text_on
from tests.counts import at_once
from tests.factories import AssignmentFactory, ChildFactory, GroupFactory, TableFactory

pytestmark = pytest.mark.django_db

ME = reverse_lazy("classrooms:me")
TABLE = reverse_lazy("classrooms:table")


@pytest.fixture
def table_assignment(school_class: SchoolClass) -> Assignment:
    return AssignmentFactory.create(school_class=school_class, chairs=3)


def offer(child: Child, assignment: Assignment) -> Offer:
    return offers(child, [assignment])[assignment.pk]


def let_wait(table: GameTable, how_long: timedelta = table_offers.WAIT) -> None:
    """Let this much time pass at a table. The children there stay present."""
    GameTable.objects.filter(pk=table.pk).update(opened_at=timezone.now() - how_long)


def lose_sight_of(child: Child) -> None:
    """Let the child be away for a while from the table where they wait."""
    long_ago = timezone.now() - 2 * table_offers.SEEN_FOR
    Chair.objects.filter(child=child, seen_at__isnull=False).update(seen_at=long_ago)


def players(game: Game) -> list[str]:
    return [seat.name for seat in game.seats.filter(bot="")]


# Meeting


def test_others_sit_down_at_the_first_childs_table(
    dora: Child, emil: Child, gina: Child, table_assignment: Assignment
) -> None:
    assert offer(dora, table_assignment) == Offer()
    table = tables.sit(dora, table_assignment.pk)
    assert isinstance(table, GameTable)
    assert offer(emil, table_assignment) == Offer(table.pk, [dora])
    tables.sit(emil, table_assignment.pk, table.pk)
    assert offer(gina, table_assignment) == Offer(table.pk, [dora, emil])


def test_a_waiting_classmate_comes_before_a_guided_round(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    def first() -> AssignmentOfChild:
        item: AssignmentOfChild = client_of_child(emil).get(ME).context["first"]
        return item

    assert first().is_first_alone
    tables.sit(dora, table_assignment.pk)
    assert first().has_guided_round
    assert not first().is_first_alone


def test_a_child_who_waits_alone_reads_who_waits_at_another_game(
    dora: Child, emil: Child, gina: Child, school_class: SchoolClass, table_assignment: Assignment
) -> None:
    other = AssignmentFactory.create(school_class=school_class, chairs=2)
    tables.sit(gina, other.pk)
    waiting = client_of_child(gina)
    assert "is waiting" not in text_on(waiting.get(TABLE))
    place = tables.sit(dora, table_assignment.pk)
    page = waiting.get(TABLE)
    assert "Dora is waiting" in text_on(page)
    sit = reverse("classrooms:sit", args=[table_assignment.pk])
    assert f'action="{sit}"' in text_on(page)
    waiting.post(sit, {"table": place.pk})
    assert offer(emil, table_assignment).others == [dora, gina]
    assert "is waiting" not in text_on(waiting.get(TABLE))


def test_the_match_begins_when_all_chairs_are_taken(
    dora: Child, emil: Child, gina: Child, table_assignment: Assignment
) -> None:
    tables.sit(dora, table_assignment.pk)
    tables.sit(emil, table_assignment.pk)
    game = tables.sit(gina, table_assignment.pk)
    assert isinstance(game, Game)
    assert players(game) == ["Dora", "Emil", "Gina"]
    assert {child.last_game_id for child in Child.objects.all()} == {game.pk}
    assert Attempt.objects.filter(game=game).count() == 3


def test_bots_take_the_empty_chairs_after_a_wait(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    table = tables.sit(dora, table_assignment.pk)
    tables.sit(emil, table_assignment.pk)
    assert isinstance(table, GameTable)
    assert tables.begin(dora, if_due=True) is None
    let_wait(table)
    game = tables.begin(emil, if_due=True)
    assert players(game) == ["Dora", "Emil"]
    assert game.seats.count() == 3


def test_a_child_can_begin_without_waiting(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    tables.sit(dora, table_assignment.pk)
    tables.sit(emil, table_assignment.pk)
    game = tables.begin(dora)
    assert game
    assert tables.begin(emil) == game


def test_if_nobody_waits_bots_come_at_once(dora: Child, school_class: SchoolClass) -> None:
    at_once = AssignmentFactory.create(
        school_class=school_class, chairs=4, waits_for_classmates=False
    )
    game = tables.sit(dora, at_once.pk)
    assert isinstance(game, Game)
    assert game.seats.count() == 4
    assert not GameTable.objects.exists()


def test_a_child_who_stays_alone_plays_with_bots(dora: Child, table_assignment: Assignment) -> None:
    tables.sit(dora, table_assignment.pk)
    game = tables.begin(dora)
    assert game.seats.count() == 3
    assert not GameTable.objects.exists()
    assert playing.continue_or_start(dora, table_assignment) == game


def test_a_child_can_always_play_alone(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    table = TableFactory.create(children=[dora, emil, ChildFactory(school_class=dora.school_class)])
    alone = playing.continue_or_start(dora, table.assignment)
    assert alone != game_of(table)
    assert alone.seats.filter(bot="").count() == 1


def test_a_new_child_has_three_choices(dora: Child, table_assignment: Assignment) -> None:
    text = text_on(client_of_child(dora).get(reverse("classrooms:me")))
    assert all(text.count(f"{button}:") == 1 for button in ("How do you play?", "Play with others"))
    assert "Play alone:" in text
    assert "I can already play" not in text


def test_a_child_never_sits_at_two_tables(
    dora: Child, emil: Child, gina: Child, table_assignment: Assignment, school_class: SchoolClass
) -> None:
    other = AssignmentFactory.create(school_class=school_class, chairs=2)
    tables.sit(dora, table_assignment.pk)
    tables.sit(dora, other.pk)
    assert Chair.objects.get(child=dora).table.assignment == other
    assert not GameTable.objects.filter(assignment=table_assignment).exists()
    table = GameTable.objects.create(assignment=table_assignment)
    with pytest.raises(IntegrityError), transaction.atomic():
        Chair.objects.create(table=table, child=dora, seen_at=timezone.now())


def test_sitting_down_elsewhere_leaves_the_seat_to_a_bot(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    table = TableFactory.create(children=[dora, emil])
    tables.sit(dora, table_assignment.pk)
    assert Seat.objects.get(game=game_of(table), player=dora.player).away_since
    assert Seat.objects.get(game=game_of(table), player=emil.player).away_since is None


def test_somebody_else_may_have_taken_the_last_chair(
    dora: Child, emil: Child, gina: Child, school_class: SchoolClass
) -> None:
    for_two = AssignmentFactory.create(school_class=school_class, chairs=2)
    table = tables.sit(dora, for_two.pk)
    assert isinstance(table, GameTable)
    tables.sit(emil, for_two.pk, table.pk)
    with pytest.raises(tables.ChairTaken):
        tables.sit(gina, for_two.pk, table.pk)
    page = client_of_child(gina).post(
        reverse("classrooms:sit", args=[for_two.pk]), {"table": table.pk}, follow=True
    )
    assert "No chair is free at that table any more." in text_on(page)
    assert "Play with others" in text_on(page)
    assert not Chair.objects.filter(child=gina).exists()


@pytest.mark.django_db(transaction=True)
def test_the_last_chair_is_taken_once(
    dora: Child, emil: Child, gina: Child, school_class: SchoolClass
) -> None:
    for_two = AssignmentFactory.create(school_class=school_class, chairs=2)
    table = tables.sit(dora, for_two.pk)
    assert isinstance(table, GameTable)

    def sit(number: int) -> str:
        try:
            tables.sit((emil, gina)[number], for_two.pk, table.pk)
        except tables.ChairTaken:
            return "taken"
        return "sits"

    assert sorted(at_once(sit, 2)) == ["sits", "taken"]
    (game,) = Game.objects.all()
    assert len(players(game)) == 2


def test_a_child_with_a_closed_lid_no_longer_waits(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    table = tables.sit(dora, table_assignment.pk)
    lose_sight_of(dora)
    assert offer(emil, table_assignment) == Offer()
    other = tables.sit(emil, table_assignment.pk)
    assert other != table
    assert list(GameTable.objects.all()) == [other]


def test_a_match_begins_without_those_who_have_gone(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    tables.sit(dora, table_assignment.pk)
    tables.sit(emil, table_assignment.pk)
    lose_sight_of(emil)
    game = tables.begin(dora)
    assert game
    assert players(game) == ["Dora"]


def test_a_class_with_tables_has_them_in_every_game_except_a_deal(
    dora: Child, assignment: Assignment, school_class: SchoolClass
) -> None:
    deal = AssignmentFactory.create(school_class=school_class, deal_seed=5)
    assert offers(dora, [assignment, deal]) == {}
    school_class.may_sit_at_tables = True
    school_class.save()
    dora.school_class = school_class
    assert offers(dora, [assignment, deal]) == {assignment.pk: Offer()}


def test_tables_can_be_off_for_one_child(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    Child.objects.filter(pk=dora.pk).update(may_sit_at_tables=False)
    dora.refresh_from_db()
    tables.sit(emil, table_assignment.pk)
    assert offers(dora, [table_assignment]) == {}
    with pytest.raises(Changed):
        tables.sit(dora, table_assignment.pk)
    assert "Emil" not in text_on(client_of_child(dora).get(reverse("classrooms:me")))


def test_nobody_sits_down_for_an_ended_or_foreign_game(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    Assignment.objects.filter(pk=table_assignment.pk).update(ended_at=timezone.now())
    with pytest.raises(Changed):
        tables.sit(dora, table_assignment.pk)
    Assignment.objects.filter(pk=table_assignment.pk).update(ended_at=None, is_for_everyone=False)
    table_assignment.children.add(emil)
    with pytest.raises(Changed):
        tables.sit(dora, table_assignment.pk)
    answer = client_of_child(dora).post(reverse("classrooms:sit", args=[table_assignment.pk]))
    assert answer.status_code == 404


# Who sits together


def test_groups_sit_together(
    dora: Child, emil: Child, gina: Child, school_class: SchoolClass
) -> None:
    GroupFactory.create(school_class=school_class, children=[dora, gina])
    by_group = AssignmentFactory.create(school_class=school_class, chairs=2, seating="groups")
    tables.sit(dora, by_group.pk)
    assert isinstance(tables.sit(emil, by_group.pk), GameTable)
    game = tables.sit(gina, by_group.pk)
    assert isinstance(game, Game)
    assert players(game) == ["Dora", "Gina"]


def test_children_of_similar_strength_sit_together(
    dora: Child,
    emil: Child,
    gina: Child,
    school_class: SchoolClass,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    strength = {dora.pk: 1000.0, emil.pk: 1400.0, gina.pk: 1060.0}
    monkeypatch.setattr(tables, "ratings_of", lambda children, _of: strength)
    by_level = AssignmentFactory.create(school_class=school_class, chairs=2, seating="level")
    tables.sit(dora, by_level.pk)
    assert isinstance(tables.sit(emil, by_level.pk), GameTable)
    game = tables.sit(gina, by_level.pk)
    assert isinstance(game, Game)
    assert players(game) == ["Dora", "Gina"]


def test_a_chair_is_kept_for_a_group_mate_who_is_there(
    dora: Child, emil: Child, gina: Child, school_class: SchoolClass
) -> None:
    GroupFactory.create(school_class=school_class, children=[dora, gina])
    client_of_child(gina)
    by_group = AssignmentFactory.create(school_class=school_class, chairs=2, seating="groups")
    table = tables.sit(dora, by_group.pk)
    assert Chair.objects.get(child=gina).table == table
    assert offer(emil, by_group) == Offer()
    assert offer(gina, by_group).table == table.pk


# Dora and Emil have begun a match at a table of three; a bot has the third seat.


@pytest.fixture
def of_group(dora: Child, emil: Child, gina: Child) -> Assignment:
    school_class = dora.school_class
    GroupFactory.create(school_class=school_class, children=[dora, emil, gina])
    return AssignmentFactory.create(school_class=school_class, chairs=3, seating="groups")


def begin(assignment: Assignment, dora: Child, emil: Child) -> Game:
    tables.sit(dora, assignment.pk)
    tables.sit(emil, assignment.pk)
    game = tables.begin(emil)
    assert game
    return game


def test_a_late_group_mate_takes_the_seat_of_a_bot(
    dora: Child, emil: Child, gina: Child, of_group: Assignment
) -> None:
    game = begin(of_group, dora, emil)
    seat = game.seats.get(player=None)
    news = Game.objects.get(pk=game.pk).news
    page = client_of_child(gina).post(reverse("classrooms:sit", args=[of_group.pk]), follow=True)
    assert page.request["PATH_INFO"] == reverse("games:page", args=[game.pk])
    seat.refresh_from_db()
    assert (seat.player, seat.bot, seat.name) == (gina.player, "", "Gina")
    assert len(set(faces_at(game).values())) == 3
    assert Attempt.objects.filter(child=gina, game=game).exists()
    assert Game.objects.get(pk=game.pk).news > news
    assert offer(gina, of_group).is_own
    play_round(game, [dora, emil, gina])


def test_another_group_gets_its_own_table(dora: Child, emil: Child, of_group: Assignment) -> None:
    game = begin(of_group, dora, emil)
    greta = ChildFactory.create(school_class=dora.school_class)
    assert isinstance(tables.sit(greta, of_group.pk), GameTable)
    assert game.seats.filter(player=None).count() == 1


def test_a_seat_where_a_child_has_played_is_not_taken(
    dora: Child, emil: Child, gina: Child, of_group: Assignment
) -> None:
    """Otherwise the moves of Emil, who was erased, would count for Gina."""
    greta = ChildFactory.create(school_class=dora.school_class, name="Greta")
    of_group.school_class.groups.get().children.add(greta)
    tables.sit(greta, of_group.pk)
    tables.sit(dora, of_group.pk)
    game = tables.sit(emil, of_group.pk)
    assert isinstance(game, Game)
    for _ in range(3):
        child = at_turn(game, [dora, emil, greta])
        assert child
        play_turn(game, child, lays=False)
    erase_child(emil, None)
    assert isinstance(tables.sit(gina, of_group.pk), GameTable)


def test_a_child_taken_off_does_not_come_back_as_a_late_one(
    dora: Child, emil: Child, of_group: Assignment
) -> None:
    game = begin(of_group, dora, emil)
    table_care.take_off(dora, GameTable.objects.get(game=game))
    assert isinstance(tables.sit(dora, of_group.pk), GameTable)
    assert players(game) == ["Dora", "Emil"]


def test_nobody_joins_a_table_that_all_have_left(
    dora: Child, emil: Child, gina: Child, of_group: Assignment
) -> None:
    begin(of_group, dora, emil)
    tables.get_up_for_leaving_class([dora, emil])
    assert isinstance(tables.sit(gina, of_group.pk), GameTable)


def test_if_children_choose_the_table_they_chose_may_have_begun(
    dora: Child, emil: Child, gina: Child, table_assignment: Assignment
) -> None:
    waits = tables.sit(dora, table_assignment.pk)
    assert isinstance(waits, GameTable)
    tables.sit(emil, table_assignment.pk)
    game = tables.begin(dora)
    assert tables.sit(gina, table_assignment.pk, waits.pk) == game
    greta = ChildFactory.create(school_class=dora.school_class)
    with pytest.raises(tables.ChairTaken):
        tables.sit(greta, table_assignment.pk, waits.pk)
    assert isinstance(tables.sit(greta, table_assignment.pk), GameTable)


def test_bots_adapt_to_the_weakest_child(
    dora: Child, emil: Child, table_assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    strength = {dora.pk: 1500.0, emil.pk: 800.0}
    monkeypatch.setattr(tables, "ratings_of", lambda children, _of: strength)
    tables.sit(dora, table_assignment.pk)
    tables.sit(emil, table_assignment.pk)
    game = tables.begin(dora)
    weakest = pace_at(800.0, table_assignment.ruleset, companion.NAME, kind=True)
    assert {seat.bot for seat in game.seats.exclude(bot="")} == {weakest.bot}


def test_the_teachers_time_limits_apply_at_a_table(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    timed = AssignmentFactory.create(
        school_class=school_class, chairs=2, answer_seconds=30, turn_seconds=120
    )
    game = game_of(TableFactory.create(children=[dora, emil], assignment=timed))
    assert (game.answer_seconds, game.turn_seconds) == (30, 120)


def test_each_child_has_their_own_setting_of_hints(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    Child.objects.filter(pk=dora.pk).update(hints=Child.Hints.NONE)
    Child.objects.filter(pk=emil.pk).update(hints=Child.Hints.ALL)
    for_two = AssignmentFactory.create(school_class=school_class, chairs=2, hint_steps=1)
    for child in (dora, emil):
        tables.sit(Child.objects.get(pk=child.pk), for_two.pk)
    game = Game.objects.get()

    def has_hints(child: Child) -> bool:
        return "do-hint" in text_on(client_of_child(child).get(f"/games/{game.pk}/"))

    assert not has_hints(dora)
    assert has_hints(emil)
    for child in (dora, emil):
        for _ in range(LAST_STEP):
            version = Game.objects.get(pk=game.pk).version
            play.act(game.pk, child.player, version=version, key=uuid4(), move=AskHint())
    hints = {(entry.seat, int(entry.text.split()[0])) for entry in game.entries.filter(kind="hint")}
    assert hints == {(game.seats.get(player=emil.player).number, n + 1) for n in range(LAST_STEP)}
    Child.objects.filter(pk=dora.pk).update(hints=Child.Hints.ALL)
    tables.sit(Child.objects.get(pk=dora.pk), for_two.pk)
    assert has_hints(dora)


def test_rounds_with_classmates_leave_the_rating_unchanged(dora: Child, emil: Child) -> None:
    table = TableFactory.create(children=[dora, emil])
    before = ratings_of([dora], table.assignment)
    Game.objects.filter(pk=game_of(table).pk).update(round_winners=[0, 0])
    assert ratings_of([dora], table.assignment) == before


# Going on, and leaving


def test_an_unfinished_table_is_offered_again(dora: Child, emil: Child) -> None:
    table = TableFactory.create(children=[dora, emil])
    for child in (dora, emil):
        tables.get_up(child)
    assert offer(dora, table.assignment) == Offer(table.pk, [emil], is_own=True)
    assert "Go on together" in text_on(client_of_child(dora).get(reverse("classrooms:me")))
    assert tables.sit(dora, table.assignment_id) == game_of(table)
    assert playing.continue_or_start(emil, table.assignment) != game_of(table)


def test_a_finished_table_is_followed_by_another(dora: Child, emil: Child) -> None:
    table = TableFactory.create(
        children=[dora, emil],
        assignment=AssignmentFactory.create(
            school_class=dora.school_class, chairs=2, rounds=1, has_questions=False
        ),
    )
    play_round(game_of(table), [dora, emil])
    game_of(table).refresh_from_db()
    assert game_of(table).phase == MATCH_OVER
    page = client_of_child(dora).get(reverse("games:page", args=[game_of(table).pk]))
    assert "Another game with the others" in text_on(page)
    assert offer(dora, table.assignment) == Offer()


# Dora, Emil and Gina have finished a match at one table, and Dora wants another one.


@pytest.fixture
def table(dora: Child, emil: Child, gina: Child) -> GameTable:
    table_assignment = AssignmentFactory.create(school_class=dora.school_class, chairs=3, rounds=1)
    table = TableFactory.create(children=[dora, emil, gina], assignment=table_assignment)
    play_round(game_of(table), [dora, emil, gina])
    for child in (dora, emil, gina):
        client_of_child(child)
    return table


def test_chairs_are_kept_for_those_still_looking_at_the_end(
    dora: Child, emil: Child, gina: Child, table: GameTable
) -> None:
    greta = ChildFactory.create(school_class=dora.school_class)
    new = tables.sit(dora, table.assignment_id)
    assert isinstance(new, GameTable)
    tables.sit(emil, table.assignment_id)
    assert offer(greta, table.assignment) == Offer()
    game = tables.sit(gina, table.assignment_id, new.pk)
    assert isinstance(game, Game)
    assert sorted(players(game)) == ["Dora", "Emil", "Gina"]


def test_a_match_with_a_bot_begins_as_soon_as_all_want_another(
    dora: Child, emil: Child, gina: Child, table: GameTable
) -> None:
    Assignment.objects.update(chairs=4)
    places = [tables.sit(child, table.assignment_id) for child in (dora, emil, gina)]
    assert [isinstance(place, Game) for place in places] == [False, False, True]


def test_the_others_are_asked_to_come_along(dora: Child, emil: Child, table: GameTable) -> None:
    game, browser = game_of(table), client_of_child(emil)
    end = reverse("games:page", args=[game.pk])
    invitation = "Dora waits for another game: come along"

    def look(*, is_waiting: bool) -> int:
        for page in (end, reverse("classrooms:me")):
            assert (invitation in text_on(browser.get(page))) == is_waiting
        return Game.objects.values_list("news", flat=True).get(pk=game.pk)

    before = look(is_waiting=False)
    tables.sit(dora, table.assignment_id)
    answer = look(is_waiting=True)
    tables.get_up(dora)
    assert before < answer < look(is_waiting=False)


def test_nobody_begins_while_others_may_still_come(
    dora: Child, emil: Child, table_assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_offers, "OTHERS_COME_WITHIN", timedelta(seconds=20))
    table = tables.sit(dora, table_assignment.pk)
    assert isinstance(table, GameTable)
    tables.sit(emil, table_assignment.pk)
    let_wait(table, timedelta(seconds=5))
    page = client_of_child(emil).get(TABLE)
    asks = "Others may still come:"
    assert [text in text_on(page) for text in ('value="begin" disabled', asks)] == [True, True]
    seconds = [int(n) for n in re.findall(r">(\d+) s<", text_on(page))]
    assert seconds == [*range(seconds[0], 0, -1)]
    assert 0 < seconds[0] <= 15
    assert tables.begin(emil) is None
    assert tables.begin(dora) is None
    let_wait(table, timedelta(seconds=20))
    assert text_on(client_of_child(emil).get(page.context["poll"])) == "go on"
    page = client_of_child(emil).get(TABLE)
    assert not [text for text in ('value="begin" disabled', asks) if text in text_on(page)]
    assert tables.begin(emil)


def test_nobody_plays_who_has_not_asked_for_another_game(
    dora: Child, emil: Child, gina: Child, table: GameTable
) -> None:
    tables.sit(dora, table.assignment_id)
    tables.sit(emil, table.assignment_id)
    game = tables.begin(emil)
    assert game
    assert sorted(players(game)) == ["Dora", "Emil"]
    assert offer(gina, table.assignment) == Offer()
    greta = ChildFactory.create(school_class=dora.school_class)
    assert isinstance(tables.sit(greta, table.assignment_id), GameTable)
    tables.get_up(greta)
    gina.refresh_from_db()
    assert tables.sit(gina, table.assignment_id) == game
    assert sorted(players(game)) == ["Dora", "Emil", "Gina"]


def test_no_chair_is_kept_for_a_child_who_has_gone(
    dora: Child, emil: Child, table: GameTable
) -> None:
    Seat.objects.filter(game=game_of(table)).update(here_until=timezone.now())
    tables.sit(dora, table.assignment_id)
    tables.sit(emil, table.assignment_id)
    assert tables.begin(emil)


def test_chairs_are_kept_in_grouped_assignments(dora: Child, emil: Child, table: GameTable) -> None:
    Assignment.objects.update(seating=Seating.GROUPS)
    table.assignment.refresh_from_db()
    new = tables.sit(dora, table.assignment_id)
    assert isinstance(new, GameTable)
    assert emil in [chair.child for chair in new.chairs_taken.all()]


def test_a_bot_plays_for_a_child_who_signs_out(dora: Child, emil: Child) -> None:
    table = TableFactory.create(children=[dora, emil])
    assert at_turn(game_of(table), [dora, emil]) == dora
    client_of_child(dora).post(reverse("classrooms:leave"))
    with time_machine.travel(timezone.now() + INACTIVE_AFTER):
        assert at_turn(game_of(table), [emil]) == emil
    assert Seat.objects.get(game=game_of(table), player=dora.player).away_since
    assert not Chair.objects.filter(child=dora, seen_at__isnull=False).exists()


def test_the_others_read_at_once_who_left_and_play_on(dora: Child, emil: Child) -> None:
    game = game_of(TableFactory.create(children=[dora, emil]))
    leaves = at_turn(game, [dora, emil])
    browser, page = client_of_child(leaves), reverse("games:page", args=[game.pk])
    browser.post(reverse("classrooms:table"), {"do": "leave"})
    mate = client_of_child(emil if leaves == dora else dora)
    assert f"{leaves.name} may be away, but can come back." in text_on(mate.get(page))
    with time_machine.travel(timezone.now() + INACTIVE_AFTER):
        assert "It is your turn!" in text_on(mate.get(page))
    assert "A bot has played for you." in text_on(browser.get(page))
    assert game.seats.get(player=leaves.player).away_since is None


def test_getting_up_leaves_the_others_waiting(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    tables.sit(dora, table_assignment.pk)
    tables.sit(emil, table_assignment.pk)
    answer = client_of_child(dora).post(reverse("classrooms:table"), {"do": "leave"})
    assert answer.headers["Location"] == reverse("classrooms:me")
    assert offer(dora, table_assignment).others == [emil]


# The pages


def test_the_page_of_a_child_says_who_is_waiting(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    browser = client_of_child(emil)
    page = text_on(browser.get(reverse("classrooms:me")))
    assert "Play with others" in page
    assert "Play alone" in page
    tables.sit(dora, table_assignment.pk)
    page = text_on(browser.get(reverse("classrooms:me")))
    assert "Dora is waiting" in page
    assert "Sit down" in page


def test_a_waiting_classmate_comes_first_and_new_tables_are_visible(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    AssignmentFactory.create_batch(
        2, school_class=dora.school_class, due_on=dora.school_class.today()
    )
    for_two = AssignmentFactory.create(school_class=dora.school_class, chairs=2)
    latest = AssignmentFactory.create(school_class=dora.school_class)
    browser = client_of_child(emil)
    page = browser.get(reverse("classrooms:me")).context
    rows = [page["first"], *page["in_sight"]]
    assert {item.assignment for item in rows} == {for_two, table_assignment, latest}
    for assignment in (table_assignment, for_two):
        tables.sit(dora, assignment.pk)
        assert browser.get(reverse("classrooms:me")).context["first"].assignment == assignment


def test_a_new_game_at_tables_comes_first_and_says_for_how_many(
    dora: Child, table_assignment: Assignment
) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    playing.continue_or_start(dora, assignment)
    page = client_of_child(dora).get(reverse("classrooms:me"))
    first, second = page.context["assigned"]
    assert (first.assignment, second.assignment) == (table_assignment, assignment)
    assert first.extra_details == "at a table for 3 · each for themselves"
    assert second.extra_details == ""
    assert first.title == second.title


def test_a_child_waits_until_the_game_begins(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    browser = client_of_child(dora)
    answer = browser.post(reverse("classrooms:sit", args=[table_assignment.pk]))
    assert answer.headers["Location"] == reverse("classrooms:table")
    tables.sit(emil, table_assignment.pk)
    page = text_on(browser.get(reverse("classrooms:table")))
    assert "Emil" in page
    assert page.count("empty-chair") == 1
    game = tables.begin(emil)
    answer = browser.get(reverse("classrooms:table"))
    assert answer.headers["Location"] == reverse("games:page", args=[game.pk])


def test_the_open_page_learns_when_somebody_comes_or_leaves(
    dora: Child,
    emil: Child,
    table_assignment: Assignment,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    browser = client_of_child(emil)

    def poll() -> str:
        return str(browser.get(reverse("classrooms:me")).context["poll"])

    answer = poll()
    with django_assert_max_num_queries(4):
        assert browser.get(answer).status_code == 204
    tables.sit(dora, table_assignment.pk)
    assert text_on(browser.get(answer)) == "go on"
    answer = poll()
    assert browser.get(answer).status_code == 204
    tables.get_up(dora)
    assert text_on(browser.get(answer)) == "go on"


def test_the_waiting_page_goes_on_when_the_minute_is_over(
    dora: Child, table_assignment: Assignment
) -> None:
    table = tables.sit(dora, table_assignment.pk)
    assert isinstance(table, GameTable)
    browser = client_of_child(dora)
    poll_url = browser.get(reverse("classrooms:table")).context["poll"]
    assert browser.get(poll_url).status_code == 204
    let_wait(table)
    assert text_on(browser.get(poll_url)) == "go on"
    answer = browser.get(reverse("classrooms:table"))
    assert answer.headers["Location"].startswith("/games/")


def test_a_waiting_child_reads_that_the_teacher_has_ended_the_table(
    dora: Child, table_assignment: Assignment
) -> None:
    table = tables.sit(dora, table_assignment.pk)
    assert isinstance(table, GameTable)
    browser = client_of_child(dora)
    poll_url = browser.get(reverse("classrooms:table")).context["poll"]
    table_care.end(table)
    assert text_on(browser.get(poll_url)) == "go on"
    page = browser.get(reverse("classrooms:table"), follow=True)
    assert "Your teacher has ended this table." in text_on(page)


def test_only_the_page_of_a_table_keeps_a_waiting_child_at_it(
    dora: Child, table_assignment: Assignment
) -> None:
    tables.sit(dora, table_assignment.pk)
    browser = client_of_child(dora)
    before = timezone.now() - table_offers.SEEN_EVERY - timedelta(seconds=1)
    for page, keeps in (("classrooms:me", False), ("classrooms:table", True)):
        Chair.objects.update(seen_at=before)
        browser.get(browser.get(reverse(page)).context["poll"])
        assert (Chair.objects.get().seen_at != before) == keeps


def test_a_childs_own_table_comes_first_with_the_big_button(
    dora: Child, emil: Child, gina: Child, table_assignment: Assignment
) -> None:
    others = AssignmentFactory.create_batch(
        2, school_class=dora.school_class, due_on=dora.school_class.today()
    )
    for_two = AssignmentFactory.create(school_class=dora.school_class, chairs=2, rounds=1)
    game = game_of(TableFactory.create(children=[dora, emil], assignment=for_two))
    play_round(game, [dora, emil])
    browser = client_of_child(dora)
    assert browser.get(reverse("classrooms:me")).context["first"].assignment in (
        *others,
        table_assignment,
    )
    for act in (
        lambda: tables.sit(dora, for_two.pk),  # Dora waits there,
        lambda: tables.sit(emil, for_two.pk),  # and now they play.
    ):
        act()
        tables.sit(gina, table_assignment.pk)
        page = browser.get(reverse("classrooms:me"))
        assert page.context["first"].assignment == for_two
        assert 'btn-primary btn-wide" aria-label="Go on together' in " ".join(text_on(page).split())


def test_sitting_down_takes_few_queries(
    dora: Child,
    emil: Child,
    gina: Child,
    table_assignment: Assignment,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """The class and the children are locked meanwhile. The last child begins the match."""
    for child, most in ((dora, 12), (emil, 13), (gina, 27)):
        browser, table = client_of_child(child), offer(child, table_assignment).table
        with django_assert_max_num_queries(most):
            answer = browser.post(
                reverse("classrooms:sit", args=[table_assignment.pk]), {"table": table or ""}
            )
    game = Game.objects.get()
    assert players(game) == ["Dora", "Emil", "Gina"]
    assert answer.headers["Location"] == reverse("games:page", args=[game.pk])


def test_a_chair_is_kept_for_a_mate_who_waits_nowhere_any_more(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    by_level, other = (
        AssignmentFactory.create(school_class=school_class, chairs=2, seating="level")
        for _ in range(2)
    )
    client_of_child(emil)
    tables.sit(emil, by_level.pk)
    lose_sight_of(emil)
    table = tables.sit(dora, other.pk)
    assert Chair.objects.get(child=emil).table == table


def test_a_child_who_waits_locks_nothing(dora: Child, table_assignment: Assignment) -> None:
    tables.sit(dora, table_assignment.pk)
    browser = client_of_child(dora)
    with CaptureQueriesContext(connection) as captured:
        assert browser.get(reverse("classrooms:table")).status_code == 200
    assert not [query["sql"] for query in captured if "FOR NO KEY UPDATE" in query["sql"]]


def test_a_child_taken_off_cannot_open_the_game_any_more(dora: Child, emil: Child) -> None:
    table = TableFactory.create(children=[dora, emil])
    browser = client_of_child(dora)
    page = reverse("games:page", args=[game_of(table).pk])
    assert browser.get(page).status_code == 200
    table_care.take_off(dora, table)
    answer = browser.get(page)
    assert answer.status_code == 302
    assert "asks you to choose another game" in text_on(browser.get(answer.headers["Location"]))
    assert client_of_child(emil).get(page).status_code == 200


def test_a_child_taken_off_has_no_part_in_the_end_of_the_game(dora: Child, emil: Child) -> None:
    table = TableFactory.create(children=[dora, emil])
    game = game_of(table)
    table_care.take_off(dora, table)
    while at_turn(game, [emil]):
        play_turn(game, emil)
    Game.objects.filter(pk=game.pk).update(phase=MATCH_OVER, finished_at=timezone.now())
    browser = client_of_child(dora)
    page, act = (reverse(f"games:{name}", args=[game.pk]) for name in ("page", "act"))
    assert browser.post(act, {"sign": "thank-you"}).status_code == 302
    assert not game.seats.get(player=dora.player).sign
    assert "asks you to choose another game" in text_on(
        browser.get(browser.get(page).headers["Location"])
    )
    assert client_of_child(emil).get(page).status_code == 200


def test_signs_can_be_off_for_a_class_or_a_child(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    table = TableFactory.create(children=[dora, emil])
    page = reverse("games:page", args=[game_of(table).pk])

    def has_signs() -> bool:
        return bool(client_of_child(dora).get(page).context["around"].may_give_signs)

    assert has_signs()
    Child.objects.filter(pk=dora.pk).update(may_give_signs=False)
    assert not has_signs()
    Child.objects.filter(pk=dora.pk).update(may_give_signs=True)
    SchoolClass.objects.filter(pk=school_class.pk).update(has_signs=False)
    assert not has_signs()


# What a bully would try


def pages_of(browser: Client, assignment: Assignment) -> str:
    answers = [browser.get(reverse(f"classrooms:{name}")) for name in ("me", "table", "riddles")]
    return " ".join(text_on(page) for page in answers if page.status_code == 200)


def test_only_one_waiting_table_is_open_at_a_time(
    dora: Child, emil: Child, gina: Child, table_assignment: Assignment
) -> None:
    """Otherwise a child could wait alone while the others meet at another table."""
    table = tables.sit(dora, table_assignment.pk)
    assert "Play with others" not in text_on(client_of_child(emil).get(reverse("classrooms:me")))
    assert tables.sit(emil, table_assignment.pk) == table


def test_no_page_reveals_who_was_not_chosen(
    dora: Child, emil: Child, gina: Child, school_class: SchoolClass
) -> None:
    """Gina, who is in Dora's group, is present but plays alone. Emil could sit down, but does
    not."""
    GroupFactory.create(school_class=school_class, children=[dora, gina])
    by_group = AssignmentFactory.create(school_class=school_class, chairs=2, seating="groups")
    client_of_child(gina)
    browser = client_of_child(dora)
    tables.sit(dora, by_group.pk)
    assert "Gina" not in pages_of(browser, by_group)
    playing.continue_or_start(gina, by_group)
    game = tables.begin(dora)
    page = text_on(browser.get(reverse("games:page", args=[game.pk])))
    for name in ("Gina", "Emil"):
        assert name not in page + pages_of(browser, by_group)


def test_no_page_of_a_child_counts_or_orders_classmates(
    dora: Child, emil: Child, gina: Child, table_assignment: Assignment
) -> None:
    """Waiting children are shown in the order in which they came, by name and face only."""
    for child in (emil, dora):
        tables.sit(child, table_assignment.pk)
    page = client_of_child(gina).get(reverse("classrooms:me"))
    (waiting,) = [item.offer for item in page.context["assigned"] if item.offer]
    assert [child.name for child in waiting.others] == ["Emil", "Dora"]
    text = text_on(page).split('class="who-waits"')[1].split("</p>")[0]
    assert [digit for digit in text.split("<span")[-1] if digit.isdigit()] == []
    for child in (dora, emil):
        for secret in (child.pk, child.player):
            assert str(secret) not in text_on(page)


def test_another_class_seems_not_to_exist(
    dora: Child, emil: Child, table_assignment: Assignment
) -> None:
    stranger = ChildFactory.create(name="Gus")
    own = AssignmentFactory.create(school_class=stranger.school_class, chairs=3)
    table = tables.sit(stranger, own.pk)
    assert isinstance(table, GameTable)
    browser = client_of_child(dora)
    assert "Gus" not in pages_of(browser, table_assignment)
    assert browser.post(reverse("classrooms:sit", args=[own.pk])).status_code == 404
    with pytest.raises(tables.ChairTaken):
        tables.sit(dora, table_assignment.pk, table.pk)
    with pytest.raises(tables.ChairTaken):
        tables.sit(dora, table_assignment.pk, uuid4())


def test_only_those_at_a_table_see_its_game(dora: Child, emil: Child, gina: Child) -> None:
    table = TableFactory.create(children=[dora, emil])
    page = reverse("games:page", args=[game_of(table).pk])
    assert client_of_child(gina).get(page).status_code == 404


def test_a_classmates_turn_cannot_be_played(dora: Child, emil: Child) -> None:
    table = TableFactory.create(children=[dora, emil])
    child = at_turn(game_of(table), [dora, emil])
    other = emil if child == dora else dora
    version = play.look(game_of(table).pk, child.player).game.version
    assert not play.look(game_of(table).pk, other.player).view.may_act
    play_turn(game_of(table), child)
    assert Game.objects.get(pk=game_of(table).pk).version > version


def test_children_without_a_chosen_face_look_different_at_a_table(
    dora: Child, emil: Child, gina: Child, table_assignment: Assignment
) -> None:
    table = TableFactory.create(children=[dora, emil, gina], assignment=table_assignment)
    faces = faces_at(game_of(table))
    assert len(set(faces.values())) == 3
    again = TableFactory.create(children=[gina, emil, dora])
    assert faces_at(game_of(again)) == faces
    greta = ChildFactory.create(school_class=dora.school_class, name="Greta")
    with_greta = TableFactory.create(children=[greta, gina, emil])
    faces_with_greta = faces_at(game_of(with_greta))
    assert len(set(faces_with_greta.values())) == 3
    assert [faces_with_greta[name] == faces[name] for name in ("Emil", "Gina")] == [True, True]


def test_children_look_different_while_they_wait(dora: Child, emil: Child) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class, chairs=3)
    for child in (dora, emil):
        tables.sit(child, assignment.pk)
    assert {playing.face_of(child) for child in Child.objects.all()} > {PLAIN_FACE.text}


def faces_at(game: Game) -> dict[str, str]:
    return dict(game.seats.values_list("name", "face"))


# One goal for everybody at the table


def test_a_table_that_plays_together_goes_on_with_its_own_goal(
    dora: Child, emil: Child, gina: Child, school_class: SchoolClass
) -> None:
    together = AssignmentFactory.create(
        school_class=school_class, chairs=3, rounds=1, together="right"
    )
    table = TableFactory.create(children=[dora, emil, gina], assignment=together)
    first = game_of(table)
    assert first.ruleset.is_together
    assert first.ruleset.goal == playing.rules_for([dora, emil, gina], together, 3).goal
    play_round(first, [dora, emil, gina])
    goal = next_goal_of(Game.objects.get(pk=first.pk), 3)
    assert goal != first.ruleset.goal
    later = playing.rules_for([gina, emil, dora], together, 3)
    assert later.goal == goal
    assert later.goal_down < first.ruleset.goal_down
    second = [tables.sit(child, together.pk) for child in (gina, emil, dora)][-1]
    assert isinstance(second, Game)
    assert second.ruleset == later
    attempt = Attempt.objects.get(game=second, child=dora)
    assert playing.bridges_before(attempt) == (goal > first.ruleset.goal)
    assert playing.rules_for([dora, emil, gina], together, 3) == later
    for_two = with_goal(together.ruleset, 3, "right", children=2)
    assert playing.rules_for([dora, emil], together, 3) == for_two


def test_a_match_begins_with_other_rows_than_the_last_ones_of_its_children(
    dora: Child, emil: Child, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = AssignmentFactory.create(school_class=school_class, chairs=2)
    alone = playing.continue_or_start(dora, given)
    start, games_before = starting.start, list[object]()

    def note(*values: Any, **options: Any) -> Game:
        games_before.append(options["after"])
        return start(*values, **options)

    monkeypatch.setattr(starting, "start", note)
    first = game_of(TableFactory.create(children=[dora, emil], assignment=given))
    emil.refresh_from_db()
    playing.begin_alone(emil, given)
    assert games_before == [[alone.pk], [first.pk]]


def test_a_tables_first_goal_rises_with_its_share_of_children(
    dora: Child, emil: Child, gina: Child, school_class: SchoolClass
) -> None:
    """This is so where hands are refilled: bots leave rows to the children, so they earn less."""
    choice = Choice(together="right", chairs=3)
    assignment = services.assign(school_class, choice)
    at_tables = ([dora], [dora, emil], [dora, emil, gina])
    goals = [playing.rules_for(children, assignment, 3).goal or 0 for children in at_tables]
    assert goals == sorted(set(goals))
