"""A child as a client of the site, who reads pages and decides what to request next. This module
opens no connection and knows no clock."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import unescape
from random import Random
from typing import Final
from urllib.parse import urlencode

from games.play import presence

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
    """Whether it is another child's turn, at a table of several."""
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
            polled is not None and "wait" in words and "over" not in words,
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
                return [str(each) for each in row]
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
        """Request this move from the open page."""
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
        """Read the answer to `plan`."""
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
        # At the end of a round the page does not say whether somebody else at the table was faster.
        is_told = STALE not in html and not (page.poll and page.is_over)
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
