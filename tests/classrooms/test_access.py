"""Access control (`classrooms.access`): people find their own objects, everything else is
missing."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpResponse, QueryDict
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from classrooms import access
from classrooms.assignments import audience
from classrooms.audit import Page, log_view
from classrooms.checkups import services as checkups
from classrooms.classes import services as classes
from classrooms.classes import teachers
from classrooms.credentials import token_hash
from classrooms.downloads import services as downloads
from classrooms.models import (
    Assignment,
    AuditEntry,
    Child,
    ChildSession,
    GameTable,
    SchoolClass,
    Teaching,
    User,
)
from classrooms.signin import cards, children_only, door, sessions
from games import views as games
from tests.classrooms.people import client_of, client_of_child, sign_in_by_card, text_on, url_of
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    CheckUpFactory,
    ChildFactory,
    DownloadFactory,
    GroupFactory,
    InvitationFactory,
    SchoolClassFactory,
    TeachingFactory,
    UserFactory,
)
from tests.permission_world import turn_of

pytestmark = pytest.mark.django_db

NOBODY = AnonymousUser()
Find = Callable[..., Any]


def is_missing(find: Find, *args: Any) -> bool:
    try:
        find(*args)
    except Http404:
        return True
    return False


@dataclass
class School:
    """Alice has 5B and 5C, Bob also teaches 5B, Charlie has 6A. Each class has two children."""

    alice: User
    bob: User
    charlie: User
    ours: SchoolClass
    second: SchoolClass
    theirs: SchoolClass
    dora: Child
    emil: Child
    gina: Child
    finn: Child

    def elsewhere(self) -> list[tuple[User | AnonymousUser, UUID]]:
        """Pairs of a user and a class in which that user does not find an object of `ours`."""
        return [
            (self.charlie, self.ours.pk),
            (self.charlie, self.theirs.pk),
            (self.alice, self.second.pk),
            (self.alice, self.theirs.pk),
            (self.alice, uuid4()),
            (NOBODY, self.ours.pk),
        ]


@pytest.fixture
def school() -> School:
    alice, bob, charlie = UserFactory.create_batch(3)
    ours, second, theirs = (SchoolClassFactory.create(name=name) for name in ("5B", "5C", "6A"))
    for school_class, owner in ((ours, alice), (second, alice), (theirs, charlie)):
        TeachingFactory.create(school_class=school_class, user=owner)
    TeachingFactory.create(school_class=ours, user=bob)
    dora, emil, gina, finn = (
        ChildFactory.create(school_class=school_class, name=name)
        for school_class, name in (
            (ours, "Dora"), (ours, "Emil"), (second, "Gina"), (theirs, "Finn"),
        )
    )  # fmt: skip
    return School(alice, bob, charlie, ours, second, theirs, dora, emil, gina, finn)


def test_a_class_is_taught_by_its_teachers(school: School) -> None:
    assert access.teaches(school.alice, school.ours.pk)
    assert access.teaches(school.bob, school.ours.pk)
    assert not access.teaches(school.charlie, school.ours.pk)
    assert not access.teaches(school.alice, school.theirs.pk)


@pytest.mark.parametrize("find", [access.child_for, access.any_child_for])
def test_a_child_is_found_in_their_class_by_its_teachers(school: School, find: Find) -> None:
    for user in (school.alice, school.bob):
        assert find(user, school.ours.pk, school.dora.pk) == school.dora
    for stranger, class_id in school.elsewhere():
        assert is_missing(find, stranger, class_id, school.dora.pk)
    assert is_missing(find, school.alice, school.ours.pk, uuid4())


def test_a_removed_child_is_found_only_among_the_removed(school: School) -> None:
    Child.objects.filter(pk=school.dora.pk).update(removed_at=timezone.now())
    assert is_missing(access.child_for, school.alice, school.ours.pk, school.dora.pk)
    assert access.any_child_for(school.alice, school.ours.pk, school.dora.pk) == school.dora


def test_a_move_is_found_by_its_class_and_its_time(school: School) -> None:
    now, later = timezone.now(), timezone.now() + timedelta(minutes=1)
    hers, his, elsewhere, _named, _whole, _away = (
        AuditEntry.objects.create(
            what=what,
            at=now,
            class_id=of.pk,
            child_id=child.pk if child else None,
            detail={place: "a class"},
        )
        for what, of, child, place in (
            (AuditEntry.What.MOVED, school.ours, school.dora, "origin"),
            (AuditEntry.What.MOVED, school.ours, school.emil, "origin"),
            (AuditEntry.What.MOVED, school.second, school.gina, "origin"),
            (AuditEntry.What.RENAMED, school.ours, school.dora, "origin"),
            (AuditEntry.What.MOVED, school.ours, None, "origin"),
            (AuditEntry.What.MOVED, school.ours, school.emil, "to"),
        )
    )
    assert set(access.undoable_moves(school.ours, now)) == {hers, his}
    assert set(access.undoable_moves(school.second, now)) == {elsewhere}
    assert not access.undoable_moves(school.ours, later).exists()
    AuditEntry.objects.create(
        what=AuditEntry.What.MOVED, at=later, class_id=school.ours.pk, child_id=school.dora.pk
    )
    assert set(access.undoable_moves(school.ours, now)) == {his}


def test_a_classmate_is_another_child_of_the_class(school: School) -> None:
    assert access.classmate_of(school.dora, school.emil.pk) == school.emil
    for other in (school.dora, school.gina, school.finn):
        assert is_missing(access.classmate_of, school.dora, other.pk)


def table_in(school_class: SchoolClass) -> GameTable:
    return GameTable.objects.create(assignment=AssignmentFactory.create(school_class=school_class))


def test_the_objects_of_a_class_are_found_by_its_teachers(school: School) -> None:
    for make, find in (
        (AssignmentFactory.create, access.assignment_for),
        (GroupFactory.create, access.group_for),
        (DownloadFactory.create, downloads.download_for),
        (CheckUpFactory.create, checkups.check_up_for),
        (table_in, access.table_for),
    ):
        make(school_class=school.ours)
        thing = make(school_class=school.ours)
        for user in (school.alice, school.bob):
            assert find(user, school.ours.pk, thing.pk) == thing
        for stranger, class_id in school.elsewhere():
            assert is_missing(find, stranger, class_id, thing.pk)
        assert is_missing(find, school.alice, school.ours.pk, uuid4())


def test_downloads_are_listed_for_their_class_until_they_end(school: School) -> None:
    own = DownloadFactory.create(school_class=school.ours)
    of_dora = DownloadFactory.create(school_class=school.ours, child=school.dora)
    DownloadFactory.create(school_class=school.second)
    DownloadFactory.create(school_class=school.ours, ends_at=timezone.now())
    assert set(downloads.downloads_of(school.alice, school.ours.pk)) == {own, of_dora}
    assert list(downloads.downloads_of(school.charlie, school.ours.pk)) == []
    assert list(downloads.downloads_of(NOBODY, school.ours.pk)) == []


def test_the_file_of_a_removed_or_moved_child_is_missing(school: School) -> None:
    DownloadFactory.create(school_class=school.ours, child=school.dora)
    DownloadFactory.create(school_class=school.ours, child=school.emil)
    Child.objects.filter(pk=school.dora.pk).update(removed_at=timezone.now())
    Child.objects.filter(pk=school.emil.pk).update(school_class=school.second)
    assert list(downloads.downloads_of(school.alice, school.ours.pk)) == []


def test_a_match_is_found_by_the_child_who_plays_it(school: School) -> None:
    own, other = (AttemptFactory.create(child=school.dora) for _ in range(2))
    assert access.attempt_for_child(school.dora, own.game_id) == own
    assert access.attempt_for_child(school.dora, other.game_id) == other
    assert is_missing(access.attempt_for_child, school.emil, own.game_id)
    assert is_missing(access.attempt_for_child, school.finn, own.game_id)


def test_a_child_finds_what_is_meant_for_them_in_their_class(school: School) -> None:
    for_all, for_dora, for_group = AssignmentFactory.create_batch(3, school_class=school.ours)
    for aimed in (for_dora, for_group):
        aimed.is_for_everyone = False
        aimed.save()
    for_dora.children.add(school.dora)
    group = GroupFactory.create(school_class=school.ours, children=[school.emil])
    for_group.groups.add(group)
    theirs = AssignmentFactory.create(school_class=school.theirs)
    assert set(access.assignments_given_to(school.dora)) == {for_all, for_dora}
    assert set(access.assignments_given_to(school.emil)) == {for_all, for_group}
    assert access.assignment_for_child(school.dora, for_dora.pk) == for_dora
    for not_meant in (for_group, theirs):
        assert is_missing(access.assignment_for_child, school.dora, not_meant.pk)


def test_a_child_finds_the_check_ups_of_their_class(school: School) -> None:
    _first, second = CheckUpFactory.create_batch(2, school_class=school.ours)
    assert checkups.check_up_for_child(school.dora, second.pk) == second
    assert is_missing(checkups.check_up_for_child, school.finn, second.pk)


def test_a_link_invites_once_and_until_it_ends(school: School) -> None:
    open_one, other, used, old = InvitationFactory.create_batch(4, school_class=school.ours)
    used.used_at = timezone.now()
    used.save()
    old.ends_at = timezone.now()
    old.save()
    for fine in (open_one, other):
        assert access.invitation_by_token(teachers.token(fine)) == fine
    for invitation in (used, old):
        assert is_missing(access.invitation_by_token, teachers.token(invitation))
    assert is_missing(access.invitation_by_token, str(open_one.pk))


@pytest.mark.parametrize("lost", ["left", "left to Bob", "account", "role"])
def test_a_link_ends_with_the_inviters_right_to_invite(school: School, lost: str) -> None:
    """Alice also owns 5C, but only her role in the class itself counts."""
    link = teachers.token(
        InvitationFactory.create(school_class=school.ours, invited_by=school.alice)
    )
    place = Teaching.objects.filter(user=school.alice, school_class=school.ours)
    if lost.startswith("left"):
        place.delete()
    if lost == "left to Bob":
        Teaching.objects.filter(user=school.bob).update(role=Teaching.Role.OWNER)
    if lost == "account":
        User.objects.filter(pk=school.alice.pk).update(is_active=False)
    if lost == "role":
        place.update(role=Teaching.Role.CO_TEACHER)
    assert is_missing(access.invitation_by_token, link)


def test_an_invitation_is_found_in_its_class_until_it_is_used(school: School) -> None:
    invitation, other = InvitationFactory.create_batch(2, school_class=school.ours)
    assert access.invitation_of(school.ours, invitation.pk) == invitation
    assert access.invitation_of(school.ours, other.pk) == other
    assert is_missing(access.invitation_of, school.second, invitation.pk)
    invitation.used_at = timezone.now()
    invitation.save()
    assert is_missing(access.invitation_of, school.ours, invitation.pk)


def archive(school_class: SchoolClass) -> None:
    SchoolClass.objects.filter(pk=school_class.pk).update(archived_at=timezone.now())


def close(school_class: SchoolClass) -> None:
    SchoolClass.objects.filter(pk=school_class.pk).update(is_closed=True)
    school_class.refresh_from_db()


def test_a_code_opens_its_class_until_that_is_archived(school: School) -> None:
    assert access.class_by_code(school.ours.code) == school.ours
    assert is_missing(access.class_by_code, "")
    assert is_missing(access.class_by_code, "BCDFGHJK")
    archive(school.ours)
    assert is_missing(access.class_by_code, school.ours.code)


def test_the_children_of_the_class_are_at_the_door(school: School) -> None:
    assert set(access.children_at_the_door(school.ours, "new")) == {school.dora, school.emil}
    assert access.child_at_the_door(school.ours.code, school.dora.pk, "new") == school.dora
    assert is_missing(access.child_at_the_door, school.ours.code, school.finn.pk, "new")
    archive(school.ours)
    assert is_missing(access.child_at_the_door, school.ours.code, school.dora.pk, "new")


def test_a_closed_door_admits_a_child_who_has_used_the_device(school: School) -> None:
    sign_in_by_card(school.dora, "hers")
    sign_in_by_card(school.emil, "his")
    close(school.ours)
    assert set(access.children_at_the_door(school.ours, "hers")) == {school.dora}
    assert is_missing(access.child_at_the_door, school.ours.code, school.emil.pk, "hers")
    assert access.child_by_name(school.ours.code, "Emil", "his") == school.emil
    for device in ("hers", "new"):
        assert access.child_by_name(school.ours.code, "Emil", device) is None


def test_a_name_is_searched_in_the_class_with_the_code(school: School) -> None:
    assert access.child_by_name(school.ours.code, "dora", "new") == school.dora
    assert access.child_by_name(school.ours.code, "Finn", "new") is None
    assert access.child_by_name("BCDFGHJK", "Dora", "new") is None
    archive(school.ours)
    assert access.child_by_name(school.ours.code, "Dora", "new") is None


def test_of_two_similar_names_the_exact_spelling_is_found(school: School) -> None:
    other = ChildFactory.create(school_class=school.ours, name="Dóra")
    assert access.child_by_name(school.ours.code, "dora", "new") == school.dora
    assert access.child_by_name(school.ours.code, "dóra", "new") == other
    assert access.child_by_name(school.ours.code, "d o r a", "new") is None


def test_a_card_works_until_the_class_is_archived(school: School) -> None:
    secrets = cards.view_cards(school.alice, [school.dora, school.emil], Page.CARDS)
    for card in secrets:
        assert access.child_by_card(card.token) == card.child
    assert access.child_by_card("x") is None
    archive(school.ours)
    assert access.child_by_card(secrets[0].token) is None


def test_a_page_for_children_needs_a_child(school: School) -> None:
    request: Any = RequestFactory().get("/")
    request.htmx = HtmxDetails(request)
    page = children_only.for_children(lambda request: HttpResponse(request.child.name))
    request.child = None
    assert page(request).status_code == 302
    request.child = school.dora
    assert text_on(page(request)) == school.dora.name


@pytest.mark.parametrize(
    "ended",
    [{"ends_at": timedelta()}, {"seen_at": -sessions.IDLE_SESSION_ENDS}],
    ids=["over", "idle"],
)
def test_an_ended_session_belongs_to_nobody(school: School, ended: dict[str, timedelta]) -> None:
    token = sign_in_by_card(school.dora, "hers")
    assert sessions.child_of(token) == school.dora
    assert sessions.child_of(token_hash(token)) is None
    now = timezone.now()
    ChildSession.objects.update(**{field: now + by for field, by in ended.items()})
    assert sessions.child_of(token) is None


def test_a_page_that_polls_extends_that_session_only(school: School) -> None:
    hers, other = (sign_in_by_card(school.dora, device) for device in "ab")
    almost = timezone.now() - sessions.IDLE_SESSION_ENDS + timedelta(minutes=5)
    ChildSession.objects.update(seen_at=almost)
    assert sessions.child_of(hers) == school.dora
    hers_now = ChildSession.objects.get(token_hash=token_hash(hers))
    other_now = ChildSession.objects.get(token_hash=token_hash(other))
    assert hers_now.seen_at > almost
    assert other_now.seen_at == almost


def test_a_device_is_known_to_a_class_if_its_child_used_it(school: School) -> None:
    sign_in_by_card(school.dora, "hers")
    sign_in_by_card(school.finn, "his")
    sign_in_by_card(school.emil, "")
    assert door.is_known("hers", school.ours.code)
    assert not door.is_known("his", school.ours.code)
    assert not door.is_known("hers", school.theirs.code)
    assert not door.is_known("new", school.ours.code)
    assert not door.is_known("", school.ours.code)
    archive(school.ours)
    assert not door.is_known("hers", school.ours.code)


def test_removed_children_and_those_of_archived_classes_are_out(school: School) -> None:
    hers = sign_in_by_card(school.dora, "hers")
    his = sign_in_by_card(school.finn, "his")
    Child.objects.filter(pk=school.dora.pk).update(removed_at=timezone.now())
    archive(school.theirs)
    assert sessions.child_of(hers) is None
    assert sessions.child_of(his) is None


def test_a_child_named_in_a_form_is_searched_in_the_class(school: School) -> None:
    own, _not_asked_for, theirs, removed = (
        GroupFactory.create(school_class=school_class)
        for school_class in (school.ours, school.ours, school.theirs, school.ours)
    )
    removed.removed_at = timezone.now()
    removed.save()
    data = QueryDict(mutable=True)
    data.setlist("groups", [str(group.pk) for group in (own, theirs, removed)])
    data.setlist("children", [str(child.pk) for child in (school.dora, school.finn)])
    chosen = audience.requested_audience(school.ours, data)
    assert (list(chosen.groups), list(chosen.children)) == ([own], [school.dora])


# Lists of classes, and the teacher's own child with another child's game in one address (the other
# addresses are in test_permissions)


def test_only_the_teachers_own_classes_are_listed(school_class: SchoolClass, charlie: User) -> None:
    response = client_of(charlie).get(reverse("classrooms:classes"))
    assert school_class not in [shown_class for shown_class, _ in response.context["classes"]]


def test_another_childs_match_is_missing_under_the_teachers_own_child(
    alice: User, dora: Child, assignment: Assignment
) -> None:
    finn = ChildFactory.create(name="Finn")
    theirs = turn_of(finn, AssignmentFactory.create(school_class=finn.school_class))
    own = turn_of(dora, assignment)
    url = partial(reverse, "classrooms:replay")
    for turn, status in ((own, 200), (theirs, 404)):
        kwargs = {
            "class_id": dora.school_class_id,
            "child_id": dora.pk,
            "game_id": turn["played_id"],
            "entry": turn["entry"],
        }
        assert client_of(alice).get(url(kwargs=kwargs)).status_code == status


# Whether an address is confirmed is decided by that address of that adult


def is_confirmed(user: User) -> bool:
    page = text_on(client_of(user).get(reverse("classrooms:account")))
    return "not yet confirmed" not in page


def may_have_mail(user: User, school_class: SchoolClass) -> bool:
    client_of(user).post(url_of("weekly_mail", school_class), {"do": "want"})
    return Teaching.objects.get(user=user).mailed_since is not None


@pytest.mark.parametrize(
    ("whose", "which", "verified"),
    [
        ("alice", "alice@example.org", False),
        ("alice", "old@example.org", True),
        ("charlie", "ALICE@example.org", True),
    ],
    ids=["not confirmed", "another address", "another adult"],
)
def test_only_the_adults_own_confirmed_address_counts(
    alice: User, school_class: SchoolClass, whose: str, which: str, verified: bool
) -> None:
    user = alice if whose == "alice" else UserFactory.create()
    EmailAddress.objects.create(user=user, email=which, verified=verified)
    assert not is_confirmed(alice)
    assert not may_have_mail(alice, school_class)


def test_a_confirmed_address_counts(alice: User, school_class: SchoolClass) -> None:
    EmailAddress.objects.create(user=alice, email="Alice@example.org", verified=True)
    assert is_confirmed(alice)
    assert may_have_mail(alice, school_class)


# A page lists and offers only what belongs to its class


def context_of(user: User, name: str, *args: Any) -> Any:
    return client_of(user).get(reverse(f"classrooms:{name}", args=args)).context


def test_a_child_can_be_moved_to_the_teachers_own_open_classes(
    alice: User, dora: Child, finn: Child
) -> None:
    second, old = (TeachingFactory.create(user=alice).school_class for _ in range(2))
    classes.archive(old, None)
    page = context_of(alice, "child", dora.school_class_id, dora.pk)
    assert list(page["other_classes"]) == [second]


def test_a_co_teacher_moves_children_to_classes_of_the_owner(
    alice: User, dora: Child, finn: Child
) -> None:
    """In a class that Alice does not teach, Charlie could look at Dora without Alice's
    knowledge."""
    charlie = User.objects.get(email="charlie@example.org")
    shared = TeachingFactory.create(user=alice).school_class
    for school_class in (dora.school_class, shared):
        TeachingFactory.create(user=charlie, school_class=school_class)
    page = context_of(charlie, "child", dora.school_class_id, dora.pk)
    assert list(page["other_classes"]) == [shared]


def test_a_child_can_be_merged_into_a_classmate(
    alice: User, dora: Child, emil: Child, finn: Child
) -> None:
    page = context_of(alice, "merge_child", dora.school_class_id, dora.pk)
    assert list(page["others"]) == [emil]


def test_the_log_belongs_to_the_class_and_names_only_its_children(
    alice: User, dora: Child, finn: Child
) -> None:
    charlie = User.objects.get(email="charlie@example.org")
    log_view(charlie, Page.CLASS, school_class=finn.school_class)
    log_view(alice, Page.CHILD, school_class=dora.school_class, child=dora)
    log_view(alice, Page.CHILD, school_class=dora.school_class, child=finn)
    page = text_on(client_of(alice).get(url_of("who_looked", dora.school_class)))
    assert "Dora" in page
    assert "Finn" not in page
    assert charlie.email not in page


def test_the_years_end_counts_the_matches_of_the_class(
    alice: User, school_class: SchoolClass, dora: Child, finn: Child
) -> None:
    for child in (dora, finn):
        AttemptFactory.create(child=child)
    assert context_of(alice, "year_end", school_class.pk)["game_count"] == 1


def test_only_a_player_finds_the_game_at_any_address(dora: Child) -> None:
    """A bot's seat has no player either, and must not count as that of a user without a child."""
    request: Any = RequestFactory().get("/")
    request.player = None
    game = AttemptFactory.create(child=dora).game
    for page in (games.page, games.act):
        request.method = "POST" if page is games.act else "GET"
        with pytest.raises(Http404):
            page(request, game.pk)


