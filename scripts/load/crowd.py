"""Children and teachers who use the site at the same time, each with a connection, in one
process."""

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from itertools import pairwise
from random import Random
from time import monotonic
from typing import Any, Final
from urllib.parse import urlencode

from games.play import presence
from scripts.load.wire import Answer, GaveUp, Wire

# A child as a client of the site, who reads pages and decides what to request next. This module
# opens no connection and knows no clock.

HOME: Final = "/me/"
TABLE: Final = "/me/table/"
START: Final = re.compile(r'action="(/me/start/[^"]+)"')
SIT: Final = re.compile(r'action="(/me/tables/[^"]+)".+?</form>', re.DOTALL)
CHAIR: Final = re.compile(r'name="table" value="([^"]+)"')
BEGIN: Final = 'value="begin"'
NEWS: Final = re.compile(r'data-poll="([^"]+/)(\d+)"')
NOW: Final = re.compile(r'name="seen"[^>]* data-now="([^"]*)"')
NUMBERS_PER_NEWS: Final = presence.shown_version(1, 0)
"""The step by which the number of a page rises with each piece of news. Between two steps, the
number says how long nothing has changed."""
STALE: Final = "told-stale"
LOOKS: Final = 5
"""The number of times that a child checks whether others come to their table, before they begin
without them."""
GAME: Final = re.compile(r"/games/([0-9a-f-]{36})/")
FIELD: Final = re.compile(r'name="(seen|key|card|play)" value="([^"]*)"')
BUTTON: Final = re.compile(r'name="move" value="([^"]+)"[^>]*>')
TABLES: Final = (2, 5, 10)
"""The tables of the assignment that these children play."""
SHARE_OF_HINTS: Final = 0.03
"""The share of a child's moves in which they ask for a hint."""
SPECIAL_MOVES: Final = frozenset({"hint", "look", "lay", "discard", "take-back", "knock", "claim"})


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """A request of a child. For a move, `entry` is its line in the journal."""

    method: str
    path: str
    body: str = ""
    entry: "JournalEntry | None" = None


@dataclass(slots=True)
class JournalEntry:
    """A move that was sent: its game, its key and the version that its page had seen."""

    game: str
    key: str
    seen: int
    shown_in: int | None = None  # the version of the page that showed the move; None until then


@dataclass(frozen=True, slots=True)
class Page:
    """The moves that a child can make on the page of a game."""

    seen: int
    key: str
    moves: tuple[str, ...]
    cards: tuple[str, ...]
    plays: tuple[str, ...]
    is_over: bool = False
    waits: bool = False
    """Whether it is another child's turn, at a table of several, or the next round waits."""
    poll: str = ""
    """The address that the page of such a table polls, ending with the number of what it shows."""
    news: int = 0
    """The number of changes to the game that all can see."""

    @classmethod
    def read(cls, html: str) -> "Page | None":
        """Read a page; None if it is not the page of a game."""
        fields: dict[str, list[str]] = {"seen": [], "key": [], "card": [], "play": []}
        for name, value in FIELD.findall(html):
            fields[name].append(unescape(value))
        if not fields["seen"] or not fields["key"]:
            return None
        buttons = [button for button in BUTTON.finditer(html) if "aria-disabled" not in button[0]]
        polled, now = NEWS.search(html), NOW.search(html)
        words = now[1].split() if now else []
        return cls(
            int(fields["seen"][0]),
            fields["key"][0],
            tuple(button[1] for button in buttons),
            tuple(fields["card"]),
            tuple(fields["play"]),
            "over" in words,
            polled is not None and "wait" in words and ("over" not in words or "ready" in words),
            polled[1] + polled[2] if polled else "",
            int(polled[2]) // NUMBERS_PER_NEWS if polled else 0,
        )

    def choices(self, random: Random) -> list[list[tuple[str, str]]]:
        """The posts that a child could make here, the favourite first."""
        likes: list[list[tuple[str, str]]] = [[("play", play)] for play in self.plays]
        if "hint" in self.moves and random.random() < SHARE_OF_HINTS:
            likes.append([("move", "hint")])
        row = row_in(self.cards)
        if "lay" in self.moves and row and random.random() < 0.7:
            likes.append([("move", "lay"), *(("card", card) for card in row)])
        if "discard" in self.moves and self.cards:
            plain = [card for card in self.cards if card.isdigit()] or list(self.cards)
            likes.append([("move", "discard"), ("card", random.choice(plain))])
        moves = [move for move in self.moves if move not in SPECIAL_MOVES]
        random.shuffle(moves)
        likes += [[("move", move)] for move in moves]
        return likes


