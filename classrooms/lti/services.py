"""Platforms, launches, linked courses, who is who, deep links and the list of a course.

A launch has four steps. `begin` makes a signed `state` with a nonce, for one browser. The platform
sends it back with a token, which `receive` checks and stores. The browser's next request has its
cookies, and `message_of` reads what was stored. Finally `use` ends the launch: a child is signed
in, or an adult who is signed in here goes on to their class.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode, urlsplit
from uuid import UUID, uuid5

from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from classrooms.access import classes_in, classes_to_link
from classrooms.audit import LOOKS, Actor, What, audit, audit_children
from classrooms.bounds import MOST_CHILDREN
from classrooms.credentials import token_hash
from classrooms.locks import ActRefused, Changed, lock
from classrooms.lti import messages, outgoing
from classrooms.lti.messages import Message, Refused
from classrooms.lti.models import Course, Launch, LineItem, Platform, PlatformPerson
from classrooms.lti.outgoing import Unreachable
from classrooms.models import Assignment, AuditEntry, Child, Membership, School, SchoolClass, User
from classrooms.roster.services import add_children
from classrooms.tries import HOUR, Counter, Limits, is_used_up, take

MOST_PLATFORMS: Final = 20
"""In a school."""
MOST_COURSES: Final = 20
"""In a class."""
MOST_WAITING: Final = 500
"""In a course."""
REFUSED_OF_A_NETWORK: Final[Limits] = ((600, HOUR),)
"""After so many refused launches from one network, all are refused."""
STATE_LASTS: Final = 10 * 60
ENTER_WITHIN: Final = timedelta(minutes=10)
ADULT_WITHIN: Final = timedelta(hours=1)
"""Enough time to sign in and to choose an assignment."""
WAITING_KEPT_FOR: Final = timedelta(days=30)
KEYS_AGAIN_AFTER: Final = timedelta(minutes=1)
STATE: Final = "classrooms.lti.state"
REGISTRATION: Final = "classrooms.lti.registration"
REGISTRATION_LASTS: Final = timedelta(days=1)


# Platforms are added by an admin of the school, whose account logs it.


def add_platform(school: School, name: str, by: User) -> Platform:
    """Add a platform. Raises `ActRefused` if the school has as many as it may, and `Changed` if
    `by` is no longer its admin."""
    with lock(school, by):
        _check_admin(school, by)
        if school.platforms.count() >= MOST_PLATFORMS:
            text = _("A school can have at most %(n)d learning platforms.")
            raise ActRefused(text % {"n": MOST_PLATFORMS})
        platform = Platform.objects.create(school=school, name=name)
        _log(by, What.PLATFORM_ADDED, platform)
    return platform


def change_platform(platform: Platform, data: Mapping[str, Any], by: User) -> None:
    """Save what the admin typed. The keys are fetched again, because the address may have
    changed."""
    with lock(platform.school, by):
        _check_admin(platform.school, by)
        _save(platform, data)
        _log(by, What.PLATFORM_CHANGED, platform)


def remove_platform(platform: Platform, by: User) -> None:
    """Delete a platform with all its links. The children and what they played stay."""
    with lock(platform.school, by):
        _check_admin(platform.school, by)
        _log(by, What.PLATFORM_REMOVED, platform)
        platform.delete()


def _save(platform: Platform, data: Mapping[str, Any]) -> None:
    for name, value in data.items():
        setattr(platform, name, value)
    platform.keys, platform.keys_at = [], None
    platform.save(update_fields=(*data, "keys", "keys_at"))


def _check_admin(school: School, by: User) -> None:
    admins = Membership.objects.filter(school=school, user=by, role=Membership.Role.ADMIN)
    if not admins.exists():
        raise Changed


def _log(by: User, what: AuditEntry.What, platform: Platform) -> None:
    school = platform.school.name
    audit(by, what, account=by, for_school=True, school=school, platform=platform.name)


def registration_token(platform: Platform, by: User) -> str:
    """A token in the address that an admin gives to the platform, which then registers itself. It
    works for a day, and only until the platform has an issuer."""
    return signing.dumps([str(platform.pk), by.pk], salt=REGISTRATION)


def platform_behind(token: str) -> tuple[Platform, User] | None:
    """The platform that may register with this token, and the admin who made the token."""
    try:
        key, admin = signing.loads(token, salt=REGISTRATION, max_age=REGISTRATION_LASTS)
        platform = Platform.objects.select_related("school").get(pk=UUID(key), issuer="")
        admins = Membership.objects.filter(
            school=platform.school, user=admin, user__is_active=True, role=Membership.Role.ADMIN
        )
        return platform, admins.select_related("user").get().user
    except (
        signing.BadSignature,
        ValueError,
        TypeError,
        Platform.DoesNotExist,
        Membership.DoesNotExist,
    ):
        return None


def register(
    platform: Platform, configuration_url: str, token: str, addresses: Mapping[str, str], by: User
) -> None:
    """Register the site at a platform that describes itself at `configuration_url` (LTI dynamic
    registration). `addresses` has the site's `login`, `launch` and `keys`. Raises `Unreachable`,
    and `Changed` if the platform is registered already."""
    configuration = _dict(outgoing.ask(configuration_url).json())
    issuer = str(configuration.get("issuer", ""))
    at = outgoing.origin_of(configuration_url)
    urls = {
        "auth_url": str(configuration.get("authorization_endpoint", "")),
        "token_url": str(configuration.get("token_endpoint", "")),
        "keyset_url": str(configuration.get("jwks_uri", "")),
    }
    registration = str(configuration.get("registration_endpoint", ""))
    is_one_site = outgoing.origin_of(issuer) == at == outgoing.origin_of(registration)
    if not is_one_site or not all(map(outgoing.is_allowed, (issuer, *urls.values()))):
        raise Unreachable("content")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = outgoing.ask(registration, body=_tool(addresses), headers=headers)
    client_data = _dict(answer.json())
    client, tool = str(client_data.get("client_id", "")), _dict(client_data.get(_TOOL))
    if not client or len(client) > 255 or len(issuer) > 255:
        raise Unreachable("content")
    with lock(platform.school, by):
        _check_admin(platform.school, by)
        if not Platform.objects.filter(pk=platform.pk, issuer="").exists():
            raise Changed
        deployment = str(tool.get("deployment_id", ""))[:255]
        _save(platform, {"issuer": issuer, "client_id": client, "deployment": deployment, **urls})
        _log(by, What.PLATFORM_CHANGED, platform)


_TOOL: Final = "https://purl.imsglobal.org/spec/lti-tool-configuration"


def _tool(addresses: Mapping[str, str]) -> dict[str, Any]:
    """The site's description of itself for a platform. It asks for names and for no mail
    address."""
    launch = addresses["launch"]
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": addresses["login"],
        "redirect_uris": [launch],
        "client_name": "nmbrs",
        "jwks_uri": addresses["keys"],
        "token_endpoint_auth_method": "private_key_jwt",  # nosec B105
        "scope": f"{messages.MEMBERS_SCOPE} {messages.SCORE_SCOPE}",
        _TOOL: {
            "domain": urlsplit(launch).netloc,
            "target_link_uri": launch,
            "claims": ["iss", "sub", "name", "given_name", "family_name"],
            "messages": [
                {"type": messages.LAUNCH_TYPE},
                {"type": messages.DEEP_LINK_TYPE, "target_link_uri": launch},
            ],
        },
    }


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


# The public keys of a platform. They are kept in the database and fetched only if a token names a
# missing key, at most once a minute, whatever strangers send.


def key_for(platform: Platform, kid: str) -> Any:
    """The platform's public key with this id. Raises `Refused`."""
    if key := messages.key_in(platform.keys, kid):
        return key
    now = timezone.now()
    is_due = Q(keys_at=None) | Q(keys_at__lte=now - KEYS_AGAIN_AFTER)
    if not Platform.objects.filter(is_due, pk=platform.pk).update(keys_at=now):
        platform.refresh_from_db(fields=("keys",))  # Another request has just fetched them.
    else:
        fetch_keys(platform)
    if key := messages.key_in(platform.keys, kid):
        return key
    raise Refused("key")


