"""A child is removed, brought back, moved and erased by its teacher."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from time_machine import Traveller

from classrooms.models import AuditEntry, Child, SchoolClass, Teaching, User
from tests.classrooms.people import acts, client_of, client_of_child
from tests.factories import AttemptFactory, ChildFactory, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db


def url(name: str, child: Child) -> str:
    return reverse(f"classrooms:{name}", args=[child.school_class_id, child.pk])


@pytest.fixture
def next_year(alice: User) -> SchoolClass:
    return TeachingFactory.create(user=alice, school_class__name="6B").school_class


def test_a_removed_child_is_on_no_list_and_signed_out(alice: User, dora: Child) -> None:
    child = client_of_child(dora)
    client_of(alice).post(url("remove_child", dora))
    assert child.get(reverse("classrooms:me")).status_code == 302
    door = child.get(reverse("classrooms:names", args=[dora.school_class.code]))
    assert "Dora" not in door.text


def test_a_name_that_is_taken_meanwhile_keeps_the_removed_child_out(
    alice: User, dora: Child
) -> None:
    client = client_of(alice)
    client.post(url("remove_child", dora))
    ChildFactory.create(school_class=dora.school_class, name="DORA")
    page = client.post(url("bring_child_back", dora), follow=True)
    assert "another Dora" in page.text
    assert Child.objects.count() == 1


def test_children_just_added_are_taken_back_together(alice: User, dora: Child) -> None:
    client = client_of(alice)
    list_of = reverse("classrooms:children", args=[dora.school_class_id])
    page = client.post(list_of, {"names": "Emil\nFay"}, follow=True)
    undo = next(m.extra_tags for m in page.context["messages"])
    assert Child.objects.count() == 3
    client.post(undo)
    assert Child.objects.get() == dora


def test_a_child_moves_to_another_class_and_back(
    alice: User, dora: Child, next_year: SchoolClass
) -> None:
    client, child = client_of(alice), client_of_child(dora)
    page = client.post(url("move_child", dora), {"to": next_year.pk}, follow=True)
    dora.refresh_from_db()
    assert dora.school_class == next_year
    assert child.get(reverse("classrooms:me")).status_code == 302
    client.post(next(m.extra_tags for m in page.context["messages"]))
    dora.refresh_from_db()
    assert dora.school_class != next_year
    there, here = next_year.pk, dora.school_class_id
    moves = acts().filter(what="moved", child_id=dora.pk).values_list("class_id", "detail")
    assert list(moves) == [
        (here, {"to": str(there)}),
        (there, {"origin": str(here)}),
        (there, {"to": str(here)}),
        (here, {"origin": str(there)}),
    ]


def test_a_child_does_not_move_where_its_name_is_or_where_its_teacher_has_no_class(
    alice: User, dora: Child, next_year: SchoolClass
) -> None:
    ChildFactory.create(school_class=next_year, name="dora")
    charlies = TeachingFactory.create().school_class
    client = client_of(alice)
    page = client.post(url("move_child", dora), {"to": next_year.pk}, follow=True)
    assert "There is a Dora in 6B already." in page.text
    assert client.post(url("move_child", dora), {"to": charlies.pk}).status_code == 404
    for nonsense in ("", "x", str(dora.school_class_id)):
        client.post(url("move_child", dora), {"to": nonsense})
    before = dora.school_class_id
    dora.refresh_from_db()
    assert dora.school_class_id == before


def joins(user: User, school_class: SchoolClass) -> None:
    TeachingFactory.create(user=user, school_class=school_class, role=Teaching.Role.CO_TEACHER)


def undo_on(page: Any) -> str:
    return next(message.extra_tags for message in page.context["messages"])


class TestOfCoTeachers:
    """Bob co-teaches Dora's class, which Alice owns."""

    @pytest.fixture
    def bob(self, dora: Child) -> User:
        bob = UserFactory.create()
        joins(bob, dora.school_class)
        return bob

    @pytest.fixture
    def bobs(self, bob: User) -> SchoolClass:
        return TeachingFactory.create(user=bob, school_class__name="6A").school_class

    def test_a_child_is_not_taken_to_a_class_that_its_owner_does_not_see(
        self, dora: Child, bob: User, bobs: SchoolClass
    ) -> None:
        before = dora.school_class_id
        answer = client_of(bob).post(url("move_child", dora), {"to": bobs.pk})
        assert answer.status_code == 404
        dora.refresh_from_db()
        assert dora.school_class_id == before
        assert not acts().filter(what="moved").exists()

    def test_a_child_is_not_moved_to_a_class_that_one_does_not_teach(
        self, dora: Child, bob: User, next_year: SchoolClass
    ) -> None:
        answer = client_of(bob).post(url("move_child", dora), {"to": next_year.pk})
        assert answer.status_code == 404

    def test_a_child_moves_among_the_classes_of_its_owner_and_back(
        self, alice: User, dora: Child, bob: User, next_year: SchoolClass
    ) -> None:
        joins(bob, next_year)
        before, client = dora.school_class, client_of(bob)
        page = client.post(url("move_child", dora), {"to": next_year.pk}, follow=True)
        dora.refresh_from_db()
        assert dora.school_class == next_year
        client.post(undo_on(page))
        dora.refresh_from_db()
        assert dora.school_class == before

    def test_who_moved_a_child_can_undo_it_for_an_hour_and_nobody_else_can(
        self, alice: User, dora: Child, bob: User, clock: Traveller
    ) -> None:
        """Alice gives Dora to Charlie, who does not teach Alice's class."""
        before = dora.school_class
        charlies = TeachingFactory.create().school_class
        for user in (alice, bob):
            joins(user, charlies)
        client = client_of(alice)
        undo = undo_on(client.post(url("move_child", dora), {"to": charlies.pk}, follow=True))
        assert client_of(bob).post(undo).status_code == 404
        client.post(undo)
        dora.refresh_from_db()
        assert dora.school_class == before
        client.post(url("move_child", dora), {"to": charlies.pk})
        clock.shift(timedelta(minutes=50))
        assert client.get(reverse("classrooms:classes")).status_code == 200
        clock.shift(timedelta(minutes=11))
        assert client.post(undo).status_code == 404
        dora.refresh_from_db()
        assert dora.school_class == charlies

    def test_what_happens_after_a_move_leaves_its_undo_alone(
        self, alice: User, dora: Child, emil: Child
    ) -> None:
        """Emil is moved later, from a third class, and Dora gets another name."""
        before, charlies = dora.school_class, TeachingFactory.create().school_class
        joins(alice, charlies)
        client = client_of(alice)
        undo = undo_on(client.post(url("move_child", dora), {"to": charlies.pk}, follow=True))
        emil.school_class = TeachingFactory.create(user=alice).school_class
        emil.save()
        client.post(url("move_child", emil), {"to": charlies.pk})
        dora.refresh_from_db()
        client.post(url("child", dora), {"name": "Dorothea"})
        client.post(undo)
        dora.refresh_from_db()
        assert dora.school_class == before

    def test_a_move_from_a_class_that_one_has_left_is_not_undone(
        self, alice: User, dora: Child
    ) -> None:
        charlies = TeachingFactory.create().school_class
        joins(alice, charlies)
        client = client_of(alice)
        undo = undo_on(client.post(url("move_child", dora), {"to": charlies.pk}, follow=True))
        dora.school_class.teachings.filter(user=alice).delete()
        assert client.post(undo).status_code == 404

    def test_an_earlier_move_is_not_undone_after_a_later_one(
        self, alice: User, dora: Child, bob: User, bobs: SchoolClass
    ) -> None:
        """Dora was Bob's and is given to Alice; what Alice did since then stays."""
        emma = ChildFactory.create(school_class=bobs, name="Emma")
        client = client_of(bob)
        page = client.post(url("move_child", emma), {"to": dora.school_class_id}, follow=True)
        undo = undo_on(page)
        second = TeachingFactory.create(user=alice).school_class
        there = reverse("classrooms:move_child", args=[dora.school_class_id, emma.pk])
        back = reverse("classrooms:move_child", args=[second.pk, emma.pk])
        hers = client_of(alice)
        hers.post(there, {"to": second.pk})
        hers.post(back, {"to": dora.school_class_id})
        assert client.post(undo).status_code == 404


