"""Every setting can be chosen, kept, read back, copied, repeated and played."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib import admin
from django.http import QueryDict

from classrooms.assignments import playing, services
from classrooms.assignments.audience import Audience
from classrooms.assignments.choice import (
    COLUMNS,
    DEFAULT_CHOICE,
    SETTINGS,
    Choice,
    RulesPreview,
    choice_of,
)
from classrooms.assignments.forms import FOLDED_RULES, AssignForm
from classrooms.assignments.playing import start_trial_game
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.reports.sheets import SHEETS
from games.engine.ruleset import EDITIONS
from games.models import Game
from tests.classrooms.people import client_of, text_on, url_of

pytestmark = pytest.mark.django_db

VALUES: Final[dict[str, Any]] = {
    "edition": "classic",
    "rows": "zero-or-one",
    "tables": [3, 5],
    "families": ["primes"],
    "focus": [5],
    "facts": [[6, 7]],
    "bots": 2,
    "bot": "sharp",
    "has_kind_deals": False,
    "rounds": 2,
    "target": 80,
    "hint_steps": 2,
    "shows_missed_rows": False,
    "has_questions": False,
    "chairs": 3,
    "seating": "groups",
    "waits_for_classmates": False,
    "answer_seconds": 30,
    "turn_seconds": 120,
    "note": "Look at the ends of each row.",
    "offers": True,
    "doubling": ["same"],
    "opening": False,
    "more_rows": False,
    "together": "gentle",
}
"""A value for each setting that differs from its default, as the database returns it."""
WHEN: Final = {"starts_on", "due_on", "weekly"}
"""The settings that a copy does not have."""
CHECKS: Final = {"has_questions": True}
TO_POINTS: Final = {"rounds": None, "target": VALUES["target"], "together": ""}
CHOICES: Final = {
    "default": DEFAULT_CHOICE,
    **{name: replace(DEFAULT_CHOICE, **{name: value}) for name, value in VALUES.items()},
    "target": replace(DEFAULT_CHOICE, **TO_POINTS),
    "all but the rows": Choice(**VALUES | TO_POINTS | CHECKS | {"rows": "tables"}),
    "all but the tables": Choice(**VALUES | TO_POINTS | CHECKS | {"tables": DEFAULT_CHOICE.tables}),
}
"""A choice for each setting, with two values in each list. Only rows of chosen tables need tables,
and only short questions need facts."""

NO_SETTINGS: Final = {
    "id", "school_class", "is_for_everyone", "series", "deal_seed", "riddle_on", "one_turn",
    "ended_at", "created_at",
}  # fmt: skip
"""The fields of an assignment, besides its options, that do not contain a setting as the teacher
chose it."""
OF_ONE_WEEK: Final = {"id", "starts_on", "due_on", "ended_at", "created_at"}


def settings_with_lists(choice: Choice) -> dict[str, Any]:
    """The settings of a choice, with tuples as lists."""
    values = {name: getattr(choice, name) for name in SETTINGS}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}


def data_of(form: AssignForm) -> QueryDict:
    """The data that a browser posts if nothing is changed in the form."""
    data = QueryDict(mutable=True)
    for name in form.fields:
        field_value = form[name].value()
        if field_value is None or field_value is False:
            continue
        values = field_value if isinstance(field_value, list | tuple) else [field_value]
        data.setlist(form[name].html_name, [str(value) for value in values])
    return data


def test_every_setting_has_a_value_here_that_is_not_its_default() -> None:
    assert VALUES.keys() | WHEN == set(SETTINGS)
    same = [
        name for name, value in VALUES.items() if value == settings_with_lists(DEFAULT_CHOICE)[name]
    ]
    assert same == []


def test_every_field_is_a_setting_or_listed_as_none() -> None:
    columns = {field.name for field in Assignment._meta.concrete_fields}
    assert columns == {*COLUMNS, "options"} | NO_SETTINGS


def test_the_defaults_of_assignment_and_form_agree() -> None:
    fresh = Assignment()
    for name in COLUMNS:
        assert getattr(fresh, name) == settings_with_lists(DEFAULT_CHOICE)[name], name


def test_every_setting_is_on_the_page_and_no_other(alice: User, school_class: SchoolClass) -> None:
    page = client_of(alice).get(url_of("assign_detail", school_class))
    form = page.context["form"]
    assert {*form.fields} == {*SETTINGS}
    named = set(re.findall(r'name="(\w+)"', text_on(page)))
    assert {form[name].html_name for name in SETTINGS} <= named
    folds = re.findall(r'<details class="more">(.*?)</details>', text_on(page), re.DOTALL)
    behind = [set(re.findall(r'name="(\w+)"', fold)) for fold in folds]
    assert behind == [{"edition"}, {form[name].html_name for name in FOLDED_RULES}]


def test_a_folded_part_with_an_error_or_a_choice_is_open(school_class: SchoolClass) -> None:
    assert not AssignForm(school_class).shows_all_rules
    for name in SETTINGS:
        choice = replace(DEFAULT_CHOICE, **{name: VALUES.get(name, getattr(DEFAULT_CHOICE, name))})
        form = AssignForm(school_class, begin_with=choice)
        again = AssignForm(school_class, data_of(form))
        assert form.shows_all_rules == again.shows_all_rules == (name in FOLDED_RULES), name
    wrong = data_of(AssignForm(school_class))
    wrong["facts"] = "6 and 7"
    assert AssignForm(school_class, wrong).shows_all_rules


def test_every_edition_is_on_the_page(school_class: SchoolClass) -> None:
    for name in EDITIONS:
        form = AssignForm(school_class, begin_with=replace(DEFAULT_CHOICE, edition=name))
        first, more = ([option.data["value"] for option in group] for group in form.editions)
        assert {*first, *more} == {*EDITIONS}
        assert form.shows_more_games == (name in more)


def test_a_choice_is_kept_and_read_back(school_class: SchoolClass) -> None:
    for called, choice in CHOICES.items():
        Assignment.objects.all().delete()
        assignment = Assignment.objects.get(pk=services.assign(school_class, choice).pk)
        assert settings_with_lists(choice_of(assignment)) == settings_with_lists(choice), called


def test_the_form_shows_a_choice_and_gives_it_back(school_class: SchoolClass) -> None:
    today = school_class.today()
    for called, each in CHOICES.items():
        choice = replace(each, starts_on=today, due_on=today + timedelta(days=1), weekly=True)
        form = AssignForm(school_class, data_of(AssignForm(school_class, begin_with=choice)))
        assert form.errors == {}, called
        assert settings_with_lists(form.choice) == settings_with_lists(choice), called


def test_every_week_has_all_settings_of_the_first(school_class: SchoolClass, dora: Child) -> None:
    for called, choice in CHOICES.items():
        Assignment.objects.all().delete()
        services.assign(school_class, replace(choice, weekly=True), Audience(children=[dora]))
        first, second = Assignment.objects.order_by("starts_on")
        assert settings_with_lists(choice_of(second)) == settings_with_lists(choice), called
        for field in Assignment._meta.concrete_fields:
            if field.name not in OF_ONE_WEEK:
                value, expected = getattr(second, field.name), getattr(first, field.name)
                assert value == expected, (called, field.name)
        assert list(second.children.all()) == [dora]


def test_a_trial_game_is_the_game_that_a_child_gets(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    for called, choice in CHOICES.items():
        Assignment.objects.all().delete()
        tried = start_trial_game(alice, choice)
        played = playing.continue_or_start(dora, services.assign(school_class, choice))
        assert settings_of(tried) == settings_of(played), called


def settings_of(game: Game) -> dict[str, Any]:
    """The parts of a game that come from the choice: its rules and settings, and the other
    players."""
    names = (
        "ruleset",
        "hint_steps",
        "shows_missed_rows",
        "kind_decks",
        "kind_draws",
        "kind_tables",
        "kind_orders",
    )
    bots = [(seat.bot, seat.name) for seat in game.seats.exclude(bot="")]
    return {name: getattr(game, name) for name in names} | {"bots": bots}


def test_admin_and_export_have_every_setting() -> None:
    fields = admin.site.get_model_admin(Assignment).fields
    assert fields
    assert {*COLUMNS, "options"} <= {*fields}
    exported = next(sheet for sheet in SHEETS if sheet.name == "assignments")
    assert {*COLUMNS} <= {column.source for column in exported.columns}


def test_the_form_says_how_many_cards_the_children_of_a_table_get() -> None:
    at_tables = Choice(chairs=3)
    hands = at_tables.ruleset().hand_size
    assert hands(3) != hands(2)
    assert f"{hands(3)} cards each" in RulesPreview(at_tables).setting
