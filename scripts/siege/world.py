"""The people who use the site during an attack, and the attacker's means."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from time import monotonic, perf_counter
from typing import Any, Final

from classrooms import bounds
from classrooms.assignments.playing import continue_or_start
from classrooms.models import Group, Membership, School, SchoolClass
from classrooms.roster import services as roster
from classrooms.roster.services import add_children
from scripts.load.crowd import SESSION, Tally, look
from scripts.load.lesson import Lesson, close_all, play_all, sign_in_all
from scripts.load.wire import GaveUp, Wire
from tests.classrooms.roster.importing.corpus import CHILDREN, changed
from tests.classrooms.roster.importing.lists import excel
from tests.factories import PASSWORD, AssignmentFactory, TeachingFactory
from tests.pages import PAGES, address, names_in
from tests.proxy.browser import Browser
from tests.proxy.site import Site

NEWCOMERS: Final = 25
"""Children who sign in one after another on a new computer."""
SECONDS_BETWEEN_CHILDREN: Final = 2.0
SECONDS_BETWEEN_TEACHERS: Final = 10.0
MOST_FOR_A_PDF: Final = 40
"""The largest class for which a teacher waits for a PDF."""
MOST_SLOW_PATHS: Final = 4
PAGE: Final = "text/html"
SHEETS: Final = 30
ROWS: Final = 570_000
"""The rows of a sheet: 3.4 MB that compress to 7 kB."""
LAG_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """The site's answers to the clients at one address."""

    children: list[float]
    """Seconds from the first request of a move to its answer."""
    teachers: list[float]
    """Seconds of each request; `door` too."""
    door: list[float]
    errors: dict[str, dict[str, int]]
    """Answers other than a page, and requests without an answer, by the person who made them."""


class Place:
    """Children at play, their teachers, and children who sign in, all behind one address."""

    def __init__(self, site: Site, classes: Sequence[int], seed: int) -> None:
        self.lesson, self.newcomers = Lesson(site), Lesson(site)
        for number in classes:
            self.lesson.add(number)
        self.newcomers.add(NEWCOMERS)
        self.lesson.sign_teachers_in()
        self.playing = self.lesson.playing(seed)
        self.teacher = site.teacher(self.lesson.teachers[0])
        self._at_home = Wire(site.https, context=self.lesson.context)
        self._next = count()
        self.address = ""

    async def sit_down(self, seconds: float) -> None:
        """Let all sign in by QR code and go on to their game."""
        await sign_in_all(self.playing, self.lesson.ways_in, "QR code", seconds, sits_down=True)

    def move_to(self, address: str) -> None:
        self.address = self._at_home.address = address
        self._at_home.close()
        self.lesson.move_to(address)

    def close(self) -> None:
        close_all(self.playing)

    async def measure(self, seconds: float, pace: float) -> AnswerTimes:
        """Let children play, teachers look and others sign in for this many seconds. Return the
        times of their answers."""
        until, door, tally = monotonic() + seconds, Tally(), self.lesson.tally
        for counted in (tally.moves, tally.answers, tally.adults, tally.looks):
            counted.clear()
        await asyncio.gather(
            play_all(self.lesson, self.playing, seconds, pace),
            self._sign_children_in(until, door),
            self._teacher_comes_in(until),
        )
        return AnswerTimes(
            [move.waited for move in tally.moves],
            tally.looks.copy(),
            door.signed_in,
            {
                "children": dict(tally.answers),
                "teachers": tally.adult_errors,
                "at the door": dict(door.answers),
            },
        )

    async def _sign_children_in(self, until: float, tally: Tally) -> None:
        """Let children sign in by class code and pictures and by QR code, in turn, each in a new
        browser."""
        while monotonic() < until:
            start, number = monotonic(), next(self._next)
            way_in = self.newcomers.ways_in[number % NEWCOMERS][("pictures", "QR code")[number % 2]]
            wire = Wire(self.newcomers.site.https, self.address, self.newcomers.context)
            try:
                await way_in(wire, tally)
                if SESSION not in wire.cookies:
                    tally.answers["not signed in"] += 1
            except GaveUp as problem:
                tally.answers[str(problem)] += 1
            wire.close()
            await _sleep_till(min(start + SECONDS_BETWEEN_CHILDREN, until))

    async def _teacher_comes_in(self, until: float) -> None:
        """Sign in on a known computer, then request a new password, again and again."""
        tally, wire, email = self.lesson.tally, self._at_home, self.teacher.email
        while monotonic() < until:
            start = monotonic()
            await sign_teacher_in(wire, tally, email)
            wire.cookies.pop("__Host-sessionid", None)
            await look(wire, tally, "POST", "/accounts/password/reset/", f"email={email}")
            await _sleep_till(min(start + SECONDS_BETWEEN_TEACHERS, until))


