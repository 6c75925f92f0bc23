"""Presets are assigned with one tap, also to the children that a link names."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms import bounds
from classrooms.assignments import choice, playing, services, views
from classrooms.assignments.choice import DEFAULT_CHOICE, Choice, RulesPreview, more_rows
from classrooms.assignments.playing import start_trial_game
from classrooms.assignments.presets import PRESETS, with_enough_rows
from classrooms.models import Assignment, Attempt, Child, SchoolClass, User
from classrooms.progress import evidence
from games.coach.sample_rows import SampleRow, samples
from games.engine.ruleset import EDITIONS, edition
from games.models import Game
from tests.classrooms.assignments.posting import FORM, post_form
from tests.classrooms.people import client_of, client_of_child, text_on, url_of
from tests.factories import ChildFactory, GroupFactory, SchoolClassFactory, TeachingFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", list(PRESETS))
def test_one_post_assigns_a_preset(alice: User, school_class: SchoolClass, name: str) -> None:
    page = text_on(client_of(alice).get(url_of("assign", school_class)))
    preset = PRESETS[name]
    assert str(preset.label) in page
    assert preset.preview.samples["allowed"][0].row in page
    client_of(alice).post(url_of("assign", school_class), {"preset": name})
    assignment = Assignment.objects.get()
    assert assignment.ruleset == preset.choice.ruleset()
    assert (assignment.is_for_everyone, assignment.bot, assignment.has_kind_deals) == (
        True,
        "companion",
        True,
    )


def test_a_preset_is_assigned_at_tables_of_three(alice: User, school_class: SchoolClass) -> None:
    client_of(alice).post(url_of("assign", school_class), {"preset": "first", "chairs": "3"})
    assert Assignment.objects.get().chairs == 3
    client_of(alice).post(url_of("assign", school_class), {"preset": "next", "chairs": "9"})
    assert Assignment.objects.count() == 1


def test_a_preset_can_have_one_goal_for_each_table(
    alices_client: Client, school_class: SchoolClass
) -> None:
    posted = {"chairs": "3", "together": "right"}
    url = url_of("assign", school_class)
    form = alices_client.post(url, {"detail": "next"} | posted, follow=True)
    assert form.context["form"]["together"].value() == "right"
    for name in ("first", "next"):
        alices_client.post(url, {"preset": name} | posted)
        posted = {"chairs": "3"}
    assert [given.together for given in Assignment.objects.order_by("created_at")] == ["right", ""]
    page = text_on(alices_client.get(url_of("assignments", school_class)))
    assert "Simplified 1–50 · 3 rounds · at tables of 3 · together, just right" in page
    assert "at tables of 3 · each for themselves" in page


def test_a_link_chooses_tables_and_children(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    ChildFactory.create(school_class=school_class, name="Fay")
    link = f"{url_of('assign', school_class)}?tables=7&children={dora.pk},{emil.pk}"
    page = client_of(alice).get(link)
    assert page.context["presets"][0].choice.tables == (2, 7)
    assert "For Dora, Emil" in text_on(page)
    whom = page.context["audience_form"]
    data = {"preset": "tables", "children": whom["children"].value()}
    client_of(alice).post(link, data)
    assignment = Assignment.objects.get()
    printed = edition("simplified", tables=(2, 7), offers=False, rounds=3)
    assert assignment.ruleset == replace(printed, **more_rows(printed, 2), opening=False)
    assert assignment.focus == [7]
    assert set(assignment.children.all()) == {dora, emil}


def test_a_link_cannot_ask_for_a_child_of_another_class(
    alice: User, school_class: SchoolClass
) -> None:
    finn = ChildFactory.create(name="Finn")
    page = client_of(alice).get(url_of("assign", school_class), {"children": str(finn.pk)})
    assert "Finn" not in text_on(page)


def test_a_group_that_is_removed_can_no_longer_be_chosen(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    group = GroupFactory.create(school_class=school_class, name="Robins", children=[dora])
    assert "Robins" in text_on(client_of(alice).get(url_of("assign", school_class)))
    client_of(alice).post(url_of("remove_child_group", school_class, group.pk))
    for_it = {"groups": str(group.pk)}
    assert "Robins" not in text_on(client_of(alice).get(url_of("assign", school_class), for_it))


def test_a_presets_details_keep_the_chosen_children_and_chairs(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    link = f"{url_of('assign', school_class)}?tables=8"
    posted = {"detail": "tables", "children": dora.pk, "chairs": 3}
    page = client_of(alice).post(link, posted, follow=True)
    assert page.context["form"]["tables"].value() == (2, 8)
    assert page.context["form"]["chairs"].value() == 3
    assert page.context["audience_form"]["children"].value() == [dora.pk]


def test_the_page_asks_for_children_too_many_for_a_link(
    alice: User, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_IN_ADDRESS", 2)
    chosen = [child.pk for child in ChildFactory.create_batch(3, school_class=school_class)]
    link = f"{url_of('assign', school_class)}?tables=8"
    page = client_of(alice).post(link, {"detail": "tables", "children": chosen}, follow=True)
    assert not page.context["audience_form"]["children"].value()
    assert "choose the children here again" in text_on(page)


@pytest.mark.parametrize(
    ("tables", "offered"),
    [
        ({7}, (2, 7)),
        ({2}, (2,)),
        ({5}, (2, 5)),
        ({3, 4, 6}, (3, 4, 6)),
        ({6, 8}, (2, 6, 8)),
        ({5, 7}, (5, 7)),
        ({2, 5, 10}, (2, 5, 10)),
    ],
)
def test_tables_with_few_rows_are_offered_with_an_easy_table(
    tables: set[int], offered: tuple[int, ...]
) -> None:
    assert with_enough_rows(tables) == offered


def test_a_preset_is_tried_out_before_it_is_assigned(
    alice: User, school_class: SchoolClass
) -> None:
    client = client_of(alice)
    tried = client.post(f"{url_of('try_assignment', school_class)}?tables=7", {"preset": "tables"})
    game = Game.objects.get()
    assert tried.headers["Location"] == reverse("games:page", args=[game.pk])
    assert game.ruleset.tables == (2, 7)
    assert not Assignment.objects.exists()


# The rules that an assignment amounts to, shown while they are chosen


def samples_of(text: str) -> tuple[list[str], list[str]]:
    """The sample rows on a page: rows that count, and rows that do not."""
    samples = [
        re.findall(rf'class="sample sample-{kind}"><strong>([^<]+)<', text)
        for kind in ("yes", "no")
    ]
    return samples[0], samples[1]


def rows_of(samples: list[SampleRow]) -> list[str]:
    return [", ".join(map(str, riddle.numbers)) for riddle in samples]


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_the_preview_shows_rows_of_the_chosen_rules(
    alice: User, school_class: SchoolClass, name: str
) -> None:
    url = url_of("assign_preview", school_class)
    for rows in ("tables", "zero", "one", "zero-or-one", "anything"):
        chosen = {**FORM, "edition": name, "rows": rows}
        page = client_of(alice).get(url, chosen, headers={"HX-Request": "true"})
        preview = RulesPreview(Choice(edition=name, rows=rows, tables=(2, 5), more_rows=False))
        assert preview.ruleset
        allowed, refused = samples(preview.ruleset)
        assert samples_of(text_on(page)) == (rows_of(allowed), rows_of(refused))
        assert preview.setting in text_on(page)
        assert "<form" not in text_on(page)
        assert '<div id="live" hx-swap-oob="innerHTML">' in text_on(page)


def test_the_preview_names_choices_that_contradict_each_other(
    alice: User, school_class: SchoolClass
) -> None:
    page = client_of(alice).get(url_of("assign_preview", school_class), {**FORM, "tables": []})
    assert "Choose at least one times table." in text_on(page)
    assert samples_of(text_on(page)) == ([], [])


def test_the_form_shows_samples_without_javascript(alice: User, school_class: SchoolClass) -> None:
    url = url_of("assign_detail", school_class)
    assert samples_of(text_on(client_of(alice).get(url)))[0] == [
        "6, 8, 10",
        "15, 20, 25",
        "30, 40, 50",
    ]
    page = client_of(alice).get(url, {"tables": "7"})
    assert "21, 28, 35" in samples_of(text_on(page))[0]
    looked = post_form(alice, school_class, edition="classic", rows="zero", look="1")
    assert samples_of(text_on(looked))[0] == ["12, 16, 20", "30, 40, 50", "15, 20, 25"]
    assert not Assignment.objects.exists()


# One game for several classes of a teacher


@pytest.fixture
def other_class(alice: User) -> SchoolClass:
    return TeachingFactory.create(user=alice, school_class__name="4A").school_class


def test_each_class_gets_its_own_assignment_with_its_own_undo(
    alice: User, school_class: SchoolClass, other_class: SchoolClass
) -> None:
    post_form(alice, school_class, note="Hello!", weekly="on", classes=[str(other_class.pk)])
    mine, others = school_class.assignments, other_class.assignments
    assert (mine.count(), others.count()) == (2, 2)
    assert {assignment.note for assignment in Assignment.objects.all()} == {"Hello!"}
    assert Assignment.objects.values("series").distinct().count() == 2
    services.withdraw(mine.earliest("starts_on"))
    assert (mine.count(), others.count()) == (0, 2)


def test_a_choice_of_children_applies_to_that_class_only(
    alice: User, dora: Child, other_class: SchoolClass
) -> None:
    post_form(alice, dora.school_class, children=[str(dora.pk)], classes=[str(other_class.pk)])
    mine, other = dora.school_class.assignments.get(), other_class.assignments.get()
    assert (mine.is_for_everyone, list(mine.children.all())) == (False, [dora])
    assert (other.is_for_everyone, other.children.count()) == (True, 0)


def test_a_preset_goes_to_several_classes_and_the_page_says_so(
    alice: User, dora: Child, other_class: SchoolClass
) -> None:
    services.assign(dora.school_class, DEFAULT_CHOICE)
    data = {"preset": "first", "classes": [str(other_class.pk)]}
    page = text_on(client_of(alice).post(url_of("assign", dora.school_class), data, follow=True))
    assert "Assigned to 4A too" in page
    assert url_of("withdraw_assignment", other_class, other_class.assignments.get().pk) in page


@pytest.mark.parametrize("whose", ["somebody else's", "archived"])
def test_a_class_of_another_teacher_cannot_be_chosen(
    alice: User, school_class: SchoolClass, other_class: SchoolClass, whose: str
) -> None:
    wanted = other_class
    if whose == "archived":
        SchoolClass.objects.filter(pk=wanted.pk).update(archived_at=timezone.now())
    else:
        wanted = SchoolClassFactory.create()
    page = post_form(alice, school_class, classes=[str(wanted.pk)])
    assert page.context["classes_form"].errors
    assert Assignment.objects.count() == 0


def test_if_one_class_is_full_no_class_gets_it(
    alice: User,
    school_class: SchoolClass,
    other_class: SchoolClass,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    services.assign(other_class, DEFAULT_CHOICE)
    monkeypatch.setattr(bounds, "MOST_ASSIGNMENTS", 1)
    post_form(alice, school_class, classes=[str(other_class.pk)])
    assert school_class.assignments.count() == 0


def test_a_later_assignment_is_shown_as_upcoming(alice: User, school_class: SchoolClass) -> None:
    services.assign(school_class, DEFAULT_CHOICE)
    later = school_class.today() + timedelta(days=2)
    answer: Any = post_form(alice, school_class, starts_on=str(later))
    assert answer.url.endswith("?show=coming")
    page = client_of(alice).get(answer.url)
    assert [item.assignment.starts_on for item in page.context["overviews"]] == [later]
    assert "Upcoming" in text_on(page)


# A teacher tries out a game


def post_trial(user: User, school_class: SchoolClass, **data: Any) -> Any:
    client = client_of(user)
    return client, client.post(url_of("try_assignment", school_class), data, follow=True)


def test_a_teacher_plays_and_leaves_no_evidence(
    alice: User, school_class: SchoolClass, assignment: Assignment, dora: Child
) -> None:
    client, page = post_trial(alice, school_class, of=assignment.pk)
    game = Game.objects.get()
    version = game.version
    move = {"seen": version, "key": uuid4(), "move": "draw-closed"}
    assert client.post(reverse("games:act", args=[game.pk]), move, follow=True).status_code == 200
    game.refresh_from_db()
    assert game.version > version
    assert not Attempt.objects.exists()
    assert not evidence.process_game(game.pk)
    assert not Child.objects.filter(player=alice.player).exists()
    leave = reverse("classrooms:leave_try")
    assert leave in text_on(page)
    assert client.get(leave).headers["Location"] == url_of("assignments", school_class)


def test_nobody_else_sees_a_teachers_trial(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    game = start_trial_game(alice, Choice())
    bob = TeachingFactory.create(school_class=school_class).user
    url = reverse("games:page", args=[game.pk])
    assert client_of(alice).get(url).status_code == 200
    assert client_of(bob).get(url).status_code == 404
    assert client_of_child(dora).get(url).status_code == 404


def test_only_the_last_trial_is_kept(alice: User) -> None:
    first = start_trial_game(alice, Choice())
    assert start_trial_game(alice, Choice(edition="blocks", rows="zero")) == Game.objects.get()
    assert first != Game.objects.get()


def test_the_game_in_the_form_is_tried_out_and_errors_are_shown(
    alice: User, school_class: SchoolClass
) -> None:
    form = {
        "edition": "simplified", "rows": "tables", "tables": ["3"], "bots": "2", "bot": "steady",
        "rounds": "1", "hint_steps": "1",
    }  # fmt: skip
    post_trial(alice, school_class, **form)
    game = Game.objects.get()
    assert (game.ruleset.tables, game.ruleset.rounds, game.hint_steps) == ((3,), 1, 1)
    assert not game.shows_missed_rows
    assert [seat.bot for seat in game.seats.all()] == ["", "steady", "steady"]
    _, wrong = post_trial(alice, school_class, **form | {"tables": []})
    assert "Choose at least one times table." in text_on(wrong)
    assert Game.objects.get() == game


# The children, the days, and the tables to practise most


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rows": "tables"}, "Choose these tables above as well: rows have to be in them."),
        ({"rows": "one"}, "Rows that count back to 1 are not in any of these tables."),
    ],
)
def test_tables_to_practise_most_must_be_able_to_have_rows(
    alice: User, school_class: SchoolClass, changes: dict[str, Any], message: str
) -> None:
    page = post_form(alice, school_class, focus=["7"], **changes)
    assert page.context["form"].errors == {"focus": [message]}


@pytest.mark.parametrize("rows", ["zero", "zero-or-one", "anything"])
def test_focus_tables_are_dealt_and_asked(
    alice: User, school_class: SchoolClass, dora: Child, rows: str
) -> None:
    post_form(alice, school_class, rows=rows, focus=["7", "8"])
    assignment = Assignment.objects.get()
    assert assignment.focus == [7, 8]
    game = playing.continue_or_start(dora, assignment)
    assert (game.kind_tables, game.ruleset.tables) == ([7, 8], None)
    assert "mainly 7 and 8" in choice.details(assignment)


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"starts_on": 3, "due_on": 2}, "due_on", "The last day is before the first day."),
        ({"starts_on": -1}, "starts_on", "This day has passed."),
        (
            {"starts_on": 1, "due_on": 8, "weekly": "on"},
            "due_on",
            "An assignment that repeats weekly can last seven days at most.",
        ),
    ],
)
def test_contradicting_days_are_an_error(
    alice: User, school_class: SchoolClass, changes: dict[str, Any], field: str, message: str
) -> None:
    today = school_class.today()
    days = {
        name: (today + timedelta(value)).isoformat() if name.endswith("_on") else value
        for name, value in changes.items()
    }
    assert post_form(alice, school_class, **days).context["form"].errors == {field: [message]}


def test_first_and_last_day_and_every_week(alice: User, school_class: SchoolClass) -> None:
    today = school_class.today()
    first, last = today + timedelta(1), today + timedelta(7)
    post_form(alice, school_class, starts_on=first, due_on=last, weekly="on")
    assignment = Assignment.objects.get()
    assert (assignment.starts_on, assignment.due_on) == (first, last)
    assert assignment.series is not None


def test_children_and_groups_can_be_chosen(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    group = GroupFactory.create(school_class=school_class, children=[emil])
    post_form(alice, school_class, children=[dora.pk], groups=[group.pk])
    assignment = Assignment.objects.get()
    assert not assignment.is_for_everyone
    assert (list(assignment.children.all()), list(assignment.groups.all())) == ([dora], [group])


def test_children_of_another_class_cannot_be_chosen(alice: User, school_class: SchoolClass) -> None:
    page = post_form(alice, school_class, children=[ChildFactory.create().pk])
    assert list(page.context["audience_form"].errors) == ["children"]
    assert not Assignment.objects.exists()


def test_a_copy_begins_with_everything_that_was_chosen(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    changes = {
        "edition": "classic",
        "tables": ["3", "7"],
        "bots": "2",
        "bot": "sharp",
        "kind": "",
        "rounds": "target",
        "target": "80",
        "hint_steps": "2",
        "checks": "",
        "families": ["primes"],
        "focus": ["7"],
        "doubling": "same",
        "opening": "no",
        "offers": "on",
    }
    post_form(alice, school_class, **changes, children=[dora.pk])
    first = Assignment.objects.get()
    url = url_of("assign_detail", school_class)
    page = client_of(alice).get(url, {"of": str(first.pk)})
    form, whom = page.context["form"], page.context["audience_form"]
    data = {form[name].html_name: form[name].value() for name in form.fields}
    data |= {name: whom[name].value() for name in whom.fields}
    services.end(first)
    client_of(alice).post(url, {name: value for name, value in data.items() if value})
    second = Assignment.objects.exclude(pk=first.pk).get()
    assert second.ruleset == first.ruleset
    assert list(second.children.all()) == [dora]
    same = ("focus", "bots", "bot", "has_kind_deals", "hint_steps", "shows_missed_rows", "rounds")
    for name in (*same, "has_questions"):
        assert getattr(second, name) == getattr(first, name), name
