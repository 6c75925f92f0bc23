"""An adult's password is checked only while there are tries left.

Wrong passwords on a device the account knows count for that device only; those on strange devices
count together, and per network address. A stranger cannot lock anybody out: using up the tries of
strange devices affects neither the known devices nor the mail for a new password.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Final
from unicodedata import normalize

from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from classrooms.access import SchoolRequest
from classrooms.accounts import history
from classrooms.accounts.backend import accounts_of
from classrooms.accounts.limits import tries as limits
from classrooms.accounts.limits.addresses import customer_network
from classrooms.accounts.limits.devices import known_device
from classrooms.http.network import client_address
from classrooms.models import User

BETWEEN_RESET_MAILS: Final = timedelta(minutes=5)
MAILS_TO_STRANGERS: Final[limits.Limits] = ((60, timedelta(hours=1)), (300, timedelta(hours=24)))
"""From one network: a school whose teachers all sign up on one day."""


FindAccount = Callable[[list[User]], User | None]
"""Which of these accounts has the password that was typed."""


def sign_in(request: SchoolRequest, email: str, find_account: FindAccount) -> User | None:
    """The account that `find_account` picks from those with this address that have tries left;
    ValidationError where none has. Each account has its own tries, and so has an address without an
    account, so that no answer shows who has one. A password that opens one account counts as a
    wrong try at those before it; otherwise someone who registers with another's address could guess
    for free."""
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
    user = find_account(may_try)
    if user is not None:
        wrong = may_try[: may_try.index(user)]
        history.log_wrong_passwords(wrong)
        right = [taken for account, taken in tries.items() if account not in wrong]
        for each in [*right, of_network] if of_network else right:
            limits.give_back(each)
    return user


def _of_network(request: SchoolRequest) -> list[limits.Counter]:
    address = client_address(request)
    return [limits.from_network("password", customer_network(address))] if address else []


def _as_stranger(accounts: list[User], email: str) -> dict[User | None, limits.Taken]:
    """Tries from strange devices, at each of these accounts or at an address without one."""
    counted: dict[User | None, str] = {account: str(account.pk) for account in accounts}
    if not counted:
        counted = {None: normalized_address(email)}
    taken = {
        account: limits.take([limits.on_strange_devices("password", name)])
        for account, name in counted.items()
    }
    return {account: each for account, each in taken.items() if each}


def check(request: SchoolRequest, user: User, password: str) -> bool:
    """Whether this is the password of the signed-in user; ValidationError where no try is left."""
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
    """Whether a mail for a new password may go to this address now: one in five minutes, whoever
    requests it, also of simultaneous requests."""
    key = f"reset-mail:{normalized_address(email)}"
    return cache.add(key, True, BETWEEN_RESET_MAILS.total_seconds())


def may_mail_stranger(request: HttpRequest) -> bool:
    """Whether one more mail may go to an address that this network has typed and nobody has
    confirmed. It is no answer to the one who typed it, who sees the same page."""
    address = client_address(request)
    if address is None:
        return True
    network = customer_network(address)
    return limits.take([limits.Counter(f"mail:from:{network}", MAILS_TO_STRANGERS)]) is not None


def normalized_address(email: str) -> str:
    return normalize("NFKC", email).strip().casefold()


def used_up_here() -> str:
    return _(
        "There have been too many wrong tries on this device. Choose “Forgot your password?”, "
        "or use another device on which you have signed in before."
    )


def used_up_for_strangers() -> str:
    return _(
        "There have been too many wrong tries on new devices. Use a device on which you have "
        "signed in before, or choose “Forgot your password?”."
    )
