"""Judges an answer and its changes to the database."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from django.db import connection

from scripts.fuzz import invariants
from scripts.fuzz.asking import Answer, PlannedRequest
from scripts.fuzz.world import OPERATOR, FuzzWorld

CHILDS_SECONDS: Final = 0.25
TEACHERS_SECONDS: Final = 1.0
"""An answer is a fault if it is too slow three times."""
WRITE: Final = re.compile(
    r'\b(?:INSERT INTO|UPDATE(?! SET)|DELETE FROM)\s+"?(\w+)"?', re.IGNORECASE
)
REFUSALS: Final = frozenset({400, 401, 403, 404, 405, 413, 414, 415, 429, 431})
BOOKKEEPING: Final = re.compile(
    r"(?:django_session|django_cache|usersessions_|axes_|account_|mfa_)\w*"
    r"|classrooms_(?:wrong|childsession|knowndevice|lookedup|auditentry)\w*"
    r"|classrooms_sharedvalue|downloads_heavywork"
    r"|\w*(?:limit|tries|attempts|throttle|counter|cache)\w*"
)
"""Tables to which even a refused request may write."""
FIRST_LOOK_TABLES: Final = re.compile(
    r"checks_sitting|checkups_childcheckup|classrooms_qrcode|classrooms_child\b|classrooms_user\b"
    r"|downloads_download"
)
"""Tables to which the first look at a page may write."""
TABLES_BY_ADDRESS: Final[dict[str, frozenset[str]]] = {
    "classrooms:lti_enter": frozenset({"lti_launch", "lti_platformperson"}),
    "classrooms:lti_keys": frozenset({"lti_toolkey"}),
    "games:act": frozenset({"games_seat", "games_action", "games_game"}),
    "news": frozenset({"games_seat"}),
    "rules": frozenset({"games_seat", "games_action", "games_game"}),
    "games:page": frozenset({"games_seat", "games_action", "games_game"}),
}
"""Tables to which a look or a refused request may write, by address. A launch is used once; the
first request for keys makes them; at a table of several children, a player who asks takes their
seat again, and bots play for those who are away."""
LINKS: Final = frozenset({"classrooms:invitation", "classrooms:stop_weekly_mail", "news"})
"""Addresses at which anyone with the link may change something."""
AT_THE_DOOR: Final = frozenset(
    {"classrooms:names", "classrooms:typed_name", "classrooms:pictures", "classrooms:card",
     "classrooms:code", "classrooms:invitation"}
)  # fmt: skip
"""Pages that show a name to anyone with a code, a card or a link."""
FOREIGN: Final[dict[str, tuple[str, ...]]] = {
    "nobody": ("Alice's", "Charlie's", "archived"),
    "Gus": ("Alice's", "Charlie's", "archived"),
    "Otto": ("Alice's", "Charlie's", "archived"),
    "Hugo": ("Alice's", "Charlie's", "archived"),
    "Dora": ("Charlie's", "archived"),
    "Emil": ("Charlie's", "archived"),
    "Finn": ("Alice's", "archived"),
    "Alice": ("Charlie's",),
    "Bob": ("Charlie's",),
    "Charlie": ("Alice's", "archived"),
}
"""For each person, the classes in which their requests may change nothing."""
SECRET_NAME: Final[dict[str, re.Pattern[bytes]]] = {
    **dict.fromkeys(
        ("Alice", "Bob", "Dora", "Emil", "Otto", "Hugo", "nobody"), re.compile(rb"\bFinn\b")
    ),
    **dict.fromkeys(("Charlie", "Finn", "Gus"), re.compile(rb"\bDora\b")),
}


@dataclass(frozen=True, slots=True)
class Finding:
    kind: str
    cause: str  # the common part of findings of the same kind
    detail: str
    plan: PlannedRequest
    place: str = ""


@dataclass(slots=True)
class Judge:
    """Compares the world with its state when it was last read."""

    world: FuzzWorld
    is_walk: bool = False
    """Whether each request builds on the one before. Then the state is read again after each."""
    before: dict[str, dict[str, str]] = field(default_factory=dict)
    teachings: frozenset[tuple[str, int, str]] = frozenset()
    versions: dict[UUID, int] = field(default_factory=dict)
    broken: frozenset[str] = frozenset()
    taught_at_first: frozenset[tuple[str, int]] = frozenset()
    _written: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.look()
        self.taught_at_first = self._taught()

    def look(self) -> None:
        """Read the present state of the world, which requests should not change."""
        self.versions = invariants.versions()
        self.broken = frozenset(invariants.broken_rules())
        self.teachings = invariants.teachings()
        for whose, class_id in self.world.classes.items():
            self.before[whose] = invariants.rows_of([class_id])

    def _read_again(self, written: set[str], broken: frozenset[str]) -> None:
        """Read the state again, but only of the tables that were written to."""
        self.broken = broken
        if "games_game" in written:
            self.versions = invariants.versions()
        if "classrooms_teaching" in written:
            self.teachings = invariants.teachings()
        # The children of a class decide which games belong to it.
        looked_at = invariants.CLASS_TABLES if "classrooms_child" in written else written
        for whose, class_id in self.world.classes.items():
            rows = invariants.rows_of([class_id], looked_at)
            self.before[whose] = {**self.before[whose], **rows}

    @contextmanager
    def walking(self) -> Iterator[None]:
        """Let each request build on the one before. Afterwards the old state is expected again."""
        kept = self.versions, self.broken, dict(self.before), self.teachings
        self.is_walk = True
        try:
            yield
        finally:
            self.is_walk = False
            self.versions, self.broken, self.before, self.teachings = kept

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Record the tables to which a request writes."""
        self._written.clear()

        def note(
            execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
        ) -> Any:
            result = execute(sql, params, many, context)
            if not sql.startswith("SELECT") and context["cursor"].rowcount != 0:
                self._written.update(WRITE.findall(sql))
            return result

        with connection.execute_wrapper(note):
            yield

    def _taught(self) -> frozenset[tuple[str, int]]:
        return frozenset((school_class, user) for school_class, user, _ in self.teachings)

    def _classes_joined(self, who: str) -> set[str]:
        """The classes that this person has begun to teach by an invitation in this walk."""
        own = self.world.users.get(who)
        return {pk for pk, user in self._taught() - self.taught_at_first if user == own}

    def findings(self, plan: PlannedRequest, answer: Answer) -> Iterator[Finding]:
        """Everything that is wrong with this answer. The transaction of the request must be
        open."""
        if answer.status >= 500:
            yield Finding("5xx", cause_of(answer), answer.problem, plan)
            if connection.needs_rollback or _is_aborted():
                return
        yield from self._leaks(plan, answer)
        written = {table for table in self._written if not BOOKKEEPING.fullmatch(table)}
        if not written:
            return
        yield from self._wrong_writes(plan, answer, written)
        now_broken = frozenset(invariants.broken_rules())
        for what in now_broken - self.broken:
            yield Finding("half-done", what.partition(":")[0], what, plan)
        if "games_game" in written or "games_action" in written:
            for what in invariants.games_unlike_their_logs(self.versions):
                yield Finding("half-done", "snapshot unlike its log", what, plan)
        if self.is_walk:
            self._read_again(written, now_broken)

    def _wrong_writes(
        self, plan: PlannedRequest, answer: Answer, written: set[str]
    ) -> Iterator[Finding]:
        unasked = written - TABLES_BY_ADDRESS.get(plan.url, frozenset())
        tables = ", ".join(sorted(unasked))
        if unasked and answer.status in REFUSALS:
            cause = f"{plan.url} refused with {answer.status} and wrote {tables}"
            yield Finding("half-done", cause, tables, plan)
        looks = {table for table in unasked if FIRST_LOOK_TABLES.fullmatch(table)}
        if plan.method in ("GET", "HEAD", "OPTIONS") and unasked - looks:
            yield Finding("half-done", f"{plan.method} {plan.url} wrote {tables}", tables, plan)
        if (
            plan.url in LINKS
            or plan.who == OPERATOR
            or self.world.browsers.is_somebody_else(plan.who)
        ):
            return
        for whose in FOREIGN[plan.who] if written & invariants.CLASS_TABLES else ():
            if self.world.classes[whose] in self._classes_joined(plan.who):
                continue
            now = invariants.rows_of([self.world.classes[whose]], written)
            changed = [table for table, rows in now.items() if self.before[whose][table] != rows]
            if changed:
                cause = f"{plan.who} at {plan.url} changed {whose}: {', '.join(changed)}"
                yield Finding("foreign rows", cause, cause, plan)
        if "classrooms_teaching" in written and plan.who not in ("Alice", "Charlie"):
            own = self.world.users.get(plan.who)
            changes = {row for row in invariants.teachings() ^ self.teachings if row[1] != own}
            if changes:
                yield Finding("owners", f"{plan.who} at {plan.url}", str(sorted(changes)), plan)

    def _leaks(self, plan: PlannedRequest, answer: Answer) -> Iterator[Finding]:
        name = SECRET_NAME.get(plan.who)
        if (
            not name
            or self.world.browsers.is_somebody_else(plan.who)
            or not (match := name.search(answer.body))
            or plan.url in AT_THE_DOOR
            or self._classes_joined(plan.who)
        ):
            return
        if match[0].decode() in plan.path + plan.query or match[0] in plan.body:
            return
        at = match.start()
        shown = answer.body[max(0, at - 80) : at + 80].decode("utf-8", "replace")
        yield Finding("leak", f"{plan.who} is told a name at {plan.url}", shown, plan)


def _is_aborted() -> bool:
    """Whether an error has aborted the transaction, as in PostgreSQL."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception:
        return True
    return False


def cause_of(answer: Answer) -> str:
    lines = answer.problem.strip().splitlines()
    error = lines[-1].partition(":")[0][:160] if lines else f"status {answer.status}"
    ours = [
        line.strip()
        for line in lines
        if re.search(r'File ".*/(?:games|classrooms|nmbrs_edu)/', line)
    ]
    place = re.sub(r'File ".*/((?:games|classrooms|nmbrs_edu)/)', r"\1", ours[-1]) if ours else ""
    if not place:
        files = [line.strip() for line in lines if line.strip().startswith("File ")]
        place = files[-1] if files else ""
    return re.sub(r"[0-9a-f-]{36}|\d{3,}", "…", f"{error} at {place}")
