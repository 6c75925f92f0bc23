"""What a browser sends of a passkey: JSON that anybody may have written."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms

UNREADABLE: Final = (
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    RecursionError,
    struct.error,
)
"""What reading JSON, base64, CBOR and the records of WebAuthn stumbles with, one in the other."""


@contextmanager
def as_a_wrong_answer() -> Iterator[None]:
    """What cannot be read is refused like a passkey that does not fit."""
    try:
        yield
    except UNREADABLE as problem:
        raise get_adapter().validation_error("incorrect_code") from problem


class CredentialField(forms.JSONField):
    """Numbers of thousands of digits and lists within lists without end are refused as well, which
    Django's own field leaves to whoever calls it."""

    def to_python(self, value: Any) -> Any:
        with as_a_wrong_answer():
            return super().to_python(value)


def _credential() -> CredentialField:
    return CredentialField(required=True, widget=forms.HiddenInput)


class AddPasskeyForm(AddWebAuthnForm):
    credential = _credential()

    def clean(self) -> dict[str, Any]:
        with as_a_wrong_answer():
            return dict(super().clean())


class AuthenticatePasskeyForm(AuthenticateWebAuthnForm):
    credential = _credential()

    def clean_credential(self) -> Authenticator:
        with as_a_wrong_answer():
            return super().clean_credential()


class LoginPasskeyForm(AuthenticatePasskeyForm, LoginWebAuthnForm):
    pass


class ReauthenticatePasskeyForm(AuthenticatePasskeyForm, ReauthenticateWebAuthnForm):
    pass