def row_in(cards: Sequence[str]) -> list[str]:
    """Three cards of a hand that form a row of one of the tables; empty if there are none."""
    numbers = {int(card) for card in cards if card.isdigit()}
    for table in TABLES:
        for number in sorted(numbers):
            row = [number, number + table, number + 2 * table]
            if number % table == 0 and numbers.issuperset(row):
                return [str(value) for value in row]
    return []


@dataclass(slots=True)
class ChildAtPlay:
    """A child who opens their page, starts their assignment, plays, and goes on to the next
    match."""

    random: Random
    journal: list[JournalEntry]
    path: str = HOME
    game: str = ""
    page: Page | None = None
    starts: bool = False
    """Whether to post `body` to `path` next."""
    body: str = ""
    looks: int = 0
    """The number of times that the child has checked whether others come to their table."""
    goes_home: bool = False
    """Whether the child leaves the game and opens their own page next."""
    is_news: bool = False
    """Whether others at the table have done something that the page does not show."""
    asks_in: float = 1.0
    """The seconds until the page asks again for news."""
    rivals: list[PlannedRequest] = field(default_factory=list)
    """Other moves that a second window could send from the page of the last move."""
    keys: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    """The moves sent from each state of a game. There can be several, from a second window or after
    a reload. Then any of them may have been carried out, because a later page does not say whose
    move it shows."""

    def next_request(self) -> PlannedRequest:
        if self.goes_home:
            self.goes_home, self.page, self.path, self.starts = False, None, HOME, False
        if self.page and self.page.waits:
            return self.ask_for_news()
        likes = self.page.choices(self.random) if self.page else []
        if self.page is None or not likes:
            return self._elsewhere()
        first, *self.rivals = [self._move(self.page, like) for like in likes[:2]]
        assert first.entry is not None
        self._note(first.entry)
        return first

    def ask_for_news(self) -> PlannedRequest:
        """Poll for news as the page of a table of several does, then look."""
        assert self.page
        if not self.is_news:
            return PlannedRequest("GET", self.page.poll)
        body = urlencode([("seen", self.page.seen), ("key", self.page.key), ("move", "look")])
        return PlannedRequest("POST", f"/games/{self.game}/act", body)

    def request_move(self, choice: Sequence[tuple[str, str]]) -> PlannedRequest:
        assert self.page
        plan = self._move(self.page, choice)
        assert plan.entry
        self._note(plan.entry)
        return plan

    def _elsewhere(self) -> PlannedRequest:
        if self.page is not None:  # The match is over.
            self.page, self.path = None, HOME
        return PlannedRequest("POST" if self.starts else "GET", self.path, self.body)

    def _move(self, page: Page, choice: Sequence[tuple[str, str]]) -> PlannedRequest:
        entry = JournalEntry(self.game, page.key, page.seen)
        body = urlencode([("seen", page.seen), ("key", page.key), *choice])
        return PlannedRequest("POST", f"/games/{self.game}/act", body, entry)

    def rival(self) -> PlannedRequest | None:
        """A move with another key that a second window with the same page sends."""
        if not self.rivals:
            return None
        plan = self.rivals.pop()
        assert plan.entry is not None
        key = plan.entry.key[:-12] + f"{self.random.getrandbits(48):012x}"
        body = plan.body.replace(plan.entry.key, key)
        entry = JournalEntry(self.game, key, plan.entry.seen)
        self._note(entry)
        return PlannedRequest(plan.method, plan.path, body, entry)

    def _note(self, entry: JournalEntry) -> None:
        self.keys.setdefault((entry.game, entry.seen), set()).add(entry.key)

    def take(self, plan: PlannedRequest, location: str, html: str) -> None:
        if self.page and plan.path == self.page.poll:
            self.is_news, self.asks_in = html == "go on", float(html) if html.isdigit() else 1.0
            return
        self.starts, self.body, self.is_news, self.asks_in = False, "", False, 1.0
        if location:
            self.path, self.page = location, None
            return
        if plan.entry is None and (match := GAME.search(plan.path)):
            self.game = match[1]
        page = Page.read(html)
        if page is None:
            self.page = None
            self._choose_game(html)
            return
        entry = plan.entry
        # At the end of a round the page does not say whether somebody else at the table was faster,
        # and a wish for the next round is no entry: the table deals when all want it.
        is_over = page.is_over or bool(self.page and self.page.is_over)
        is_told = STALE not in html and not (page.poll and is_over)
        is_newer = entry is not None and page.seen > entry.seen
        if entry and is_newer and is_told and self.keys[entry.game, entry.seen] == {entry.key}:
            entry.shown_in = page.seen
        self.page = page

    def _choose_game(self, html: str) -> None:
        """The next address after a page outside a game: a table, if the child can sit down at
        one."""
        sit, start = SIT.search(html), START.search(html)
        if BEGIN in html:
            self.looks += 1
            self.path, self.starts = TABLE, self.looks % LOOKS == 0
            self.body = "do=begin" if self.starts else ""
            return
        game_path = sit or start
        self.starts, self.path = game_path is not None, game_path[1] if game_path else HOME
        chair = CHAIR.search(sit[0]) if sit else None
        self.body = urlencode({"table": chair[1]}) if chair else ""


