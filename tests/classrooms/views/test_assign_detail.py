import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.template.loader import get_template
from django.urls import reverse
from django.utils.datastructures import MultiValueDict

from classrooms import assigning, wording
from classrooms.assign_form import AssignForm
from classrooms.assigning import ALL_HINT_STEPS
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.preview import MEANINGS
from games.bots.registry import BOTS as LEVELS
from games.coach.deals import PLAIN
from games.coach.samples import Sample, samples
from games.engine.ruleset import EDITIONS, edition
from tests.classrooms.people import client_of, client_of_child
from tests.factories import (
    AssignmentFactory,
    ChildFactory,
    GroupFactory,
)

pytestmark = pytest.mark.django_db

FORM = {
    "edition": "simplified",
    "rows": "tables",
    "tables": ["2", "5"],
    "bots": "1",
    "bot": "companion",
    "kind": "on",
    "rounds": "3",
    "target": "100",
    "doubling": "",
    "opening": "",
    "hint_steps": "4",
    "missed_rows": "on",
    "checks": "on",
}
TO_POINTS = {"rounds": "target"}


def posted(user: User, school_class: SchoolClass, **changed: Any) -> Any:
    url = reverse("classrooms:assign_detail", args=[school_class.pk])
    return client_of(user).post(url, {**FORM, **changed})


def test_the_form_as_it_stands_offers_the_first_tables_against_one_bot(
    alice: User, school_class: SchoolClass
) -> None:
    url = reverse("classrooms:assign_detail", args=[school_class.pk])
    form = client_of(alice).get(url).context["form"]
    assert {name: form[name].initial for name in form.fields} == {
        "edition": "simplified",
        "rows": "tables",
        "tables": [2, 5, 10],
        "families": [],
        "focus": [],
        "bots": 1,
        "bot": "companion",
        "kind": True,
        "rounds": "3",
        "target": 100,
        "hint_steps": ALL_HINT_STEPS,
        "missed_rows": True,
        "checks": True,
        "offers": False,
        "doubling": "",
        "opening": "",
        "starts_on": None,
        "due_on": None,
        "weekly": False,
    }


def test_posted_as_it_stands_it_is_what_the_form_shows(
    alice: User, school_class: SchoolClass
) -> None:
    url = reverse("classrooms:assign_detail", args=[school_class.pk])
    shown = client_of(alice).get(url).context["form"]
    data = {name: shown[name].value() for name in shown.fields}
    client_of(alice).post(url, {name: value for name, value in data.items() if value})
    made = Assignment.objects.get()
    assert made.ruleset == edition("simplified", tables=(2, 5, 10), offers=False, rounds=3)
    assert (made.bots, made.bot, made.kind) == (1, "companion", True)
    assert (made.hint_steps, made.missed_rows, made.checks) == (ALL_HINT_STEPS, True, True)


@pytest.mark.parametrize(
    ("asked", "chosen"), [("7", [2, 7]), ("3,4,6", [3, 4, 6]), ("99", None), ("x", None)]
)
def test_a_link_can_ask_for_a_table(
    alice: User, school_class: SchoolClass, asked: str, chosen: list[int] | None
) -> None:
    url = reverse("classrooms:assign_detail", args=[school_class.pk])
    form = client_of(alice).get(url, {"tables": asked}).context["form"]
    assert form["tables"].initial == (chosen or [2, 5, 10])


def test_the_first_assignment_leads_on_to_the_cards(alice: User, school_class: SchoolClass) -> None:
    ChildFactory.create(school_class=school_class)
    response = posted(alice, school_class)
    assert response.headers["Location"] == reverse("classrooms:cards", args=[school_class.pk])


def test_further_assignments_come_back_to_the_list(alice: User, school_class: SchoolClass) -> None:
    AssignmentFactory.create(school_class=school_class)
    response = posted(alice, school_class)
    assert response.headers["Location"] == reverse("classrooms:assignments", args=[school_class.pk])


