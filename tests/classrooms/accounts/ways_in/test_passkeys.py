"""Invalid passkey data is refused."""

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from classrooms.models import User
from tests.classrooms.people import client_of
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db

SHAPE = (
    '{"id":"eA","rawId":"eA","type":"public-key","response":{"clientDataJSON":"e30",'
    '"authenticatorData":"eA","attestationObject":"eA","signature":"eA","userHandle":"MQ"}}'
)
NO_PASSKEYS = {
    "digits without end": "9" * 4301,
    "lists in lists": "[" * 50_000,
    "a number": "1",
    "a text where an object is wanted": '{"response":"x"}',
    "no object": "[1]",
    "records too short to be read": SHAPE,
    "numbers where texts are wanted": SHAPE.replace('"eA"', "1"),
    "no base64": SHAPE.replace('"eA"', '"=!"'),
    "nobody's handle": SHAPE.replace('"MQ"', "null"),
}
each_of_them = pytest.mark.parametrize("sent", NO_PASSKEYS.values(), ids=NO_PASSKEYS.keys())


@each_of_them
def test_what_is_no_passkey_signs_nobody_in(client: Client, sent: str) -> None:
    client.get(reverse("mfa_login_webauthn"))
    answer = client.post(reverse("mfa_login_webauthn"), {"credential": sent})
    assert answer.status_code in (200, 302)
    assert "_auth_user_id" not in client.session


@each_of_them
def test_what_is_no_passkey_is_not_added(alice: User, sent: str) -> None:
    client = client_of(alice)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.get(reverse("mfa_add_webauthn"))
    answer = client.post(reverse("mfa_add_webauthn"), {"credential": sent, "name": "x"})
    assert answer.status_code == 200
    assert not Authenticator.objects.filter(user=alice).exists()