SESSION: Final = "__Host-child"
POLL_SECONDS: Final = 4
"""The seconds between polls, as in templates/lesson/live.html and static/js/page/together.js."""
PAGE_SECONDS: Final = 20
"""Seconds between two visits of a teacher to the page of the class."""
LONGEST_WAIT: Final = 12.0
"""The longest wait before a page asks again, however busy the site says it is."""
OWN_TURN_SECONDS: Final = 5.0
"""Between two polls of the child whose turn it is, at a table of several."""
LONGEST_MOVE: Final = 80.0
"""The seconds for which a child tries to make a move."""
WAY_IN_SECONDS: Final = 40.0
STEPS_TO_A_GAME: Final = 4
PAGES: Final = frozenset({"200", "302", "304"})


@dataclass(frozen=True, slots=True)
class Move:
    """An acknowledged move: when its first request was sent, and the seconds until its answer."""

    at: float
    served: float
    """The seconds of the answered request."""
    waited: float
    """The seconds since the first request of this move."""


@dataclass(slots=True)
class Tables:
    news: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    """The rising numbers that the pages of a table showed, each with the moment when a page first
    showed it."""
    ended: set[str] = field(default_factory=set)
    moves: dict[tuple[str, int], tuple[int, float]] = field(default_factory=dict)
    """The child who made the move, and when they sent it, by game and number of news."""
    shown: list[float] = field(default_factory=list)
    """The seconds until a move was on the page of another child at the table."""
    polls: int = 0

    def longest_stop(self, until: float) -> tuple[float, float]:
        """The longest time without news at a table that played on, and when it began."""
        stops = [(0.0, until)]
        for game, news in self.news.items():
            times = [at for _, at in news] + ([] if game in self.ended else [until])
            stops += [(later - at, at) for at, later in pairwise(times)]
        return max(stops)

    def note(self, child: "ChildAtPlay", before: int, sent_at: float | None) -> None:
        """Record what a child's page shows. `before` is the last number that it showed. `sent_at`
        is when the child sent the move that the page answers, if there was one."""
        page, game, now = child.page, child.game, monotonic()
        if page is None or not page.poll:
            return
        if page.is_over and not page.waits and "next-round" not in page.moves:
            self.ended.add(game)
        news_of_game = self.news.setdefault(game, [])
        if not news_of_game or page.news > news_of_game[-1][0]:
            news_of_game.append((page.news, now))
        for number in range(before + 1, page.news + 1):
            maker, at = self.moves.get((game, number), (id(child), now))
            if maker != id(child):
                self.shown.append(now - at)
        if sent_at is not None and page.news == before + 1:
            self.moves[game, page.news] = id(child), sent_at


@dataclass(slots=True)
class Tally:
    """The experience of all children and teachers."""

    journal: list[JournalEntry] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    """Children's requests that got no page: by status, or by the reason why no answer came."""
    shed_requests: list[tuple[float, str]] = field(default_factory=list)
    """The moment and the kind of each child's request that was refused for a while: a move, a page
    or a poll."""
    signed_in: list[float] = field(default_factory=list)
    """Seconds of each request of a sign-in."""
    adults: Counter[str] = field(default_factory=Counter)
    """All requests of teachers, by status or by the reason why no answer came."""
    looks: list[float] = field(default_factory=list)
    """Seconds of each answered request of a teacher."""
    tables: Tables = field(default_factory=Tables)
    rounds: dict[tuple[str, int], float] = field(default_factory=dict)
    """When a child saw the end of a round, by game and version, until it is in the report."""
    counted: list[float] = field(default_factory=list)
    """Seconds from the end of a round until it was in the report."""
    is_over: bool = False
    """Whether the children stop before their next move."""

    @property
    def adult_errors(self) -> dict[str, int]:
        """The teachers' requests that got no page."""
        return {name: n for name, n in self.adults.items() if name not in PAGES and n}

    def moves_between(self, start: float, end: float) -> list[Move]:
        return [move for move in self.moves if start <= move.at < end]


