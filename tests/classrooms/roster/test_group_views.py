"""Groups of children, and the settings of each child."""

from typing import Any

import pytest
from django.utils.html import strip_tags

from classrooms.models import Child, Group, SchoolClass, User
from classrooms.roster.moves import move
from tests.classrooms.people import client_of, text_on, undo_of, url_of
from tests.factories import ChildFactory, GroupFactory, TeachingFactory

pytestmark = pytest.mark.django_db


def post_group(user: User, school_class: SchoolClass, **data: Any) -> Any:
    return client_of(user).post(url_of("new_child_group", school_class), data)


def test_a_group_is_made_changed_and_shown(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    ChildFactory.create(name="Finn")
    post_group(alice, school_class, name=" Robins ", children=[dora.pk])
    group = Group.objects.get()
    assert (group.name, list(group.children.all())) == ("Robins", [dora])
    url = url_of("child_group", school_class, group.pk)
    data = {"name": "Finches", "children": [dora.pk, emil.pk]}
    page = text_on(client_of(alice).post(url, data, follow=True))
    assert "Finches" in page
    assert "Dora, Emil" in strip_tags(page)
    assert "no longer in the group" not in page


def test_undoing_links_no_child_who_has_left_the_class(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    """Bob took Dora out of a group; he does not teach her new class."""
    bob = TeachingFactory.create(school_class=school_class, role="co-teacher").user
    group = GroupFactory.create(school_class=school_class, children=[dora, emil])
    client, url = (
        client_of(bob),
        url_of("child_group", school_class, group.pk),
    )
    page = client.post(url, {"name": "Robins", "children": [emil.pk]}, follow=True)
    move([dora], TeachingFactory.create(user=alice).school_class, alice)
    Child.objects.filter(pk=dora.pk).update(name="Dora Secretname")
    assert "everything is as it was before" in text_on(client.post(undo_of(page), follow=True))
    assert list(group.children.all()) == [emil]


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "robins"}, "name"),
        ({"name": "<b>"}, "name"),
        ({"name": "x" * 41}, "name"),
        ({"children": []}, "children"),
        ({"children": ["x"]}, "children"),
    ],
)
def test_an_invalid_group_is_an_error_of_its_field(
    alice: User, school_class: SchoolClass, dora: Child, data: dict[str, Any], field: str
) -> None:
    GroupFactory.create(school_class=school_class, name="Robins")
    posted = {"name": "Finches", "children": [str(dora.pk)]} | data
    page = post_group(alice, school_class, **posted)
    assert list(page.context["form"].errors) == [field]
    assert page.context["form"]["name"].value() == posted["name"]
    assert Group.objects.count() == 1


def test_a_child_of_another_class_cannot_be_in_a_group(
    alice: User, school_class: SchoolClass
) -> None:
    page = post_group(alice, school_class, name="Robins", children=[ChildFactory.create().pk])
    assert list(page.context["form"].errors) == ["children"]


def test_a_removal_is_undone_unless_the_name_is_taken(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    group = GroupFactory.create(school_class=school_class, name="Robins", children=[dora])
    url = url_of("remove_child_group", school_class, group.pk)
    client = client_of(alice)
    page = client.post(url, follow=True)
    assert page.context["groups"] == []
    again = client.post(undo_of(page), follow=True)
    assert again.context["groups"] == [group]
    page = client.post(url, follow=True)
    GroupFactory.create(school_class=school_class, name="robins")
    refused = client.post(undo_of(page), follow=True)
    assert "There is already a group with this name." in text_on(refused)


def save_settings(user: User, school_class: SchoolClass, **data: Any) -> Any:
    return client_of(user).post(url_of("child_settings", school_class), data)


def test_the_settings_of_each_child_are_stored(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    save_settings(
        alice,
        school_class,
        child=[dora.pk, emil.pk],
        untimed=[dora.pk],
        larger=[dora.pk, emil.pk],
        checks=[emil.pk],
        **{f"hints-{dora.pk}": "none", f"hints-{emil.pk}": "x"},
    )
    fields = ("is_untimed", "has_larger_cards", "gets_questions", "hints")
    settings_of = {row[0]: row[1:] for row in Child.objects.values_list("name", *fields)}
    assert settings_of == {"Dora": (True, True, False, "none"), "Emil": (False, True, True, "")}


def test_a_child_whom_the_page_did_not_show_stays_unchanged(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    save_settings(alice, school_class, child=[dora.pk])
    assert not Child.objects.get(name="Dora").gets_questions
    assert Child.objects.get(name="Emil").gets_questions


def test_children_of_another_class_stay_unchanged(alice: User, school_class: SchoolClass) -> None:
    finn = ChildFactory.create(name="Finn")
    save_settings(alice, school_class, child=[finn.pk], untimed=[finn.pk])
    assert not Child.objects.get().is_untimed


def test_the_table_stays_sorted_after_saving(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    Child.objects.filter(pk=emil.pk).update(has_larger_cards=True)
    url = url_of("child_settings", school_class)

    def names(query: str) -> list[str]:
        table = client_of(alice).get(f"{url}?{query}").context["table"]
        return [child.name for child, _ticks in table.rows]

    assert names("sort=-name") == names("sort=-larger") == ["Emil", "Dora"]
    assert names("q=dor") == ["Dora"]
    page = client_of(alice).post(f"{url}?q=dor", {"child": [dora.pk], "checks": [dora.pk]})
    assert page.headers["Location"] == f"{url}?q=dor"
    assert Child.objects.get(pk=emil.pk).has_larger_cards
