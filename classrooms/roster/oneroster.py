"""Reads a school's classes and pupils, or their changes, from a server that speaks OneRoster 1.2
(1EdTech, Rostering Service, REST binding 1.0).

Nothing is stored here. A reading is complete or raises `SourceNotRead`. The site asks only for the
given and the family name of a pupil (`fields`). Ids leave this module only as keyed hashes."""

from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import quote, urlencode

import msgspec
from django.utils import timezone
from django.utils.crypto import salted_hmac

from classrooms import outgoing
from classrooms.child_names import tidy
from classrooms.models import RosterSource
from classrooms.outgoing import HttpAnswer, NoAnswer
from classrooms.roster.importing import cells
from classrooms.roster.importing.grid import MOST_PUPILS

Problem = RosterSource.Problem
SCOPE: Final = "https://purl.imsglobal.org/spec/or/v1p2/scope/roster-core.readonly"
BASE: Final = "/ims/oneroster/rostering/v1p2"
SECONDS: Final = 80
"""The most seconds that one reading may take."""
PAGE: Final = 500
MOST_RECORDS: Final = MOST_PUPILS
"""The most classes, enrolments or pupils of a source."""
MOST_PAGES: Final = 500
MOST_CLASSES: Final = 500
LARGEST_ANSWER: Final = 4 * 1024 * 1024
LARGEST_READING: Final = 40 * 1024 * 1024
MOST_SINGLE_REQUESTS: Final = 50
"""The most pupils that are requested one by one. With more, everything is read instead."""
OVERLAP: Final = timedelta(days=1)
"""How much earlier than the latest known change a request for changes begins, because a source may
show a change late."""
LONGEST_WAIT: Final = timedelta(days=2)
SHORTEST_WAIT: Final = timedelta(hours=1)
FIELDS: Final = "sourcedId,status,dateLastModified,enabledUser,givenName,familyName,{}"

_Id = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]


class SourceNotRead(Exception):
    """The source was not read completely. `wait` is the time for which the source asks the site to
    wait."""

    def __init__(self, problem: RosterSource.Problem, wait: timedelta = timedelta()) -> None:
        super().__init__(problem)
        self.problem = problem
        self.wait = wait


class _QueryRejected(Exception):
    """The source rejects a filter or a choice of fields."""


class _Record(msgspec.Struct, rename="camel"):
    """A record of the specification, with the fields that are read."""

    sourced_id: _Id = msgspec.field(name="sourcedId")
    status: str | None = "active"
    date_last_modified: str | None = None


class _Ref(msgspec.Struct):
    sourced_id: _Id = msgspec.field(name="sourcedId")


class _Class(_Record, rename="camel", kw_only=True):
    title: str | None = None
    class_code: str | None = None


class _Enrolment(_Record, rename="camel", kw_only=True):
    user: _Ref
    of_class: _Ref = msgspec.field(name="class")
    role: str | None = None
    begin_date: str | None = None
    end_date: str | None = None


class _Student(_Record, rename="camel", kw_only=True):
    given_name: str | None = None
    preferred_first_name: str | None = None
    family_name: str | None = None
    enabled_user: str | bool | None = None


class _Token(msgspec.Struct):
    access_token: Annotated[str, msgspec.Meta(min_length=1, max_length=8_000, pattern=r"^[!-~]+$")]


class _Classes(msgspec.Struct):
    records: list[_Class] = msgspec.field(name="classes")


class _Enrolments(msgspec.Struct):
    records: list[_Enrolment] = msgspec.field(name="enrollments")


class _Students(msgspec.Struct):
    records: list[_Student] = msgspec.field(name="users")


class _OneStudent(msgspec.Struct):
    user: _Student


R = TypeVar("R", bound=_Record)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PupilName:
    """The given and the family name of a pupil, tidied."""

    given: str
    family: str


@dataclass(slots=True)
class SourceReading:
    """The lists of the source, or the changes in them, by keyed hashes of its ids. If `is_whole`,
    a class or pupil that is missing here is no longer at the source."""

    is_whole: bool
    classes: dict[str, str] = field(default_factory=dict)  # titles; "" for a deleted class
    enrolled: dict[tuple[str, str], bool] = field(default_factory=dict)  # by class and pupil
    pupils: dict[str, PupilName | None] = field(default_factory=dict)  # None if the pupil has left
    latest: datetime | None = None  # the latest change, by the source's clock
    next_day: date | None = None  # the next day on which an enrolment begins or has ended


def key_of(source: RosterSource, kind: str, sourced_id: str) -> str:
    """The keyed hash by which the site knows this id of the source."""
    text = f"{source.pk} {kind} {sourced_id}"
    return salted_hmac("classrooms.source", text, algorithm="sha256").hexdigest()


