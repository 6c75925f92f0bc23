"""Walks of people from page to page: children play, teachers change their classes, and wrong
requests come in between."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from classrooms.downloads import tasks as downloads
from classrooms.models import Child
from classrooms.progress import evidence
from games.engine.actions import Claim, Discard, DrawClosed, DrawOpen, End, Knock, Pass
from games.engine.cards import card_text
from games.engine.round import legal_actions
from games.engine.table import Play
from games.play import services as play
from scripts.fuzz import pages
from scripts.fuzz.asking import Answer, PlannedRequest
from scripts.fuzz.making import Maker, address, name_of, split
from scripts.fuzz.pages import Form, Page
from scripts.fuzz.world import CHILDREN, OPERATOR, PEOPLE, FuzzWorld

SELDOM_USED: Final = frozenset(
    {"classrooms:leave", "account_logout", "classrooms:year_end", "classrooms:leave_class",
     "classrooms:export_class", "admin:logout", "classrooms:hand_over", "account_change_password"}
)  # fmt: skip
"""Addresses that end a walk or leave little to do in it."""
STEPS_BETWEEN_WORK: Final = 60
MOVES: Final = {
    DrawOpen: "draw-open",
    DrawClosed: "draw-closed",
    Claim: "claim",
    Pass: "pass",
    Knock: "knock",
    End: "end",
}
CASTS: Final = (
    ("Dora",), ("Finn",), ("Dora", "Emil"), ("Dora", "Emil", "Alice"), ("Alice",),
    ("Alice", "Bob"), ("Charlie",), ("Alice", "Charlie", "Gus"), ("Alice", "nobody"),
    ("Bob", "Dora"), (OPERATOR, "Alice"),
)  # fmt: skip


@dataclass(slots=True)
class Walk:
    """A walk of one to three people."""

    world: FuzzWorld
    maker: Maker
    chance: Random
    cast: tuple[str, ...] = ()
    pages: dict[str, tuple[str, Page]] = field(default_factory=dict)
    visits: Counter[str] = field(default_factory=Counter)
    steps: int = 0

    def __post_init__(self) -> None:
        casts = [cast for cast in CASTS if set(cast) <= set(self.maker.people)]
        self.cast = self.chance.choice(casts or [tuple(self.maker.people)])

    def next_step(self, random: Random) -> PlannedRequest:
        """The next request of one of the people."""
        self.steps += 1
        who = random.choice(self.cast)
        path, page = self.pages.get(who, ("", Page()))
        if not (page.forms or page.links) or random.random() < 0.08:
            return self._from_the_start(random, who)
        if random.random() < 0.12:
            return self.maker.make(random)
        game = resolve_game(path)
        if game and random.random() < 0.6 and (plan := self._play(random, who, game, page)):
            return plan
        return self._follow(random, who, page)

    def go_on(self, plan: PlannedRequest, answer: Answer) -> None:
        if plan.who not in self.cast or plan.cookies:
            return
        self.world.browsers.keep(plan.who, answer)
        to = answer.headers.get("Location") or answer.headers.get("HX-Redirect", "")
        if to:
            self.pages[plan.who] = _page_at(to)
        elif answer.is_page and answer.status < 400:
            page = pages.read_page(answer.text, plan.path)
            if page.forms or page.links:
                self.pages[plan.who] = (plan.path, page)
        elif answer.status >= 400:
            self.pages.pop(plan.who, None)

    def is_time_for_the_workers(self) -> bool:
        return self.steps % STEPS_BETWEEN_WORK == 0

    def work_through(self) -> None:
        """Do what the workers would have done by now."""
        for attempt in evidence.dirty_attempts():
            evidence.process_game(attempt.game_id)
        evidence.process_answers([sitting.child_id for sitting in evidence.dirty_sittings()])
        downloads.look_for_waiting()

    def _from_the_start(self, random: Random, who: str) -> PlannedRequest:
        target = self.world.targets[PEOPLE[who]]
        if who in CHILDREN:
            game = {**target, "game_id": target.get("shared_id", target["game_id"])}
            path = random.choice(("/me/", address("games:page", target), "/"))
            path = address("games:page", game) if random.random() < 0.3 else path
        elif who == "nobody":
            path = random.choice(("/", f"/play/{target['code']}/", "/accounts/login/"))
        elif who == OPERATOR:
            path = random.choice(("/admin/", "/classes/"))
        else:
            path = random.choice(("/classes/", address("classrooms:class", target)))
        return PlannedRequest(who, "GET", path, url=name_of(path))

    def _follow(self, random: Random, who: str, page: Page) -> PlannedRequest:
        """Follow a link or send a form. Those used less often are more likely."""
        ways: list[Form | str] = [*page.forms, *page.links]
        weights = []
        for way in ways:
            name = name_of(urlsplit(way if isinstance(way, str) else way.action).path)
            worth = 2.0 if isinstance(way, Form) and way.method == "POST" else 1.0
            worth *= 0.02 if name in SELDOM_USED else 1.0
            weights.append(worth / (1 + self.visits[name]))
        way = random.choices(ways, weights)[0]
        if isinstance(way, str):
            path, query = split(way)
            self.visits[name_of(path)] += 1
            return PlannedRequest(who, "GET", path, query, url=name_of(path))
        self.visits[name_of(urlsplit(way.action).path)] += 1
        if random.random() < 0.3:
            return self.maker.spoilt_post(random, way, who)
        return self.maker.post_of(random, way, who, pages.fill_in(way, random))

    def _play(self, random: Random, who: str, game: UUID, page: Page) -> PlannedRequest | None:
        """A legal move, sent with the form of the page."""
        form = next((form for form in page.forms if name_of(form.action) == "games:act"), None)
        child_key = self.world.children.get(who)
        child = child_key and Child.all_objects.filter(pk=child_key).first()
        if form is None or not child:
            return None
        try:
            view = play.look(game, child.player).view
        except play.NotFound:
            return None
        if not view.may_act:
            return None
        actions = sorted(legal_actions(view), key=str)
        plays = [action for action in actions if isinstance(action, Play)]
        if not actions:
            return None
        action = random.choice(plays if plays and random.random() < 0.6 else actions)
        fields = [(each.name, each.value) for each in form.fields if each.name in ("seen", "key")]
        if isinstance(action, Play):
            fields.append(("play", str(action)))
        elif isinstance(action, Discard):
            fields += [("move", "discard"), ("card", card_text(action.card))]
        elif type(action) in MOVES:
            fields.append(("move", MOVES[type(action)]))
        return self.maker.post_of(random, form, who, fields)


def _page_at(address: str) -> tuple[str, Page]:
    """A page that has not been read yet, with a link to itself."""
    to = urlsplit(address)
    link = to.path + (f"?{to.query}" if to.query else "")
    return link, Page(links=[link] if to.netloc in ("", "testserver") else [])


def resolve_game(path: str) -> UUID | None:
    """The game at this address; None at other addresses."""
    parts = path.split("?")[0].split("/")
    if len(parts) > 2 and parts[1] == "games":
        try:
            return UUID(parts[2])
        except ValueError:
            return None
    return None