@pytest.mark.parametrize(
    ("changed", "tables", "back"),
    [
        ({}, (2, 5), None),
        ({"rows": "zero"}, None, (0,)),
        ({"rows": "one"}, None, (1,)),
        ({"rows": "zero-or-one"}, None, (0, 1)),
        ({"edition": "advanced", "rows": "anything"}, None, None),
        ({"rows": "anything"}, None, None),
    ],
)
def test_the_choice_of_rows_becomes_rules_of_the_game(
    alice: User,
    school_class: SchoolClass,
    changed: dict[str, str],
    tables: tuple[int, ...] | None,
    back: tuple[int, ...] | None,
) -> None:
    posted(alice, school_class, **changed)
    ruleset = Assignment.objects.get().ruleset
    assert ruleset.edition == changed.get("edition", "simplified")
    assert (ruleset.tables, ruleset.counts_back_to) == (tables, back)
    assert ruleset.rounds == 3
    assert not ruleset.offers


def test_offers_no_hints_no_checks_and_no_missed_rows_can_be_chosen(
    alice: User, school_class: SchoolClass
) -> None:
    posted(alice, school_class, offers="on", hint_steps="0", checks="", missed_rows="")
    made = Assignment.objects.get()
    assert made.ruleset.offers
    assert (made.hint_steps, made.missed_rows, made.checks) == (0, False, False)


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_every_edition_can_be_assigned(alice: User, school_class: SchoolClass, name: str) -> None:
    posted(alice, school_class, edition=name, rows="anything")
    base = EDITIONS[name]
    back = None if name == "advanced" else base.counts_back_to
    assert Assignment.objects.get().ruleset == replace(
        base, offers=False, rounds=3, counts_back_to=back
    )


@pytest.mark.parametrize(
    ("changed", "agreed"),
    [
        ({"families": ["primes", "squares"]}, {"families": ("primes", "squares")}),
        ({"doubling": "same"}, {"doubling": ("same",)}),
        ({"doubling": "different"}, {"doubling": ("different",)}),
        ({"doubling": "both"}, {"doubling": ("different", "same")}),
        ({"doubling": "never"}, {"doubling": ()}),
        ({"opening": "no"}, {"opening": False}),
        ({"opening": "yes"}, {"opening": True}),
        ({"rounds": "target", "target": "60"}, {"rounds": None, "target": 60}),
        ({"rounds": "target", "target": ""}, {"rounds": None, "target": 100}),
        ({"rounds": "2", "target": "3"}, {"rounds": 2, "target": 100}),
        ({"offers": "on"}, {"offers": True}),
    ],
)
def test_each_option_becomes_a_rule_of_the_game(
    alice: User, school_class: SchoolClass, changed: dict[str, str], agreed: dict[str, Any]
) -> None:
    posted(alice, school_class, **changed)
    base = edition("simplified", tables=(2, 5), offers=False, rounds=3)
    assert Assignment.objects.get().ruleset == replace(base, **agreed)


@pytest.mark.parametrize(
    ("changed", "field", "told"),
    [
        ({"tables": []}, "tables", "Choose at least one times table."),
        (
            {"edition": "blocks", **TO_POINTS},
            "rounds",
            "This game has no points to reach. Choose how many rounds.",
        ),
        (
            {"edition": "blocks-simple", "bots": "6"},
            "bots",
            "This game has at most 6 players: the child and 5 bots.",
        ),
        (
            {"edition": "blocks", "offers": "on"},
            "offers",
            "In blocks there is no open card to offer.",
        ),
        (
            {"edition": "blocks", "doubling": "same"},
            "doubling",
            "In blocks rows earn no points to double.",
        ),
        (
            {"edition": "classic", **TO_POINTS, "target": "50"},
            "target",
            "Everyone begins with 50 points: choose a higher target.",
        ),
    ],
)
def test_what_does_not_go_together_is_told_at_its_field_and_nothing_typed_is_lost(
    alice: User, school_class: SchoolClass, changed: dict[str, Any], field: str, told: str
) -> None:
    due_on = school_class.today().isoformat()
    page = posted(alice, school_class, **changed, due_on=due_on, families=["squares"])
    form = page.context["form"]
    assert form.errors == {field: [told]}
    assert told in page.text
    assert not page.context["preview"].samples
    kept = {**FORM, **changed, "due_on": due_on, "families": ["squares"]}
    assert {name: form[name].value() for name in kept} == {
        **kept, "kind": True, "missed_rows": True, "checks": True,
        **({"offers": True} if "offers" in kept else {}),
    }  # fmt: skip
    assert not Assignment.objects.exists()