def fetch(
    source: RosterSource, secret: str, linked_classes: Collection[str], pupils: Collection[str]
) -> SourceReading:
    """Read the changes in the source if possible, otherwise everything. `linked_classes` has the
    keys of the linked classes, `pupils` the keys of the pupils whose names are stored. Raises
    `SourceNotRead`."""
    reader = _Reader(source, monotonic() + SECONDS)
    try:
        reader.sign_in(secret)
        since = source.changed_since
        is_day = source.read_all_on is not None and source.read_all_on <= timezone.localdate()
        if source.read_all_at is None or since is None or is_day:
            return reader.read(linked_classes)
        if timezone.now() - source.read_all_at > timedelta(days=6, hours=12):
            return reader.read(linked_classes)
        try:
            changes = reader.read(linked_classes, since - OVERLAP)
            if reader.add_missing_names(changes, linked_classes, pupils):
                return changes
        except _QueryRejected:
            pass
        return reader.read(linked_classes)
    except NoAnswer as problem:
        raise SourceNotRead(Problem(problem.reason)) from None
    except _QueryRejected:
        raise SourceNotRead(Problem.UNREADABLE) from None


class _Reader:
    def __init__(self, source: RosterSource, deadline: float) -> None:
        self._source = source
        self._deadline = deadline
        self._bytes_left = LARGEST_READING
        self._headers = {"Accept": "application/json"}
        self._today = timezone.localdate()
        self._ids: dict[str, str] = {}  # the ids of pupils by their keys
        path = source.address.rstrip("/")
        self._base = path if path.endswith(BASE) else path + BASE
        self._school_path = f"/schools/{quote(source.org, safe='')}" if source.org else ""

    def sign_in(self, secret: str) -> None:
        """Get a token for the client, for all requests of this object."""
        body = urlencode({"grant_type": "client_credentials", "scope": SCOPE}).encode()
        pair = f"{quote(self._source.client_id, safe='')}:{quote(secret, safe='')}"
        headers = {
            "Authorization": f"Basic {b64encode(pair.encode()).decode()}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }
        answer = self._send("POST", self._source.token_address, headers, body)
        if answer.status == 400:  # what OAuth 2 answers to a wrong client or scope
            raise SourceNotRead(Problem.REFUSED)
        self._headers["Authorization"] = f"Bearer {_parse(answer, _Token).access_token}"

    def read(self, linked_classes: Collection[str], since: datetime | None = None) -> SourceReading:
        """Read everything, or the changes since this moment."""
        reading = SourceReading(is_whole=since is None)
        self._read_classes(reading, since)
        self._read_enrolments(reading, linked_classes, since)
        for student in self._records("/students", _Students, reading, since):
            key = key_of(self._source, "pupil", student.sourced_id)
            reading.pupils[key] = self._name(student)
        return reading

    def add_missing_names(
        self, changes: SourceReading, linked_classes: Collection[str], known_pupils: Collection[str]
    ) -> bool:
        """Request the names of pupils who are new in a linked class although their own record has
        not changed. Return False if there are too many."""
        new_pupils = {
            pupil
            for (class_key, pupil), is_in in changes.enrolled.items()
            if is_in and class_key in linked_classes
        }
        unknown = new_pupils - set(known_pupils) - changes.pupils.keys()
        if len(unknown) > MOST_SINGLE_REQUESTS:
            return False
        for key in unknown:
            path = f"/students/{quote(self._ids[key], safe='')}"
            answer = self._get(path, {})
            if answer.status == 404:
                changes.pupils[key] = None
            else:
                changes.pupils[key] = self._name(_parse(answer, _OneStudent).user)
        return True

    def _read_classes(self, reading: SourceReading, since: datetime | None) -> None:
        keys: set[str] = set()
        for record in self._records("/classes", _Classes, reading, since):
            key = key_of(self._source, "class", record.sourced_id)
            title = tidy(record.title or "")[:60] or record.sourced_id[:60]
            if title in keys:
                title = f"{title} ({tidy(record.class_code or '')[:16] or key[:6]})"
            keys.add(title)
            reading.classes[key] = "" if cells.is_word(record.status or "", "left") else title
        if len(reading.classes) > MOST_CLASSES:
            raise SourceNotRead(Problem.TOO_LARGE)

    def _read_enrolments(
        self, reading: SourceReading, linked_classes: Collection[str], since: datetime | None
    ) -> None:
        days: list[date] = []
        for enrolment in self._records("/enrollments", _Enrolments, reading, since):
            if enrolment.role not in (None, "student"):
                continue
            class_key = key_of(self._source, "class", enrolment.of_class.sourced_id)
            pupil = key_of(self._source, "pupil", enrolment.user.sourced_id)
            self._ids[pupil] = enrolment.user.sourced_id
            begin = enrolment.begin_date or ""
            end = enrolment.end_date or ""
            is_in = not cells.has_left(self._today, enrolment.status or "", "", begin, end)
            if is_in or not reading.enrolled.get((class_key, pupil)):
                reading.enrolled[class_key, pupil] = is_in
            if class_key in linked_classes and not cells.is_word(enrolment.status or "", "left"):
                days += [day for day in (_day(begin), _day(end, after=1)) if day]
        reading.next_day = min((day for day in days if day > self._today), default=None)

    def _name(self, student: _Student) -> PupilName | None:
        enabled = str(student.enabled_user or "")
        if cells.has_left(self._today, student.status or "", enabled, "", ""):
            return None
        family = tidy(student.family_name or "")
        given_name = student.preferred_first_name or student.given_name or ""
        return PupilName(tidy(cells.with_nickname(given_name, family)), family)

    def _records(
        self, path: str, kind: type[Any], reading: SourceReading, since: datetime | None
    ) -> Iterator[Any]:
        """The records of all pages of this list."""
        query = {"filter": f"dateLastModified>'{_moment(since)}'"} if since else {}
        fields = {"fields": FIELDS.format("preferredFirstName")} if kind is _Students else {}
        try:
            records = list(self._pages(path, kind, query | fields))
        except _QueryRejected:
            if not fields:
                raise
            records = list(self._pages(path, kind, query))
        for record in records:
            if moment := _read_moment(record.date_last_modified):
                reading.latest = max(reading.latest or moment, moment)
        yield from records

    def _pages(self, path: str, kind: type[Any], query: Mapping[str, str]) -> Iterator[Any]:
        keys: set[str] = set()
        received = 0
        for _page in range(MOST_PAGES):
            parameters = {"limit": str(PAGE), "offset": str(received), **query}
            answer = self._get(self._school_path + path, parameters)
            page = _parse(answer, kind).records
            new_records = [record for record in page if record.sourced_id not in keys]
            if page and not new_records:
                raise SourceNotRead(Problem.PAGES)
            yield from new_records
            keys.update(record.sourced_id for record in new_records)
            received += len(page)
            if len(keys) > MOST_RECORDS:
                raise SourceNotRead(Problem.TOO_LARGE)
            total = _count(answer.headers.get("x-total-count", ""))
            has_next = _has_next(answer.headers.get("link", ""))
            if total is not None and len(keys) >= total:
                return
            if not page or (total is None and has_next is False):
                if total is not None or has_next:
                    raise SourceNotRead(Problem.CUT_OFF)  # The source had announced more.
                return
        raise SourceNotRead(Problem.PAGES)

    def _get(self, path: str, query: Mapping[str, str]) -> HttpAnswer:
        url = self._base + path + (f"?{urlencode(query, quote_via=quote)}" if query else "")
        answer = self._send("GET", url, self._headers)
        if answer.status in (400, 422) and ("filter" in query or "fields" in query):
            raise _QueryRejected
        return answer

    def _send(
        self, method: Any, url: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> HttpAnswer:
        """The answer, if its status is 200, 400, 404 or 422."""
        if monotonic() > self._deadline:
            raise SourceNotRead(Problem.SLOW)
        limit = min(LARGEST_ANSWER, self._bytes_left)
        answer = outgoing.send(
            method, url, headers=headers, body=body, most=limit, deadline=self._deadline
        )
        self._bytes_left -= len(answer.body)
        if answer.status in (401, 403):
            raise SourceNotRead(Problem.REFUSED)
        if answer.status == 429 or (answer.status == 503 and "retry-after" in answer.headers):
            raise SourceNotRead(Problem.BUSY, _retry_wait(answer.headers.get("retry-after", "")))
        if answer.status >= 500:
            raise SourceNotRead(Problem.DOWN)
        return answer


def _parse(answer: HttpAnswer, kind: type[T]) -> T:
    if answer.status == 404:
        raise SourceNotRead(Problem.MISSING)
    if answer.status != 200:
        raise SourceNotRead(Problem.UNREADABLE)
    try:
        return msgspec.json.decode(answer.body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise SourceNotRead(Problem.UNREADABLE) from None


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


_EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)


def _read_moment(text: str | None) -> datetime | None:
    """A moment in the form of the specification; None for another text, for a moment in the future,
    and for one before such lists existed."""
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    at = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return at if _EARLIEST <= at <= timezone.now() else None


def _day(text: str, after: int = 0) -> date | None:
    try:
        return date.fromisoformat(text[:10]) + timedelta(days=after)
    except (ValueError, OverflowError):
        return None


def _count(text: str) -> int | None:
    return int(text[:9]) if text.isascii() and text.isdigit() else None


def _has_next(link: str) -> bool | None:
    """Whether a `Link` header names a next page; None if there is no header."""
    if not link:
        return None
    return any('rel="next"' in part or "rel=next" in part for part in link.split(","))


def _retry_wait(text: str) -> timedelta:
    """The wait in a `Retry-After` header, but at least an hour and at most two days."""
    seconds = float(_count(text) or 0)
    if not seconds:
        try:
            seconds = (parsedate_to_datetime(text) - timezone.now()).total_seconds()
        except (ValueError, TypeError):
            seconds = 0
    return min(max(timedelta(seconds=seconds), SHORTEST_WAIT), LONGEST_WAIT)
