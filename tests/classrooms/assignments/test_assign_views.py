"""Games by name, for whom a link asks for them, with one tap."""

from dataclasses import replace

import pytest
from django.urls import reverse

from classrooms.assignments.choice import MORE_ROWS, PRESETS, with_enough_rows
from classrooms.models import Assignment, Child, SchoolClass, User
from games.engine.ruleset import edition
from games.models import Game
from tests.classrooms.people import client_of
from tests.factories import ChildFactory, GroupFactory

pytestmark = pytest.mark.django_db


def address(school_class: SchoolClass, name: str = "assign") -> str:
    return reverse(f"classrooms:{name}", args=[school_class.pk])


@pytest.mark.parametrize("name", list(PRESETS))
def test_every_preset_shows_its_rows_and_is_assigned_with_one_post(
    alice: User, school_class: SchoolClass, name: str
) -> None:
    page = client_of(alice).get(address(school_class)).text
    preset = PRESETS[name]
    assert str(preset.label) in page
    assert preset.preview.samples is not None
    assert preset.preview.samples.allowed[0].row in page
    client_of(alice).post(address(school_class), {"preset": name})
    made = Assignment.objects.get()
    assert made.ruleset == preset.choice.ruleset()
    assert (made.everyone, made.bot, made.kind) == (True, "companion", True)


def test_a_post_of_a_preset_that_there_is_not_shows_the_page_again(
    alice: User, school_class: SchoolClass
) -> None:
    assert client_of(alice).post(address(school_class), {"preset": "chess"}).status_code == 200
    assert not Assignment.objects.exists()


def test_a_link_asks_for_tables_and_children_and_the_first_preset_is_that(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    ChildFactory.create(school_class=school_class, name="Fay")
    link = f"{address(school_class)}?tables=7&children={dora.pk},{emil.pk}"
    page = client_of(alice).get(link)
    assert page.context["presets"][0].choice.tables == (2, 7)
    assert "For Dora, Emil" in page.text
    whom = page.context["whom"]
    data = {"preset": "tables", "children": whom["children"].value()}
    client_of(alice).post(link, data)
    made = Assignment.objects.get()
    printed = edition("simplified", tables=(2, 7), offers=False, rounds=3)
    assert made.ruleset == replace(printed, **MORE_ROWS, opening=False)
    assert set(made.children.all()) == {dora, emil}


@pytest.mark.parametrize("asked", ["tables=x", "tables=99", "children=x", "groups=1,2", "tables="])
def test_a_link_that_asks_for_what_there_is_not_shows_the_page_as_it_is(
    alice: User, school_class: SchoolClass, asked: str
) -> None:
    page = client_of(alice).get(f"{address(school_class)}?{asked}")
    assert [preset.name for preset in page.context["presets"]] == list(PRESETS)
    assert "For the whole class" in page.text


def test_a_link_cannot_ask_for_a_child_of_another_class(
    alice: User, school_class: SchoolClass
) -> None:
    finn = ChildFactory.create(name="Finn")
    page = client_of(alice).get(address(school_class), {"children": str(finn.pk)})
    assert "Finn" not in page.text


def test_a_group_that_is_removed_can_no_longer_be_chosen(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    group = GroupFactory.create(school_class=school_class, name="Robins", children=[dora])
    assert "Robins" in client_of(alice).get(address(school_class)).text
    client_of(alice).post(
        reverse("classrooms:remove_child_group", args=[school_class.pk, group.pk])
    )
    for_it = {"groups": str(group.pk)}
    assert "Robins" not in client_of(alice).get(address(school_class), for_it).text


def test_a_preset_can_be_changed_in_detail_for_those_who_were_chosen(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    link = f"{address(school_class)}?tables=8"
    page = client_of(alice).post(link, {"detail": "tables", "children": dora.pk}, follow=True)
    assert page.context["form"]["tables"].value() == (2, 8)
    assert page.context["whom"]["children"].value() == [dora.pk]


@pytest.mark.parametrize(
    ("asked", "offered"),
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
def test_tables_with_few_rows_get_the_easy_one_beside_them(
    asked: set[int], offered: tuple[int, ...]
) -> None:
    assert with_enough_rows(asked) == offered


def test_a_preset_is_tried_out_before_it_is_assigned(
    alice: User, school_class: SchoolClass
) -> None:
    client = client_of(alice)
    tried = client.post(f"{address(school_class, 'assign_try')}?tables=7", {"preset": "tables"})
    game = Game.objects.get()
    assert tried.headers["Location"] == reverse("games:page", args=[game.pk])
    assert game.ruleset.tables == (2, 7)
    assert not Assignment.objects.exists()
