"""Teachers move children, one or many at once, and back."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from time_machine import Traveller

from classrooms import bounds
from classrooms.assignments.audience import audience_of
from classrooms.assignments.status import assignments_of
from classrooms.classes import services as classes
from classrooms.models import Child, Group, SchoolClass, User
from classrooms.roster import services
from tests.classrooms.people import (
    acts,
    client_of,
    client_of_child,
    names_in,
    text_on,
    undo_of,
    url_of,
)
from tests.counts import queries_of
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChildFactory,
    GroupFactory,
    TeachingFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def class_of_next_year(alice: User) -> SchoolClass:
    return TeachingFactory.create(user=alice, school_class__name="6B").school_class


def test_a_child_moves_to_another_class_and_back(
    alice: User, dora: Child, class_of_next_year: SchoolClass
) -> None:
    client, child = client_of(alice), client_of_child(dora)
    page = client.post(url_of("move_child", dora), {"to": class_of_next_year.pk}, follow=True)
    assert "by name stays" not in text_on(page)
    dora.refresh_from_db()
    assert dora.school_class == class_of_next_year
    (link,) = re.findall(r'href="([^"]+)">Print the new card', text_on(page))
    assert [card.child for card in client.get(link).context["cards"]] == [dora]
    assert child.get(reverse("classrooms:me")).status_code == 302
    client.post(undo_of(page))
    dora.refresh_from_db()
    assert dora.school_class != class_of_next_year
    there, here = class_of_next_year.pk, dora.school_class_id
    moves = acts().filter(what="moved", child_id=dora.pk).values_list("class_id", "detail")
    assert list(moves) == [
        (here, {"to": str(there)}),
        (there, {"origin": str(here)}),
        (there, {"to": str(here)}),
        (here, {"origin": str(there)}),
    ]


def test_a_child_moves_neither_to_a_namesake_nor_a_foreign_class(
    alice: User, dora: Child, class_of_next_year: SchoolClass
) -> None:
    ChildFactory.create(school_class=class_of_next_year, name="dora")
    charlies = TeachingFactory.create().school_class
    client = client_of(alice)
    page = client.post(url_of("move_child", dora), {"to": class_of_next_year.pk}, follow=True)
    assert "6B already has a child named Dora." in text_on(page)
    assert client.post(url_of("move_child", dora), {"to": charlies.pk}).status_code == 404
    for nonsense in ("", "x", str(dora.school_class_id)):
        client.post(url_of("move_child", dora), {"to": nonsense})
    before = dora.school_class_id
    dora.refresh_from_db()
    assert dora.school_class_id == before


def test_an_undo_takes_back_only_its_own_move(
    alice: User, dora: Child, emil: Child, class_of_next_year: SchoolClass
) -> None:
    before, client = dora.school_class, client_of(alice)
    for child in (dora, emil):
        page = client.post(url_of("move_child", child), {"to": class_of_next_year.pk}, follow=True)
    client.post(undo_of(page))
    assert (names_in(before), names_in(class_of_next_year)) == (["Emil"], ["Dora"])


def test_a_move_is_undone_only_in_the_class_to_which_it_led(
    alice: User, dora: Child, class_of_next_year: SchoolClass
) -> None:
    client, before = client_of(alice), dora.school_class
    there = undo_of(
        client.post(url_of("move_child", dora), {"to": class_of_next_year.pk}, follow=True)
    )
    third = TeachingFactory.create(user=alice).school_class
    for wrong in (third, before):
        url_there = there.replace(str(class_of_next_year.pk), str(wrong.pk))
        assert "can no longer be undone" in text_on(client.post(url_there, follow=True))
    assert names_in(class_of_next_year) == ["Dora"]


def join_class(user: User, school_class: SchoolClass) -> None:
    TeachingFactory.create(user=user, school_class=school_class)


# Bob co-teaches Dora's class, which Alice owns.


@pytest.fixture
def bob(dora: Child) -> User:
    bob = UserFactory.create()
    join_class(bob, dora.school_class)
    return bob


@pytest.fixture
def bobs(bob: User) -> SchoolClass:
    return TeachingFactory.create(user=bob, school_class__name="6A").school_class


def test_a_child_is_not_moved_out_of_the_owners_sight(
    dora: Child, bob: User, bobs: SchoolClass
) -> None:
    before = dora.school_class_id
    answer = client_of(bob).post(url_of("move_child", dora), {"to": bobs.pk})
    assert answer.status_code == 404
    dora.refresh_from_db()
    assert dora.school_class_id == before
    assert not acts().filter(what="moved").exists()


def test_a_child_is_not_moved_to_a_class_that_the_mover_does_not_teach(
    dora: Child, bob: User, class_of_next_year: SchoolClass
) -> None:
    answer = client_of(bob).post(url_of("move_child", dora), {"to": class_of_next_year.pk})
    assert answer.status_code == 404


def test_a_child_moves_between_classes_of_one_owner_and_back(
    alice: User, dora: Child, bob: User, class_of_next_year: SchoolClass
) -> None:
    join_class(bob, class_of_next_year)
    before, client = dora.school_class, client_of(bob)
    page = client.post(url_of("move_child", dora), {"to": class_of_next_year.pk}, follow=True)
    dora.refresh_from_db()
    assert dora.school_class == class_of_next_year
    client.post(undo_of(page))
    dora.refresh_from_db()
    assert dora.school_class == before


def test_only_the_mover_can_undo_a_move_for_an_hour(
    alice: User, dora: Child, bob: User, clock: Traveller
) -> None:
    """Alice gives Dora to Charlie, who does not teach Alice's class."""
    before = dora.school_class
    charlies = TeachingFactory.create().school_class
    for user in (alice, bob):
        join_class(user, charlies)
    client = client_of(alice)
    undo = undo_of(client.post(url_of("move_child", dora), {"to": charlies.pk}, follow=True))
    assert client_of(bob).post(undo).status_code == 302
    dora.refresh_from_db()
    assert dora.school_class == charlies
    client.post(undo)
    dora.refresh_from_db()
    assert dora.school_class == before
    client.post(url_of("move_child", dora), {"to": charlies.pk})
    clock.shift(timedelta(minutes=50))
    assert client.get(reverse("classrooms:classes")).status_code == 200
    clock.shift(timedelta(minutes=11))
    assert "can no longer be undone" in text_on(client.post(undo, follow=True))
    dora.refresh_from_db()
    assert dora.school_class == charlies


