"""Helpers for tests: signing in adults and children, times and networks, undo buttons."""

import re
from datetime import UTC, datetime
from html import unescape
from typing import Any, Final

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from classrooms.accounts import sessions
from classrooms.audit import What
from classrooms.credentials import decrypt_pictures, encrypt
from classrooms.models import AuditEntry, Child, Membership, School, SchoolClass, User
from classrooms.privacy.export import DECLARED_TABLES, exported_rows
from classrooms.signin import cards
from classrooms.signin import services as signin
from classrooms.signin.children_only import SESSION_COOKIE
from tests.factories import UserFactory


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def client_of_operator(user: User) -> Client:
    """A client of an operator who has passed the second step."""
    Authenticator.objects.get_or_create(
        user=user, type=Authenticator.Type.TOTP, defaults={"data": {"secret": encrypt("A" * 32)}}
    )
    client = client_of(user)
    session = client.session
    records = session[AUTHENTICATION_METHODS_SESSION_KEY]
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "mfa", "at": 0}, *records]
    session.save()
    return client


def confirmed(user: User) -> User:
    """The same user, with a confirmed address."""
    EmailAddress.objects.update_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
    return user


def member(school: School, email: str, role: Membership.Role = Membership.Role.TEACHER) -> User:
    """A user with a confirmed address, who teaches at this school or is its admin."""
    user = confirmed(UserFactory.create(email=email))
    Membership.objects.create(school=school, user=user, role=role)
    return user


def time_passes(client: Client, *, minutes: int, seen: bool = False) -> None:
    """Make the times in the session of an adult older by this much. With `seen`, the adult has done
    something just now."""
    session = client.session
    for name in (sessions.BEGAN_KEY, *(() if seen else (sessions.SEEN_KEY,))):
        session[name] -= minutes * 60
    records = session[AUTHENTICATION_METHODS_SESSION_KEY]
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [
        {**record, "at": record["at"] - minutes * 60} for record in records
    ]
    session.save()


def acts() -> QuerySet[AuditEntry]:
    """The acts in the log except sign-ins, the oldest first."""
    return AuditEntry.objects.exclude(what=What.SIGNED_IN).order_by("pk")


def url_of(name: str, of: Any, *more: object) -> str:
    """The address of this page about a class, a school, or a child or something else of a class."""
    ids = [of.school_class_id, of.pk] if hasattr(of, "school_class_id") else [of.pk]
    return reverse(f"classrooms:{name}", args=[*ids, *more])


def text_on(page: Any) -> str:
    """The HTML of a page without the white space that no reader sees, and without the tokens of its
    forms, whose letters sometimes contain a short name; or the text of another answer."""
    body = re.sub(r'(name="csrfmiddlewaretoken" value=")[^"]+', r"\1", page.text)
    if not page.headers.get("Content-Type", "").startswith("text/html"):
        return body
    return "".join(
        part if part.startswith("<textarea") else _tight(part)
        for part in re.split(r"(?s)(<textarea.*?</textarea>)", body)
    ).strip()


def _tight(html: str) -> str:
    one_space = re.sub(r"[ \n]+", " ", html)
    return re.sub(r"(<\w[^<>]*?) ?(>) ?| (</)", r"\1\2\3", one_space)


def undo_of(page: Any) -> str:
    """The address of the undo button on this page, or of the last of several."""
    *_, address = re.findall(r'action="([^"]+)" class="undo"', text_on(page))
    return unescape(address)


def pictures_of(child: Child) -> tuple[str, ...]:
    return decrypt_pictures(child.pictures_encrypted)


def sign_in_by_card(child: Child, device: str) -> str:
    """Sign the child in by their card, and return the token of the session."""
    (card,) = cards.cards_of([child])
    answer = signin.sign_in_by_card(child, card.token, device)
    return answer.token


def client_of_child(child: Child, *, by_platform: bool = False) -> Client:
    """A client signed in as this child, by pictures or from a learning platform."""
    device = "a device of the tests"
    answer: signin.SignInResult | None = signin.sign_in(child, pictures_of(child), device)
    if by_platform:
        answer = signin.sign_in_if(child, lambda now: True, device)
    assert isinstance(answer, signin.SignedIn)
    client = Client()
    client.cookies[SESSION_COOKIE] = answer.token
    return client


IN_SCHOOL: Final = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
"""A Monday, half past nine in Amsterdam."""
AT_NIGHT: Final = datetime(2026, 3, 2, 21, 0, tzinfo=UTC)
AT_THE_WEEKEND: Final = datetime(2026, 3, 7, 9, 0, tzinfo=UTC)
SCHOOL: Final = "198.41.0.4"
ELSEWHERE: Final = "198.41.0.9"


def class_page_text(user: User, school_class: SchoolClass, query: str = "") -> str:
    url = reverse("classrooms:class", args=[school_class.pk])
    page = client_of(user).get(f"{url}{query}")
    assert page.status_code == 200
    return text_on(page)


def names_in(school_class: SchoolClass) -> list[str]:
    return sorted(school_class.children.values_list("name", flat=True))


def roles(school_class: SchoolClass) -> dict[User, str]:
    return {
        teaching.user: teaching.role for teaching in school_class.teachings.select_related("user")
    }


def all_of(child: Child) -> dict[str, list[dict[str, Any]]]:
    """All data about a child by table, without secrets."""
    return {declared.name: exported_rows(child, declared) for declared in DECLARED_TABLES}