def test_all_that_is_wrong_is_told_at_once(alice: User, school_class: SchoolClass) -> None:
    page = posted(
        alice, school_class, edition="blocks", bots="7", offers="on", doubling="both", **TO_POINTS
    )
    assert sorted(page.context["form"].errors) == ["bots", "doubling", "offers", "rounds"]


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_whatever_is_chosen_makes_a_game_or_is_told_at_a_field(name: str) -> None:
    choices = {
        "rows": ("tables", "zero", "one", "zero-or-one", "anything"),
        "tables": ([], ["12"]),
        "families": ([], ["squares", "primes", "triangular"]),
        "rounds": ("1", "target"),
        "bots": ("1", "7"),
        "doubling": ("", "never", "both"),
        "opening": ("", "no"),
    }
    for chosen in product(*choices.values()):
        data = {**FORM, "edition": name, **dict(zip(choices, chosen, strict=True))}
        form = AssignForm(SchoolClass(), MultiValueDict({k: _as_list(v) for k, v in data.items()}))
        if form.is_valid():
            assert form.choice.ruleset().edition == name
        else:
            assert form.errors.keys() <= {"tables", "rounds", "bots", "doubling"}


def _as_list(value: str | Sequence[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def test_what_is_wrong_in_the_details_is_not_folded_away(
    alice: User, school_class: SchoolClass
) -> None:
    fine = posted(alice, school_class, tables=[])
    assert '<details class="more">' in fine.text
    wrong = posted(alice, school_class, edition="blocks", offers="on")
    assert '<details class="more" open>' in wrong.text


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_there_are_bots_for_every_seat_of_an_edition(
    alice: User, school_class: SchoolClass, name: str
) -> None:
    most = EDITIONS[name].most_players - 1
    posted(alice, school_class, edition=name, bots=str(most))
    child = ChildFactory.create(school_class=school_class)
    seats = assigning.go_on_or_start(child, Assignment.objects.get()).seats.all()
    assert len({seat.name for seat in seats}) == len(seats) == most + 1


def test_every_bot_has_a_face_on_the_page() -> None:
    drawn = get_template("games/_sprite.svg").render()
    assert [face for _, face in assigning.BOTS if f'id="face-{face}"' not in drawn] == []


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_a_teacher_can_choose_a_level_and_plain_luck(
    alice: User, school_class: SchoolClass, level: str
) -> None:
    posted(alice, school_class, bot=level, kind="", bots="2")
    child = ChildFactory.create(school_class=school_class)
    game = assigning.go_on_or_start(child, Assignment.objects.get())
    assert [seat.bot for seat in game.seats.all()] == ["", level, level]
    assert (game.kind_decks, game.kind_draws) == (PLAIN.decks, PLAIN.draws)


def samples_of(text: str) -> tuple[list[str], list[str]]:
    """The rows on a page that are said to count, and those that are said not to."""
    found = [
        re.findall(rf'class="sample sample-{kind}"><strong>([^<]+)<', text)
        for kind in ("yes", "no")
    ]
    return found[0], found[1]


def rows_of(found: list[Sample]) -> list[str]:
    return [", ".join(map(str, one.numbers)) for one in found]


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_the_preview_shows_rows_of_the_rules_chosen(
    alice: User, school_class: SchoolClass, name: str
) -> None:
    url = reverse("classrooms:assign_preview", args=[school_class.pk])
    for rows in ("tables", "zero", "one", "zero-or-one", "anything"):
        chosen = {**FORM, "edition": name, "rows": rows}
        page = client_of(alice).get(url, chosen, headers={"HX-Request": "true"})
        made = assigning.Choice(edition=name, rows=rows, tables=(2, 5)).ruleset()
        allowed, refused = samples(made)
        assert samples_of(page.text) == (rows_of(allowed), rows_of(refused))
        assert str(MEANINGS[name]) in page.text
        assert "<form" not in page.text
        assert '<div id="live" hx-swap-oob="innerHTML">' in page.text


def test_the_preview_says_what_does_not_go_together(alice: User, school_class: SchoolClass) -> None:
    url = reverse("classrooms:assign_preview", args=[school_class.pk])
    page = client_of(alice).get(url, {**FORM, "tables": []})
    assert "Choose at least one times table." in page.text
    assert samples_of(page.text) == ([], [])


def test_a_day_that_is_over_leaves_the_preview_as_it_is(
    alice: User, school_class: SchoolClass
) -> None:
    page = posted(alice, school_class, due_on="2001-01-01")
    assert samples_of(page.text)[0]


def test_the_form_shows_samples_at_once_and_without_javascript_when_asked(
    alice: User, school_class: SchoolClass
) -> None:
    url = reverse("classrooms:assign_detail", args=[school_class.pk])
    assert samples_of(client_of(alice).get(url).text)[0] == ["6, 8, 10", "15, 20, 25", "30, 40, 50"]
    asked = client_of(alice).get(url, {"tables": "7"})
    assert "21, 28, 35" in samples_of(asked.text)[0]
    looked = posted(alice, school_class, edition="classic", rows="zero", look="1")
    assert samples_of(looked.text)[0] == ["12, 16, 20", "30, 40, 50", "15, 20, 25"]
    assert not Assignment.objects.exists()


@pytest.mark.parametrize("field", ["edition", "bot", "rounds", "doubling", "opening", "families"])
def test_what_the_form_does_not_offer_is_refused(
    alice: User, school_class: SchoolClass, field: str
) -> None:
    page = posted(alice, school_class, **{field: "chess"})
    assert list(page.context["form"].errors) == [field]


@pytest.mark.parametrize(
    ("changed", "title", "progress"),
    [
        ({}, "2 and 5 times tables", "0 of 3 rounds done"),
        ({"edition": "blocks"}, "Blocks: 2 and 5 times tables", "0 of 3 rounds done"),
        ({"rows": "zero"}, "All times tables", "0 of 3 rounds done"),
        ({"edition": "classic", **TO_POINTS}, "Classic: 2 and 5 times tables", "0 rounds done"),
    ],
)
def test_child_and_teacher_read_which_game_it_is(
    alice: User, school_class: SchoolClass, changed: dict[str, str], title: str, progress: str
) -> None:
    posted(alice, school_class, **changed)
    child = ChildFactory.create(school_class=school_class)
    mine = client_of_child(child).get(reverse("classrooms:me")).text
    assert title in mine
    assert progress in mine
    listed = reverse("classrooms:assignments", args=[school_class.pk])
    assert title in client_of(alice).get(listed).text


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tables", []),
        ("tables", ["1"]),
        ("tables", ["13"]),
        ("bots", "0"),
        ("bots", "8"),
        ("rounds", "6"),
        ("rounds", "0"),
        ("rows", "primes"),
        ("due_on", "2001-01-01"),
        ("due_on", "soon"),
    ],
)
def test_what_makes_no_game_is_refused(
    alice: User, school_class: SchoolClass, field: str, value: object
) -> None:
    assert field in posted(alice, school_class, **{field: value}).context["form"].errors
    assert not Assignment.objects.exists()


