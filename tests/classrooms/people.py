"""Signing in for tests: teachers by force, children through their own session."""

from django.db.models import QuerySet
from django.test import Client

from classrooms import signing_in
from classrooms.audit import What
from classrooms.middleware import SESSION_COOKIE
from classrooms.models import AuditEntry, Child, User
from classrooms.secrets import decrypt_pictures


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def acts() -> QuerySet[AuditEntry]:
    """What the log says besides who signed in, the first first."""
    return AuditEntry.objects.exclude(what=What.SIGNED_IN).order_by("pk")


def client_of_child(child: Child) -> Client:
    pictures = decrypt_pictures(child.pictures_encrypted)
    answer = signing_in.sign_in(child, pictures, "a device of the tests")
    assert isinstance(answer, signing_in.SignedIn)
    client = Client()
    client.cookies[SESSION_COOKIE] = answer.token
    return client
