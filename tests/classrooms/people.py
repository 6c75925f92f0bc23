"""Signing in for tests: teachers by force, children through their own session."""

from django.test import Client

from classrooms import signing_in
from classrooms.middleware import SESSION_COOKIE
from classrooms.models import Child, User
from classrooms.secrets import decrypt_pictures


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def client_of_child(child: Child) -> Client:
    pictures = decrypt_pictures(child.pictures_encrypted)
    answer = signing_in.sign_in(child, pictures, "a device of the tests")
    assert isinstance(answer, signing_in.SignedIn)
    client = Client()
    client.cookies[SESSION_COOKIE] = answer.token
    return client
