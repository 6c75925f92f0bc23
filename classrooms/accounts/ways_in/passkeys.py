"""Passkey data sent by a browser: JSON that anybody may have written."""

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
"""Errors raised by parsing JSON, base64, CBOR and WebAuthn records nested in one another."""


@contextmanager
def refused_when_unreadable() -> Iterator[None]:
    """Unreadable data is refused like a wrong passkey."""
    try:
        yield
    except UNREADABLE as problem:
        raise get_adapter().validation_error("incorrect_code") from problem


class CredentialField(forms.JSONField):
    """Also refuses numbers of thousands of digits and endlessly nested lists, where Django's own
    field raises."""

    def to_python(self, value: Any) -> Any:
        with refused_when_unreadable():
            return super().to_python(value)


def _credential() -> CredentialField:
    return CredentialField(required=True, widget=forms.HiddenInput)


class AddPasskeyForm(AddWebAuthnForm):
    credential = _credential()

    def clean(self) -> dict[str, Any]:
        with refused_when_unreadable():
            return dict(super().clean())


class AuthenticatePasskeyForm(AuthenticateWebAuthnForm):
    credential = _credential()

    def clean_credential(self) -> Authenticator:
        with refused_when_unreadable():
            return super().clean_credential()


class LoginPasskeyForm(AuthenticatePasskeyForm, LoginWebAuthnForm):
    pass


class ReauthenticatePasskeyForm(AuthenticatePasskeyForm, ReauthenticateWebAuthnForm):
    pass
