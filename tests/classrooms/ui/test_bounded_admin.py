"""The operator's pages survive any input."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classrooms.models import School, User

pytestmark = pytest.mark.django_db

USERS = "admin:classrooms_user_changelist"


@pytest.mark.parametrize("row", ["2026-02-31", "x", "9" * 4301, ""])
def test_a_row_that_cannot_be_is_refused(admin_client: Client, alice: User, row: str) -> None:
    sent = {"action": "delete_selected", ACTION_CHECKBOX_NAME: [alice.pk, row], "index": 0}
    assert admin_client.post(reverse(USERS), sent).status_code == 400
    assert User.objects.filter(pk=alice.pk).exists()


@pytest.mark.parametrize("user", ["Yan Li", "1.5", "9" * 4301, "-1"])
def test_an_admin_who_cannot_be_is_asked_for_again(admin_client: Client, user: str) -> None:
    sent = {
        "name": "A school",
        "memberships-TOTAL_FORMS": 1,
        "memberships-INITIAL_FORMS": 0,
        "memberships-0-user": user,
        "memberships-0-role": "admin",
    }
    answer = admin_client.post(reverse("admin:classrooms_school_add"), sent)
    assert answer.status_code == 200
    assert answer.context["errors"]
    assert not School.objects.exists()


def test_a_search_for_thousands_of_words_asks_for_some(admin_client: Client) -> None:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        answer = admin_client.get(reverse(USERS), {"q": "1 " * 10_000})
    assert answer.status_code == 200
    assert max(len(query["sql"]) for query in asked.captured_queries) < 20_000


@pytest.mark.parametrize("year", ["0", "99999", "1" * 30, "x"])
def test_a_year_that_cannot_be_leads_to_the_page_without_it(
    admin_client: Client, year: str
) -> None:
    url = reverse("admin:classrooms_auditentry_changelist")
    answer = admin_client.get(url, {"at__year": year}, follow=True)
    assert answer.status_code == 200


class TestAnAddressOfAnAccount:
    """Who can add one, or confirm one, can have a new password sent to it."""

    def test_is_not_added_by_the_operator(self, admin_client: Client, alice: User) -> None:
        sent = {"user": alice.pk, "email": "operator@example.org", "verified": "on"}
        url = reverse("admin:account_emailaddress_add")
        assert admin_client.post(url, sent).status_code == 403
        assert not EmailAddress.objects.filter(user=alice).exists()

    def test_is_not_changed_and_not_confirmed_by_the_operator(
        self, admin_client: Client, alice: User
    ) -> None:
        own = EmailAddress.objects.create(user=alice, email=alice.email, primary=True)
        sent = {"user": alice.pk, "email": "operator@example.org", "verified": "on"}
        url = reverse("admin:account_emailaddress_change", args=[own.pk])
        assert admin_client.post(url, sent).status_code == 403
        chosen = {"action": "make_verified", ACTION_CHECKBOX_NAME: own.pk, "index": 0}
        admin_client.post(reverse("admin:account_emailaddress_changelist"), chosen)
        own.refresh_from_db()
        assert (own.email, own.verified) == (alice.email, False)
