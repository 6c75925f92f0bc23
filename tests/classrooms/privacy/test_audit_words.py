"""Every kind of entry is a whole sentence wherever it may be read."""

import re
from itertools import product
from uuid import uuid4

import pytest

from classrooms.audit import KINDS, Actor, Page, What
from classrooms.models import AuditEntry, User
from classrooms.privacy.export import DECLARED, fields_of
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
from tests.counts import for_each

ALICE = User(pk=1, email="alice@example.org")
BOB = User(pk=2, email="bob@example.org")
DORA = uuid4()


def entry(what: str, **more: object) -> AuditEntry:
    return AuditEntry(user=ALICE, what=what, **more)


def test_every_kind_of_entry_is_in_one_group_that_a_page_can_show() -> None:
    grouped = [what for whats in KINDS.values() for what in whats]
    assert sorted(grouped) == sorted(What)


def test_what_can_happen_in_a_class_has_a_sentence_for_its_owner() -> None:
    of_a_class = {*What} - {*KINDS["account"]}
    assert of_a_class <= {*CHILD_SENTENCES, *CHILDREN_SENTENCES, *CLASS_SENTENCES}


def test_what_can_happen_to_an_account_has_a_sentence_for_its_adult() -> None:
    of_others = {What.INVITED, What.INVITATION_ENDED}
    assert {*KINDS["account"], *KINDS["teachers"]} - of_others <= ACCOUNT_SENTENCES.keys()


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
            made = entry(what, actor=actor, detail=detail, child_id=child_id, page=page)
            for sentence_of in (class_sentence, account_sentence):
                words = sentence_of(made, KnownNames())
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
            "opened the login cards of 2 children.",
        ),
        (entry("looked", page="cards"), "opened the login cards."),
        (entry("changed", detail={"fields": ["name"]}), "changed the class: name."),
        (entry("removed", child_id=uuid4()), "removed a child who has left."),
        (entry("teacher removed"), "removed someone who no longer has an account from the class."),
    ]
)
def test_an_entry_says_who_did_what(made: AuditEntry, words: str) -> None:
    sentence = class_sentence(made, KnownNames({DORA: "Dora"}, {"6A": "6A"}))
    assert sentence == f"alice@example.org {words}"


def test_the_operator_the_site_and_who_has_gone_are_named_as_such() -> None:
    made = entry("role given", account=BOB, detail={"role": "owner"}, actor="operator")
    assert class_sentence(made, KnownNames()) == "The operator made bob@example.org the owner."
    words = account_sentence(made, KnownNames(classes={"None": "5B"}))
    assert words == "The operator made you the owner of the class 5B."
    by_night = AuditEntry(what="archived", actor="site")
    assert class_sentence(by_night, KnownNames()) == "The site archived the class."
    gone = AuditEntry(what="archived")
    assert class_sentence(gone, KnownNames()) == "Someone whose account is gone archived the class."


# Each field of the tables with data of a child is named in words


def test_each_exported_field_has_words_and_no_others_do() -> None:
    exported = {field.attname for declared in DECLARED for field in fields_of(declared)}
    assert FIELDS.keys() == exported
