"""Classes that look at one hand together (`classrooms.lesson.hands`). Each has a projector, a child
who is offline for a while, and one who comes late."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.db import connection

from classrooms.lesson import hands
from classrooms.models import SchoolClass
from games.coach.begun_rounds import rows_to_find
from games.coach.rows import plain_plays
from scripts.load.crowd import PlayingChild, Tally, look, share
from scripts.load.wire import Wire

if TYPE_CHECKING:
    from scripts.load.lesson import Lesson

CHILDREN_OF_A_CLASS: Final = 30
TABLES: Final = "tables=2&tables=5&tables=10"
MY_HAND_PATH: Final = "/me/hand/"
MOST_SECONDS_TO_COME: Final = 5.0
MOST_SECONDS_TO_THINK: Final = 10.0
OFFLINE_SECONDS: Final = 20.0
LATE_SECONDS: Final = 15.0
TALK_SECONDS: Final = 4.0
"""The seconds for which the class looks at the rows."""
PROJECTOR_POLL_SECONDS: Final = 3.0
CHILD_POLL_SECONDS: Final = 4.0
AIM_ON_SCREEN: Final = 2.0
"""From a teacher's tap until the projector shows the hand, or its rows."""
SEEN: Final = re.compile(r'name="seen" value="([^"]+)"')
PART: Final = re.compile(r'hx-get="([^"]+/hand/part/[^"]*)"')
ROW_COUNT: Final = re.compile(r"<strong>(\d+)</strong>\s+ha(?:s|ve) a row")
ROW: Final = "found-row"


@dataclass(slots=True)
class HandsTally:
    """The counts and times of the classes that look at hands."""

    hands: int = 0
    started: list[float] = field(default_factory=list)  # from tap to hand on the projector
    shown: list[float] = field(default_factory=list)  # from tap to rows on the projector
    counted: list[float] = field(default_factory=list)
    """Seconds from the last child's row until the projector counts it."""
    back: int = 0  # children who came back into the hand after being offline
    late: int = 0  # children who came late into the hand
    problems: list[str] = field(default_factory=list)

    def missed(self) -> list[str]:
        found = list(dict.fromkeys(self.problems))
        if not self.hands:
            found.append("no hand was shown")
        for name, seconds in (("a hand", self.started), ("the rows", self.shown)):
            if seconds and max(seconds) > AIM_ON_SCREEN:
                found.append(f"{name} came to the projector after {max(seconds):.1f} s")
        return found

    def __str__(self) -> str:
        return (
            f"  {self.hands} hands for everybody: tap to hand on the projector "
            f"p50 {share(self.started, 0.5) * 1e3:.0f} ms, longest "
            f"{max(self.started, default=0) * 1e3:.0f} ms; tap to rows "
            f"p50 {share(self.shown, 0.5) * 1e3:.0f} ms, longest "
            f"{max(self.shown, default=0) * 1e3:.0f} ms; last row laid to its number "
            f"p50 {share(self.counted, 0.5):.1f} s, longest {max(self.counted, default=0):.1f} s\n"
            f"  {self.back} children came back after {OFFLINE_SECONDS:.0f} s offline, "
            f"{self.late} came late"
        )


@dataclass(slots=True)
class _Hand:
    """A hand at which a class looks, and what its children have done."""

    state: str  # as in `hands.hand_version`
    play: str  # the easiest row
    cards: tuple[str, ...] = ()
    laid: int = 0
    last_laid: float = 0.0