def test_later_changes_stay_after_the_undo_of_a_move(alice: User, dora: Child, emil: Child) -> None:
    """Emil is moved later, from a third class, and Dora gets another name."""
    before, charlies = dora.school_class, TeachingFactory.create().school_class
    join_class(alice, charlies)
    client = client_of(alice)
    undo = undo_of(client.post(url_of("move_child", dora), {"to": charlies.pk}, follow=True))
    emil.school_class = TeachingFactory.create(user=alice).school_class
    emil.save()
    client.post(url_of("move_child", emil), {"to": charlies.pk})
    dora.refresh_from_db()
    client.post(url_of("child", dora), {"name": "Dorothea"})
    client.post(undo)
    dora.refresh_from_db()
    assert dora.school_class == before


def test_a_move_from_a_class_that_the_mover_has_left_cannot_be_undone(
    alice: User, dora: Child
) -> None:
    charlies = TeachingFactory.create().school_class
    join_class(alice, charlies)
    client = client_of(alice)
    undo = undo_of(client.post(url_of("move_child", dora), {"to": charlies.pk}, follow=True))
    dora.school_class.teachings.filter(user=alice).delete()
    assert "can no longer be undone" in text_on(client.post(undo, follow=True))
    dora.refresh_from_db()
    assert dora.school_class == charlies


def test_an_earlier_move_cannot_be_undone_after_a_later_one(
    alice: User, dora: Child, bob: User, bobs: SchoolClass
) -> None:
    """Dora was moved from Bob's class to Alice's. Alice's later acts stay."""
    emma = ChildFactory.create(school_class=bobs, name="Emma")
    client = client_of(bob)
    page = client.post(url_of("move_child", emma), {"to": dora.school_class_id}, follow=True)
    undo = undo_of(page)
    second = TeachingFactory.create(user=alice).school_class
    there = url_of("move_child", dora.school_class, emma.pk)
    back = url_of("move_child", second, emma.pk)
    hers = client_of(alice)
    hers.post(there, {"to": second.pk})
    hers.post(back, {"to": dora.school_class_id})
    assert "can no longer be undone" in text_on(client.post(undo, follow=True))
    emma.refresh_from_db()
    assert emma.school_class_id == dora.school_class_id


