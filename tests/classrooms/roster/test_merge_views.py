"""Two entries of one child are looked at side by side before they are merged, and for a week the
teacher can undo it."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from classrooms.models import AuditEntry, Child, Merge, User
from classrooms.privacy.tasks import erase_removed
from classrooms.progress.models import ChildDay
from classrooms.roster import moves, services
from tests.classrooms.people import acts, client_of
from tests.factories import AttemptFactory, ChildFactory, TeachingFactory

pytestmark = pytest.mark.django_db


def url(name: str, child: Child) -> str:
    return reverse(f"classrooms:{name}", args=[child.school_class_id, child.pk])


def test_no_child_is_chosen_at_first(alice: User, dora: Child, emil: Child) -> None:
    client = client_of(alice)
    assert url("merge_child", dora) in client.get(url("child", dora)).text
    page = client.get(url("merge_child", dora))
    assert "selected" not in page.text
    assert "Compare both" in page.text
    assert 'method="post" class="row"' not in page.text


def test_a_child_alone_in_its_class_has_nobody_to_be_merged_with(alice: User, dora: Child) -> None:
    ChildFactory.create(name="Finn")
    assert url("merge_child", dora) not in client_of(alice).get(url("child", dora)).text


def test_both_are_shown_before_they_are_merged(alice: User, dora: Child, emil: Child) -> None:
    AttemptFactory.create(child=emil)
    ChildDay.objects.create(
        child=dora,
        school_class=dora.school_class,
        day=dora.school_class.today(),
        last_at=timezone.now(),
    )
    page = client_of(alice).get(url("merge_child", emil), {"into": str(dora.pk)})
    assert [entry.child for entry in page.context["entries"]] == [emil, dora]
    assert [(entry.matches, entry.days) for entry in page.context["entries"]] == [(1, 0), (0, 1)]
    assert "Merge Emil into Dora" in page.text
    assert f"{url('merge_child', dora)}?into={emil.pk}" in page.text
    assert Child.objects.count() == 2


def test_two_that_are_one_child_are_merged(alice: User, dora: Child, emil: Child) -> None:
    attempt = AttemptFactory.create(child=emil)
    client = client_of(alice)
    client.post(url("merge_child", emil), {"into": dora.pk})
    assert Child.objects.get() == dora
    assert dora.attempts.get() == attempt
    assert acts().get().what == AuditEntry.What.MERGED
    page = client.get(reverse("classrooms:children", args=[dora.school_class_id]))
    assert "Emil into Dora" in page.text
    assert url("bring_child_back", emil) not in page.text
    assert client.post(url("bring_child_back", emil)).status_code == 404
    client.post(url("remove_child", dora))
    client.post(url("bring_child_back", dora))
    assert Child.objects.get() == dora


def test_the_merge_is_undone_with_one_post(alice: User, dora: Child, emil: Child) -> None:
    attempt = AttemptFactory.create(child=emil)
    client = client_of(alice)
    page = client.post(url("merge_child", emil), {"into": dora.pk}, follow=True)
    assert url("undo_merge", emil) in page.text
    page = client.post(url("undo_merge", emil), follow=True)
    assert "Emil and Dora are two separate children again." in page.text
    assert emil.attempts.get() == attempt
    assert acts().last().what == AuditEntry.What.MERGE_UNDONE  # type: ignore[union-attr]
    page = client.post(url("undo_merge", emil), follow=True)
    assert "That can no longer be undone." in page.text


def test_a_child_is_merged_into_nobody_else_and_not_into_itself(alice: User, dora: Child) -> None:
    finn = TeachingFactory.create(school_class__name="6A").school_class.children.create(name="Finn")
    client = client_of(alice)
    assert client.post(url("merge_child", dora), {"into": finn.pk}).status_code == 404
    for nonsense in ("", "x", str(dora.pk)):
        page = client.post(url("merge_child", dora), {"into": nonsense})
        assert "Choose a child." in page.text
    assert Child.objects.count() == 2


def test_what_stands_in_the_way_of_undoing_is_said(alice: User, dora: Child, emil: Child) -> None:
    client = client_of(alice)
    client.post(url("merge_child", emil), {"into": dora.pk})
    namesake = ChildFactory.create(school_class=dora.school_class, name="emil")
    page = client.post(url("undo_merge", emil), follow=True)
    assert "There is now another Emil in the class." in page.text
    client.post(url("merge_child", dora), {"into": namesake.pk})
    page = client.post(url("undo_merge", emil), follow=True)
    assert "Dora was merged too." in page.text
    client.post(url("undo_merge", dora))
    other = TeachingFactory.create(user=alice, school_class__name="6B").school_class
    moves.move([dora], other)
    page = client.post(url("undo_merge", emil), follow=True)
    assert "Dora is now in another class." in page.text
    assert Merge.objects.filter(child=emil).exists()


def test_after_a_week_nothing_is_left_to_undo(alice: User, dora: Child, emil: Child) -> None:
    client = client_of(alice)
    services.rename(emil, "Emile", alice)
    client.post(url("merge_child", emil), {"into": dora.pk})
    Merge.objects.update(at=timezone.now() - timedelta(days=6))
    erase_removed()
    assert Merge.objects.exists()
    Merge.objects.update(at=timezone.now() - timedelta(days=8))
    erase_removed()
    assert Child.everyone.get() == dora
    assert set(acts().values_list("child_id", flat=True)) == {dora.pk}
    page = client.get(reverse("classrooms:children", args=[dora.school_class_id]))
    assert not page.context["merges"]
