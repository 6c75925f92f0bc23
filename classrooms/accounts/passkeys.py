"""Forms that read the data of a passkey: JSON that anybody may have written."""

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

PARSE_ERRORS: Final = (
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    RecursionError,
    struct.error,
)
"""The errors in parsing nested JSON, base64, CBOR and WebAuthn records."""


@contextmanager
def refuse_unreadable() -> Iterator[None]:
    """Answer unreadable data like a wrong passkey."""
    try:
        yield
    except PARSE_ERRORS as problem:
        raise get_adapter().validation_error("incorrect_code") from problem


class CredentialField(forms.JSONField):
    """A JSON field that also refuses numbers of thousands of digits and deeply nested lists, on
    which Django's field fails."""

    def to_python(self, value: Any) -> Any:
        with refuse_unreadable():
            return super().to_python(value)


def _credential() -> CredentialField:
    return CredentialField(required=True, widget=forms.HiddenInput)


class AddPasskeyForm(AddWebAuthnForm):
    credential = _credential()

    def clean(self) -> dict[str, Any]:
        with refuse_unreadable():
            return dict(super().clean())


class AuthenticatePasskeyForm(AuthenticateWebAuthnForm):
    credential = _credential()

    def clean_credential(self) -> Authenticator:
        with refuse_unreadable():
            return super().clean_credential()


class LoginPasskeyForm(AuthenticatePasskeyForm, LoginWebAuthnForm):
    pass


class ReauthenticatePasskeyForm(AuthenticatePasskeyForm, ReauthenticateWebAuthnForm):
    pass
