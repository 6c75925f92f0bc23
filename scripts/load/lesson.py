"""Classes with an assignment each, and the browsers of their people."""

import asyncio
import ssl
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import ceil
from random import Random
from time import monotonic
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q
from django.test import override_settings

from classrooms.assignments import services as assignments
from classrooms.assignments.choice import Choice
from classrooms.credentials import decrypt_pictures
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress import evidence
from classrooms.progress.models import GameEvidence
from classrooms.progress.rebuild import compare_child, compare_game
from classrooms.roster.services import add_children
from classrooms.signin.cards import cards_of
from games.engine.actions import End
from games.engine.text.record import EntryKind, act_entry
from games.models import UNASKED, Entry, Game, Seat
from scripts.load.crowd import (
    ChildAtPlay,
    Deliver,
    JournalEntry,
    PlayingChild,
    SignIn,
    Tally,
    by_pictures,
    by_qr_code,
    come_in,
    watch_class,
)
from scripts.load.wire import Wire, without_checks
from tests.factories import TeachingFactory
from tests.proxy.site import Site

# Compares the journal, the log, the snapshots and the reports.

MOST_LISTED = 5
BOTS = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), player=None)
DEAL = Q(kind=EntryKind.DEAL, game__table__isnull=False)
DUE = (
    DEAL | Q(kind=EntryKind.STAND_IN) | Q(data=UNASKED) | Q(text__startswith="knock") | Exists(BOTS)
)
"""The entries that a table of several makes by itself, each with a key that no page has sent."""


@dataclass(slots=True)
class Comparison:
    """The amount compared, and every difference as a sentence."""

    acknowledged: int = 0
    games: int = 0
    children: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    snapshots: list[str] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)

    @property
    def differences(self) -> list[str]:
        return [*self.lost, *self.twice, *self.snapshots, *self.reports]

    def __str__(self) -> str:
        figures = (
            f"{self.acknowledged:,} acknowledged moves, {self.games:,} games, "
            f"{self.children:,} children: {len(self.lost)} lost, {len(self.twice)} twice or on "
            f"another page's standing, {len(self.snapshots)} snapshots and {len(self.reports)} "
            f"reports differ"
        )
        return "\n".join([figures, *self.differences[:MOST_LISTED]])


def compare(journal: Sequence[JournalEntry], children: Sequence[Child]) -> Comparison:
    """Compare everything that these children saw done with what is stored about them."""
    players = [child.player for child in children]
    games = Game.objects.filter(seats__player__in=players).distinct()
    compared = Comparison()
    _compare_log(journal, list(games.values_list("pk", flat=True)), compared)
    for game in games.iterator():
        compared.games += 1
        if difference := compare_game(game):
            compared.snapshots.append(f"{game}: {difference.told}")
    # A round still being played is counted when it ends or the child has left.
    dirty = evidence.dirty_attempts().filter(child__in=children)
    evidence.process_games(list(dirty.values_list("game", flat=True)))
    for child in children:
        compared.children += 1
        if difference := compare_child(child):
            compared.reports.append(f"{child.pk}: {difference.told}")
    return compared


def _compare_log(
    journal: Sequence[JournalEntry], games: list[UUID], comparison: Comparison
) -> None:
    """Check that every move that a child saw done is in the log, and that each move in the log was
    sent once and carried out on the state that its page showed."""
    keyed = Entry.objects.filter(game__in=games, key__isnull=False).exclude(DUE)
    # Showing the rows of a hand for everybody ends all games of it.
    keyed = keyed.exclude(game__has_one_turn=True, text=act_entry(0, End()).text)
    logged: dict[tuple[str, str], list[int]] = {}
    for game, key, number in keyed.values_list("game", "key", "number").iterator():
        logged.setdefault((str(game), str(key)), []).append(number)
    entry_of: dict[tuple[str, str], JournalEntry] = {}
    for entry in journal:
        entry_of[entry.game, entry.key] = entry
        if entry.shown_in is not None:
            comparison.acknowledged += 1
            if (entry.game, entry.key) not in logged:
                comparison.lost.append(
                    f"{entry} is not in the log; {_logged_instead(entry, journal)}"
                )
    for move, numbers in logged.items():
        if move not in entry_of:
            comparison.twice.append(f"{move} is in the log, and nobody sent it")
        elif numbers != [entry_of[move].seen + 1] and not _is_next(entry_of[move], numbers):
            comparison.twice.append(f"{entry_of[move]} became the entries {numbers}")
    counted_games = Game.objects.filter(pk__in=games).annotate(logged=Count("entries"))
    for pk, version, entries in counted_games.values_list("pk", "version", "logged").iterator():
        if version != entries:
            comparison.twice.append(f"{pk} is at version {version} with {entries} entries")


