"""A code of the second step is checked only while there are tries left, and works once.

Whoever gets here has the password. Wrong codes on a device where the account has signed in before
count for that device only; those on all others count together, so a thief of the password uses up
no tries of the owner. A passkey cannot be guessed and is not counted.
"""

from typing import Any

from allauth.core import context
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django.core.cache import cache
from django.utils.translation import gettext as _

from classrooms.access import SchoolRequest
from classrooms.accounts.limits import tries
from classrooms.accounts.limits.devices import known_device
from classrooms.models import User


class _Counted(BaseAuthenticateForm):
    """A form with a code, which is checked only while there are tries left."""

    user: User

    def clean_code(self) -> Any:
        taken = _take(context.request, self.user)
        code = super().clean_code()
        _use_once(self.user, code)
        tries.give_back(taken)
        return code


class SignInForm(_Counted, AuthenticateForm):
    """The code after the password."""


class AgainForm(_Counted, ReauthenticateForm):
    """The code again, from someone who is signed in."""


def _take(request: SchoolRequest, user: User) -> tries.Taken:
    device = known_device(request, user)
    if device and device.signed_in_at:
        return tries.take_or_refuse([tries.on_device("code", device)], used_up_here())
    if request.user.is_authenticated:
        session = tries.in_session("code", request.session.session_key or "")
        return tries.take_or_refuse([session], used_up_here())
    # A device where only a new password was chosen counts as strange here. Otherwise each mail for
    # a new password would give whoever reads the mail more guesses at the second step.
    strange = tries.on_strange_devices("code", str(user.pk))
    return tries.take_or_refuse([strange], used_up_for_strangers())


def _use_once(user: User, code: str) -> None:
    """allauth remembers a used code for one period only, but the code stays valid for longer."""
    periods = 2 * app_settings.TOTP_TOLERANCE + 1
    key = f"used-code:{user.pk}:{normalize_user_code(code)}"
    if not cache.add(key, True, app_settings.TOTP_PERIOD * periods):
        raise get_adapter().validation_error("incorrect_code")


def used_up_here() -> str:
    return _(
        "There have been too many wrong codes on this device. Use a device on which you have "
        "signed in before, or try again tomorrow."
    )


def used_up_for_strangers() -> str:
    return _(
        "There have been too many wrong codes on new devices, so somebody may know your "
        "password. Use a device on which you have signed in before, and choose a new password "
        "there."
    )
