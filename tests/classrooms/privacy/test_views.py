"""The log of a class and the account, in words; exports and erasures through their pages."""

import re
from datetime import timedelta
from functools import partial
from itertools import product
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.audit import Actor, Page, What, audit, log_view
from classrooms.models import Assignment, AuditEntry, Child, SchoolClass, User
from classrooms.privacy import erasure, views
from classrooms.privacy.export import DECLARED_TABLES, fields_of
from classrooms.privacy.words import (
    ACCOUNT_SENTENCES,
    CHILD_SENTENCES,
    CHILDREN_SENTENCES,
    CLASS_SENTENCES,
    FIELDS,
    KnownNames,
    account_sentence,
    class_sentence,
)
from classrooms.roster import moves
from tests.classrooms.people import client_of, text_on, url_of
from tests.classrooms.progress.playing import Hand, begin
from tests.clock import at
from tests.counts import for_each, queries_of
from tests.factories import TeachingFactory, UserFactory
from tests.games.players import ends_of_turns

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def looks() -> list[tuple[str, str | None]]:
    """The pages in the log of looks, and the child that each was about."""
    entries = AuditEntry.objects.filter(what=What.LOOKED, is_part=False).order_by("pk")
    names = dict(Child.all_objects.values_list("pk", "name"))
    return [
        (entry.page, names.get(entry.child_id) if entry.child_id else None) for entry in entries
    ]


def log_page(client: Client, school_class: SchoolClass, query: str = "") -> str:
    url = url_of("who_looked", school_class)
    return text_on(client.get(f"{url}{query}"))


@pytest.mark.parametrize(
    ("name", "more", "look"),
    [
        ("class", (), ("class", None)),
        ("live", (), ("live", None)),
        ("cards", (), ("cards", None)),
        ("letters_pdf", (), ("letters", None)),
        ("progress", ("child",), ("child", "Dora")),
        ("moves", ("child", 7), ("moves", "Dora")),
    ],
)
def test_each_page_about_children_is_logged_as_a_look(
    alices_client: Client,
    dora: Child,
    emil: Child,
    name: str,
    more: tuple[object, ...],
    look: tuple[str, str | None],
) -> None:
    args = [dora.school_class_id, *(dora.pk if each == "child" else each for each in more)]
    assert alices_client.get(reverse(f"classrooms:{name}", args=args)).status_code == 200
    assert looks() == [look]


def test_pages_about_one_child_are_looks_at_that_child(
    alices_client: Client, dora: Child, assignment: Assignment
) -> None:
    hand = Hand(begin(dora, assignment, seed=5))
    hand.play_turn(lays=False)
    game = hand.attempt.game_id
    (entry,) = ends_of_turns(game, seat=0)
    here, child = dora.school_class_id, dora.pk
    alices_client.get(f"{reverse('classrooms:class', args=[here])}?child={child}&table=7")
    alices_client.get(reverse("classrooms:replay", args=[here, child, game, entry]))
    alices_client.post(reverse("classrooms:child_pictures", args=[here, child]))
    alices_client.get(f"{reverse('classrooms:cards', args=[here])}?child={child}")
    assert looks() == [
        ("class", None),
        ("moves", "Dora"),
        ("replay", "Dora"),
        ("pictures", "Dora"),
        ("cards", "Dora"),
    ]


def test_looking_again_in_the_same_hour_makes_no_second_entry(
    alice: User, dora: Child, emil: Child
) -> None:
    now = timezone.now().replace(minute=10)
    for minutes in (0, 40, 60):
        with at(now + timedelta(minutes=minutes)):
            log_view(alice, Page.CHILD, school_class=dora.school_class, child=dora)
    log_view(alice, Page.MOVES, school_class=dora.school_class, child=dora)
    log_view(alice, Page.CHILD, school_class=emil.school_class, child=emil)
    log_view(UserFactory.create(), Page.CHILD, school_class=dora.school_class, child=dora)
    assert AuditEntry.objects.count() == 5


def test_a_look_is_logged_with_one_query(alice: User, dora: Child) -> None:
    for _ in range(2):
        look = partial(log_view, school_class=dora.school_class, child=dora)
        assert queries_of(look, alice, Page.CLASS, Page.MOVES) == 1


