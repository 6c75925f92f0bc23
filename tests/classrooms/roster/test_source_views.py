"""The pages about a school's source: who connects it, who agrees to changes, and what is never
shown."""

import pytest
from django.test import Client
from django.utils import timezone

from classrooms.audit import Actor, What
from classrooms.credentials import decrypt
from classrooms.models import (
    AuditEntry,
    Child,
    Membership,
    RosterSource,
    School,
    SchoolClass,
    SourceClass,
    SourcePupil,
    User,
)
from classrooms.roster import source_views
from tests.classrooms.people import client_of, confirmed, member, text_on, time_passes, url_of
from tests.factories import ChildFactory, RosterSourceFactory, TeachingFactory, UserFactory
from tests.pages import CONNECTION

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def asked_workers(monkeypatch: pytest.MonkeyPatch) -> list[RosterSource]:
    sources: list[RosterSource] = []
    monkeypatch.setattr(source_views, "ask_worker", sources.append)
    return sources


@pytest.fixture
def ada(school: School) -> Client:
    return client_of(member(school, "ada@example.org", Membership.Role.ADMIN))


@pytest.fixture
def linked_class(school: School, school_class: SchoolClass) -> SourceClass:
    """5B is linked. The source lists Ivo, who is new, and no longer lists Emil."""
    source = RosterSourceFactory.create(school=school)
    linked = SourceClass.objects.create(
        source=source, key_hash="5b", title="5B", school_class=school_class
    )
    SourcePupil.objects.create(source_class=linked, key_hash="i", name="Ivo", family="Post")
    return linked


def pupil_who_left(linked_class: SourceClass, child: Child) -> SourcePupil:
    return SourcePupil.objects.create(
        source_class=linked_class,
        key_hash=child.name,
        name=child.name,
        known_name=child.name,
        child=child,
        is_here=False,
    )


def test_the_secret_of_a_source_is_encrypted_and_never_shown(
    ada: Client, school: School, asked_workers: list[RosterSource]
) -> None:
    answer = ada.post(url_of("source_connection", school), CONNECTION, follow=True)
    source = RosterSource.objects.get()
    assert asked_workers == [source]
    assert "three" not in source.secret_encrypted
    assert decrypt(source.secret_encrypted) == "three"
    pages = [text_on(answer), text_on(ada.get(url_of("source_connection", school)))]
    assert not [
        page for page in pages if 'value="three"' in page or source.secret_encrypted in page
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("address", "https://evil.example"),
        ("token_address", "https://evil.example/token"),
        ("client_id", "another"),
    ],
)
def test_the_stored_secret_goes_to_no_other_address(
    ada: Client, school: School, name: str, value: str
) -> None:
    ada.post(url_of("source_connection", school), CONNECTION)
    other = {**CONNECTION, "client_secret": "", name: value}
    page = ada.post(url_of("source_connection", school), other)
    assert "Type the secret that belongs to this address" in text_on(page)
    assert getattr(RosterSource.objects.get(), name) == CONNECTION[name]


@pytest.mark.parametrize(
    "address", ["http://a.example", "https://u:p@a.example", "a.example", "https://a.example/?x=1"]
)
def test_only_an_https_address_is_accepted(ada: Client, school: School, address: str) -> None:
    page = ada.post(url_of("source_connection", school), {**CONNECTION, "address": address})
    assert page.status_code == 200
    assert "errors" in text_on(page)
    assert not RosterSource.objects.exists()


def test_a_connection_needs_proof_and_keeps_no_secret(ada: Client, school: School) -> None:
    time_passes(ada, minutes=20, seen=True)
    answer = ada.post(url_of("source_connection", school), CONNECTION)
    assert answer.status_code == 302
    assert "three" not in repr(dict(ada.session))
    assert not RosterSource.objects.exists()