def share(seconds: Sequence[float], part: float) -> float:
    """The time within which this part was answered."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")


SignIn = Callable[[Wire, Tally], Awaitable[Answer]]
"""Signs a child in, and returns the answer to the last request, which is their page."""
Deliver = Callable[["PlayingChild", PlannedRequest], Awaitable[None]]
"""Sends the other requests that the network delivers before the move."""


@dataclass(slots=True)
class PlayingChild:
    """A child with their browser. `deliver` makes moves arrive late, twice or in another order."""

    wire: Wire
    at_play: ChildAtPlay
    tally: Tally
    deliver: Deliver | None = None
    way_in: "SignIn | None" = None
    """The way in which the child signs in again after the site has signed them out."""

    async def sit_down(self, until: float = 0.0) -> None:
        """Go on to the page of a game. At a table where others have to come first, look again until
        `until`."""
        while True:
            looks = self.at_play.looks
            for _ in range(STEPS_TO_A_GAME):
                if self.at_play.page is None and self.at_play.looks == looks:
                    await self.make(self.at_play.next_request())
            if self.at_play.page or monotonic() + POLL_SECONDS > until:
                return
            await asyncio.sleep(POLL_SECONDS)

    async def play(self, until: float, pace: float) -> None:
        random = self.at_play.random
        while (now := monotonic()) < until and not self.tally.is_over:
            plan = self.at_play.next_request()
            # A child spends time on a page that they look at, not on a redirect.
            seconds = pace * random.uniform(0.7, 1.3) if plan.entry else 0.0
            if plan.path == HOME and plan.method == "GET":
                seconds = min(pace, 1.0)
            elif plan.path == TABLE and plan.method == "GET":
                seconds = min(pace, POLL_SECONDS)
            elif self.at_play.page and plan.path == self.at_play.page.poll:
                seconds = self.at_play.asks_in
            await self._think(min(seconds, max(until - now, 0)))
            if monotonic() < until:
                await self.make(plan)

    async def _think(self, seconds: float) -> None:
        page = self.at_play.page
        while page and page.poll and seconds > OWN_TURN_SECONDS:
            await asyncio.sleep(OWN_TURN_SECONDS)
            with suppress(GaveUp):
                await self.wire.ask("GET", page.poll)
                self.tally.tables.polls += 1
            seconds -= OWN_TURN_SECONDS
        await asyncio.sleep(max(seconds, 0))

    async def make(self, plan: PlannedRequest) -> None:
        """Send a request until it is answered, each time with the same key."""
        if plan.entry:
            self.tally.journal.append(plan.entry)
        if plan.entry and self.deliver:
            await self.deliver(self, plan)
        start, tries = monotonic(), 0
        while True:
            sent = monotonic()
            try:
                answer = await ask(self.wire, plan)
            except GaveUp as problem:
                self.tally.answers[str(problem)] += 1
                answer = None
            if answer and answer.status in (200, 302):
                break
            if answer:
                self.tally.answers[str(answer.status)] += 1
            if answer and answer.status == 503:
                self.tally.shed_requests.append((sent, self._kind(plan)))
            if answer and answer.status in (400, 403, 404):  # Waiting does not help.
                self.at_play.page, self.at_play.path, self.at_play.starts = None, HOME, False
                return
            if monotonic() - start > LONGEST_MOVE:
                return
            await asyncio.sleep(pause(answer, tries, self.at_play.random))
            tries += 1
        if self.way_in and SESSION not in self.wire.cookies:
            await self._come_in_again(self.way_in)
            return
        game, page = self.at_play.game, self.at_play.page
        self.at_play.take(plan, answer.location, answer.text)
        is_made = plan.entry is not None and plan.entry.shown_in is not None
        if is_made:
            now = monotonic()
            self.tally.moves.append(Move(start, now - sent, now - start))
            if self.at_play.page and self.at_play.page.is_over:
                self.tally.rounds[self.at_play.game, self.at_play.page.seen] = now
        if page and page.poll == plan.path:
            self.tally.tables.polls += 1
        elif self.at_play.page:
            same_page = page if game == self.at_play.game else None
            before = (same_page or self.at_play.page).news
            self.tally.tables.note(self.at_play, before, start if is_made else None)

    def _kind(self, plan: PlannedRequest) -> str:
        page = self.at_play.page
        return "poll" if page and page.poll == plan.path else "move" if plan.entry else "page"

    async def _come_in_again(self, way_in: "SignIn") -> None:
        self.tally.answers["signed out"] += 1
        self.at_play.page, self.at_play.path, self.at_play.starts = None, HOME, False
        await come_in(self, way_in)


def pause(answer: Answer | None, tries: int, random: Random) -> float:
    """Seconds until the page asks again, as in static/js/page/network.js."""
    seconds = float(answer.headers.get("retry-after", 0)) if answer else 0.0
    return min(seconds or 4**tries / 4, LONGEST_WAIT) * random.uniform(1, 1.5)


async def ask(wire: Wire, plan: PlannedRequest) -> Answer:
    headers = {"HX-Request": "true"} if plan.path.endswith("/act") else None
    return await wire.ask(plan.method, plan.path, plan.body, headers)


async def come_in(playing: PlayingChild, sign_in: SignIn) -> None:
    """Sign in, again if there is no answer. The child goes on from the page that they get."""
    until = monotonic() + WAY_IN_SECONDS
    while True:
        try:
            answer = await sign_in(playing.wire, playing.tally)
            playing.at_play.take(PlannedRequest("GET", HOME), answer.location, answer.text)
        except GaveUp as problem:
            playing.tally.answers[f"{problem} at sign-in"] += 1
        if SESSION in playing.wire.cookies or monotonic() > until:
            return
        playing.tally.answers["not signed in"] += 1
        await asyncio.sleep(1)


def by_qr_code(path: str) -> SignIn:
    """A sign-in by QR code: a tap on the page behind the card's code."""

    async def sign_in(wire: Wire, tally: Tally) -> Answer:
        for method in ("GET", "POST"):
            await _sign_in_request(wire, tally, method, path)
        return await _sign_in_request(wire, tally, "GET", HOME)

    return sign_in