async def sign_teacher_in(wire: Wire, tally: Tally, email: str) -> None:
    body = f"login={email}&password={PASSWORD}"
    answer = await look(wire, tally, "POST", "/accounts/login/", body)
    if answer and answer.status == 200:
        tally.adults["not signed in"] += 1


async def measure_lags(seconds: float, lags: list[float]) -> None:
    """Measure the delays of this process itself, by which all its other measurements are late."""
    until = monotonic() + seconds
    while (start := monotonic()) < until:
        await asyncio.sleep(LAG_SECONDS)
        lags.append(monotonic() - start - LAG_SECONDS)


async def _sleep_till(moment: float) -> None:
    await asyncio.sleep(max(moment - monotonic(), 0))


def facts(site: Site, children: int = bounds.MOST_CHILDREN) -> dict[str, Any]:
    """The attacker's means: the sessions of a teacher and a child, a class as large as the site
    allows, a class for which it makes PDFs at once, and the slowest of their pages and files."""
    teaching = TeachingFactory.create()
    charlie, large = teaching.user, teaching.school_class
    add_children(large, [f"Child {n}" for n in range(children)], None)
    _fill_groups(large)
    small = TeachingFactory.create(user=charlie).school_class
    names = [f"Child {n}" for n in range(min(MOST_FOR_A_PDF, children))]
    finn = add_children(small, names, None)[0]
    school = School.objects.create(name="North")
    Membership.objects.create(school=school, user=charlie, role=Membership.Role.ADMIN)
    game = continue_or_start(finn, AssignmentFactory.create(school_class=small))
    browser = site.signed_in(charlie)
    slowest = _Slowest(browser)
    for school_class in (large, small):
        slowest.ask_all(school_class, school)
    return {
        "code": large.code,
        "teacher": dict(browser.cookies.items()),
        "child": dict(site.playing(finn).cookies.items()),
        "game": f"/games/{game.pk}/",
        "act": f"/games/{game.pk}/act",
        "upload": address("classrooms:upload_children", {"class_id": large.pk}),
        "workbook": _hostile_workbook().decode("latin-1"),
        "pages": slowest.slowest_below("/classes/", pages=True),
        "schools": slowest.slowest_below("/schools/", pages=True),
        "exports": slowest.slowest_below("/classes/", pages=False),
    }


def _fill_groups(school_class: SchoolClass) -> None:
    """Make as many groups as the site allows, each as large as possible."""
    children = list(school_class.children.all())
    for number in range(bounds.MOST_GROUPS):
        while children:
            try:
                roster.save_group(
                    Group(school_class=school_class, name=f"Group {number}"), children
                )
                break
            except bounds.LimitReached:
                del children[len(children) // 2 :]


def _hostile_workbook() -> bytes:
    """A workbook with one sheet under many names, for each of which a reader reads the sheet
    again."""
    sheet = (
        '<sheet xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
        'name="{}" sheetId="{}" r:id="rId1"/>'
    )
    more = "".join(sheet.format(f"S{n}", n) for n in range(2, SHEETS + 1))
    return changed(
        excel(CHILDREN),
        **{
            "xl/workbook.xml": ("</sheets>", f"{more}</sheets>"),
            "worksheets/sheet1": ("</sheetData>", "<row/>" * ROWS + "</sheetData>"),
            # Without a dimension, a reader that wants the size must read the whole sheet.
            "sheet1.xml": ('<dimension ref="A1:B3"/>', ""),
        },
    )


@dataclass(slots=True)
class _Slowest:
    browser: Browser
    found: list[tuple[float, str, str, str]] = field(default_factory=list)
    """Seconds, name, content type and path of everything that a GET shows."""

    def ask_all(self, school_class: SchoolClass, school: School) -> None:
        """Request all addresses of the class and of its school, except pages already found."""
        known = {
            "class_id": school_class.pk,
            "school_id": school.pk,
            "child_id": school_class.children.values_list("pk", flat=True)[0],
        }
        pages = {name for _, name, content, _ in self.found if content == PAGE}
        for name, page in PAGES.items():
            is_for_teachers = (
                page.kind in ("teacher", "owner", "school admin") and "GET" in page.methods
            )
            if is_for_teachers and name not in pages and names_in(name) <= known.keys():
                path, start = address(name, known), perf_counter()
                answer = self.browser.get(path, allow_redirects=False)
                content = answer.headers.get("Content-Type", "").partition(";")[0]
                if answer.status_code == 200:
                    self.found.append((perf_counter() - start, name, content, path))

    def slowest_below(self, start: str, *, pages: bool) -> list[str]:
        """The paths of the slowest pages below `start`, or of the slowest files."""
        fitting = [
            (seconds, path)
            for seconds, _, content, path in self.found
            if path.startswith(start) and (content == PAGE) == pages
        ]
        return [path for _, path in sorted(fitting, reverse=True)[:MOST_SLOW_PATHS]]