def test_erasing_says_first_what_it_means_and_then_does_it(alice: User, dora: Child) -> None:
    AttemptFactory.create(child=dora)
    client = client_of(alice)
    page = client.get(url("erase_child", dora))
    assert "1 match" in page.text
    assert "Nobody can bring it back" in page.text
    client.post(url("erase_child", dora))
    assert not Child.everyone.exists()
    assert acts().get().what == AuditEntry.What.ERASED


def test_a_removed_child_can_be_erased_at_once(alice: User, dora: Child) -> None:
    client = client_of(alice)
    client.post(url("remove_child", dora))
    client.post(url("erase_child", dora))
    assert not Child.everyone.exists()


def test_a_name_is_edited_in_its_place(alice: User, dora: Child, emil: Child) -> None:
    client = client_of(alice)
    list_of = reverse("classrooms:children", args=[dora.school_class_id])
    page = client.get(f"{list_of}?edit={dora.pk}")
    assert f'action="{url("rename_child", dora)}"' in page.text
    wrong = client.post(url("rename_child", dora), {"name": "emil"})
    assert "already in this class" in wrong.text
    assert 'value="emil"' in wrong.text
    client.post(url("rename_child", dora), {"name": "Dora B."})
    dora.refresh_from_db()
    assert dora.name == "Dora B."


def test_the_roster_is_sorted_and_narrowed_by_its_address(
    alice: User, dora: Child, emil: Child
) -> None:
    AttemptFactory.create(child=emil)
    client = client_of(alice)
    list_of = reverse("classrooms:children", args=[dora.school_class_id])

    def names(address: str) -> list[str]:
        return [child.name for child in client.get(list_of + address).context["table"].rows]

    assert names("?sort=-name") == ["Emil", "Dora"]
    assert names("?show=unplayed") == ["Dora"]
    assert names("?q=em") == ["Emil"]
    assert names("?sort=played") == ["Emil", "Dora"]