def tick(client: Client, *children: Child, to: SchoolClass, do: str = "") -> Any:
    """Post these children, to be shown or (with `do`) moved."""
    address = url_of("move_children", children[0].school_class)
    data = {"child": [child.pk for child in children], "to": to.pk, "do": do}
    return client.post(address, data, follow=True)


# Many children at once


def test_ticked_children_are_shown_first_and_moved_by_the_second_post(
    alice: User, dora: Child, emil: Child, class_of_next_year: SchoolClass
) -> None:
    client, before = client_of(alice), dora.school_class
    page = tick(client, dora, emil, to=class_of_next_year)
    assert [child.name for child in page.context["movable"]] == ["Dora", "Emil"]
    assert "Move 2 children" in text_on(page)
    assert (names_in(before), names_in(class_of_next_year)) == (["Dora", "Emil"], [])
    device = client_of_child(dora)
    class_page = tick(client, dora, emil, to=class_of_next_year, do="move")
    assert "2 children are now in 6B." in text_on(class_page)
    (link,) = re.findall(r'href="([^"]+)">Print the new cards', text_on(class_page))
    assert [card.child for card in client.get(link).context["cards"]] == [dora, emil]
    assert (names_in(before), names_in(class_of_next_year)) == ([], ["Dora", "Emil"])
    assert device.get(reverse("classrooms:me")).status_code == 302


def test_one_undo_brings_all_back_with_their_groups(
    alice: User, dora: Child, emil: Child, class_of_next_year: SchoolClass
) -> None:
    before = dora.school_class
    stars, moons, suns = (
        GroupFactory.create(school_class=before, children=children)
        for children in ([dora, emil], [emil], [dora])
    )
    client = client_of(alice)
    page = tick(client, dora, emil, to=class_of_next_year, do="move")
    assert not Group.children.through.objects.exists()
    client.post(url_of("remove_child_group", before, suns.pk))
    back = client.post(undo_of(page), follow=True)
    assert "2 children are back in 5B." in text_on(back)
    assert names_in(before) == ["Dora", "Emil"]
    assert set(stars.children.all()) == {dora, emil}
    assert set(moons.children.all()) == {emil}
    assert not suns.children.exists()
    assert set(Child.objects.values_list("name_order", flat=True)) == {
        dora.name_order, emil.name_order,
    }  # fmt: skip


def test_moving_drops_assignments_by_name_and_says_so(
    alice: User, dora: Child, emil: Child, class_of_next_year: SchoolClass
) -> None:
    before = dora.school_class
    alone, both, robins = (
        AssignmentFactory.create(school_class=before, is_for_everyone=False) for _ in range(3)
    )
    alone.children.set([dora])
    both.children.set([dora, emil])
    robins.children.set([dora])
    robins.groups.set([GroupFactory.create(school_class=before)])
    game = AttemptFactory.create(child=dora, assignment=both).game
    Child.objects.filter(pk=dora.pk).update(last_game=game)
    client = client_of(alice)
    page = client.post(url_of("move_child", dora), {"to": class_of_next_year.pk}, follow=True)
    assert "Games given by name do not go along" in text_on(page)
    dora.refresh_from_db()
    assert (dora.last_game, list(dora.assignments.all())) == (None, [])
    now = set(assignments_of(before, "now"))
    assert now == {both, robins}
    audiences = {each: audience_of(each).names for each in now}
    assert audiences == {both: ["Emil"], robins: [str(robins.groups.get())]}
    assert not assignments_of(class_of_next_year, "now").exists()
    client.post(undo_of(page))
    assert set(dora.assignments.all()) == {alone, both, robins}
    assert set(assignments_of(before, "now")) == {alone, both, robins}


def test_a_child_whose_name_is_taken_stays_and_is_named(
    alice: User, dora: Child, emil: Child, class_of_next_year: SchoolClass
) -> None:
    ChildFactory.create(school_class=class_of_next_year, name="DORA")
    client, before = client_of(alice), dora.school_class
    page = tick(client, dora, emil, to=class_of_next_year)
    assert [child.name for child in page.context["staying"]] == ["Dora"]
    assert "Move 1 child" in text_on(page)
    class_page = tick(client, dora, emil, to=class_of_next_year, do="move")
    assert "6B already has a child named Dora." in text_on(class_page)
    assert (names_in(before), names_in(class_of_next_year)) == (["Dora"], ["DORA", "Emil"])
    client.post(undo_of(class_page))
    assert (names_in(before), names_in(class_of_next_year)) == (["Dora", "Emil"], ["DORA"])


