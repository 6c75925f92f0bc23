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

from classrooms.accounts import history
from classrooms.accounts.backend import accounts_of
from classrooms.accounts.limits import tries as limits
from classrooms.accounts.limits.addresses import one_customer
from classrooms.accounts.limits.devices import known_device
from classrooms.http.network import client_address
from classrooms.models import User

BETWEEN_RESET_MAILS: Final = timedelta(minutes=5)


Look = Callable[[list[User]], User | None]
"""Which of these accounts has the password that was typed."""


def sign_in(request: HttpRequest, email: str, look: Look) -> User | None:
    """Whom `look` finds, as the first of the accounts of the address that may still be looked at;
    ValidationError where none may. Each account has its own tries, and so has an address of nobody,
    so that no answer says who has an account. A password that opens one account was a wrong try at
    those before it: else whoever makes an account with somebody's address would guess for free."""
    accounts = accounts_of(email)
    known = {each: device for each in accounts if (device := known_device(request, each))}
    strange = [each for each in accounts if each not in known]
    tries: dict[User | None, limits.Taken] = {}
    for account, device in known.items():
        if try_here := limits.take([limits.on_device("password", device)]):
            tries[account] = try_here
    of_network = None
    if strange or not known:
        of_network = limits.take(_of_network(request))
        if of_network:
            tries |= _as_stranger(strange, email)
    if not tries:
        if of_network:
            limits.give_back(of_network)
        refusal = used_up_here() if known else used_up_for_strangers()
        raise ValidationError(refusal, code="too_many_tries")
    may_try = [account for account in tries if account]
    user = look(may_try)
    if user is not None:
        wrong = may_try[: may_try.index(user)]
        history.wrong_at(wrong)
        right = [taken for account, taken in tries.items() if account not in wrong]
        for each in [*right, of_network] if of_network else right:
            limits.give_back(each)
    return user


def _of_network(request: HttpRequest) -> list[limits.Counter]:
    address = client_address(request)
    return [limits.from_network("password", one_customer(address))] if address else []


def _as_stranger(accounts: list[User], email: str) -> dict[User | None, limits.Taken]:
    """The tries that strangers have left, at each of these accounts or at an address of nobody."""
    counted: dict[User | None, str] = {account: str(account.pk) for account in accounts}
    if not counted:
        counted = {None: same_for_all_spellings(email)}
    taken = {
        account: limits.take([limits.on_strange_devices("password", name)])
        for account, name in counted.items()
    }
    return {account: each for account, each in taken.items() if each}


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