def fetch_keys(platform: Platform) -> bool:
    """Fetch the platform's public keys. Returns whether any is usable."""
    try:
        key_set = _dict(outgoing.ask(platform.keyset_url).json()).get("keys")
    except Unreachable:
        return False
    keys = [key for key in key_set if isinstance(key, dict)] if isinstance(key_set, list) else []
    usable = [key for key in keys if messages.key_in([key], str(key.get("kid", "")))][:20]
    if usable:
        names = ("kty", "kid", "n", "e")
        platform.keys = [{name: key[name] for name in names if name in key} for key in usable]
        platform.keys_at = timezone.now()
        platform.save(update_fields=("keys", "keys_at"))
    return bool(usable)


# A launch.


def begin(
    platform: Platform, browser: str, asked: Mapping[str, str], launch: str, frame: str
) -> str:
    """The address at the platform to which to send the browser. `asked` is what the platform sent
    to begin, `browser` the secret of this browser, `frame` the hash of the token in the frame that
    waits. Stores nothing. Raises `Refused`."""
    _check_ready(platform)
    if asked.get("iss") != platform.issuer:
        raise Refused("issuer")
    if asked.get("client_id", platform.client_id) != platform.client_id:
        raise Refused("audience")
    if asked.get("lti_deployment_id", platform.deployment) != platform.deployment:
        raise Refused("deployment")
    target = asked.get("target_link_uri", launch)
    if not messages.is_of_site(target, urlsplit(launch).netloc):
        raise Refused("target")
    if not asked.get("login_hint"):
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
        "login_hint": asked["login_hint"],
        "state": state,
        "nonce": nonce,
    }
    if hint := asked.get("lti_message_hint"):
        query["lti_message_hint"] = hint
    return f"{platform.auth_url}{'&' if '?' in platform.auth_url else '?'}{urlencode(query)}"