def test_a_full_class_takes_nobody(
    alice: User,
    dora: Child,
    emil: Child,
    class_of_next_year: SchoolClass,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ChildFactory.create(school_class=class_of_next_year)
    monkeypatch.setattr(bounds, "MOST_CHILDREN", 2)
    for do in ("", "move"):
        page = tick(client_of(alice), dora, emil, to=class_of_next_year, do=do)
        assert "A class has at most 2 children." in text_on(page)
        assert 'value="move"' not in text_on(page)
    assert class_of_next_year.children.count() == 1


def test_a_name_taken_meanwhile_prevents_the_undo_for_all(
    alice: User, dora: Child, emil: Child, class_of_next_year: SchoolClass
) -> None:
    client, before = client_of(alice), dora.school_class
    page = tick(client, dora, emil, to=class_of_next_year, do="move")
    ChildFactory.create(school_class=before, name="emil")
    back = client.post(undo_of(page), follow=True)
    assert "There is now another Emil in 5B. Rename that child first." in text_on(back)
    assert (names_in(before), names_in(class_of_next_year)) == (["emil"], ["Dora", "Emil"])


def test_an_undo_leaves_a_child_who_was_removed_or_moved_on_meanwhile(
    alice: User, dora: Child, emil: Child, class_of_next_year: SchoolClass
) -> None:
    fay = ChildFactory.create(school_class=dora.school_class, name="Fay")
    third = TeachingFactory.create(user=alice, school_class__name="7C").school_class
    client, before = client_of(alice), dora.school_class
    page = tick(client, dora, emil, fay, to=class_of_next_year, do="move")
    for child in (dora, emil):
        child.refresh_from_db()
    services.remove(dora, None)
    tick(client, emil, to=third, do="move")
    client.post(undo_of(page))
    assert (names_in(before), names_in(class_of_next_year), names_in(third)) == (
        ["Fay"],
        [],
        ["Emil"],
    )


def test_nothing_is_left_to_undo_once_all_have_moved_on(
    alice: User, dora: Child, emil: Child, class_of_next_year: SchoolClass
) -> None:
    third = TeachingFactory.create(user=alice, school_class__name="7C").school_class
    client = client_of(alice)
    page = tick(client, dora, emil, to=class_of_next_year, do="move")
    for child in (dora, emil):
        child.refresh_from_db()
    tick(client, dora, emil, to=third, do="move")
    assert "can no longer be undone" in text_on(client.post(undo_of(page), follow=True))
    assert names_in(third) == ["Dora", "Emil"]


def test_a_child_of_another_class_is_not_moved_along(
    alice: User, dora: Child, class_of_next_year: SchoolClass
) -> None:
    finn = ChildFactory.create(name="Finn")
    tick(client_of(alice), dora, finn, to=class_of_next_year, do="move")
    assert names_in(class_of_next_year) == ["Dora"]


def test_a_class_that_the_owner_does_not_see_is_not_found(dora: Child, emil: Child) -> None:
    bob = UserFactory.create()
    join_class(bob, dora.school_class)
    bobs = TeachingFactory.create(user=bob).school_class
    for do in ("", "move"):
        assert tick(client_of(bob), dora, emil, to=bobs, do=do).status_code == 404
    assert not bobs.children.exists()


def test_an_archived_class_takes_nobody_back(
    alice: User, dora: Child, class_of_next_year: SchoolClass
) -> None:
    client, before = client_of(alice), dora.school_class
    page = tick(client, dora, to=class_of_next_year, do="move")
    classes.archive(before, None)
    assert "can no longer be undone" in text_on(client.post(undo_of(page), follow=True))
    assert names_in(class_of_next_year) == ["Dora"]


@pytest.mark.usefixtures("stopped_clock")
def test_the_preview_needs_no_more_queries_for_more_children(
    alice: User, dora: Child, class_of_next_year: SchoolClass
) -> None:
    client = client_of(alice)

    def queries() -> int:
        return queries_of(tick, client, *dora.school_class.children.all(), to=class_of_next_year)

    queries()
    few = queries()
    ChildFactory.create_batch(6, school_class=dora.school_class)
    assert queries() == few <= 15
