"""Nothing is lost by accident: each act that takes something away can be undone, or says first what
will be lost."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib import admin
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse
from time_machine import Traveller

from classrooms.checkups.models import CheckUp
from classrooms.credentials import encrypt
from classrooms.models import Assignment, Child, Group, School, SchoolClass, User
from games.models import Entry, Game
from tests.acts import Ids
from tests.classrooms.people import client_of, client_of_child, text_on, undo_of
from tests.counts import for_each
from tests.factories import CheckUpFactory, TeachingFactory, UserFactory
from tests.pages import PAGES, Loss, Page, address, first_loss
from tests.permission_world import World, in_bundles, traceless

LOST: Final[Mapping[str, Loss]] = {name: page.loss for name, page in PAGES.items() if page.loss}
IN_ACCOUNT: Final = frozenset(name for name in LOST if PAGES[name].kind == "account")
OF_OPERATORS: Final[Mapping[tuple[str, str], str]] = {
    ("classrooms.User", "delete_selected"): "Are you sure",
    ("classrooms.User", "sign_out_everywhere"): "",
    ("classrooms.School", "delete_selected"): "Are you sure",
}
"""The acts of /admin/ on many rows, each with the words of its question. An act without a loss has
no words (people who are signed out can sign in again)."""
GROWING: Final = frozenset(
    {"classrooms.AuditEntry", "sessions.Session", "usersessions.UserSession"}
)
"""Tables with an entry for every act and every sign-in."""
OWN_KEYS: Final = {"classrooms.Teaching": ("school_class_id", "user_id")}
"""Tables whose rows an undo makes again, with the fields that identify a row."""


Rows = Mapping[str, Mapping[Any, Mapping[str, Any]]]


def rows() -> Rows:
    """Every row by its key, except in tables that only grow. The key of a link consists of the keys
    of the two rows."""
    by_key = {}
    for model in apps.get_models(include_auto_created=True):
        if model._meta.label in GROWING:
            continue
        values = [dict(row) for row in model._base_manager.values()]
        own: tuple[str, ...] = OWN_KEYS.get(model._meta.label, (model._meta.pk.attname,))
        if model._meta.auto_created:
            own = tuple(sorted(values[0].keys() - {"id"})) if values else ()
        by_key[model._meta.label] = {
            tuple(line[name] for name in own): {
                name: value for name, value in line.items() if name in own or name != "id"
            }
            for line in values
        }
    return by_key


def prepare_loss(name: str, target: Ids) -> tuple[str, dict[str, Any]]:
    """Prepare the post with a loss on this page. Return who posts it, and its data."""
    post, data = first_loss(name)
    for prepare in (post.prepare, LOST[name].prepare):
        data |= prepare(target) if prepare else {}
    return post.who, data


@for_each(PAGES.items())
def test_every_page_says_what_a_post_takes_away_or_why_nothing(name: str, page: Page) -> None:
    assert bool(page.loss or page.harmless) == page.takes_posts, name


@in_bundles([name for name, loss in LOST.items() if not loss.words])
def test_undo_brings_every_row_back(
    names: list[str], world: World, subtests: pytest.Subtests
) -> None:
    for name in names:
        with subtests.test(name), traceless(world.clients.values()):
            _brings_every_row_back(name, world)


def _brings_every_row_back(name: str, world: World) -> None:
    target = dict(world.targets["Alice's"])
    who, data = prepare_loss(name, target)
    before = rows()
    page = world.clients[who].post(address(name, target), data, follow=True)
    assert rows() != before
    assert world.clients[who].post(undo_of(page)).status_code == 302
    assert differences(before, rows()) == LOST[name].differs.keys()


def differences(before: Rows, after: Rows) -> set[str]:
    """The fields that differ, and the tables in which rows are missing or new."""
    names = set()
    for table, lines in before.items():
        others = after[table]
        if lines.keys() != others.keys():
            names.add(table)
        for key in lines.keys() & others.keys():
            line, other = lines[key], others[key]
            names |= {f"{table}.{name}" for name in line if line[name] != other[name]}
    return names


def test_an_act_without_undo_says_first_what_is_lost(
    world: World, subtests: pytest.Subtests
) -> None:
    for name, loss in LOST.items():
        if not loss.words or name in IN_ACCOUNT:
            continue
        with subtests.test(name), traceless(world.clients.values()):
            target = dict(world.targets["Alice's"])
            who, data = prepare_loss(name, target)
            url, before = address(name, target), rows()
            client = world.clients[who]
            page = client.get(url) if "GET" in PAGES[name].methods else client.post(url, data)
            assert (page.status_code, loss.words in text_on(page)) == (200, True)
            assert rows() == before


def test_a_page_of_the_account_says_first_what_is_lost(
    alice: User, subtests: pytest.Subtests
) -> None:
    client = client_of(alice)
    keys = {
        kind: Authenticator.objects.create(user=alice, type=kind, data=data)
        for kind, data in (
            ("totp", {"secret": "x"}),
            ("webauthn", {"name": "blue key", "credential": {}}),
            ("recovery_codes", {"seed": encrypt("A" * 32), "used_mask": 0}),
        )
    }
    for name in sorted(IN_ACCOUNT):
        args = [keys["webauthn"].pk] if name == "mfa_remove_webauthn" else []
        with subtests.test(name):
            before = rows()
            page = client.get(reverse(name, args=args))
            assert (page.status_code, LOST[name].words in text_on(page)) == (200, True)
            assert rows() == before


def test_a_child_who_leaves_a_match_finds_it_unchanged(world: World) -> None:
    """The child leaves by signing out, by a guided round, or by starting again. There is no way to
    give a match up."""
    target = world.targets["Alice's"]
    dora = Child.objects.get(pk=target["child_id"])
    match = target["played_id"]
    log = Entry.objects.filter(game=match).values_list("number", "kind", "text")
    before = list(log)
    client = client_of_child(dora)
    client.post(reverse("classrooms:learn"), {"edition": "simplified"})
    client.post(reverse("classrooms:leave"))
    page = client_of_child(dora).post(address("classrooms:start", target))
    assert page["Location"] == reverse("games:page", args=[match])
    assert list(log) == before
    assert Game.objects.get(pk=match).finished_at is None


@pytest.fixture
def operator(db: None) -> User:
    return UserFactory.create(is_staff=True, is_superuser=True)


def test_every_act_of_the_operator_on_many_rows_is_declared(operator: User) -> None:
    request = RequestFactory().get("/admin/")
    request.user = operator
    offered = {
        (model._meta.label, action)
        for model, page in admin.site._registry.items()
        for action in page.get_actions(request)
    }
    assert offered == OF_OPERATORS.keys()


def test_the_operators_pages_ask_before_rows_are_deleted(
    admin_client: Client, operator: User
) -> None:
    school = School.objects.create(name="The Oak")
    chosen = {"classrooms.User": operator.pk, "classrooms.School": school.pk}
    for (label, action), words in OF_OPERATORS.items():
        url = reverse(f"admin:{label.replace('.', '_').lower()}_changelist")
        before = rows()
        data = {"action": action, "_selected_action": [str(chosen[label])]}
        page = admin_client.post(url, data, follow=True)
        assert page.status_code == 200
        assert words in text_on(page)
        if words:
            assert rows() == before


def act_and_undo(
    client: Client, name: str, target: Mapping[str, Any], data: Any
) -> tuple[str, Any]:
    page = client.post(address(name, target), data, follow=True)
    return undo_of(page), page


def test_a_row_changed_since_is_not_restored(world: World) -> None:
    target, client = dict(world.targets["Alice's"]), world.clients["Alice"]
    _who, data = prepare_loss("classrooms:child_group", target)
    undo, _page = act_and_undo(client, "classrooms:child_group", target, data)
    Group.objects.filter(pk=target["group_id"]).update(name="Owls")
    page = client.post(undo, follow=True)
    assert "This can no longer be undone" in text_on(page)
    group = Group.objects.get(pk=target["group_id"])
    assert (group.name, [child.name for child in group.children.all()]) == ("Owls", ["Hugo"])


def test_an_undo_leaves_changes_in_other_classes(world: World) -> None:
    target, client = dict(world.targets["Alice's"]), world.clients["Alice"]
    theirs = world.targets["Charlie's"]["class_id"]
    changes: tuple[tuple[str, type[Model], dict[str, Any]], ...] = (
        ("classrooms:withdraw_assignment", Assignment, {"note": "Look twice."}),
        ("classrooms:withdraw_check_up", CheckUp, {"term": "end"}),
        ("classrooms:child_group", Group, {"name": "Owls"}),
    )
    for name, model, fields in changes:
        _who, data = prepare_loss(name, target)
        undo, _page = act_and_undo(client, name, target, data)
        rows_there = model._default_manager.filter(school_class=theirs)
        assert rows_there.update(**fields)
        assert "as it was before" in text_on(client.post(undo, follow=True)), name
        assert rows_there.filter(**fields).exists(), name


def test_an_undo_is_for_the_browser_and_the_class_of_the_act(world: World) -> None:
    target = dict(world.targets["Alice's"])
    undo, _page = act_and_undo(world.clients["Alice"], "classrooms:withdraw_check_up", target, {})
    assert "no longer be undone" in text_on(world.clients["Bob"].post(undo, follow=True))
    assert world.clients["Charlie"].post(undo).status_code == 404
    school_class = SchoolClass.objects.get(pk=target["class_id"])
    other = TeachingFactory.create(user=school_class.teachings.get(role="owner").user)
    elsewhere = undo.replace(str(school_class.pk), str(other.school_class_id))
    assert "no longer be undone" in text_on(world.clients["Alice"].post(elsewhere, follow=True))
    assert not school_class.check_ups.exists()
    assert "as it was before" in text_on(world.clients["Alice"].post(undo, follow=True))
    assert school_class.check_ups.exists()
    assert "no longer be undone" in text_on(world.clients["Alice"].post(undo, follow=True))


def test_an_undo_lasts_for_an_hour(clock: Traveller, alice: User) -> None:
    school_class = TeachingFactory.create(user=alice).school_class
    check_up = CheckUpFactory.create(school_class=school_class)
    target, client = {"class_id": school_class.pk, "check_up_id": check_up.pk}, client_of(alice)
    undo, _page = act_and_undo(client, "classrooms:withdraw_check_up", target, {})
    clock.shift(timedelta(minutes=50))
    assert client.get(address("classrooms:class", target)).status_code == 200
    clock.shift(timedelta(minutes=11))
    assert "no longer be undone" in text_on(client.post(undo, follow=True))