def _check_ready(platform: Platform) -> None:
    if not platform.is_ready:
        raise Refused("not ready")


def receive(platform: Platform, browser: str, state: str, token: str) -> Launch:
    """Store what the platform says about the person in this browser. Raises `Refused`."""
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
    lasts = ENTER_WITHIN if message.is_child else ADULT_WITHIN
    launch = Launch(
        platform=platform,
        browser_hash=browser_hash,
        nonce_hash=token_hash(nonce),
        message=asdict(message),
        frame_hash=frame if message.return_url else "",
        ends_at=timezone.now() + lasts,
    )
    try:
        with transaction.atomic():
            launch.save(force_insert=True)
    except IntegrityError:
        raise Refused("used") from None
    return launch


def message_of(launch: Launch) -> Message:
    """What the platform said. Raises `Refused` if the launch is over."""
    if launch.message is None or launch.ends_at <= timezone.now():
        raise Refused("used")
    return Message(**launch.message)


def use(launch: Launch) -> None:
    """End the launch, which lets in once. Raises `Refused` if it already did."""
    open_ones = Launch.objects.filter(pk=launch.pk, message__isnull=False)
    if not open_ones.update(message=None):
        raise Refused("used")


def course_of(platform: Platform, message: Message) -> Course | None:
    """The linked course that a message comes from. Raises `Refused` if its class is archived or no
    longer at the school. Also stores where the platform lists the members."""
    courses = Course.objects.select_related("school_class", "platform__school")
    course = courses.filter(platform=platform, context=message.context).first()
    if course is None:
        return None
    if course.school_class.archived_at:
        raise Refused("archived", course.school_class)
    if not classes_in(platform.school).filter(pk=course.school_class_id).exists():
        raise Refused("elsewhere", course.school_class)
    members_url = service_url(platform, message.members_url)
    if members_url and course.members_url != members_url:
        Course.objects.filter(pk=course.pk).update(members_url=members_url)
        course.members_url = members_url
    return course


def service_url(platform: Platform, url: str) -> str:
    """The address of a service if it is on the platform's own pages; otherwise ""."""
    return url if url and outgoing.origin_of(url) in platform.origins else ""


