"""Data that an act read before its locks may be out of date, so the second of two acts reads
again."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connections, transaction
from django.test import Client, RequestFactory
from django.urls import resolve, reverse
from django.utils import timezone
from psycopg.errors import DeadlockDetected, UniqueViolation
from structlog.testing import capture_logs

from classrooms.assignments import services as assignments
from classrooms.checkups import services as checkups
from classrooms.classes import closing_accounts, expiry, teachers
from classrooms.classes import services as classes
from classrooms.locks import Changed, OutOfOrder, ensure_locked, lock
from classrooms.middleware import RefusedMiddleware
from classrooms.models import Child, Membership, Merge, School, SchoolClass, Teaching, User
from classrooms.privacy import erasure
from classrooms.roster import merges
from classrooms.roster import services as roster
from classrooms.roster.moves import move
from classrooms.schools import services as schools
from classrooms.undo import keep_rows
from tests.classrooms.people import client_of, confirmed, url_of
from tests.factories import (
    AssignmentFactory,
    CheckUpFactory,
    ChildFactory,
    GroupFactory,
    SchoolClassFactory,
    TeachingFactory,
    UserFactory,
)
from tests.pages import PAGES, address
from tests.permission_world import make_world

pytestmark = pytest.mark.django_db


def test_locked_rows_are_current_and_in_the_given_order() -> None:
    dora = ChildFactory.create(name="Dora")
    Child.objects.filter(pk=dora.pk).update(name="Dorothea")
    with lock(dora, dora.school_class) as (now, school_class):
        assert now.name == "Dorothea"
        assert now.school_class is school_class


def test_a_row_that_is_gone_counts_as_changed() -> None:
    dora = ChildFactory.create()
    Child.all_objects.filter(pk=dora.pk).delete()
    with pytest.raises(Changed), lock(dora):
        pass


def test_a_class_cannot_be_locked_after_a_child() -> None:
    dora = ChildFactory.create()
    with lock(dora.school_class, dora), lock(dora.school_class):
        pass
    with lock(dora), pytest.raises(OutOfOrder), lock(dora.school_class):
        pass
    with lock(SchoolClassFactory.create()), lock(dora):
        pass


@pytest.mark.django_db(transaction=True)
def test_the_second_act_reads_what_the_first_has_done() -> None:
    dora, emil = ChildFactory.create_batch(2, school_class=SchoolClassFactory.create())
    waits, states = threading.Event(), []

    def second() -> None:
        waits.set()
        with lock(emil, dora) as (_emil, now):
            states.append(now.name)
        connections.close_all()

    with lock(dora, emil) as (first, _emil):
        thread = threading.Thread(target=second)
        thread.start()
        waits.wait()
        thread.join(0.2)
        assert not states
        first.name = "Dorothea"
        first.save()
    thread.join(60)
    assert states == ["Dorothea"]


# The second of two acts holds what it read before the first


def read_before(*children: Child) -> list[Child]:
    return [Child.all_objects.select_related("school_class").get(pk=child.pk) for child in children]


def night(days: int) -> datetime:
    return timezone.now() + timedelta(days=days)


# Merging


def test_two_children_are_not_merged_into_each_other(dora: Child, emil: Child) -> None:
    dora_before, emil_before = read_before(dora, emil)
    merges.merge(dora, emil, None)
    with pytest.raises(Changed):
        merges.merge(emil_before, dora_before, None)
    assert Merge.objects.get().child == dora


def test_nobody_is_merged_into_a_merged_child(dora: Child, emil: Child) -> None:
    gus = ChildFactory.create(school_class=dora.school_class, name="Gus")
    dora_before, emil_before = read_before(dora, emil)
    merges.merge(emil, gus, None)
    with pytest.raises(Changed):
        merges.merge(dora_before, emil_before, None)
    assert Child.objects.filter(pk=dora.pk).exists()


def test_a_child_is_merged_once_and_the_merge_undone_once(dora: Child, emil: Child) -> None:
    dora_before, emil_before = read_before(dora, emil)
    merge = merges.merge(dora, emil, None)
    with pytest.raises(Changed):
        merges.merge(dora_before, emil_before, None)
    undone_before = Merge.objects.get()
    merges.undo(merge, None)
    with pytest.raises(Changed):
        merges.undo(undone_before, None)


def test_the_database_refuses_a_circle_of_two_merges(dora: Child, emil: Child) -> None:
    Merge.objects.create(child=dora, into=emil)
    for child, into in ((emil, dora), (emil, emil)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Merge.objects.create(child=child, into=into)


def test_a_merged_child_is_not_erased_apart_from_their_games(
    alice: User, dora: Child, emil: Child
) -> None:
    before = read_before(dora)[0]
    merges.merge(dora, emil, None)
    with pytest.raises(Changed):
        roster.erase(before, alice)
    assert Child.all_objects.filter(pk=dora.pk).exists()


# The list of a class


def test_a_former_teacher_of_the_class_erases_nobody(alice: User, dora: Child) -> None:
    bob = TeachingFactory.create(school_class=dora.school_class).user
    teachers.remove(dora.school_class, bob.pk, alice)
    with pytest.raises(Changed):
        roster.erase(dora, bob)
    roster.erase(dora, alice)
    assert not Child.all_objects.filter(pk=dora.pk).exists()


def test_two_children_are_not_given_the_same_name(dora: Child, emil: Child) -> None:
    emil_before = read_before(emil)[0]
    roster.rename(dora, "Fay", None)
    with pytest.raises(Changed):
        roster.rename(emil_before, "fay", None)


def test_a_merged_child_is_not_brought_back_as_a_removed_one(dora: Child, emil: Child) -> None:
    roster.remove(dora, None)
    before = read_before(dora)[0]
    roster.bring_back(dora, None)
    merges.merge(read_before(dora)[0], emil, None)
    with pytest.raises(Changed):
        roster.bring_back(before, None)


def test_a_moved_child_is_not_moved_again_from_the_old_class(dora: Child) -> None:
    before = read_before(dora)[0]
    first, second = SchoolClassFactory.create_batch(2)
    move([dora], first, None)
    with pytest.raises(Changed):
        move([before], second, None)


def test_nobody_is_moved_to_a_class_archived_meanwhile(dora: Child) -> None:
    to = SchoolClassFactory.create()
    classes.archive(SchoolClass.objects.get(pk=to.pk), None)
    with pytest.raises(Changed):
        move([dora], to, None)


def test_a_group_is_not_saved_once_removed_or_its_name_taken(dora: Child) -> None:
    group = GroupFactory.create(school_class=dora.school_class, name="Owls")
    twin = GroupFactory.build(school_class=dora.school_class, name="owls")
    with pytest.raises(Changed):
        roster.save_group(twin, [dora])
    roster.remove_group(group)
    with pytest.raises(Changed):
        roster.save_group(group, [dora])


def test_a_child_who_has_left_the_class_is_put_into_no_group(dora: Child) -> None:
    group = GroupFactory.create(school_class=dora.school_class)
    before = read_before(dora)
    move([dora], SchoolClassFactory.create(), None)
    with pytest.raises(Changed):
        roster.save_group(group, before)


# What is undone


def test_the_class_is_locked_while_rows_are_kept_for_an_undo(
    alice: User, school_class: SchoolClass
) -> None:
    request = RequestFactory().post("/")
    request.user = alice
    with keep_rows(request, school_class, "/", school_class.groups.all()):  # type: ignore[arg-type]
        ensure_locked(school_class)


def test_an_undone_act_is_neither_repeated_nor_changed(school_class: SchoolClass) -> None:
    check_up = CheckUpFactory.create(school_class=school_class)
    assignment = AssignmentFactory.create(school_class=school_class)
    checkups.withdraw(check_up)
    assignments.withdraw(assignment)
    with pytest.raises(Changed):
        checkups.withdraw(check_up)
    for act in (assignments.withdraw, assignments.resume):
        with pytest.raises(Changed):
            act(assignment)


# Owners and admins


def test_the_database_allows_a_class_one_owner(alice: User, school_class: SchoolClass) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        TeachingFactory.create(school_class=school_class, role=Teaching.Role.OWNER)


def test_a_class_is_not_left_to_an_heir_who_has_left(
    alice: User, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The heir leaves after the read and before the lock."""
    bob = TeachingFactory.create(school_class=school_class).user
    alices = User.objects.filter(pk=alice.pk)
    alices.update(is_active=False, closed_at=timezone.now())
    real = closing_accounts.heir_of

    def look_then_remove(of: SchoolClass, user: User) -> User | None:
        heir = real(of, user)
        monkeypatch.setattr(closing_accounts, "heir_of", real)
        teachers.remove(school_class, bob.pk, None)
        return heir

    monkeypatch.setattr(closing_accounts, "heir_of", look_then_remove)
    closing_accounts.delete_closed(night(31))
    assert school_class.teachings.get().user == alice
    closing_accounts.delete_closed(night(31))
    assert not SchoolClass.objects.exists()


