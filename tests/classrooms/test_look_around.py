"""Visitors look around in the demo class without an account."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.http import Http404
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.access import NAMING_ACTS, class_for, classes_owned_by, is_owner
from classrooms.audit import audit
from classrooms.classes import expiry
from classrooms.classes import services as classes
from classrooms.lesson import pause
from classrooms.models import Assignment, AuditEntry, Child, SchoolClass, User, Visitor
from classrooms.passes import PASS_COOKIE
from classrooms.progress.models import ChildDay
from classrooms.roster import services as roster
from tests.classrooms.people import client_of, client_of_child, text_on
from tests.classrooms.progress.answering import rows
from tests.clock import at
from tests.factories import AssignmentFactory, ChildFactory, GroupFactory, TeachingFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo(alice: User, dora: Child) -> SchoolClass:
    demo = dora.school_class
    demo.is_demo = True
    demo.save()
    return demo


def page(name: str, *args: object) -> str:
    return reverse(f"classrooms:{name}", args=args)


def is_open(demo: SchoolClass) -> bool:
    visitor = Client()
    text = "Look around a class" in text_on(visitor.get("/"))
    wrong = visitor.post(page("code"), {"code": ""})
    assert ("Look around a class" in text_on(wrong)) == text
    assert (visitor.get(page("class", demo.pk)).status_code == 200) == text
    return text


def test_a_visitor_sees_what_the_teacher_sees(demo: SchoolClass, dora: Child) -> None:
    TeachingFactory.create(school_class=demo)
    assert is_open(demo)
    visitor = Client()
    for url in (
        page("class", demo.pk),
        page("next_steps", demo.pk),
        page("before_lesson", demo.pk),
        page("talk", demo.pk),
        page("assignments", demo.pk),
        page("check_ups", demo.pk),
        page("progress", demo.pk, dora.pk),
        page("moves", demo.pk, dora.pk, 7),
        page("fact", demo.pk, 6, 7),
    ):
        answer = visitor.get(url)
        assert answer.status_code == 200, url
        assert "You are looking around" in text_on(answer)
        assert "alice@" not in text_on(answer)
        assert PASS_COOKIE not in answer.cookies
    assert not AuditEntry.objects.filter(what=AuditEntry.What.LOOKED).exists()
    assert "Location" not in visitor.get(pause.poll_of(demo)).headers


def test_a_visitor_is_offered_nothing_that_would_be_refused(demo: SchoolClass, dora: Child) -> None:
    rows(dora, 7, found=1, missed=9)
    played = {"child": dora, "school_class": demo, "last_at": timezone.now()}
    ChildDay.objects.create(day=demo.today(), rounds=1, **played)
    AssignmentFactory.create(school_class=demo)
    GroupFactory.create(school_class=demo, children=[dora])
    visitor, addresses = Client(), set()
    waiting = [page("class", demo.pk)]
    while waiting:
        url = waiting.pop()
        addresses.add(url.partition("?")[0])
        answer = visitor.get(url)
        assert answer.status_code == 200, url
        main = text_on(answer).partition("<main")[2].partition("</main>")[0]
        assert 'method="post"' not in main, url
        for link in re.findall(r'href="(/classes/[^"#?]*)', main):
            if link not in addresses and link not in waiting:
                waiting.append(link)
    assert page("talk", demo.pk) in addresses
    assert page("progress", demo.pk, dora.pk) in addresses


def test_a_visitor_changes_nothing(demo: SchoolClass, dora: Child) -> None:
    visitor = Client()
    for url, data in (
        (page("give_step", demo.pk), {"step": "7", "children": dora.pk}),
        (page("next_steps", demo.pk), {"do": "repeat", "weekly": "give"}),
        (page("child", demo.pk, dora.pk), {"name": "Finn"}),
        (page("assign", demo.pk), {"preset": "first"}),
    ):
        answer = visitor.post(url, data, follow=True)
        assert answer.redirect_chain == [(page("class", demo.pk), 302)]
        assert "only its teacher can do that" in text_on(answer)
    demo.refresh_from_db()
    dora.refresh_from_db()
    assert (demo.weekly_steps, dora.name, Assignment.objects.count()) == ("", "Dora", 0)


def test_a_visitor_owns_nothing(demo: SchoolClass, dora: Child) -> None:
    other, visitor = ChildFactory.create().school_class, Visitor(demo.pk)
    assert class_for(visitor, demo.pk) == demo
    assert not is_owner(visitor, demo)
    assert not classes_owned_by(visitor).exists()
    with pytest.raises(Http404):
        class_for(visitor, other.pk)


def test_a_visitor_sees_no_pictures_files_or_account(demo: SchoolClass, dora: Child) -> None:
    visitor = Client()
    for name in (
        "cards",
        "letters",
        "papers",
        "edit_class",
        "teachers",
        "children",
        "export_class",
    ):
        assert visitor.get(page(name, demo.pk)).headers["Location"] == page("class", demo.pk)
    assert visitor.get(page("child_report", demo.pk, dora.pk)).status_code == 302
    for name in ("account", "classes"):
        assert visitor.get(page(name)).headers["Location"].startswith("/accounts/login/")


def test_every_other_class_requires_signing_in(demo: SchoolClass, dora: Child) -> None:
    other = ChildFactory.create().school_class
    for client, closed in ((Client(), other), (client_of_child(dora), demo)):
        answer = client.get(page("class", closed.pk))
        assert answer.headers["Location"].startswith("/accounts/login/")
    bob = TeachingFactory.create().user
    assert client_of(bob).get(page("class", demo.pk)).status_code == 404


def test_names_that_an_adult_added_are_closed_to_visitors(
    demo: SchoolClass, alice: User, dora: Child
) -> None:
    roster.add_children(demo, ["Emil"], None)
    assert is_open(demo), "as the demo is made"
    roster.rename(dora, "Finn", alice)
    assert not is_open(demo)
    AuditEntry.objects.all().delete()
    with at(timezone.now() + timedelta(hours=2)):
        roster.add_children(demo, ["Hugo"], None)
    assert not is_open(demo), "as a list of the school brings a child"
    AuditEntry.objects.all().delete()
    audit(alice, AuditEntry.What.NEW_CODE, school_class=demo)
    roster.add_children(ChildFactory.create().school_class, ["Gus"], alice)
    assert is_open(demo), "as names come into other classes"
    roster.add_children(demo, ["Gus"], alice)
    assert not is_open(demo)


def test_names_stay_closed_after_the_log_is_deleted(demo: SchoolClass, alice: User) -> None:
    roster.add_children(demo, ["Gus"], alice)
    with at(timezone.now() + timedelta(days=settings.AUDIT_DAYS + 1)):
        classes.restore(demo, None)
        expiry.carry_out(timezone.now())
        assert not AuditEntry.objects.filter(what__in=NAMING_ACTS).exists()
        assert not is_open(demo)


def test_an_archived_demo_class_is_closed(demo: SchoolClass) -> None:
    classes.archive(demo, None)
    assert not is_open(demo)