def child_of(course: Course, message: Message) -> Child | None:
    """The child of the class that this person is, according to a teacher. None if no teacher has
    said it, or if it is no longer clear."""
    of_person = Child.objects.select_related("school_class").filter(
        school_class=course.school_class_id,
        platform_people__platform=course.platform_id,
        platform_people__subject_hash=message.subject_hash,
    )
    found = list(of_person[:2])
    return found[0] if len(found) == 1 else None


def is_still(course: Course, message: Message, child: Child) -> bool:
    """Whether the person is this child, and their course is linked."""
    return _is_linked(course) and child_of(course, message) == child


def add_waiting_person(course: Course, message: Message) -> None:
    """Put the person on the list of those who wait until a teacher says who they are."""
    with lock(course.school_class):
        if not _is_linked(course):
            raise Refused("unlinked")
        _add_waiting(course, [(message.subject_hash, message.name, message.family)])


def _add_waiting(course: Course, people: Iterable[tuple[str, str, str]]) -> None:
    """Put these people on the list. The class is locked, so that its list cannot grow beyond the
    limit."""
    now = timezone.now()
    known = {person.subject_hash: person for person in course.waiting.all()}
    new: list[PlatformPerson] = []
    for subject, name, family in people:
        if person := known.get(subject):
            person.name, person.family, person.created_at = name, family, now
        elif len(known) + len(new) < MOST_WAITING:
            person = PlatformPerson(platform_id=course.platform_id, course=course)
            person.subject_hash, person.name, person.family = subject, name, family
            new.append(person)
    fields = ("name", "family", "created_at")
    PlatformPerson.objects.bulk_update(known.values(), fields)
    PlatformPerson.objects.bulk_create(new)


def _is_linked(course: Course) -> bool:
    now = Course.objects.filter(pk=course.pk, school_class=course.school_class_id)
    return now.filter(school_class__archived_at=None).exists()


def refuse(platform: Platform | None, why: str, school_class: SchoolClass | None = None) -> None:
    """Log a refused launch, once an hour for each platform, class and reason."""
    now = timezone.now()
    key = str(platform.pk) if platform else ""
    of_class = school_class.pk if school_class else ""
    AuditEntry.objects.bulk_create(
        [
            AuditEntry(
                actor=Actor.SITE,
                what=What.LAUNCH_REFUSED,
                class_id=school_class.pk if school_class else None,
                detail={"platform_id": key, "why": why},
                once=uuid5(LOOKS, f"{key} {of_class} {why} {now.astimezone(UTC):%Y-%m-%d %H}"),
                at=now,
            )
        ],
        ignore_conflicts=True,
    )


def refused_lately(platform: Platform) -> list[AuditEntry]:
    """The latest 20 refusals of the last two weeks, for the admin."""
    entries = AuditEntry.objects.filter(
        what=What.LAUNCH_REFUSED,
        at__gt=timezone.now() - timedelta(days=14),
        detail__platform_id=str(platform.pk),
    )
    return list(entries[:20])


def _refusals(network: str) -> Counter:
    return Counter(f"launch:from:{network}", REFUSED_OF_A_NETWORK)


def check_network(network: str) -> None:
    """Raise `Refused` if too many launches from this network were refused."""
    if network and is_used_up(_refusals(network)):
        raise Refused("often")


def count_refusal(network: str) -> None:
    if network:
        take([_refusals(network)])


def forget_old(now: datetime) -> None:
    """Delete launches that are over, and people who have waited too long."""
    Launch.objects.filter(ends_at__lte=now).delete()
    PlatformPerson.objects.filter(child=None, created_at__lte=now - WAITING_KEPT_FOR).delete()


# Linking a course to a class.


def link_course(
    platform: Platform, message: Message, school_class: SchoolClass, by: User
) -> Course:
    """Link the course of a message with a class. Raises `Changed` if the adult may not link this
    class, or if the course was linked meanwhile."""
    with lock(platform.school, by, school_class):
        if not classes_to_link(by, platform.school).filter(pk=school_class.pk).exists():
            raise Changed
        if school_class.courses.count() >= MOST_COURSES:
            text = _("A class can be linked to at most %(n)d courses.")
            raise ActRefused(text % {"n": MOST_COURSES})
        course, is_new = Course.objects.get_or_create(
            platform=platform,
            context=message.context,
            defaults={
                "title": message.title,
                "school_class": school_class,
                "members_url": service_url(platform, message.members_url),
            },
        )
        if not is_new:
            raise Changed
        audit(by, What.COURSE_LINKED, school_class=school_class, platform=platform.name)
    return course