def test_a_class_is_handed_to_nobody_with_a_closed_account(
    alice: User, school_class: SchoolClass
) -> None:
    bob = TeachingFactory.create(school_class=school_class).user
    User.objects.filter(pk=bob.pk).update(is_active=False)
    with lock(bob, school_class), pytest.raises(Changed):
        teachers.inherit(school_class, bob, None)


def test_a_teacher_who_left_the_school_gets_no_role() -> None:
    school, (ada, bob) = School.objects.create(name="The Oak"), UserFactory.create_batch(2)
    Membership.objects.create(school=school, user=ada, role=Membership.Role.ADMIN)
    member = Membership.objects.create(school=school, user=confirmed(bob))
    schools.leave(Membership.objects.get(user=bob))
    with pytest.raises(Changed):
        schools.give_role(member, Membership.Role.ADMIN, ada)
    with pytest.raises(Changed):
        schools.remove_member(member, ada)


# The nightly jobs: while they work on the first child or class, somebody wants the second back


def act_after_first_erasure(
    monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[], Any]
) -> None:
    """Do `act` as soon as the first child or class is erased."""
    real = getattr(erasure, name)

    def erased(*args: Any, **options: Any) -> None:
        real(*args, **options)
        monkeypatch.setattr(erasure, name, real)
        act()

    monkeypatch.setattr(erasure, name, erased)


