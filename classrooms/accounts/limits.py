"""Limits on adults' wrong tries by account, device and network, and the devices that accounts
know."""

import json
import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from ipaddress import IPv4Address, ip_network
from typing import Any, Final, Literal
from unicodedata import normalize

from allauth.core import context
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.exceptions import ValidationError
from django.db import connections, router, transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from classrooms.access import SchoolRequest
from classrooms.accounts import sessions
from classrooms.accounts.backends import accounts_of
from classrooms.credentials import device_hash
from classrooms.http import IPV6_BITS, Address, Middleware, client_address, read_address
from classrooms.models import AdultDevice, User
from classrooms.tries import CountedTry, Counter, Limits, forget, give_back, take
from games.shown_once import cookie_flags

# Network addresses: how they are shown, and how they are grouped when tries are counted.

UNKNOWN: Final = str(IPv4Address(0))


def displayed_address(request: HttpRequest) -> str:
    """The client's address for the list of sessions and for allauth's own limits, which always need
    one: `UNKNOWN` if there is none."""
    address = client_address(request) or read_address(request.META.get("REMOTE_ADDR", ""))
    return str(address or UNKNOWN)


def subscriber_network(address: Address) -> str:
    """The part of the address that all computers of a household or a school share."""
    if address.version == 4:
        return str(address)
    return str(ip_network((address, IPV6_BITS), strict=False))


# The devices that an adult's account knows, by a random id in a signed cookie. An id belongs to one
# account on one device, and each sign-in replaces it, so an id that somebody planted or copied is
# soon worthless. The database has only its hash.

DEVICES_COOKIE: Final = "known"
DEVICE_LASTS: Final = timedelta(days=2 * 365)
MOST_OF_A_USER: Final = 20
"""Beyond this number, the devices unused the longest are forgotten."""
MOST_IN_A_COOKIE: Final = 8
"""The most accounts that can know the same device."""
SEPARATOR: Final = "."


def known_device(request: SchoolRequest, user: User | None) -> AdultDevice | None:
    """The device of this request, if the account knows it. The queries are the same without an
    account."""
    known = _devices_of(request)
    return next((device for device in known if user and device.user_id == user.pk), None)


def remember_device(request: SchoolRequest, user: User, *, signed_in: bool) -> AdultDevice:
    """Make this device known to the account. `KnownDeviceMiddleware` sets the cookie."""
    new_id = secrets.token_urlsafe(16)
    now = timezone.now()
    with transaction.atomic():
        device = known_device(request, user) or AdultDevice(user=user)
        replaced = device.device_hash
        device.device_hash = device_hash(new_id)
        device.seen_at = now
        if signed_in:
            device.signed_in_at = now
        device.save()
        latest = AdultDevice.objects.filter(user=user).order_by("-seen_at", "-pk")
        kept = list(latest.values_list("pk", flat=True)[:MOST_OF_A_USER])
        AdultDevice.objects.filter(user=user).exclude(pk__in=kept).delete()
    others = [device_id for device_id in _ids_of(request) if device_hash(device_id) != replaced]
    request.known_device_ids = [new_id, *others][:MOST_IN_A_COOKIE]
    return device


def forget_other_devices(request: SchoolRequest, user: User) -> None:
    """Forget all devices of the account but this one."""
    here = known_device(request, user)
    kept = [here.pk] if here else []
    AdultDevice.objects.filter(user=user).exclude(pk__in=kept).delete()


def forget_expired_devices() -> None:
    """Forget the devices whose cookie has expired."""
    AdultDevice.objects.filter(seen_at__lte=timezone.now() - DEVICE_LASTS).delete()


def _devices_of(request: SchoolRequest) -> list[AdultDevice]:
    ids = _ids_of(request)
    if not ids:
        return []
    return list(
        AdultDevice.objects.filter(device_hash__in=[device_hash(device_id) for device_id in ids])
    )