def unlink_course(course: Course, by: User) -> None:
    """Unlink a course. The links of its people with children are kept, so that linking it again
    restores them. People who wait are forgotten."""
    with lock(course.school_class):
        if not Course.objects.filter(pk=course.pk).exists():
            raise Changed
        name = course.platform.name
        audit(by, What.COURSE_UNLINKED, school_class=course.school_class, platform=name)
        course.delete()


# Who is who.


@dataclass(frozen=True, slots=True)
class Answer:
    """A teacher's answer about a waiting person: the child that they are, or a `name` if they are
    new; neither if they are not in the class."""

    person: PlatformPerson
    child: Child | None = None
    name: str = ""


def say_who(school_class: SchoolClass, answers: Sequence[Answer], by: User) -> None:
    """Link waiting people with children, and add new children. Raises `Changed` if a person no
    longer waits, or if a child is no longer in the class or has just been linked;
    `bounds.LimitReached`; and `IntegrityError` if a name has just been added."""
    known = [answer.child for answer in answers if answer.child]
    with lock(school_class, *known) as (school_class, *known):
        if any(child.removed_at or child.school_class_id != school_class.pk for child in known):
            raise Changed
        keys = {answer.person.pk for answer in answers}
        waiting = PlatformPerson.objects.filter(pk__in=keys, course__school_class=school_class)
        if waiting.count() < len(keys):
            raise Changed
        names = [answer.name for answer in answers if answer.name]
        new = (
            {child.name: child for child in add_children(school_class, names, by)} if names else {}
        )
        linked = []
        for answer in answers:
            if child := answer.child or new.get(answer.name):
                _link(answer.person, child)
                linked.append(child)
            else:
                answer.person.delete()
        audit_children(by, What.PERSON_LINKED, linked)


def _link(person: PlatformPerson, child: Child) -> None:
    """Link a waiting person with this child of the class. Raises `Changed` if the child is already
    linked with another person of the platform: a child has one account there."""
    of_platform = PlatformPerson.objects.filter(platform=person.platform_id)
    if of_platform.filter(child=child).exclude(subject_hash=person.subject_hash).exists():
        raise Changed
    of_class = Q(child__school_class=child.school_class_id) | Q(
        course__school_class=child.school_class_id
    )
    own = of_platform.filter(of_class, subject_hash=person.subject_hash)
    own.exclude(pk=person.pk).delete()
    person.child, person.course, person.name, person.family = child, None, "", ""
    person.save(update_fields=("child", "course", "name", "family"))


def unlink_child(child: Child, by: User) -> None:
    """Forget which people of platforms are this child. They wait again when they next come."""
    with lock(child.school_class, child):
        if child.platform_people.all().delete()[0]:
            audit(by, What.PERSON_UNLINKED, child=child)


# Fetches the list of a course from the platform (Names and Role Provisioning).


@dataclass(frozen=True, slots=True)
class Member:
    """A pupil on the platform's list of a course."""

    subject_hash: str
    subject: str
    name: str
    family: str


MEMBERS_TYPE: Final = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
MOST_PAGES: Final = 10


def access_token(platform: Platform, scope: str) -> str:
    """A token for a service of the platform. Raises `Unreachable`."""
    fields = {
        "grant_type": "client_credentials",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": messages.sign(platform, platform.token_url),
        "scope": scope,
    }
    token = _dict(outgoing.ask(platform.token_url, fields=fields).json()).get("access_token")
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise Unreachable("content")
    return token