def test_a_refused_page_leaves_no_look(dora: Child) -> None:
    charlie = TeachingFactory.create().user
    assert client_of(charlie).get(url_of("progress", dora)).status_code == 404
    assert looks() == []


def test_the_owner_reads_who_did_what_to_whom(
    alices_client: Client, alice: User, dora: Child, school_class: SchoolClass
) -> None:
    assert "There are no entries yet." in log_page(alices_client, school_class)
    bob = TeachingFactory.create(
        school_class=school_class,
        user=UserFactory.create(email="bob@example.org"),
    ).user  # fmt: skip
    log_view(bob, Page.CHILD, school_class=school_class, child=dora)
    audit(alice, What.EXPORTED, school_class=school_class, file="class-csv")
    page = log_page(alices_client, school_class)
    assert "bob@example.org opened the page of Dora." in page
    assert "alice@example.org downloaded a file: Class report as a table." in page
    assert "395 days" in page


def test_a_look_at_several_children_is_one_line(
    alices_client: Client, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    alices_client.get(url_of("cards", school_class))
    page = log_page(alices_client, school_class)
    assert page.count("opened the sign-in card") == 1
    assert "opened the sign-in cards of 2 children." in page


def test_a_filter_of_the_log_stays_on_its_other_pages(
    alices_client: Client, alice: User, school_class: SchoolClass
) -> None:
    for _ in range(views.PAGE_SIZE + 1):
        audit(alice, What.EXPORTED, school_class=school_class, file="class-csv")
    audit(alice, What.CLOSED, school_class=school_class)
    page = log_page(alices_client, school_class, "?show=signing-in")
    assert "closed the class to new devices" in page
    assert "downloaded a file" not in page
    assert "?show=files&amp;page=2" in log_page(alices_client, school_class, "?show=files")
    assert "There are no entries of this kind." in log_page(
        alices_client, school_class, "?show=teachers"
    )
    assert "closed the class" in log_page(alices_client, school_class, "?show=nonsense&page=x")


def test_a_move_is_logged_in_both_classes(
    alices_client: Client, alice: User, dora: Child, school_class: SchoolClass
) -> None:
    charlie = UserFactory.create(email="charlie@example.org")
    theirs = TeachingFactory.create(user=charlie, school_class__name="6A").school_class
    moves.move([dora], theirs, alice)
    text = "alice@example.org moved a child who has left to 6A."
    assert text in log_page(alices_client, school_class)
    there = log_page(client_of(charlie), theirs)
    assert "alice@example.org moved Dora here from 5B." in there
    TeachingFactory.create(user=alice, school_class=theirs)
    assert "alice@example.org moved Dora to 6A." in log_page(alices_client, school_class)


def test_the_log_has_no_name_and_no_key_of_an_erased_child(
    alices_client: Client, alice: User, dora: Child, school_class: SchoolClass
) -> None:
    log_view(alice, Page.CHILD, school_class=school_class, child=dora)
    erasure.erase_child(dora, None)
    entry = AuditEntry.objects.get(what=What.LOOKED)
    assert entry.once is None
    page = log_page(alices_client, school_class)
    assert "opened the page of a child who has left" in page
    assert "Dora" not in page


def test_many_entries_need_no_more_queries(
    alices_client: Client, alice: User, school_class: SchoolClass
) -> None:
    counts = []
    for _ in range(2):
        counts.append(queries_of(log_page, alices_client, school_class))
        for _number in range(views.PAGE_SIZE + 1):
            audit(alice, What.EXPORTED, school_class=school_class)
    assert counts[1] <= counts[0] + 1 <= 15
    assert "Page 2 of 3" in log_page(alices_client, school_class, "?page=2")
    assert log_page(alices_client, school_class).count("downloaded a file") == views.PAGE_SIZE


def test_an_archived_class_says_when_it_will_be_erased(
    alices_client: Client, school_class: SchoolClass
) -> None:
    SchoolClass.objects.update(archived_at=timezone.now())
    day = timezone.localdate() + timedelta(days=395)
    text = f"{day.day} {day:%B} {day.year}"
    assert f"will be deleted on {text}" in text_on(alices_client.get(reverse("classrooms:classes")))
    page = text_on(alices_client.get(url_of("class", school_class)))
    assert f"On {text} the class and all its data will be deleted for good" in page


# Entries in words


ALICE = User(pk=1, email="alice@example.org")
BOB = User(pk=2, email="bob@example.org")
DORA = uuid4()
OF_A_CLASS = [what for _label, whats in views.KINDS.values() for what in whats]


def entry(what: str, **more: object) -> AuditEntry:
    return AuditEntry(user=ALICE, what=what, **more)


def test_no_kind_of_entry_is_in_two_groups_of_the_page() -> None:
    assert len(OF_A_CLASS) == len(set(OF_A_CLASS))


def test_every_event_of_a_class_has_a_sentence_for_its_owner() -> None:
    assert {*OF_A_CLASS} <= {*CHILD_SENTENCES, *CHILDREN_SENTENCES, *CLASS_SENTENCES}


def test_each_event_of_an_account_has_a_sentence() -> None:
    of_account = {*What} - {*OF_A_CLASS} | {*views.KINDS["teachers"][1]}
    assert of_account - {What.INVITED, What.INVITATION_ENDED} <= ACCOUNT_SENTENCES.keys()


@pytest.mark.parametrize("actor", Actor)
def test_no_sentence_lacks_a_word(actor: AuditEntry.Actor) -> None:
    details: tuple[dict[str, object], ...] = (
        {},
        {"count": 3},
        {"to": str(uuid4())},
        {"origin": str(uuid4())},
        {"role": "owner"},
        {"role": "co-teacher"},
        {"fields": ["name", "time_zone", "no such field"]},
        {"file": "class-tables"},
        {"file": "a file of another release"},
    )
    for what, detail, child_id in product(What, details, (None, DORA)):
        for page in ("", *Page.values) if what == What.LOOKED else ("",):
            audit_entry = entry(what, actor=actor, detail=detail, child_id=child_id, page=page)
            for sentence_of in (class_sentence, account_sentence):
                words = sentence_of(audit_entry, KnownNames())
                assert re.fullmatch(r"[A-Za-z].+\.", words), words
                assert "%" not in words


@for_each(
    [
        (entry("added", detail={"count": 28}), "added 28 children."),
        (entry("new pictures", child_id=DORA), "gave Dora new pictures."),
        (entry("moved", child_id=DORA, detail={"to": "6A"}), "moved Dora to 6A."),
        (entry("handed over", account=BOB), "handed the class over to bob@example.org."),
        (
            entry("looked", page="cards", detail={"count": 2}),
            "opened the sign-in cards of 2 children.",
        ),
        (entry("looked", page="cards"), "opened the sign-in cards."),
        (entry("changed", detail={"fields": ["name"]}), "changed the class: name."),
        (entry("removed", child_id=uuid4()), "removed a child who has left."),
        (entry("teacher removed"), "removed someone who no longer has an account from the class."),
    ]
)
def test_an_entry_says_who_did_what(audit_entry: AuditEntry, words: str) -> None:
    sentence = class_sentence(audit_entry, KnownNames({DORA: "Dora"}, {"6A": "6A"}))
    assert sentence == f"alice@example.org {words}"


def test_the_operator_the_site_and_deleted_people_are_named() -> None:
    given_role = entry("role given", account=BOB, detail={"role": "owner"}, actor="operator")
    assert (
        class_sentence(given_role, KnownNames()) == "The operator made bob@example.org the owner."
    )
    words = account_sentence(given_role, KnownNames(classes={"None": "5B"}))
    assert words == "The operator made you the owner of the class 5B."
    by_night = AuditEntry(what="archived", actor="site")
    assert class_sentence(by_night, KnownNames()) == "The site archived the class."
    archiving = AuditEntry(what="archived")
    assert (
        class_sentence(archiving, KnownNames())
        == "Someone whose account is gone archived the class."
    )


# Each field of the tables with data of a child is named in words


def test_each_exported_field_has_words_and_no_others_do() -> None:
    exported = {field.column for declared in DECLARED_TABLES for field in fields_of(declared)}
    assert FIELDS.keys() == exported
