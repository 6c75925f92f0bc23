"""Assignments after they were given: their list, edits, weeks and withdrawals."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms.assignments import editing, playing, services, status
from classrooms.assignments.audience import WHOLE_CLASS, Audience, current_assignments
from classrooms.assignments.choice import DEFAULT_CHOICE, Choice, choice_of
from classrooms.classes.tasks import repeat_weekly
from classrooms.locks import Changed
from classrooms.models import Assignment, Child, SchoolClass, User
from games.models import Game
from tests.classrooms.people import client_of, client_of_child, text_on, url_of
from tests.clock import at
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory, GroupFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def old_assignment(school_class: SchoolClass, dora: Child, emil: Child, gina: Child) -> Assignment:
    return services.assign(school_class, Choice(rounds=3, hint_steps=6))


def post_edit(user: User, assignment: Assignment, **changes: Any) -> Any:
    data = {"rounds": "3", "target": "100", "hint_steps": "6", "note": "", "due_on": ""}
    return client_of(user).post(url_of("edit_assignment", assignment), data | changes, follow=True)


def can_play(child: Child, assignment: Assignment) -> bool:
    return current_assignments(child).filter(pk=assignment.pk).exists()


def test_an_edit_keeps_the_rules(alice: User, old_assignment: Assignment) -> None:
    due = old_assignment.school_class.today() + timedelta(days=5)
    rules = old_assignment.options
    post_edit(
        alice, old_assignment, rounds="1", hint_steps="2", note=" Look  twice. ", due_on=str(due)
    )
    old_assignment.refresh_from_db()
    assert (old_assignment.rounds, old_assignment.hint_steps, old_assignment.due_on) == (1, 2, due)
    assert (old_assignment.note, old_assignment.options) == ("Look twice.", rules)


def test_a_match_may_become_one_to_a_number_of_points_and_back(
    alice: User, school_class: SchoolClass
) -> None:
    assignment = services.assign(school_class, Choice(edition="classic", rows="zero"))
    post_edit(alice, assignment, rounds="target", target="150")
    assignment.refresh_from_db()
    assert (assignment.rounds, assignment.options["target"]) == (None, 150)
    post_edit(alice, assignment, rounds="2")
    assignment.refresh_from_db()
    assert assignment.rounds == 2
    assert "target" not in assignment.options


def test_a_running_game_goes_on_unchanged(
    alice: User, dora: Child, old_assignment: Assignment
) -> None:
    game = playing.continue_or_start(dora, old_assignment)
    page = post_edit(alice, old_assignment, rounds="1", hint_steps="0")
    assert "Games that have started keep their number of rounds." in text_on(page)
    fresh_game = Game.objects.get(pk=game.pk)
    assert (fresh_game.ruleset.rounds, fresh_game.hint_steps) == (3, 6)
    (offer,) = status.playable_assignments(dora)
    assert (offer.progress, len(offer.dots)) == ("0 of 3 rounds done", 3)
    old_assignment.refresh_from_db()
    assert playing.continue_or_start(dora, old_assignment).pk == game.pk


def test_a_removed_child_keeps_an_assignment_that_they_have_begun(
    alice: User, dora: Child, emil: Child, gina: Child, old_assignment: Assignment
) -> None:
    playing.continue_or_start(dora, old_assignment)
    page = post_edit(alice, old_assignment, children=[str(gina.pk)])
    assert [can_play(child, old_assignment) for child in (dora, emil, gina)] == [True, False, True]
    assert (
        "Emil no longer sees this assignment. Dora has already started and keeps this assignment."
        in text_on(page)
    )


def test_an_added_child_gets_the_assignment(alice: User, dora: Child, emil: Child) -> None:
    assignment = services.assign(dora.school_class, DEFAULT_CHOICE, Audience(children=[dora]))
    group = GroupFactory.create(school_class=dora.school_class)
    group.children.add(emil)
    page = post_edit(alice, assignment, children=[str(dora.pk)], groups=[str(group.pk)])
    assert "Added for Emil." in text_on(page)
    assert can_play(emil, assignment)
    post_edit(alice, assignment)
    assignment.refresh_from_db()
    assert assignment.is_for_everyone


def test_the_page_names_children_in_the_middle_of_a_game(
    alice: User, dora: Child, old_assignment: Assignment
) -> None:
    address = url_of("edit_assignment", old_assignment)
    assert "Nobody has started yet." in text_on(client_of(alice).get(address))
    game = playing.continue_or_start(dora, old_assignment)
    sentence = "Dora is in the middle of a game, which simply carries on."
    assert sentence in text_on(client_of(alice).get(address))
    Game.objects.filter(pk=game.pk).update(finished_at=game.created_at)
    assert "Your choices apply to new games." in text_on(client_of(alice).get(address))


def test_an_edit_changes_the_coming_week_of_a_series(
    alice: User, dora: Child, school_class: SchoolClass
) -> None:
    first = services.assign(school_class, Choice(weekly=True))
    coming = Assignment.objects.exclude(pk=first.pk).get()
    last = school_class.today() + timedelta(days=3)
    post_edit(
        alice, first, rounds="1", note="Well done!", due_on=str(last), children=[str(dora.pk)]
    )
    first.refresh_from_db()
    assert first.due_on == last
    dates = (coming.starts_on, coming.due_on)
    coming.refresh_from_db()
    assert (coming.starts_on, coming.due_on) == dates
    assert (coming.rounds, coming.note, list(coming.children.all())) == (1, "Well done!", [dora])


def test_a_weeks_last_day_stays_within_seven_days(alice: User, school_class: SchoolClass) -> None:
    first = services.assign(school_class, Choice(weekly=True))
    for day in ("", str(school_class.today() + timedelta(days=7))):
        assert "due_on" in post_edit(alice, first, due_on=day).context["form"].errors


def test_a_future_assignment_can_start_on_another_day(
    alice: User, school_class: SchoolClass
) -> None:
    today = school_class.today()
    assignment = services.assign(school_class, Choice(starts_on=today + timedelta(days=4)))
    page = post_edit(alice, assignment, starts_on=str(today + timedelta(days=2)))
    assignment.refresh_from_db()
    assert assignment.starts_on == today + timedelta(days=2)
    assert page.context["shown"] == "coming"


def test_a_new_last_day_reopens_an_assignment(
    alice: User, dora: Child, school_class: SchoolClass
) -> None:
    today = school_class.today()
    assignment = AssignmentFactory.create(
        school_class=school_class, due_on=today - timedelta(days=1)
    )
    post_edit(alice, assignment, rounds="3", due_on=str(today))
    assert can_play(dora, assignment)


@pytest.mark.parametrize("state", ["one deal", "ended"])
def test_a_deal_for_the_class_and_an_ended_one_cannot_be_changed(
    alice: User, old_assignment: Assignment, state: str
) -> None:
    if state == "ended":
        services.end(old_assignment)
    else:
        Assignment.objects.filter(pk=old_assignment.pk).update(deal_seed=5)
    post_edit(alice, old_assignment, rounds="1")
    old_assignment.refresh_from_db()
    assert old_assignment.rounds == 3


def test_rules_that_an_earlier_release_stored_stay_as_they_are(dora: Child) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class, options={"tables": [4]})
    editing.change_assignment(assignment, choice_of(assignment), WHOLE_CLASS)
    assignment.refresh_from_db()
    assert assignment.options == {"tables": [4]}


def test_the_note_is_plain_text_in_the_childs_list(dora: Child, old_assignment: Assignment) -> None:
    Assignment.objects.filter(pk=old_assignment.pk).update(note="<b>Look</b> & see")
    listed = text_on(client_of_child(dora).get(reverse("classrooms:me")))
    assert "&lt;b&gt;Look&lt;/b&gt; &amp; see" in listed
    assert "<b>Look" not in listed


# Weekly repetition, by the class's clock


MONDAY = date(2026, 11, 23)


@pytest.fixture
def clock() -> Iterator[Traveller]:
    with at(datetime(2026, 11, 23, 9, tzinfo=UTC)) as clock:
        yield clock


def days_of_weeks(**which: Any) -> list[tuple[date | None, date | None]]:
    weeks = Assignment.objects.filter(**which).order_by("starts_on")
    return list(weeks.values_list("starts_on", "due_on"))


def week(number: int, first: date = MONDAY) -> tuple[date, date]:
    starts = first + number * timedelta(days=7)
    return starts, starts + timedelta(days=6)


def test_the_next_week_is_made_by_the_class_clock(
    school_class: SchoolClass, clock: Traveller
) -> None:
    services.assign(school_class, Choice(weekly=True))
    clock.move_to(datetime(2026, 11, 29, 22, 30, tzinfo=UTC))  # Sunday evening in Amsterdam.
    repeat_weekly()
    assert days_of_weeks() == [week(0), week(1)]
    clock.move_to(datetime(2026, 11, 29, 23, 30, tzinfo=UTC))  # Already Monday in Amsterdam.
    repeat_weekly()
    assert days_of_weeks() == [week(0), week(1), week(2)]


def test_a_late_task_makes_each_week_once(school_class: SchoolClass, clock: Traveller) -> None:
    services.assign(school_class, Choice(weekly=True))
    clock.move_to(datetime(2026, 12, 15, 9, tzinfo=UTC))
    repeat_weekly()
    repeat_weekly()
    assert days_of_weeks() == [week(number) for number in range(5)]


def test_weeks_of_a_long_assignment_do_not_overlap(
    school_class: SchoolClass, alice: User, clock: Traveller
) -> None:
    long = Choice(starts_on=MONDAY, due_on=MONDAY + timedelta(days=21))
    assignment = services.assign(school_class, long)
    clock.move_to(datetime(2026, 12, 9, 9, tzinfo=UTC))  # a Wednesday, two weeks later
    url = url_of("repeat_assignment", school_class, assignment.pk)
    answer = client_of(alice).post(url, follow=True)
    assert "for seven days each time" in text_on(answer)
    assert days_of_weeks() == [week(2), week(3)]


@pytest.mark.parametrize(
    ("zone", "monday"),
    [
        ("Europe/Amsterdam", date(2027, 3, 22)),
        ("America/Havana", date(2027, 3, 8)),  # the clocks go forward at midnight
        ("Africa/Cairo", date(2027, 4, 26)),
        ("America/Santiago", date(2027, 8, 30)),
        ("Australia/Lord_Howe", date(2027, 9, 27)),  # by half an hour
        ("Pacific/Kiritimati", date(2028, 2, 21)),
        ("Europe/Amsterdam", date(2028, 2, 28)),
    ],
)
def test_each_week_is_made_once_in_any_year(
    school_class: SchoolClass, zone: str, monday: date
) -> None:
    school_class.time_zone = zone
    school_class.save()
    begins = datetime.combine(monday, time(9), tzinfo=ZoneInfo(zone))
    with at(begins) as clock:
        services.assign(school_class, Choice(weekly=True))
        for hours in range(0, 21 * 24, 3):
            clock.move_to(begins + timedelta(hours=hours))
            repeat_weekly()
            assert days_of_weeks() == [
                week(n, monday) for n in range((school_class.today() - monday).days // 7 + 2)
            ]


def test_a_week_that_another_worker_has_made_is_left_alone(
    school_class: SchoolClass, clock: Traveller
) -> None:
    first = services.assign(school_class, Choice(weekly=True))
    first.refresh_from_db()
    services.create_coming_weeks(first)
    assert days_of_weeks() == [week(0), week(1)]


def test_a_stopped_series_gets_no_next_week_and_keeps_this_one(
    school_class: SchoolClass, dora: Child, clock: Traveller
) -> None:
    assignment = services.assign(school_class, Choice(weekly=True))
    AttemptFactory.create(assignment=assignment, child=dora)
    assignment.refresh_from_db()
    services.stop_repeating(assignment)
    assert days_of_weeks() == [week(0)]
    clock.move_to(datetime(2026, 12, 15, 9, tzinfo=UTC))
    repeat_weekly()
    assert days_of_weeks() == [week(0)]


def test_a_stopped_series_stays_stopped(
    school_class: SchoolClass, clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    series, create_coming_weeks = (
        services.assign(school_class, Choice(weekly=True)),
        services.create_coming_weeks,
    )
    clock.move_to(datetime(2026, 12, 1, 9, tzinfo=UTC))

    def stop_first(latest: Assignment) -> None:
        services.stop_repeating(series)
        create_coming_weeks(latest)

    monkeypatch.setattr(services, "create_coming_weeks", stop_first)
    repeat_weekly()
    assert days_of_weeks() == [week(0), week(1)]
    assert not Assignment.objects.exclude(series=None).exists()


def test_an_edit_during_a_repetition_is_refused(
    school_class: SchoolClass, clock: Traveller
) -> None:
    assignment = services.assign(school_class, DEFAULT_CHOICE)
    services.repeat(Assignment.objects.get(pk=assignment.pk))
    with pytest.raises(Changed):
        editing.change_assignment(assignment, choice_of(assignment), WHOLE_CLASS)
    assert days_of_weeks() == [week(0), week(1)]


def test_ending_a_week_does_not_prevent_the_next(
    school_class: SchoolClass, clock: Traveller
) -> None:
    services.end(services.assign(school_class, Choice(weekly=True)))
    assert days_of_weeks(ended_at=None) == [week(1)]


def test_coming_weeks_are_skipped_one_by_one_and_come_back(
    alice: User, school_class: SchoolClass, dora: Child, clock: Traveller
) -> None:
    services.assign(school_class, Choice(weekly=True, due_on=week(1)[0]))
    client, coming = client_of(alice), url_of("assignments", school_class)

    def post(number: int, do: str) -> None:
        assignment = Assignment.objects.get(starts_on=week(number)[0])
        url = reverse(f"classrooms:{do}_assignment", args=[school_class.pk, assignment.pk])
        page = client.post(url, follow=True)
        assert page.redirect_chain == [(f"{coming}?show=coming", 302)]

    def starts() -> list[date | None]:
        return [first for first, _last in days_of_weeks(ended_at=None)]

    post(1, "end")
    post(2, "end")
    repeat_weekly()
    assert starts() == [week(0)[0], week(3)[0]]
    post(1, "resume")
    assert starts() == [week(0)[0], week(1)[0], week(3)[0]]


def test_an_archived_class_repeats_nothing(school_class: SchoolClass, clock: Traveller) -> None:
    services.assign(school_class, Choice(weekly=True))
    clock.move_to(datetime(2026, 12, 15, 9, tzinfo=UTC))
    SchoolClass.objects.update(archived_at=timezone.now())
    repeat_weekly()
    assert days_of_weeks() == [week(0), week(1)]
    SchoolClass.objects.update(archived_at=None)
    repeat_weekly()
    assert days_of_weeks()[-1] == week(4)


def list_page(user: User, school_class: SchoolClass, **query: str) -> Any:
    return client_of(user).get(url_of("assignments", school_class), query)


def post_act(user: User, name: str, assignment: Assignment) -> Any:
    return client_of(user).post(url_of(name, assignment), follow=True)


def test_the_list_shows_how_far_each_child_is(
    alice: User, school_class: SchoolClass, assignment: Assignment, dora: Child, emil: Child
) -> None:
    fay = ChildFactory.create(school_class=school_class, name="Fay")
    game = AttemptFactory.create(assignment=assignment, child=dora).game
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now())
    AttemptFactory.create(assignment=assignment, child=dora)
    AttemptFactory.create(assignment=assignment, child=emil)
    page = list_page(alice, school_class)
    (item,) = page.context["overviews"]
    assert (item.done, item.playing, item.not_begun) == ([dora], [emil], [fay])
    assert [bar["width"] for bar in item.bars] == [33, 33, 34]
    for words in ("1 done", "1 started", "1 not started"):
        assert words in text_on(page)


def test_only_the_children_with_the_assignment_are_counted(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    ChildFactory.create(school_class=school_class, name="Fay")
    assignment = AssignmentFactory.create(school_class=school_class, is_for_everyone=False)
    assignment.groups.add(GroupFactory.create(school_class=school_class, children=[emil]))
    assignment.children.add(dora)
    (item,) = list_page(alice, school_class).context["overviews"]
    assert item.not_begun == [dora, emil]


def test_games_of_single_children_are_below_those_of_the_class(
    alice: User, school_class: SchoolClass, assignment: Assignment, dora: Child
) -> None:
    own = AssignmentFactory.create(school_class=school_class, is_for_everyone=False)
    own.children.add(dora)
    for_all, of_dora = text_on(list_page(alice, school_class)).split("Games for some children (1)")
    assert f'id="a-{assignment.pk}"' in for_all
    assert f'id="a-{own.pk}"' not in for_all
    assert f'id="a-{own.pk}"' in of_dora


def test_current_upcoming_and_ended_assignments_have_a_list_each(
    alice: User, school_class: SchoolClass
) -> None:
    today, day = school_class.today(), timedelta(days=1)
    cases: dict[str, list[dict[str, Any]]] = {
        "now": [{}, {"due_on": today}, {"starts_on": today}],
        "coming": [{"starts_on": today + day}],
        "past": [{"due_on": today - day}, {"ended_at": timezone.now()}],
    }
    for show, several in cases.items():
        expected = {
            AssignmentFactory.create(school_class=school_class, **fields) for fields in several
        }
        page = list_page(alice, school_class, show=show)
        assert {item.assignment for item in page.context["overviews"]} == expected
        assert {item.when for item in page.context["overviews"]} == {show}


def test_many_ended_assignments_are_on_several_pages(
    alice: User, school_class: SchoolClass
) -> None:
    AssignmentFactory.create_batch(23, school_class=school_class, ended_at=timezone.now())
    first = list_page(alice, school_class, show="past")
    assert len(first.context["overviews"]) == 20
    assert "?show=past&amp;page=2" in text_on(first)
    assert len(list_page(alice, school_class, show="past", page="2").context["overviews"]) == 3


def test_an_assignment_that_no_child_has_can_be_given_again(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    ended = AssignmentFactory.create(
        school_class=school_class, is_for_everyone=False, ended_at=timezone.now()
    )
    again = "Show it to the children again"
    assert again not in text_on(list_page(alice, school_class, show="past"))
    ended.children.add(dora)
    assert again in text_on(list_page(alice, school_class, show="past"))


def test_a_withdrawal_says_what_and_from_whom(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    for_all = AssignmentFactory.create(school_class=school_class)
    hers = AssignmentFactory.create(school_class=school_class, is_for_everyone=False)
    hers.children.add(dora)
    for assignment, whom in ((for_all, "the class"), (hers, "Dora")):
        page = post_act(alice, "withdraw_assignment", assignment)
        assert f"No longer assigned to {whom}: " in text_on(page)


def test_undoing_keeps_the_evidence_of_a_begun_game(
    alice: User, assignment: Assignment, dora: Child
) -> None:
    AttemptFactory.create(assignment=assignment, child=dora)
    page = post_act(alice, "withdraw_assignment", assignment)
    assert "A child had already started" in text_on(page)
    assert Assignment.objects.get().ended_at is not None
    assert Game.objects.exists()