def members_of(course: Course) -> list[Member]:
    """The pupils in the course now, without teachers. Raises `Unreachable`, also if the list is
    endless or has more than `MOST_CHILDREN` pupils: with half a list, pupils would seem to have
    left."""
    platform, url = course.platform, course.members_url
    if not service_url(platform, url):
        raise Unreachable("address")
    token = access_token(platform, messages.MEMBERS_SCOPE)
    headers = {"Authorization": f"Bearer {token}", "Accept": MEMBERS_TYPE}
    found: dict[str, Member] = {}
    for _page in range(MOST_PAGES):
        answer = outgoing.ask(url, headers=headers)
        page = _dict(answer.json())
        listed = page.get("members")
        if not isinstance(listed, list):
            raise Unreachable("content")
        for person in listed:
            if member := _member(platform, _dict(person)):
                found[member.subject_hash] = member
        if len(found) > MOST_CHILDREN:
            raise Unreachable("too large")
        url = _next(answer.headers) or str(page.get("next") or "")  # some platforms put it there
        if not url:
            return list(found.values())
        if not service_url(platform, url):
            break
    raise Unreachable("content")


def _member(platform: Platform, said: Mapping[str, Any]) -> Member | None:
    subject = said.get("user_id")
    is_here = said.get("status", "Active") == "Active" and messages.is_learner(said.get("roles"))
    name, family = messages.names_of(said)
    if not (isinstance(subject, str) and subject and is_here and name):
        return None
    return Member(messages.subject_hash(platform, subject), subject, name, family)


def _next(headers: Mapping[str, str]) -> str:
    """The address of the next page in the header `Link`; "" if there is none.

    >>> _next({"link": '<https://a.example/2?x=1,2>; rel="next"'})
    'https://a.example/2?x=1,2'
    """
    text = next((value for name, value in headers.items() if name.lower() == "link"), "")
    for part in text.split("<")[1:]:
        url, _sign, more = part.partition(">")
        if 'rel="next"' in more or "rel=next" in more:
            return url
    return ""


def add_waiting(course: Course, members: Iterable[Member]) -> None:
    """Let those members wait who are not yet a child of the class."""
    with lock(course.school_class):
        if not _is_linked(course):
            raise Changed
        linked = set(
            PlatformPerson.objects.filter(
                platform=course.platform_id, child__school_class=course.school_class_id
            ).values_list("subject_hash", flat=True)
        )
        _add_waiting(
            course,
            ((m.subject_hash, m.name, m.family) for m in members if m.subject_hash not in linked),
        )


# Deep links: a teacher chooses an assignment, and the platform gets a link to it.


def choose(
    launch: Launch, message: Message, assignment: Assignment, launch_url: str, title: str
) -> dict[str, Any]:
    """End the launch with a link to the assignment. Returns what `answer_to` signs; a waiting frame
    can fetch it too. Raises `Refused`."""
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
        use(launch)
        if launch.frame_hash:
            Launch.objects.filter(pk=launch.pk).update(answer=answer)
    return answer


def answer_to(platform: Platform, chosen: Mapping[str, Any]) -> dict[str, str]:
    """The address of the platform to which the browser posts the answer, and the signed answer."""
    signed = messages.sign_choice(platform, chosen["data"], chosen["item"])
    return {"url": chosen["url"], "signed": signed}


def chosen_for(platform: Platform, frame: str) -> dict[str, Any] | None:
    """What was chosen for the frame with this token, once; None if nothing is chosen yet."""
    waiting = Launch.objects.filter(
        platform=platform, frame_hash=token_hash(frame), answer__isnull=False
    )
    launch = waiting.filter(ends_at__gt=timezone.now()).first() if frame else None
    if launch is None or not waiting.filter(pk=launch.pk).update(answer=None):
        return None
    return _dict(launch.answer)


def note_line_item(course: Course, message: Message) -> Assignment | None:
    """The assignment that a launch leads to, if it is one of the class. Stores the address to which
    the platform wants progress sent."""
    if not message.assignment:
        return None
    assignment = course.school_class.assignments.filter(pk=message.assignment).first()
    url = service_url(course.platform, message.line_item)
    if assignment and url and course.platform.sends_grades:
        LineItem.objects.update_or_create(
            course=course, assignment=assignment, defaults={"url": url}
        )
    return assignment