def _ids_of(request: SchoolRequest) -> list[str]:
    """The ids that the response will set, or else those in the cookie."""
    if hasattr(request, "known_device_ids"):
        return request.known_device_ids
    cookie = request.get_signed_cookie(
        DEVICES_COOKIE, default="", salt=DEVICES_COOKIE, max_age=DEVICE_LASTS
    )
    return [device_id for device_id in str(cookie).split(SEPARATOR) if device_id][:MOST_IN_A_COOKIE]


class KnownDeviceMiddleware(Middleware):
    """Sets the cookie on a device that an account has just got to know."""

    def __call__(self, request: SchoolRequest) -> HttpResponse:
        response = self.get_response(request)
        if hasattr(request, "known_device_ids"):
            response.set_signed_cookie(
                DEVICES_COOKIE,
                SEPARATOR.join(request.known_device_ids),
                salt=DEVICES_COOKIE,
                max_age=DEVICE_LASTS,
                **cookie_flags(),
            )
        return response


# A cache in the database, so that limits hold for all processes together, with or without Redis. A
# valid entry is never evicted; from Django's own caches a stranger could push it out, and would get
# new tries. `add` is atomic between processes, even for an expired entry, for which Django's
# database cache lets two callers succeed. Inside a transaction a second caller waits for the first.

ADD: Final = """
    INSERT INTO {table} (key_hash, value, ends_at) VALUES (%s, %s, %s)
    ON CONFLICT (key_hash) DO UPDATE SET value = excluded.value, ends_at = excluded.ends_at
    WHERE {table}.ends_at <= %s
"""


def key_hash(key: str) -> str:
    """The keyed hash of a key. Keys contain network and mail addresses; the table does not."""
    return salted_hmac("classrooms.accounts.store", key, algorithm="sha256").hexdigest()