def by_pictures(code: str, path: str, pictures: Sequence[str]) -> SignIn:
    """A sign-in by pictures: the class code, a name, and three taps, each of which redirects to the
    page."""

    async def sign_in(wire: Wire, tally: Tally) -> Answer:
        await _sign_in_request(wire, tally, "GET", "/play/")
        await _sign_in_request(wire, tally, "POST", "/play/", f"code={code}")
        await _sign_in_request(wire, tally, "GET", f"/play/{code}/")
        await _sign_in_request(wire, tally, "GET", path)
        for picture in pictures:
            answer = await _sign_in_request(wire, tally, "POST", path, f"picture={picture}")
            answer = await _sign_in_request(wire, tally, "GET", answer.location or path)
        return answer

    return sign_in


async def _sign_in_request(
    wire: Wire, tally: Tally, method: str, path: str, body: str = ""
) -> Answer:
    """Send a request of a sign-in, again while the site is busy, and return its answer."""
    random = Random(path)
    for tries in range(STEPS_TO_A_GAME):
        start = monotonic()
        answer = await wire.ask(method, path, body)
        tally.signed_in.append(monotonic() - start)
        if answer.status in (200, 302):
            break
        tally.answers[f"{answer.status} at sign-in"] += 1
        if answer.status != 503:
            break
        await asyncio.sleep(pause(answer, tries, random))
    return answer


async def watch_class(wire: Wire, school_class: str, tally: Tally, until: float) -> None:
    """A teacher with the live board open, who visits the page of the class now and then."""
    tag, page_at = "", monotonic() + Random(school_class).uniform(0, PAGE_SECONDS)
    while monotonic() < until:
        headers = {"HX-Request": "true", "HX-PTag": tag}
        answer = await look(wire, tally, "GET", f"/classes/{school_class}/live/part/", "", headers)
        tag = answer.headers.get("hx-ptag", tag) if answer else tag
        if answer and monotonic() > page_at:
            page_at += PAGE_SECONDS
            await look(wire, tally, "GET", f"/classes/{school_class}/")
        await asyncio.sleep(min(POLL_SECONDS, max(until - monotonic(), 0)))
    wire.close()


async def look(wire: Wire, tally: Tally, *arguments: Any) -> Answer | None:
    """The answer to a teacher's browser; None if there was none. A post that redirects is counted
    by the page to which it leads."""
    start = monotonic()
    try:
        answer = await wire.ask(*arguments)
    except GaveUp as problem:
        tally.adults[str(problem)] += 1
        return None
    tally.looks.append(monotonic() - start)
    if arguments[0] != "POST" or not answer.location:
        tally.adults[str(answer.status)] += 1
    return answer