def test_it_may_be_due_today(alice: User, school_class: SchoolClass) -> None:
    posted(alice, school_class, due_on=school_class.today().isoformat())
    assert Assignment.objects.get().due_on == school_class.today()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"rows": "tables"}, "Choose these above as well, for rows must be in them."),
        ({"rows": "one"}, "Rows that count back to 1 are in none of these tables."),
    ],
)
def test_tables_to_practise_most_must_be_able_to_have_rows(
    alice: User, school_class: SchoolClass, changed: dict[str, Any], told: str
) -> None:
    page = posted(alice, school_class, focus=["7"], **changed)
    assert page.context["form"].errors == {"focus": [told]}


@pytest.mark.parametrize("rows", ["zero", "zero-or-one", "anything"])
def test_tables_to_practise_most_are_in_the_deals_and_the_questions(
    alice: User, school_class: SchoolClass, dora: Child, rows: str
) -> None:
    posted(alice, school_class, rows=rows, focus=["7", "8"])
    made = Assignment.objects.get()
    assert made.focus == [7, 8]
    game = assigning.go_on_or_start(dora, made)
    assert (game.kind_tables, game.ruleset.tables) == ([7, 8], None)
    assert "most of all 7 and 8" in wording.details(made)


@pytest.mark.parametrize(
    ("changed", "field", "told"),
    [
        ({"starts_on": 3, "due_on": 2}, "due_on", "This day lies before the first one."),
        ({"starts_on": -1}, "starts_on", "This day is over."),
        (
            {"starts_on": 1, "due_on": 8, "weekly": "on"},
            "due_on",
            "Every week again, it can last seven days at most.",
        ),
    ],
)
def test_days_that_do_not_go_together_are_told(
    alice: User, school_class: SchoolClass, changed: dict[str, Any], field: str, told: str
) -> None:
    today = school_class.today()
    days = {
        name: (today + timedelta(value)).isoformat() if name.endswith("_on") else value
        for name, value in changed.items()
    }
    assert posted(alice, school_class, **days).context["form"].errors == {field: [told]}