class SharedStore(BaseCache):
    """A Django cache of JSON values. Timeouts are in seconds; None means forever."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        now = timezone.now()
        ends_at = self._end(now, timeout)
        if ends_at is not None and ends_at <= now:
            return not self._live(now).filter(pk=self._hash(key, version)).exists()
        model = self._model()
        connection = connections[router.db_for_write(model)]
        adapt = connection.ops.adapt_datetimefield_value
        with connection.cursor() as cursor:
            cursor.execute(
                ADD.format(table=connection.ops.quote_name(model._meta.db_table)),
                [
                    self._hash(key, version),
                    json.dumps(value),
                    None if ends_at is None else adapt(ends_at),
                    adapt(now),
                ],
            )
            return cursor.rowcount == 1

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        entries = self._live(timezone.now()).filter(pk=self._hash(key, version))
        return next(iter(entries.values_list("value", flat=True)), default)

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        entry = self._model()(
            key_hash=self._hash(key, version),
            value=value,
            ends_at=self._end(timezone.now(), timeout),
        )
        self._model()._default_manager.bulk_create(
            [entry],
            update_conflicts=True,
            unique_fields=["key_hash"],
            update_fields=["value", "ends_at"],
        )

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        now = timezone.now()
        entries = self._live(now).filter(pk=self._hash(key, version))
        return entries.update(ends_at=self._end(now, timeout)) > 0

    def delete(self, key: Any, version: int | None = None) -> bool:
        entries = self._model()._default_manager.filter(pk=self._hash(key, version))
        return entries.delete()[0] > 0

    def clear(self) -> None:
        self._model()._default_manager.all().delete()

    def forget_ended(self) -> None:
        self._model()._default_manager.filter(ends_at__lte=timezone.now()).delete()

    def _live(self, now: datetime) -> QuerySet[Any]:
        return self._model()._default_manager.filter(Q(ends_at__gt=now) | Q(ends_at=None))

    def _end(self, now: datetime, timeout: Any) -> datetime | None:
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        return None if seconds is None else now + timedelta(seconds=seconds)

    def _hash(self, key: Any, version: int | None) -> str:
        return key_hash(self.make_key(key, version=version))

    @staticmethod
    def _model() -> Any:
        """The model, imported late: the settings name this module before models are loaded."""
        from classrooms.models import SharedValue

        return SharedValue


# The limits on wrong tries at sign-in. `docs/signing-in.md` has the reasons.

OF_AN_ACCOUNT: Final[Limits] = ((20, timedelta(hours=24)), (100, timedelta(days=30)))
"""On all strange devices together, and on each device that the account knows."""
OF_AN_ADDRESS: Final[Limits] = ((100, timedelta(hours=1)),)
"""From one network, on all devices that the account does not know."""

SignInStep = Literal["password", "code"]
"""The secret that is typed: the password, or the code of the second step."""
SIGN_IN_STEPS: Final[tuple[SignInStep, ...]] = ("password", "code")


def on_strange_devices(step: SignInStep, account: str) -> Counter:
    """The counter of all strange devices together. `account` is the account's id, or an address
    without an account."""
    return Counter(f"{step}:account:{account}", OF_AN_ACCOUNT)


def on_device(step: SignInStep, device: AdultDevice) -> Counter:
    return Counter(f"{step}:device:{device.pk}", OF_AN_ACCOUNT)


def in_session(step: SignInStep, session_key: str) -> Counter:
    """The counter of a session on a device that the account does not know."""
    return Counter(f"{step}:session:{session_key}", OF_AN_ACCOUNT)


def from_network(step: SignInStep, network: str) -> Counter:
    return Counter(f"{step}:from:{network}", OF_AN_ADDRESS)


def take_or_refuse(counters: Iterable[Counter], refusal: str) -> CountedTry:
    """Count a try in each counter. Raises `ValidationError` with `refusal` if one is used up."""
    taken = take(counters)
    if taken is None:
        raise ValidationError(refusal, code="too_many_tries")
    return taken


def forget_tries(step: SignInStep, user: User) -> None:
    """Forget earlier tries at this account, on all devices."""
    devices = AdultDevice.objects.filter(user=user)
    forget(
        [on_strange_devices(step, str(user.pk)), *(on_device(step, device) for device in devices)]
    )


# An adult's password is checked only while there are tries left. Wrong passwords on a device that
# the account knows count for that device only. On strange devices they count together, and also by
# network. So a stranger cannot lock anybody out: when the stranger's tries are used up, known
# devices and the mail for a new password still work.

BETWEEN_RESET_MAILS: Final = timedelta(minutes=5)
MAILS_TO_STRANGERS: Final[Limits] = ((60, timedelta(hours=1)), (300, timedelta(hours=24)))
"""From one network. Enough for a school whose teachers all sign up on one day."""
FindAccount = Callable[[list[User]], User | None]
"""Returns which of these accounts has the typed password."""


def sign_in(request: SchoolRequest, email: str, find_account: FindAccount) -> User | None:
    """The account that `find_account` picks from those with this address and with tries left.
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
        if try_here := take([on_device("password", device)]):
            tries[account] = try_here
    of_network = None
    if strange or not known:
        of_network = take(_of_network(request))
        if of_network:
            tries |= _count_as_stranger(strange, email)
    if not tries:
        if of_network:
            give_back(of_network)
        refusal = wrong_passwords_here() if known else wrong_passwords_elsewhere()
        raise ValidationError(refusal, code="too_many_tries")
    may_try = [account for account in tries if account]
    user = find_account(may_try)
    if user is not None:
        wrong = may_try[: may_try.index(user)]
        sessions.log_wrong_passwords(wrong)
        right = [taken for account, taken in tries.items() if account not in wrong]
        for counted in [*right, of_network] if of_network else right:
            give_back(counted)
    return user


def _of_network(request: SchoolRequest) -> list[Counter]:
    address = client_address(request)
    return [from_network("password", subscriber_network(address))] if address else []


def _count_as_stranger(accounts: list[User], email: str) -> dict[User | None, CountedTry]:
    """Count a try on a strange device at each of these accounts, or at an address without any."""
    counted: dict[User | None, str] = {account: str(account.pk) for account in accounts}
    if not counted:
        counted = {None: normalized_address(email)}
    taken = {
        account: take([on_strange_devices("password", name)]) for account, name in counted.items()
    }
    return {account: each for account, each in taken.items() if each}