@pytest.mark.parametrize("name", ["assign_detail", "try_assignment"])
def test_copies_and_trials_belong_to_the_class(
    alice: User, assignment: Assignment, finn: Child, name: str
) -> None:
    teacher = client_of(alice)
    ask = teacher.post if name == "try_assignment" else teacher.get
    url = url_of(name, assignment.school_class)
    theirs = AssignmentFactory.create(school_class=finn.school_class)
    assert ask(url, {"of": str(assignment.pk)}).status_code in (200, 302)
    for other in (str(theirs.pk), "x"):
        assert ask(url, {"of": other}).status_code == 404


@pytest.mark.parametrize("name", ["cards", "letters"])
def test_cards_and_letters_are_for_the_class_or_one_child(
    alice: User, dora: Child, emil: Child, finn: Child, name: str
) -> None:
    def printed(**query: str) -> list[str]:
        page = client_of(alice).get(url_of(name, dora.school_class), query)
        return (
            [card.child.name for card in page.context["cards"]] if page.status_code == 200 else []
        )

    assert printed() == ["Dora", "Emil"]
    assert printed(child=str(emil.pk)) == ["Emil"]
    for nobody in (str(finn.pk), str(uuid4()), "x"):
        assert printed(child=nobody) == []


def test_printed_reports_are_about_the_children_of_the_class(
    alice: User, dora: Child, emil: Child, finn: Child
) -> None:
    page = context_of(alice, "papers", dora.school_class_id)
    assert list(page["children"]) == [dora, emil]


def test_a_childs_choice_is_stored_for_them_alone(dora: Child, emil: Child) -> None:
    child = client_of_child(dora)
    child.post(reverse("classrooms:speed"), {"speed": "slow"})
    child.post(reverse("classrooms:language"), {"language": "sv"})
    child.post(reverse("classrooms:face"), {"animal": "owl"})
    fields = ("speed", "language", "face")
    chosen = {row[0]: row[1:] for row in Child.objects.values_list("name", *fields)}
    assert chosen == {"Dora": ("slow", "sv", "owl"), "Emil": ("normal", "", "")}


def test_a_removed_child_is_on_no_list(alice: User, dora: Child, emil: Child) -> None:
    Child.objects.filter(pk=emil.pk).update(removed_at=timezone.now())
    page = context_of(alice, "merge_child", dora.school_class_id, dora.pk)
    assert list(page["others"]) == []
