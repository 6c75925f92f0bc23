"""Limits on adults' wrong tries, by account, device and network."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from ipaddress import IPv4Address, ip_network
from typing import Any, Final, Literal
from unicodedata import normalize

from allauth.core import context
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from classrooms.access import SchoolRequest
from classrooms.accounts import sessions
from classrooms.accounts.backends import accounts_of
from classrooms.accounts.known_devices import known_device
from classrooms.models import AdultDevice, User
from classrooms.network import IPV6_BITS, Address, client_address, read_address
from classrooms.tries import CountedTry, Counter, Limits, count_tries, give_back, reset_counters

UNKNOWN_ADDRESS: Final = str(IPv4Address(0))


def displayed_address(request: HttpRequest) -> str:
    """The client's address for the list of sessions and for allauth's own limits, which cannot do
    without; `UNKNOWN_ADDRESS` if there is none."""
    address = client_address(request) or read_address(request.META.get("REMOTE_ADDR", ""))
    return str(address or UNKNOWN_ADDRESS)


def subscriber_network(address: Address) -> str:
    """The part of the address that all computers of a household or a school share."""
    if address.version == 4:
        return str(address)
    return str(ip_network((address, IPV6_BITS), strict=False))


# The limits on wrong tries at sign-in. `docs/signing-in.md` has the reasons.

ACCOUNT_LIMITS: Final[Limits] = ((20, timedelta(hours=24)), (100, timedelta(days=30)))
"""For wrong tries at an account, on all strange devices together and on each known device."""
NETWORK_LIMITS: Final[Limits] = ((100, timedelta(hours=1)),)
"""For wrong tries from one network, on all devices that are not known to the account."""

SignInStep = Literal["password", "code"]
"""The secret that is typed: the password, or the code of the second step."""
SIGN_IN_STEPS: Final[tuple[SignInStep, ...]] = ("password", "code")
WRONG_PASSWORDS_HERE: Final = gettext_lazy(
    "There have been too many wrong tries on this device. Choose “Forgot your password?”, "
    "or use another device on which you have signed in before."
)
WRONG_PASSWORDS_ELSEWHERE: Final = gettext_lazy(
    "There have been too many wrong tries on new devices. Use a device on which you have "
    "signed in before, or choose “Forgot your password?”."
)
WRONG_CODES_HERE: Final = gettext_lazy(
    "There have been too many wrong codes on this device. Use a device on which you have "
    "signed in before, or try again tomorrow."
)
WRONG_CODES_ELSEWHERE: Final = gettext_lazy(
    "There have been too many wrong codes on new devices, so somebody may know your "
    "password. Use a device on which you have signed in before, and choose a new password "
    "there."
)


def strange_devices_counter(step: SignInStep, account: str) -> Counter:
    """Counts tries on all strange devices together. `account` is an account's id, or an address
    without an account."""
    return Counter(f"{step}:account:{account}", ACCOUNT_LIMITS)


def device_counter(step: SignInStep, device: AdultDevice) -> Counter:
    return Counter(f"{step}:device:{device.pk}", ACCOUNT_LIMITS)


def session_counter(step: SignInStep, session_key: str) -> Counter:
    """Counts tries in a session on a device that is not known to the account."""
    return Counter(f"{step}:session:{session_key}", ACCOUNT_LIMITS)


def network_counter(step: SignInStep, network: str) -> Counter:
    return Counter(f"{step}:from:{network}", NETWORK_LIMITS)


def count_try(counters: Iterable[Counter], refusal: Promise) -> CountedTry:
    """Count a try in each counter. Raises `ValidationError` with `refusal` if one is used up."""
    counted_try = count_tries(counters)
    if counted_try is None:
        raise ValidationError(str(refusal), code="too_many_tries")
    return counted_try


def forget_tries(step: SignInStep, user: User) -> None:
    """Forget earlier tries at this account, on all devices."""
    devices = AdultDevice.objects.filter(user=user)
    reset_counters(
        [
            strange_devices_counter(step, str(user.pk)),
            *(device_counter(step, device) for device in devices),
        ]
    )


# An adult's password is checked only while there are tries left. Wrong passwords on a known device
# count for that device only. On strange devices they count together, and also for their network. So
# a stranger cannot lock anybody out: when the stranger's tries are used up, known devices and the
# mail for a new password still work.

RESET_MAIL_INTERVAL: Final = timedelta(minutes=5)
STRANGER_MAIL_LIMITS: Final[Limits] = ((60, timedelta(hours=1)), (300, timedelta(hours=24)))
"""For mails that one network causes. Enough for a school whose teachers all sign up on one day."""
FindAccount = Callable[[list[User]], User | None]
"""Finds the one of these accounts that has the typed password."""


def sign_in(request: SchoolRequest, email: str, find_account: FindAccount) -> User | None:
    """The account that `find_account` picks from those that have this address and tries left.
    Raises `ValidationError` if none has tries left.

    Each account has its own tries, and so has an address without an account, so that the answer
    does not tell which addresses have one. A password that opens one account counts as a wrong try
    at the accounts before it. Otherwise somebody who registers with another person's address could
    guess that person's password without a limit.
    """
    accounts = accounts_of(email)
    known = {account: device for account in accounts if (device := known_device(request, account))}
    strange = [account for account in accounts if account not in known]
    tries: dict[User | None, CountedTry] = {}
    for account, device in known.items():
        if try_here := count_tries([device_counter("password", device)]):
            tries[account] = try_here
    network_try = None
    if strange or not known:
        address = client_address(request)
        networks = [subscriber_network(address)] if address else []
        network_try = count_tries(network_counter("password", network) for network in networks)
        if network_try:
            tries |= _count_as_stranger(strange, email)
    if not tries:
        if network_try:
            give_back(network_try)
        refusal = WRONG_PASSWORDS_HERE if known else WRONG_PASSWORDS_ELSEWHERE
        raise ValidationError(refusal, code="too_many_tries")
    candidates = [account for account in tries if account]
    user = find_account(candidates)
    if user is not None:
        wrong = candidates[: candidates.index(user)]
        sessions.log_wrong_passwords(wrong)
        right = [one_try for account, one_try in tries.items() if account not in wrong]
        for one_try in [*right, network_try] if network_try else right:
            give_back(one_try)
    return user


def _count_as_stranger(accounts: list[User], email: str) -> dict[User | None, CountedTry]:
    """Count a try on a strange device at each of these accounts, or at an address without one."""
    names: dict[User | None, str] = {account: str(account.pk) for account in accounts}
    if not names:
        names = {None: normalized_address(email)}
    tries = {
        account: count_tries([strange_devices_counter("password", name)])
        for account, name in names.items()
    }
    return {account: one_try for account, one_try in tries.items() if one_try}


def check_password(request: SchoolRequest, user: User, password: str) -> bool:
    """Whether this is the password of the signed-in user. Raises `ValidationError` if no try is
    left."""
    device = known_device(request, user)
    counter = (
        device_counter("password", device)
        if device
        else session_counter("password", request.session.session_key or "")
    )
    counted_try = count_try([counter], WRONG_PASSWORDS_HERE)
    is_right = user.check_password(password)
    if is_right:
        give_back(counted_try)
    return is_right


def may_mail_reset(email: str) -> bool:
    """Whether a mail for a new password may go to this address now. If so, count it: an address
    gets one in five minutes, even for simultaneous requests."""
    key = f"reset-mail:{normalized_address(email)}"
    return cache.add(key, True, RESET_MAIL_INTERVAL.total_seconds())


def may_mail_stranger(request: HttpRequest) -> bool:
    """Whether somebody in this network may cause another mail to an address that nobody has
    confirmed. If so, count it. The page looks the same either way."""
    address = client_address(request)
    if address is None:
        return True
    network = subscriber_network(address)
    return count_tries([Counter(f"mail:from:{network}", STRANGER_MAIL_LIMITS)]) is not None


def normalized_address(email: str) -> str:
    return normalize("NFKC", email).strip().casefold()


# A code of the second step works once, and is checked only while there are tries left. The person
# who enters it knows the password. Wrong codes on a device where the account has signed in before
# count for that device only. Those on all other devices count together, so that a thief of the
# password uses up no tries of the owner. A passkey cannot be guessed and is not counted.


class _LimitedCodeForm(BaseAuthenticateForm):
    """A form with a code that is checked only while there are tries left."""

    user: User

    def clean_code(self) -> Any:
        counted_try = _count_code_try(context.request, self.user)
        code = super().clean_code()
        _use_once(self.user, code)
        give_back(counted_try)
        return code


class SignInForm(_LimitedCodeForm, AuthenticateForm):
    """Asks for the code after the password."""


class CodeAgainForm(_LimitedCodeForm, ReauthenticateForm):
    """Asks a signed-in person for a code again."""


def _count_code_try(request: SchoolRequest, user: User) -> CountedTry:
    device = known_device(request, user)
    if device and device.signed_in_at:
        return count_try([device_counter("code", device)], WRONG_CODES_HERE)
    if request.user.is_authenticated:
        session = session_counter("code", request.session.session_key or "")
        return count_try([session], WRONG_CODES_HERE)
    # A device on which the account has only chosen a new password is strange here. Otherwise each
    # mail for a new password would give its reader more guesses at the second step.
    strange = strange_devices_counter("code", str(user.pk))
    return count_try([strange], WRONG_CODES_ELSEWHERE)


def _use_once(user: User, code: str) -> None:
    """Refuse a code that was used before. allauth remembers a used code for one period, but it is
    valid for longer."""
    periods = 2 * app_settings.TOTP_TOLERANCE + 1
    key = f"used-code:{user.pk}:{normalize_user_code(code)}"
    if not cache.add(key, True, app_settings.TOTP_PERIOD * periods):
        raise get_adapter().validation_error("incorrect_code")
