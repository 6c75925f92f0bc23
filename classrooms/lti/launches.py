"""Launches, by which people sign in from a platform.

`begin` makes a signed `state` with a nonce, for one browser. The platform sends it back with a
token, whose message `receive` checks and stores. The browser's next request has its cookies, and
`message_of` reads the stored message. Finally `end` ends the launch: a child is signed in, or an
adult who is signed in here goes on to their class.
"""

import secrets
from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from django.core import signing
from django.db import IntegrityError, transaction
from django.utils import timezone

from classrooms.audit import What, audit
from classrooms.credentials import token_hash
from classrooms.lti import messages, outgoing
from classrooms.lti.messages import Message, Refused
from classrooms.lti.models import Launch, Platform
from classrooms.lti.platforms import key_for
from classrooms.models import Assignment, SchoolClass
from classrooms.tries import HOUR, Counter, Limits, count_tries, is_used_up

REFUSAL_LIMITS: Final[Limits] = ((600, HOUR),)
"""After this many refused launches from one network, all others are refused."""
STATE_LASTS: Final = 10 * 60
CHILD_LAUNCH_LASTS: Final = timedelta(minutes=10)
ADULT_LAUNCH_LASTS: Final = timedelta(hours=1)
"""Enough time to sign in and to choose an assignment."""
STATE: Final = "classrooms.lti.state"


def begin(
    platform: Platform, browser: str, parameters: Mapping[str, str], launch: str, frame: str
) -> str:
    """The address of the platform to which the browser is sent. `browser` is the secret of this
    browser, `parameters` are those of the platform's request, `launch` is the address that gets the
    token, and `frame` the hash of the token in the frame that waits. Stores nothing. Raises
    `Refused`."""
    _check_ready(platform)
    if parameters.get("iss") != platform.issuer:
        raise Refused("issuer")
    if parameters.get("client_id", platform.client_id) != platform.client_id:
        raise Refused("audience")
    if parameters.get("lti_deployment_id", platform.deployment) != platform.deployment:
        raise Refused("deployment")
    target = parameters.get("target_link_uri", launch)
    if not messages.is_of_site(target, urlsplit(launch).netloc):
        raise Refused("target")
    if not parameters.get("login_hint"):
        raise Refused("unreadable")
    nonce = secrets.token_urlsafe(24)
    state = signing.dumps([str(platform.pk), token_hash(browser), nonce, frame], salt=STATE)
    query = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": platform.client_id,
        "redirect_uri": launch,
        "login_hint": parameters["login_hint"],
        "state": state,
        "nonce": nonce,
    }
    if hint := parameters.get("lti_message_hint"):
        query["lti_message_hint"] = hint
    return f"{platform.auth_url}{'&' if '?' in platform.auth_url else '?'}{urlencode(query)}"


def _check_ready(platform: Platform) -> None:
    if not platform.is_ready:
        raise Refused("not ready")


def receive(platform: Platform, browser: str, state: str, token: str) -> Launch:
    """Store the platform's message about the person in this browser. Raises `Refused`."""
    _check_ready(platform)
    try:
        key, browser_hash, nonce, frame = signing.loads(state, salt=STATE, max_age=STATE_LASTS)
    except (signing.BadSignature, ValueError, TypeError):
        raise Refused("state") from None
    if key != str(platform.pk):
        raise Refused("state")
    if not browser or browser_hash != token_hash(browser):
        raise Refused("browser")
    message = messages.read(token, platform, key_for(platform, messages.key_id_of(token)), nonce)
    if message.return_url and outgoing.origin_of(message.return_url) not in platform.origins:
        raise Refused("pages")
    duration = CHILD_LAUNCH_LASTS if message.is_child else ADULT_LAUNCH_LASTS
    launch = Launch(
        platform=platform,
        browser_hash=browser_hash,
        nonce_hash=token_hash(nonce),
        message=asdict(message),
        frame_hash=frame if message.return_url else "",
        ends_at=timezone.now() + duration,
    )
    try:
        with transaction.atomic():
            launch.save(force_insert=True)
    except IntegrityError:
        raise Refused("used") from None
    return launch


def message_of(launch: Launch) -> Message:
    """The message of the platform. Raises `Refused` if the launch is over."""
    if launch.message is None or launch.ends_at <= timezone.now():
        raise Refused("used")
    return Message(**launch.message)


def end(launch: Launch) -> None:
    """End the launch, which lets somebody in only once. Raises `Refused` if it has done so."""
    if not Launch.objects.filter(pk=launch.pk, message__isnull=False).update(message=None):
        raise Refused("used")


def refuse(platform: Platform | None, reason: str, school_class: SchoolClass | None = None) -> None:
    """Log a refused launch, at most once an hour for each platform, class and reason."""
    key = str(platform.pk) if platform else ""
    what = What.LAUNCH_REFUSED
    audit(None, what, school_class=school_class, hourly=True, platform_id=key, why=reason)


def _refusals(network: str) -> Counter:
    return Counter(f"launch:from:{network}", REFUSAL_LIMITS)


def check_network(network: str) -> None:
    """Raise `Refused` if too many launches from this network were refused."""
    if network and is_used_up(_refusals(network)):
        raise Refused("often")


def count_refusal(network: str) -> None:
    if network:
        count_tries([_refusals(network)])


# Deep links: a teacher chooses an assignment, and the platform gets a link to it.


def choose(
    launch: Launch, message: Message, assignment: Assignment, launch_url: str, title: str
) -> dict[str, Any]:
    """End the launch with a link to the assignment, and return the choice. A
    waiting frame can fetch it too. Raises `Refused`."""
    item: dict[str, Any] = {
        "type": "ltiResourceLink",
        "title": title,
        "url": launch_url,
        "custom": {"assignment": str(assignment.pk)},
    }
    if launch.platform.sends_grades and message.takes_line_item:
        grade = {"scoreMaximum": 100, "label": title, "resourceId": str(assignment.pk)}
        item["lineItem"] = grade
    answer = {"url": message.return_url, "data": message.data, "item": item}
    with transaction.atomic():
        end(launch)
        if launch.frame_hash:
            Launch.objects.filter(pk=launch.pk).update(answer=answer)
    return answer


def take_choice(platform: Platform, frame: str) -> dict[str, Any] | None:
    """Take the choice for the frame with this token; None if nothing is chosen yet."""
    launches = Launch.objects.filter(
        platform=platform, frame_hash=token_hash(frame), answer__isnull=False
    )
    launch = launches.filter(ends_at__gt=timezone.now()).first() if frame else None
    if launch is None or not launches.filter(pk=launch.pk).update(answer=None):
        return None
    return outgoing.dict_or_empty(launch.answer)
