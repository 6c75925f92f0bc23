"""A client that repeats one page slows no child's page by more than half."""

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import pytest
import requests

from classrooms.models import Child, SchoolClass, User
from tests.browser.at_home import game_of
from tests.counts import PROOF, times
from tests.factories import ChildFactory, SchoolClassFactory, TeachingFactory
from tests.proxy.browser import Browser
from tests.proxy.loop import loop
from tests.proxy.site import Site

pytestmark = pytest.mark.django_db(transaction=True)

CHILDREN = 14
SLICES = times(1, 8)
SLOWEST = 1.5
TRIES = 3
CONNECTIONS = times((8,), (1, 8, 40))
ALLOWED = {
    "sign-in": (40, 5),
    "sign-up": (15, 2),
    "reset": (15, 2),
    "code": (60, 20),
    "QR": (60, 20),
    "letters": (5, 0.5),
    "class": (20, 5),
    "downloads": (20, 5),
    "first page": (300, 100),
}
"""How many requests of one client pass at once, and then in a second: docs/proxy.md."""
NAMES = times(("class",), tuple(ALLOWED))


@dataclass(frozen=True, slots=True)
class Measured:
    alone: float
    """Seconds of a child's page, as all that follow."""
    beside: float
    lasted: float
    answers: Counter[str]
    """How often the loop got each status."""
    words: str

    @property
    def ratio(self) -> float:
        return self.beside / self.alone

    @property
    def passed(self) -> int:
        return self.answers.total() - self.answers["429"] - self.answers["lost"]

    def is_held_back(self, name: str, connections: int) -> bool:
        """No more passed than may in this time: true of a slow machine all the more."""
        at_once, in_a_second = ALLOWED[name]
        return self.passed <= at_once + in_a_second * self.lasted + connections


class Lesson:
    """A class that plays, each child its own game, and how long their pages take."""

    def __init__(self, site: Site) -> None:
        self.school_class: SchoolClass = SchoolClassFactory.create()
        self.alice: User = TeachingFactory.create(school_class=self.school_class).user
        children: list[Child] = ChildFactory.create_batch(CHILDREN, school_class=self.school_class)
        self.seats = [(site.playing(child), f"/games/{game_of(child).pk}/") for child in children]

    def seconds(self) -> list[float]:
        """How long each child's page took, one after another."""
        return [self._seconds(*seat) for seat in self.seats]

    @staticmethod
    def _seconds(browser: Browser, path: str) -> float:
        before = perf_counter()
        answer = browser.get(path)
        assert answer.status_code == 200
        return perf_counter() - before


@pytest.fixture
def lesson(site: Site) -> Iterator[Lesson]:
    made = Lesson(site)
    made.seconds()
    yield made
    for browser, _ in made.seats:
        browser.close()


def requests_of(site: Site, lesson: Lesson) -> dict[str, tuple[Browser, requests.Request]]:
    anyone, alice = site.browser(), site.signed_in(lesson.alice)
    token = anyone.token("/accounts/login/")

    def post(path: str, **data: str) -> tuple[Browser, requests.Request]:
        data["csrfmiddlewaretoken"] = token
        return anyone, requests.Request("POST", path, data=data)

    def get(path: str) -> tuple[Browser, requests.Request]:
        return alice, requests.Request("GET", f"/classes/{lesson.school_class.pk}/{path}")

    return {
        "sign-in": post("/accounts/login/", login="nobody@example.org", password="a guess"),
        "sign-up": post("/accounts/signup/", email="no address", password1="x"),
        "reset": post("/accounts/password/reset/", email="nobody@example.org"),
        "code": post("/play/", code="BCDF GHJK"),
        "QR": (anyone, requests.Request("GET", "/q/nobodys-card-at-all")),
        "letters": get("letters.pdf"),
        "class": get(""),
        "downloads": get("downloads/"),
        "first page": (anyone, requests.Request("GET", "/")),
    }


def measure(site: Site, lesson: Lesson, name: str, connections: int) -> Measured:
    """Children's pages beside the loop and alone. The loop is paused and let go on by turns, so
    that whatever else this machine does weighs on both."""
    browser, request = requests_of(site, lesson)[name]
    alone: list[float] = []
    beside: list[float] = []
    began = perf_counter()
    with loop(site, browser, request, connections) as running:
        for _ in range(SLICES):
            beside += lesson.seconds()
            running.pause()
            alone += lesson.seconds()
            running.go_on()
        answers = running.stop()
    lasted = perf_counter() - began
    words = (
        f"{name} on {connections}: {median(alone) * 1000:.1f} → {median(beside) * 1000:.1f} ms, "
        f"×{median(beside) / median(alone):.2f}, load {os.getloadavg()[0]:.1f}, "
        f"in {lasted:.1f} s the loop got {dict(answers)}"
    )
    return Measured(median(alone), median(beside), lasted, answers, words)


@pytest.mark.proof
@pytest.mark.parametrize("connections", CONNECTIONS)
@pytest.mark.parametrize("name", NAMES)
def test_who_asks_over_and_over_is_held_back_and_children_are_answered(
    site: Site, lesson: Lesson, name: str, connections: int
) -> None:
    """How long the answers take is asked with full counts alone: it is the machine's too."""
    measured = [measure(site, lesson, name, connections) for _ in range(times(1, TRIES))]
    for each in measured:
        print(each.words)
        assert each.is_held_back(name, connections), each.words
    # The site itself allows 60 sign-ups a minute; on a slow machine the first tries use them up.
    assert any(each.passed for each in measured), [m.words for m in measured]
    if PROOF:
        assert median(each.ratio for each in measured) <= SLOWEST, [m.words for m in measured]