def _is_next(entry: JournalEntry, numbers: Sequence[int]) -> bool:
    """Whether a move at a table of several was carried out once, and only invisible things had
    happened since its page: others were refused or asked for a hint."""
    seats = Entry.objects.filter(game=UUID(entry.game), number=numbers[0]).values("seat")
    since = Entry.objects.filter(game=UUID(entry.game), number__gt=entry.seen)
    entries = since.filter(number__lt=numbers[0]).exclude(
        ~Q(seat__in=seats), kind__in=(EntryKind.HINT, EntryKind.REFUSED)
    )
    return len(numbers) == 1 and numbers[0] > entry.seen and not entries.exists()


def _logged_instead(entry: JournalEntry, journal: Sequence[JournalEntry]) -> str:
    """A sentence about the entry that the log has in place of a lost move."""
    logged = Entry.objects.filter(game=UUID(entry.game), number=entry.seen + 1).first()
    if logged is None:
        return "nothing is at its place"
    senders = [str(sender) for sender in journal if str(logged.key) == sender.key]
    return f"at its place is {logged.text!r} of {senders or 'nobody'}"


CHILDREN_OF_A_CLASS: Final = 25
CHILDREN_OF_A_SCHOOL: Final = 200
"""The number of children who share an address, so that the proxy's limits apply as at a school."""
ROUNDS: Final = 15
"""The rounds of a match: more than a load plays."""
SECONDS_TO_COUNT: Final = 60
LOOK_SECONDS: Final = 0.2
"""The seconds between two checks whether rounds are in the report."""
SECONDS_ON_A_BUSY_MACHINE: Final = 300
"""The time to count for tests that run beside others."""
BOARDS: Final = 10
SIZES: Final = (2, 3, 4)