@dataclass(slots=True)
class ClassAtHands:
    """A class with signed-in children, and the teacher's browser at the projector."""

    school_class: SchoolClass
    teacher: Wire
    children: Sequence[PlayingChild]
    tally: Tally
    hands_tally: HandsTally

    async def look(self, until: float) -> None:
        """Show hands until then. A hand that has begun is finished."""
        url = f"/classes/{self.school_class.pk}/hand/"
        seen = ""
        while monotonic() < until:
            start = monotonic()
            page = await self._post(url, f"{TABLES}&seen={seen}")
            self.hands_tally.started.append(monotonic() - start)
            part, next_seen = PART.search(page), SEEN.search(page)
            if not part or not next_seen or "scene-hand" not in page:
                self.hands_tally.problems.append("the projector did not show the hand")
                return
            seen = next_seen[1]
            hand = await asyncio.to_thread(_read, self.school_class.pk)
            over = asyncio.Event()
            projector = asyncio.create_task(self._project(part[1].replace("&amp;", "&"), hand))
            coming = [
                asyncio.create_task(self._child_at_hand(number, child, hand, over))
                for number, child in enumerate(self.children)
            ]
            await projector
            start = monotonic()
            page = await self._post(url, f"do=show&seen={seen}")
            self.hands_tally.shown.append(monotonic() - start)
            if ROW not in page:
                self.hands_tally.problems.append("the projector did not show the rows")
            over.set()
            await asyncio.gather(*coming)
            self.hands_tally.hands += 1
            await asyncio.sleep(TALK_SECONDS)
        await self._post(url, "do=end")

    async def _post(self, url: str, body: str) -> str:
        """The page to which a teacher's post redirects."""
        answer = await look(self.teacher, self.tally, "POST", url, body)
        if answer and answer.location:
            answer = await look(self.teacher, self.tally, "GET", answer.location)
        return answer.text if answer else ""

    async def _project(self, part: str, hand: _Hand) -> None:
        """Poll as the big screen does, until it says that all have laid the row."""
        tag, end = (
            "",
            monotonic()
            + max(LATE_SECONDS, OFFLINE_SECONDS)
            + MOST_SECONDS_TO_COME
            + 2 * MOST_SECONDS_TO_THINK,
        )
        while monotonic() < end:
            await asyncio.sleep(PROJECTOR_POLL_SECONDS)
            headers = {"HX-Request": "true", "HX-PTag": tag}
            answer = await look(self.teacher, self.tally, "GET", part, "", headers)
            if not answer or answer.status != 200:
                continue
            tag = answer.headers.get("hx-ptag", tag)
            if ROW in answer.text:
                self.hands_tally.problems.append("a row was on the projector before its time")
            number = ROW_COUNT.search(answer.text)
            if number and int(number[1]) == len(self.children):
                self.hands_tally.counted.append(monotonic() - hand.last_laid)
                return
        self.hands_tally.problems.append(f"only {hand.laid} children have laid a row")

    async def _child_at_hand(
        self, number: int, child: PlayingChild, hand: _Hand, over: asyncio.Event
    ) -> None:
        """Let a child come, lay the row, and wait for the others. The first child is offline for a
        while, the second comes late."""
        random = child.at_play.random
        await asyncio.sleep(
            random.uniform(0, MOST_SECONDS_TO_COME) + (LATE_SECONDS if number == 1 else 0)
        )
        game = await self._come(child, hand)
        if number == 0:
            child.wire.close()
            await asyncio.sleep(OFFLINE_SECONDS)
            if await self._come(child, hand) == game:
                self.hands_tally.back += 1
        self.hands_tally.late += number == 1
        await asyncio.sleep(random.uniform(0, MOST_SECONDS_TO_THINK))
        if child.at_play.page:
            await child.make(child.at_play.request_move([("play", hand.play)]))
            hand.laid += 1
            hand.last_laid = monotonic()
        while not over.is_set():
            answer = await child.wire.ask("GET", f"{MY_HAND_PATH}changed/?seen={hand.state}")
            if answer.status not in (200, 204):
                self.tally.answers[str(answer.status)] += 1
            await asyncio.sleep(CHILD_POLL_SECONDS)

    async def _come(self, child: PlayingChild, hand: _Hand) -> str:
        """Go to the hand, and return the child's game."""
        child.at_play.page, child.at_play.path, child.at_play.starts = None, MY_HAND_PATH, False
        await child.sit_down()
        page = child.at_play.page
        if page is None or (hand.cards and page.cards != hand.cards):
            self.hands_tally.problems.append("a child did not get the hand of the class")
            return ""
        hand.cards = page.cards
        return child.at_play.game


def _read(class_id: UUID) -> _Hand:
    """The hand at which the class looks, from the database."""
    shown = hands.current_hand(SchoolClass.objects.get(pk=class_id))
    assert shown
    position = shown.turn.begun.state.position(0)
    easiest = rows_to_find(position)[0]
    plays = plain_plays(position)
    play = next(play for play in plays if position.table.with_play(play)[1].numbers == easiest)
    connection.close()
    return _Hand(hands.hand_version(shown), str(play))


def classes_at_hands(
    lesson: "Lesson", playing: Sequence[PlayingChild], first: int, tally: HandsTally
) -> list[ClassAtHands]:
    """The classes of the lesson from number `first` on, each with a signed-in teacher."""
    by_class: dict[UUID, list[PlayingChild]] = {}
    for child, player in zip(lesson.children, playing, strict=True):
        by_class.setdefault(child.school_class_id, []).append(player)
    return [
        ClassAtHands(own, lesson.teachers_wire(number), by_class[own.pk], lesson.tally, tally)
        for number, own in enumerate(lesson.classes)
        if number >= first
    ]