def test_a_class_that_is_restored_meanwhile_is_not_purged(monkeypatch: pytest.MonkeyPatch) -> None:
    long_ago = timezone.now() - timedelta(days=500)
    _, second = SchoolClassFactory.create_batch(2, created_at=long_ago, archived_at=long_ago)
    gus = ChildFactory.create(school_class=second)
    restored = SchoolClass.objects.get(pk=second.pk)
    act_after_first_erasure(monkeypatch, "erase_class", lambda: classes.restore(restored, None))
    expiry.carry_out(timezone.now())
    assert list(SchoolClass.objects.all()) == [second]
    assert Child.objects.filter(pk=gus.pk).exists()


def test_a_child_brought_back_meanwhile_is_not_erased(
    dora: Child, emil: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    for child in (dora, emil):
        roster.remove(child, None)
    act_after_first_erasure(
        monkeypatch, "erase_child", lambda: roster.bring_back(read_before(emil)[0], None)
    )
    assert erasure.erase_removed(night(31)) == 1
    assert list(Child.all_objects.all()) == [emil]


def test_a_merge_that_is_undone_meanwhile_is_not_finished(
    dora: Child, emil: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    gus, hugo = (ChildFactory.create(school_class=dora.school_class) for _ in range(2))
    merges.merge(dora, gus, None)
    merges.merge(emil, hugo, None)
    real = Child.delete

    def delete(child: Child, *args: Any, **options: Any) -> Any:
        monkeypatch.setattr(Child, "delete", real)
        result = real(child, *args, **options)
        merges.undo(Merge.objects.get(child=emil), None)
        return result

    monkeypatch.setattr(Child, "delete", delete)
    assert erasure.finish_merges(night(8)) == 1
    assert Child.objects.filter(pk=emil.pk).exists()


def test_an_account_that_is_switched_on_meanwhile_is_not_deleted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = (TeachingFactory.create() for _ in range(2))
    for teaching in (first, second):
        closing_accounts.close(teaching.user)
    seconds = User.objects.filter(pk=second.user_id)
    act_after_first_erasure(
        monkeypatch, "erase_class", lambda: seconds.update(is_active=True, closed_at=None)
    )
    assert closing_accounts.delete_closed(night(31)) == 1
    assert list(SchoolClass.objects.all()) == [second.school_class]
    assert seconds.exists()


def test_a_failed_erasure_does_not_stop_the_others(
    dora: Child, emil: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    gus = ChildFactory.create(school_class=dora.school_class)
    for child in (dora, emil):
        merges.merge(child, gus, None)
    real = Child.delete

    def delete(child: Child, *args: Any, **options: Any) -> Any:
        if child.pk == dora.pk:
            raise RecursionError
        return real(child, *args, **options)

    monkeypatch.setattr(Child, "delete", delete)
    assert erasure.finish_merges(night(8)) == 1
    assert not Child.all_objects.filter(pk=emil.pk).exists()


# The page for the second person


def post_that_fails(client: Client, where: str, problem: Exception, **headers: Any) -> Any:
    """The answer to a post to this address that raised `problem`, and its messages."""
    request: Any = RequestFactory().post(where, headers=headers)
    page = client.get("/rules/")
    request.user, request.child = page.context["request"].user, page.context["request"].child
    request.session = client.session
    request.htmx = "HX-Request" in headers
    request.resolver_match = resolve(request.path)
    request._messages = SimpleNamespace(add=lambda level, text, tags: messages.append(text))
    messages: list[str] = []
    answer = RefusedMiddleware(lambda request: None).process_exception(request, problem)
    return answer, messages


def test_the_second_person_gets_a_page_that_opens_wherever_they_were() -> None:
    world = make_world()
    target = world.targets["Alice's"]
    statuses: dict[tuple[str, str], int] = {}
    for name, page in PAGES.items():
        if "POST" not in page.methods:
            continue
        who = page.visitor
        answer, messages = post_that_fails(world.clients[who], address(name, target), Changed())
        assert messages == ["Somebody else has just changed this. This is how it is now."]
        place = (who, answer.url)
        if place not in statuses:
            statuses[place] = world.clients[who].get(answer.url, follow=True).status_code
    assert {place: status for place, status in statuses.items() if status != 200} == {}


def test_without_the_class_the_list_of_classes_is_shown(alice: User) -> None:
    client = client_of(alice)
    school_class = TeachingFactory.create(user=alice).school_class
    where = url_of("remove_child", school_class, school_class.pk)
    erasure.erase_class(school_class, None)
    assert post_that_fails(client, where, Changed())[0].url == reverse("classrooms:classes")


def test_a_refusal_of_the_database_is_shown_and_logged(alice: User) -> None:
    client = client_of(alice)
    for problem, cause in (
        (IntegrityError(), UniqueViolation()),
        (OperationalError(), DeadlockDetected()),
        (Child.DoesNotExist(), None),
    ):
        problem.__cause__ = cause
        with capture_logs() as logged:
            answer, messages = post_that_fails(client, "/classes/new/", problem)
        assert (answer.url, len(messages)) == ("/classes/", 1)
        (entry,) = [line for line in logged if line["event"] == "two at once"]
        assert (entry["log_level"], entry["kind"]) == ("warning", type(problem).__name__)


def test_a_refused_part_of_a_page_reloads_the_whole_page(alice: User) -> None:
    answer, _said = post_that_fails(
        client_of(alice), "/classes/new/", Changed(), **{"HX-Request": "true"}
    )
    assert answer["HX-Redirect"] == "/classes/"