def check(request: SchoolRequest, user: User, password: str) -> bool:
    """Whether this is the password of the signed-in user. Raises `ValidationError` if no try is
    left."""
    device = known_device(request, user)
    counter = (
        on_device("password", device)
        if device
        else in_session("password", request.session.session_key or "")
    )
    taken = take_or_refuse([counter], wrong_passwords_here())
    is_right = user.check_password(password)
    if is_right:
        give_back(taken)
    return is_right


def may_mail_reset(email: str) -> bool:
    """Whether a mail for a new password may go to this address now, and count it if so: one in five
    minutes, even for simultaneous requests."""
    key = f"reset-mail:{normalized_address(email)}"
    return cache.add(key, True, BETWEEN_RESET_MAILS.total_seconds())


def may_mail_stranger(request: HttpRequest) -> bool:
    """Whether somebody in this network may cause another mail to an address that nobody has
    confirmed; count it if so. The page looks the same either way."""
    address = client_address(request)
    if address is None:
        return True
    network = subscriber_network(address)
    return take([Counter(f"mail:from:{network}", MAILS_TO_STRANGERS)]) is not None


def normalized_address(email: str) -> str:
    return normalize("NFKC", email).strip().casefold()


def wrong_passwords_here() -> str:
    return _(
        "There have been too many wrong tries on this device. Choose “Forgot your password?”, "
        "or use another device on which you have signed in before."
    )


def wrong_passwords_elsewhere() -> str:
    return _(
        "There have been too many wrong tries on new devices. Use a device on which you have "
        "signed in before, or choose “Forgot your password?”."
    )


# A code of the second step is checked only while there are tries left, and works once. A person
# who gets here knows the password. Wrong codes on a device where the account has signed in before
# count for that device only. Those on all other devices count together, so that a thief of the
# password uses up no tries of the owner. A passkey cannot be guessed and is not counted.


class _LimitedCodeForm(BaseAuthenticateForm):
    """A form with a code that is checked only while there are tries left."""

    user: User

    def clean_code(self) -> Any:
        taken = _take(context.request, self.user)
        code = super().clean_code()
        _use_once(self.user, code)
        give_back(taken)
        return code


class SignInForm(_LimitedCodeForm, AuthenticateForm):
    """Asks for the code after the password."""


class CodeAgainForm(_LimitedCodeForm, ReauthenticateForm):
    """Asks a signed-in person for a code again."""


def _take(request: SchoolRequest, user: User) -> CountedTry:
    device = known_device(request, user)
    if device and device.signed_in_at:
        return take_or_refuse([on_device("code", device)], wrong_codes_here())
    if request.user.is_authenticated:
        session = in_session("code", request.session.session_key or "")
        return take_or_refuse([session], wrong_codes_here())
    # A device on which the account has only chosen a new password is strange here. Otherwise each
    # mail for a new password would give its reader more guesses at the second step.
    strange = on_strange_devices("code", str(user.pk))
    return take_or_refuse([strange], wrong_codes_elsewhere())


def _use_once(user: User, code: str) -> None:
    """Refuse a code that was used before. allauth remembers it for one period, but it is valid for
    longer."""
    periods = 2 * app_settings.TOTP_TOLERANCE + 1
    key = f"used-code:{user.pk}:{normalize_user_code(code)}"
    if not cache.add(key, True, app_settings.TOTP_PERIOD * periods):
        raise get_adapter().validation_error("incorrect_code")


def wrong_codes_here() -> str:
    return _(
        "There have been too many wrong codes on this device. Use a device on which you have "
        "signed in before, or try again tomorrow."
    )


def wrong_codes_elsewhere() -> str:
    return _(
        "There have been too many wrong codes on new devices, so somebody may know your "
        "password. Use a device on which you have signed in before, and choose a new password "
        "there."
    )
