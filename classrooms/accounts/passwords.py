"""An adult's password is looked at only while there are tries left.

Wrong ones on a device that the account knows count for that device alone; those on strange devices
count together, and by network address. So a stranger shuts nobody out: who has used up the tries
of strangers has touched neither a known device nor the mail for a new password.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Final
from unicodedata import normalize

from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from classrooms.models import User
from classrooms.network import client_address

from . import limits
from .addresses import one_customer
from .backend import accounts_of
from .devices import known_device

BETWEEN_RESET_MAILS: Final = timedelta(minutes=5)


Look = Callable[[list[User]], User | None]
"""Which of these accounts has the password that was typed."""


def sign_in(request: HttpRequest, email: str, look: Look) -> User | None:
    """Whom `look` finds among the accounts of the address that may still be looked at;
    ValidationError where none may. An address of nobody has its own tries, so that no answer says
    who has an account."""
    accounts = accounts_of(email)
    known = {each: device for each in accounts if (device := known_device(request, each))}
    strange = [each for each in accounts if each not in known]
    may_try: list[User] = []
    taken: list[limits.Taken] = []
    for account, device in known.items():
        if try_here := limits.take([limits.on_device("password", device)]):
            may_try.append(account)
            taken.append(try_here)
    if strange or not known:
        counters = _counters_of_strangers(request, strange, email)
        if try_as_stranger := limits.take(counters):
            may_try += strange
            taken.append(try_as_stranger)
    if not taken:
        refusal = used_up_here() if known else used_up_for_strangers()
        raise ValidationError(refusal, code="too_many_tries")
    user = look(may_try)
    if user is not None:
        for each in taken:
            limits.give_back(each)
    return user


def _counters_of_strangers(
    request: HttpRequest, accounts: list[User], email: str
) -> list[limits.Counter]:
    """One for the address of the account, by its first holder, and one for the network."""
    account = str(accounts[0].pk) if accounts else same_for_all_spellings(email)
    counters = [limits.on_strange_devices("password", account)]
    if address := client_address(request):
        counters.append(limits.from_network("password", one_customer(address)))
    return counters


def check(request: HttpRequest, user: User, password: str) -> bool:
    """Whether this is the password of who is signed in here; ValidationError where no try is
    left."""
    device = known_device(request, user)
    counter = (
        limits.on_device("password", device)
        if device
        else limits.in_session("password", request.session.session_key or "")
    )
    taken = limits.take_or_refuse([counter], used_up_here())
    is_right = user.check_password(password)
    if is_right:
        limits.give_back(taken)
    return is_right


def may_mail_reset(email: str) -> bool:
    """Whether a mail for a new password may go to this address now. One in five minutes may,
    whoever asks; of several that are asked for at once, one."""
    key = f"reset-mail:{same_for_all_spellings(email)}"
    return cache.add(key, True, BETWEEN_RESET_MAILS.total_seconds())


def same_for_all_spellings(email: str) -> str:
    return normalize("NFKC", email).strip().casefold()


def used_up_here() -> str:
    return _(
        "There were too many wrong tries on this device. "
        "Choose “Forgot your password?”, or use another device on which you have signed in."
    )


def used_up_for_strangers() -> str:
    return _(
        "There were too many wrong tries on new devices. "
        "Use a device on which you have signed in before, or choose “Forgot your password?”."
    )
