"""The operator's admin shows no secrets, and shows a child only with an entry in the log."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from classrooms.audit import What, audit
from classrooms.models import AuditEntry, Child, SchoolClass, User
from classrooms.roster import services as roster
from games.models import Game
from tests.classrooms.people import acts, text_on
from tests.factories import AttemptFactory, ChildFactory, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db
OURS = [model for model in admin.site._registry if model._meta.app_label in ("classrooms", "games")]


@pytest.fixture
def game(dora: Child) -> Game:
    return AttemptFactory.create(child=dora).game


def list_text(client: Client, name: str, **query: str) -> str:
    return text_on(client.get(reverse(f"admin:{name}_changelist"), query))


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_no_page_shows_a_secret_or_a_childs_name_unasked(
    admin_client: Client, alice: User, dora: Child, game: Game, model: type[Model]
) -> None:
    audit(alice, What.LOOKED, child=dora)
    name = f"{model._meta.app_label}_{model._meta.model_name}"
    record = model._default_manager.exclude(pk=None).first()
    pages = [list_text(admin_client, name), list_text(admin_client, name, q="a")]
    if record is not None:
        change = admin_client.get(reverse(f"admin:{name}_change", args=[record.pk]))
        assert change.status_code == 200
        pages.append(text_on(change))
    secrets = [
        dora.pictures_encrypted,
        dora.school_class.code,
        dora.school_class.spaced_code,
        str(game.seed),
        str(dora.player),
        "snapshot",
    ]
    for page in pages:
        assert [secret for secret in secrets if secret in page] == []
    for page in pages[:2] if model is Child else pages:
        assert "Dora" not in page


def test_a_removed_child_is_found_by_their_id(admin_client: Client, dora: Child) -> None:
    emil = ChildFactory.create(school_class=dora.school_class, name="Emil")
    Child.all_objects.filter(pk=dora.pk).update(removed_at=dora.created_at)
    page = list_text(admin_client, "classrooms_child", q=str(dora.pk))
    assert str(dora.pk) in page
    assert str(emil.pk) not in page


def test_classes_are_found_by_name_and_teacher_with_their_size(
    admin_client: Client, alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    other = TeachingFactory.create(user=UserFactory.create(email="charlie@example.org"))
    SchoolClass.objects.filter(pk=other.school_class_id).update(name="6A")
    for query in ("5B", "alice@", str(school_class.pk)):
        page = admin_client.get(reverse("admin:classrooms_schoolclass_changelist"), {"q": query})
        (row,) = page.context["cl"].result_list
        assert (row, row.owned_by, row.number_of_children) == (school_class, alice.email, 2)


def test_a_childs_data_cannot_be_changed_or_deleted_by_hand(
    admin_client: Client, dora: Child, game: Game
) -> None:
    for name, key in (
        ("classrooms_child", dora.pk),
        ("games_game", game.pk),
        ("classrooms_schoolclass", dora.school_class_id),
    ):
        delete = reverse(f"admin:{name}_delete", args=[key])
        assert admin_client.post(delete, {"post": "yes"}).status_code == 403
    change = reverse("admin:classrooms_child_change", args=[dora.pk])
    assert admin_client.post(change, {"name": "X"}).status_code == 403
    assert Child.objects.get() == dora


@pytest.mark.parametrize("what", ["change", "history"])
def test_no_page_shows_a_childs_name_without_an_entry(
    admin_client: Client, admin_user: User, dora: Child, what: str
) -> None:
    list_text(admin_client, "classrooms_child")
    assert not acts().exists()
    page = admin_client.get(reverse(f"admin:classrooms_child_{what}", args=[dora.pk]))
    assert "Dora" in text_on(page)
    entry = AuditEntry.objects.get(what=What.LOOKED)
    assert (entry.user, entry.child_id) == (admin_user, dora.pk)


@pytest.mark.parametrize(
    ("listed", "field"),
    [
        ("classrooms_child", "name__startswith"),
        ("classrooms_child", "pictures_encrypted__gt"),
        ("classrooms_schoolclass", "code__startswith"),
        ("classrooms_schoolclass", "children__name__startswith"),
        ("classrooms_user", "password__startswith"),
        ("games_game", "seed__gt"),
        ("classrooms_auditentry", "once__isnull"),
    ],
)
def test_no_list_answers_guesses_at_hidden_fields(
    admin_client: Client, dora: Child, listed: str, field: str
) -> None:
    assert admin_client.get(reverse(f"admin:{listed}_changelist"), {field: "0"}).status_code == 400


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_filter_of_a_list_works(
    admin_client: Client, dora: Child, game: Game, model: type[Model]
) -> None:
    name = f"{model._meta.app_label}_{model._meta.model_name}"
    page = admin_client.get(reverse(f"admin:{name}_changelist"))
    for offered in page.context["cl"].filter_specs:
        for choice in offered.choices(page.context["cl"]):
            address = page.request["PATH_INFO"] + choice["query_string"]
            assert admin_client.get(address).status_code == 200


@pytest.mark.parametrize(
    ("model", "field"),
    [("attempt", "child"), ("childsession", "child"), ("assignment", "children")],
)
def test_children_never_complete_a_field_that_no_page_has(
    admin_client: Client, dora: Child, model: str, field: str
) -> None:
    query = {"app_label": "classrooms", "model_name": model, "field_name": field, "term": "5B"}
    answer = admin_client.get(reverse("admin:autocomplete"), query)
    assert (answer.status_code, "Dora" in text_on(answer)) == (403, False)


# The operator's pages survive any input


USERS = "admin:classrooms_user_changelist"


@pytest.mark.parametrize("row", ["2026-02-31", "x", "9" * 4301, ""])
def test_an_impossible_row_is_refused(admin_client: Client, alice: User, row: str) -> None:
    data = {"action": "delete_selected", ACTION_CHECKBOX_NAME: [alice.pk, row], "index": 0}
    assert admin_client.post(reverse(USERS), data).status_code == 400
    assert User.objects.filter(pk=alice.pk).exists()


# Whoever can add or confirm an address can have a new password sent to it.


def test_an_address_is_not_added_by_the_operator(admin_client: Client, alice: User) -> None:
    data = {"user": alice.pk, "email": "operator@example.org", "verified": "on"}
    assert admin_client.post(reverse("admin:account_emailaddress_add"), data).status_code == 403
    assert not EmailAddress.objects.filter(user=alice).exists()


def test_an_address_is_not_changed_and_not_confirmed_by_the_operator(
    admin_client: Client, alice: User
) -> None:
    own = EmailAddress.objects.create(user=alice, email=alice.email, primary=True)
    data = {"user": alice.pk, "email": "operator@example.org", "verified": "on"}
    url = reverse("admin:account_emailaddress_change", args=[own.pk])
    assert admin_client.post(url, data).status_code == 403
    chosen = {"action": "make_verified", ACTION_CHECKBOX_NAME: own.pk, "index": 0}
    admin_client.post(reverse("admin:account_emailaddress_changelist"), chosen)
    own.refresh_from_db()
    assert (own.email, own.verified) == (alice.email, False)


def test_an_entry_about_nothing_is_refused(alice: User) -> None:
    with pytest.raises(ValueError, match="a child, a class or an account"):
        audit(alice, What.LOOKED)


def test_an_entry_outlives_its_objects_and_names_no_child(alice: User, dora: Child) -> None:
    audit(alice, What.ERASED, child=dora)
    child_id, school_class = dora.pk, dora.school_class
    roster.remove(dora, None)
    school_class.delete()
    alice.delete()
    entry = AuditEntry.objects.get(what=What.ERASED)
    assert (entry.user, entry.child_id) == (None, child_id)
    assert "Dora" not in str(entry)


def test_the_operator_reads_the_log_and_searches_it(
    admin_client: Client, alice: User, dora: Child, emil: Child
) -> None:
    audit(alice, What.LOOKED, child=dora)
    audit(alice, What.EXPORTED, child=emil)
    url = reverse("admin:classrooms_auditentry_changelist")
    page = text_on(admin_client.get(url, {"q": str(emil.pk)}))
    assert str(emil.pk) in page
    assert str(dora.pk) not in page
    assert str(dora.pk) in text_on(admin_client.get(url, {"q": "alice@"}))


def test_the_log_cannot_be_changed_by_hand(admin_client: Client, alice: User, dora: Child) -> None:
    entry = audit(alice, What.LOOKED, child=dora)
    change = reverse("admin:classrooms_auditentry_change", args=[entry.pk])
    assert admin_client.get(change).status_code == 200
    assert admin_client.post(change, {"what": "erased"}).status_code == 403
    delete = reverse("admin:classrooms_auditentry_delete", args=[entry.pk])
    assert admin_client.post(delete, {"post": "yes"}).status_code == 403
    assert acts().get().what == "looked"
