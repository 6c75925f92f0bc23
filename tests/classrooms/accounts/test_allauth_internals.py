"""What the site expects of the functions that allauth keeps to itself and may change: each that is
imported is pinned here."""

import ast
from collections.abc import Iterator

import pytest
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.reauthentication import resume_request
from allauth.core import context
from allauth.core.internal.cryptokit import normalize_user_code
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils import timezone

from classrooms.models import User
from tests.factories import UserFactory
from tests.sources import ROOT

pytestmark = pytest.mark.django_db
PINNED = {record_authentication, resume_request, normalize_user_code}


@pytest.fixture
def request_of(alice: User, rf: RequestFactory) -> Iterator[HttpRequest]:
    request = rf.get("/account/go-on/", {"next": "/account/"})
    request.session, request.user = SessionStore(), alice
    with context.request_context(request):
        yield request


def test_no_other_internal_function_is_imported() -> None:
    sources = [path for name in ("classrooms", "nmbrs_edu") for path in (ROOT / name).rglob("*.py")]
    imported = {
        alias.name
        for path in sources
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("allauth.")
        if ".internal" in (node.module or "")
        for alias in node.names
    }
    assert imported == {function.__name__ for function in PINNED}


def test_a_recorded_sign_in_is_among_the_records_of_that_user_alone(
    request_of: HttpRequest, alice: User
) -> None:
    before = timezone.now().timestamp()
    record_authentication(request_of, alice, method="signed in", reauthenticated=True)
    (record,) = get_authentication_records(request_of, alice)
    assert (record["method"], record["reauthenticated"]) == ("signed in", True)
    assert record["at"] >= before - 1
    assert get_authentication_records(request_of, UserFactory.create()) == []


def test_resuming_leads_to_the_next_page_of_the_address_and_nowhere_without(
    request_of: HttpRequest, rf: RequestFactory
) -> None:
    answer = resume_request(request_of)
    assert answer is not None
    assert answer.headers["Location"] == "/account/"
    request_of.GET = rf.get("/").GET
    assert resume_request(request_of) is None


def test_one_code_of_an_app_is_the_same_however_it_is_typed() -> None:
    assert {normalize_user_code(typed) for typed in ("123456", " 123 456", "123-456")} == {"123456"}