def test_classes_with_the_same_name_are_suggested(
    ada: Client, school: School, school_class: SchoolClass
) -> None:
    source = RosterSourceFactory.create(school=school)
    source_class = SourceClass.objects.create(source=source, key_hash="5b", title="5b")
    TeachingFactory.create(school_class__name="5b")
    TeachingFactory.create(
        user=User.objects.get(teachings__school_class=school_class),
        school_class__archived_at=timezone.now(),
    )
    page = ada.get(url_of("school_source", school))
    assert page.context["classes"] == [school_class]
    assert f'<option value="{school_class.pk}" selected translate="no">' in text_on(page)
    answer = ada.post(
        url_of("school_source", school), {"do": "link", f"class-{source_class.pk}": school_class.pk}
    )
    assert answer.status_code == 302
    source_class.refresh_from_db()
    assert source_class.school_class == school_class


def test_a_school_without_a_source_sees_none_of_another_school(ada: Client, school: School) -> None:
    RosterSourceFactory.create(school=School.objects.create(name="The Elm"))
    assert "source" not in ada.get(url_of("school_source", school)).context
    assert ada.post(url_of("school_source", school), {"do": "read"}).status_code == 404


def test_a_class_cannot_be_linked_twice(
    ada: Client, school: School, linked_class: SourceClass, school_class: SchoolClass
) -> None:
    other = SourceClass.objects.create(source=linked_class.source, key_hash="6a", title="6A")
    data = {"do": "link", f"class-{other.pk}": school_class.pk}
    page = ada.post(url_of("school_source", school), data, follow=True)
    assert "Link each class of this site once." in text_on(page)
    other.refresh_from_db()
    assert other.school_class is None


def test_an_admin_agrees_and_the_log_says_so(
    ada: Client, school: School, linked_class: SourceClass, emil: Child, school_class: SchoolClass
) -> None:
    row = pupil_who_left(linked_class, emil)
    page = ada.get(url_of("school_changes", school))
    assert "The source no longer lists Emil in this class." in text_on(page)
    new = SourcePupil.objects.get(name="Ivo")
    answers = {f"pupil-{row.pk}": "gone", f"pupil-{new.pk}": "new"}
    answer = ada.post(url_of("school_changes", school), answers, follow=True)
    assert "1 child added. 1 child removed." in text_on(answer)
    assert list(school_class.children.values_list("name", flat=True)) == ["Ivo"]
    entry = AuditEntry.objects.filter(what=What.LIST_AGREED).get()
    assert (entry.actor, entry.class_id) == (Actor.SCHOOL, school_class.pk)


def test_a_teacher_agrees_for_their_own_class_only(
    alice: User, ada: Client, linked_class: SourceClass, emil: Child, school_class: SchoolClass
) -> None:
    other = TeachingFactory.create(user=confirmed(UserFactory.create())).school_class
    Membership.objects.create(
        school=linked_class.source.school, user=other.teachers.get(), role=Membership.Role.TEACHER
    )
    theirs = SourceClass.objects.create(
        source=linked_class.source, key_hash="6a", title="6A", school_class=other
    )
    foreign = SourcePupil.objects.create(source_class=theirs, key_hash="j", name="Jip")
    client, page = client_of(alice), url_of("class_changes", school_class)
    assert "Jip" not in text_on(client.get(page))
    client.post(page, {f"pupil-{foreign.pk}": "new"})
    assert not other.children.exists()
    new = SourcePupil.objects.get(name="Ivo")
    client.post(page, {f"pupil-{new.pk}": "new"})
    assert school_class.children.filter(name="Ivo").exists()
    roster = client.get(url_of("children", school_class))
    assert page not in text_on(roster)


def test_a_teacher_sees_no_foreign_class(
    alice: User, linked_class: SourceClass, school_class: SchoolClass
) -> None:
    other = TeachingFactory.create(school_class__name="9Z").school_class
    child = ChildFactory.create(school_class=other, name="Zoë from elsewhere")
    SourcePupil.objects.create(
        source_class=linked_class,
        key_hash="z",
        name="Zoë",
        family="Kok",
        known_name="Zoë",
        child=child,
    )
    page = client_of(alice).get(url_of("class_changes", school_class))
    assert "Zoë Kok is in another class of the school." in text_on(page)
    assert "9Z" not in text_on(page)
    assert "from elsewhere" not in text_on(page)