def test_first_and_last_day_and_every_week(alice: User, school_class: SchoolClass) -> None:
    today = school_class.today()
    first, last = today + timedelta(1), today + timedelta(7)
    posted(alice, school_class, starts_on=first, due_on=last, weekly="on")
    made = Assignment.objects.get()
    assert (made.starts_on, made.due_on) == (first, last)
    assert made.series is not None


def test_children_and_groups_can_be_chosen(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    group = GroupFactory.create(school_class=school_class, children=[emil])
    posted(alice, school_class, children=[dora.pk], groups=[group.pk])
    made = Assignment.objects.get()
    assert not made.everyone
    assert (list(made.children.all()), list(made.groups.all())) == ([dora], [group])


def test_children_of_another_class_cannot_be_chosen(alice: User, school_class: SchoolClass) -> None:
    page = posted(alice, school_class, children=[ChildFactory.create().pk])
    assert list(page.context["whom"].errors) == ["children"]
    assert not Assignment.objects.exists()


def test_a_copy_begins_with_everything_that_was_chosen(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    changed = {
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
    posted(alice, school_class, **changed, children=[dora.pk])
    first = Assignment.objects.get()
    url = reverse("classrooms:assign_detail", args=[school_class.pk])
    page = client_of(alice).get(url, {"of": str(first.pk)})
    form, whom = page.context["form"], page.context["whom"]
    data = {name: form[name].value() for name in form.fields}
    data |= {name: whom[name].value() for name in whom.fields}
    client_of(alice).post(url, {name: value for name, value in data.items() if value})
    second = Assignment.objects.exclude(pk=first.pk).get()
    assert second.ruleset == first.ruleset
    assert list(second.children.all()) == [dora]
    for name in ("focus", "bots", "bot", "kind", "hint_steps", "missed_rows", "checks", "rounds"):
        assert getattr(second, name) == getattr(first, name), name


@pytest.mark.parametrize("of", ["x", "7f3c1c9e-0000-4000-8000-000000000000"])
def test_what_is_not_there_cannot_be_copied(
    alice: User, school_class: SchoolClass, of: str
) -> None:
    url = reverse("classrooms:assign_detail", args=[school_class.pk])
    assert client_of(alice).get(url, {"of": of}).status_code == 404


def test_every_table_to_twelve_can_be_assigned(alice: User, school_class: SchoolClass) -> None:
    posted(alice, school_class, tables=[str(table) for table in range(2, 13)])
    assert Assignment.objects.get().ruleset.tables == tuple(range(2, 13))
