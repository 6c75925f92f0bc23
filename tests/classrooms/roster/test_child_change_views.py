"""A child is removed, brought back and erased by its teacher."""

import pytest
from django.urls import reverse

from classrooms.models import AuditEntry, Child, User
from tests.classrooms.people import acts, client_of, client_of_child
from tests.factories import AttemptFactory, ChildFactory

pytestmark = pytest.mark.django_db


def url(name: str, child: Child) -> str:
    return reverse(f"classrooms:{name}", args=[child.school_class_id, child.pk])


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


def test_erasing_says_first_what_it_means_and_then_does_it(alice: User, dora: Child) -> None:
    AttemptFactory.create(child=dora)
    client = client_of(alice)
    page = client.get(url("erase_child", dora))
    assert "1 game" in page.text
    assert "This cannot be undone" in page.text
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
    assert f'action="{url("rename_child", dora)}' in page.text
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