@dataclass(slots=True)
class Lesson:
    """Classes at a running site, and what happens to them."""

    site: Site
    children_of_a_school: int = CHILDREN_OF_A_SCHOOL
    most_boards: int = BOARDS
    at_tables: float = 0
    """The share of the classes that play at tables of two to four children."""
    more_rows: bool = True
    """Whether they play with more rows than the printed game."""
    classes: list[SchoolClass] = field(default_factory=list)
    children: list[Child] = field(default_factory=list)
    ways_in: list[dict[str, SignIn]] = field(default_factory=list)
    """Each child's two ways to sign in, by pictures and by QR code."""
    teachers: list[User] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    context: ssl.SSLContext = field(default_factory=without_checks)
    _wires: list[Wire] = field(default_factory=list)
    _boards: list[Wire] = field(default_factory=list)

    def add(self, number: int, class_size: int = CHILDREN_OF_A_CLASS) -> None:
        for first in range(0, number, class_size):
            teaching = TeachingFactory.create()
            school_class = teaching.school_class
            self.classes.append(school_class)
            self.teachers.append(teaching.user)
            self._assign(school_class)
            names = [f"Child {n}" for n in range(first, min(first + class_size, number))]
            for card in cards_of(add_children(school_class, names, None)):
                child = card.child
                self.children.append(child)
                path = f"/play/{school_class.code}/{child.pk}/"
                pictures = decrypt_pictures(child.pictures_encrypted)
                self.ways_in.append(
                    {
                        "pictures": by_pictures(school_class.code, path, pictures),
                        "QR code": by_qr_code(f"/q/{card.token}"),
                    }
                )

    def _assign(self, school_class: SchoolClass) -> None:
        order = len(self.classes)
        sits = int(order * self.at_tables) > int((order - 1) * self.at_tables)
        chairs = SIZES[order % len(SIZES)] if sits else 1
        choice = Choice(rounds=ROUNDS, has_questions=False, chairs=chairs, more_rows=self.more_rows)
        assignments.assign(school_class, choice)

    def playing(self, seed: int, deliver: Deliver | None = None) -> list[PlayingChild]:
        playing = []
        for number, _ in enumerate(self.children):
            at_play = ChildAtPlay(Random(seed * 100_000 + number), self.tally.journal)
            playing.append(PlayingChild(self._wire(number), at_play, self.tally, deliver))
        return playing

    def boards(self, until: float) -> "list[asyncio.Task[None]]":
        """The teachers, at most `most_boards`, each with the live board of a class open."""
        return [
            asyncio.create_task(watch_class(wire, str(school_class.pk), self.tally, until))
            for wire, school_class in zip(self._boards, self.classes, strict=False)
        ]

    def sign_teachers_in(self) -> None:
        for number, _ in enumerate(self.teachers[: self.most_boards]):
            self._boards.append(self.teachers_wire(number))

    def teachers_wire(self, number: int) -> Wire:
        """The browser of the teacher with this number, signed in."""
        wire, browser = self._wire(number), self.site.signed_in(self.teachers[number])
        wire.cookies.update(
            {name: value for name, value in browser.cookies.items() if value is not None}
        )
        return wire

    def _wire(self, number: int) -> Wire:
        school = number % ceil(len(self.children) / self.children_of_a_school)
        self._wires.append(Wire(self.site.https, f"127.0.1.{school + 1}", self.context))
        return self._wires[-1]

    def move_to(self, address: str) -> None:
        for wire in self._wires:
            wire.close()
            wire.address = address

    def put_at_tables(self) -> None:
        """Let the children play at tables from now on."""
        assignments = Assignment.objects.filter(school_class__in=self.classes)
        assignments.update(chairs=SIZES[1])
        connection.close()

    def games_of_several(self) -> int:
        seats = Count(
            "seats", filter=Q(seats__player__in=[child.player for child in self.children])
        )
        return Game.objects.annotate(children=seats).filter(children__gt=1).count()

    async def watch_report(self, until: float) -> None:
        """Record when each round that ends before `until` is in the report."""
        waiting = self.tally.rounds
        while (now := monotonic()) < until or (waiting and now < until + SECONDS_TO_COUNT):
            await asyncio.sleep(LOOK_SECONDS)
            read = await asyncio.to_thread(_entries_read, {game for game, _ in waiting})
            for game, version in [key for key in waiting if read.get(key[0], 0) >= key[1]]:
                self.tally.counted.append(monotonic() - waiting.pop((game, version)))

    def compared(self, seconds: int = SECONDS_TO_COUNT) -> Comparison:
        """The comparison, once the workers have counted. More than `seconds` seconds of counting
        are a difference, too."""
        deadline = monotonic() + seconds
        # This process may have another idle time than the site, so only ended rounds are due.
        with override_settings(PROGRESS_IDLE_SECONDS=86_400):
            due = evidence.due_attempts().filter(child__in=self.children)
        while left := due.count():
            if monotonic() > deadline:
                break
            time.sleep(0.5)
        compared = compare(self.tally.journal, self.children)
        if left:
            compared.reports.append(f"{left} games were not counted in {seconds} s")
        return compared


def _entries_read(games: Collection[str]) -> dict[str, int]:
    """The last entry of each of these games that the workers have counted."""
    found = GameEvidence.objects.filter(game__in=map(UUID, games))
    read = {str(game): entry for game, entry in found.values_list("game", "upto_entry")}
    connection.close()
    return read


async def sign_in_all(
    playing: Sequence[PlayingChild],
    ways_in: Sequence[dict[str, SignIn]],
    by: str,
    seconds: float,
    *,
    sits_down: bool = False,
) -> None:
    """Sign all in within these seconds, evenly. With `sits_down` each goes on to the page of their
    game."""
    end = monotonic() + seconds

    async def sign_in_one(number: int) -> None:
        await asyncio.sleep(seconds * number / len(playing))
        await come_in(playing[number], ways_in[number][by])
        if sits_down:
            await playing[number].sit_down(end)

    await asyncio.gather(*(sign_in_one(number) for number in range(len(playing))))


def way_in_again(playing: Sequence[PlayingChild], ways_in: Sequence[dict[str, SignIn]]) -> None:
    """Let children whom the site signs out sign in again by QR code."""
    for child, ways in zip(playing, ways_in, strict=True):
        child.way_in = ways["QR code"]


async def play_all(
    lesson: Lesson, playing: Sequence[PlayingChild], seconds: float, pace: float
) -> tuple[float, float]:
    """Let all play, with the live boards open; return when that began and ended."""
    start = monotonic()
    boards = lesson.boards(start + seconds)

    async def play(each: PlayingChild) -> None:
        await asyncio.sleep(each.at_play.random.uniform(0, pace))
        await each.play(start + seconds, pace)

    await asyncio.gather(*(play(child) for child in playing), *boards)
    return start, monotonic()


def close_all(playing: Sequence[PlayingChild]) -> None:
    for child in playing:
        child.wire.close()
