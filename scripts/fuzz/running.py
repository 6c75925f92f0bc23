"""Sends blocks of requests. A single request is undone before the next one; a walk is undone at its
end."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from django.core.cache import cache
from django.db import connection, transaction

from classrooms.downloads import tasks as downloads
from classrooms.models import Child
from classrooms.progress import answer_evidence, evidence
from games.engine.actions import Claim, Discard, DrawClosed, DrawOpen, End, Knock, Pass
from games.engine.cards import card_text
from games.engine.table import Play
from games.engine.view import legal_actions
from games.play import services as play
from scripts.fuzz import pages
from scripts.fuzz.asking import Answer, PlannedRequest
from scripts.fuzz.judging import CHILDS_SECONDS, TEACHERS_SECONDS, Finding, Judge
from scripts.fuzz.making import Catalogue, Maker, address, name_of, split
from scripts.fuzz.pages import Form, Page
from scripts.fuzz.values import repeatable
from scripts.fuzz.world import CHILDREN, OPERATOR, PEOPLE, TEACHERS, FuzzWorld

# Walks of people from page to page: children play, teachers change their classes, and wrong
# requests come in between.

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

    def work_through(self) -> None:
        """Do what the workers would have done by now."""
        for attempt in evidence.dirty_attempts():
            evidence.process_game(attempt.game_id)
        answer_evidence.process_answers(
            [sitting.child_id for sitting in answer_evidence.dirty_sittings()]
        )
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
        fields = [
            (field.name, field.value) for field in form.fields if field.name in ("seen", "key")
        ]
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


BLOCK: Final = 250
"""The number of requests that share a seed."""
TRIES: Final = 3
"""A slow request is tried this often, because other work of the machine must not count."""
SLOWEST: Final = 20


@dataclass(slots=True)
class Tally:
    requests: int = 0
    processor: float = 0.0  # seconds of Django and the fuzzer, without the database
    statuses: Counter[str] = field(default_factory=Counter)
    people: Counter[str] = field(default_factory=Counter)
    urls: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    slow: list[tuple[float, str, str, str]] = field(default_factory=list)
    """Seconds, person, address and request."""
    findings: dict[str, list[Finding]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def note(self, plan: PlannedRequest, answer: Answer, place: str) -> None:
        self.requests += 1
        self.statuses[str(answer.status)] += 1
        self.people[plan.who] += 1
        self.urls[plan.url or "–"] += 1
        self.seconds[plan.url or "–"] += answer.seconds
        kind = kind_of(plan.who)
        self.slow.append((answer.seconds, kind, place, str(plan)[:300]))
        if len(self.slow) > 50 * SLOWEST:
            self.slow = slowest(self.slow)

    def add_finding(self, finding: Finding) -> None:
        key = f"{finding.kind}: {finding.cause}"
        self.counts[key] += 1
        findings = self.findings.setdefault(key, [])
        if len(findings) < 3:
            findings.append(finding)

    def add(self, tally: "Tally") -> None:
        self.requests += tally.requests
        self.processor += tally.processor
        for name in ("statuses", "people", "urls", "counts"):
            getattr(self, name).update(getattr(tally, name))
        for url, seconds in tally.seconds.items():
            self.seconds[url] += seconds
        self.slow = slowest([*self.slow, *tally.slow])
        for key, findings in tally.findings.items():
            self.findings[key] = [*self.findings.get(key, []), *findings][:3]


def slowest(slow: Sequence[tuple[float, str, str, str]]) -> list[tuple[float, str, str, str]]:
    ordered = sorted(slow, reverse=True)
    kinds = {kind for _, kind, _, _ in ordered}
    return [
        entry for kind in sorted(kinds) for entry in [s for s in ordered if s[1] == kind][:SLOWEST]
    ]


def kind_of(who: str) -> str:
    return "a child" if who in CHILDREN else "a teacher" if who in TEACHERS else "nobody"


def bound_of(who: str) -> float:
    return TEACHERS_SECONDS if who in TEACHERS else CHILDS_SECONDS


@dataclass(slots=True)
class Runner:
    world: FuzzWorld
    seed: int
    people: Sequence[str] = tuple(PEOPLE)
    catalogue: Catalogue | None = None
    tally: Tally = field(default_factory=Tally)
    judge: Judge = field(init=False)
    maker: Maker = field(init=False)

    def __post_init__(self) -> None:
        self.judge = Judge(self.world)
        catalogue = self.catalogue or catalogue_of(self.world, self.people)
        self.maker = Maker(self.world, catalogue, self.people)

    def single(self, block: int, only: int | None = None, size: int = BLOCK) -> None:
        """Send requests that each find the world in its first state."""
        for index in range(size) if only is None else (only,):
            with repeatable(self.seed, block, index) as chance:
                plan = self.maker.make(chance)
                with transaction.atomic(), self.world.browsers.unchanged():
                    answer, slow = self.ask(plan, f"{block}:{index}")
                    transaction.set_rollback(True)
                if slow:
                    answer = self._repeat(plan, answer)
            self.tally.note(plan, answer, f"{block}:{index}")

    def walk(self, block: int, last: int | None = None, size: int = BLOCK) -> None:
        """Send requests of a few people, each building on the one before."""
        with transaction.atomic(), self.world.browsers.unchanged(), self.judge.walking():
            with repeatable(self.seed, block, "who") as chance:
                walk = Walk(self.world, self.maker, chance)
            for index in range(size if last is None else last + 1):
                place = f"{block}:{index}"
                with repeatable(self.seed, block, index) as chance:
                    plan = walk.next_step(chance)
                    answer, _ = self.ask(plan, place, repeats=TRIES)
                    walk.go_on(plan, answer)
                    self._after_commit(plan, place)
                    if walk.steps % STEPS_BETWEEN_WORK == 0:
                        walk.work_through()
                        self.judge.look()
                self.tally.note(plan, answer, place)
            transaction.set_rollback(True)

    def ask(self, plan: PlannedRequest, place: str, repeats: int = 1) -> tuple[Answer, bool]:
        """Send a request and judge the answer. Return it, and whether it took too long. With
        `repeats` a slow request is undone and repeated, and the fastest answer counts."""
        fastest = None
        for repeats_left in reversed(range(repeats)):
            cache.clear()
            with transaction.atomic():
                with self.judge.watching():
                    answer = self.world.browsers.send(plan)
                fastest = min(fastest or answer.seconds, answer.seconds)
                is_slow = repeats_left and answer.seconds > bound_of(plan.who) / 2
                if is_slow:
                    transaction.set_rollback(True)
                    continue
                for finding in self.judge.findings(plan, answer):
                    self.tally.add_finding(replace(finding, place=place))
                if connection.needs_rollback:
                    transaction.set_rollback(True)
            break
        answer.seconds = fastest or answer.seconds
        return answer, answer.seconds > bound_of(plan.who) / 2

    def _repeat(self, plan: PlannedRequest, answer: Answer) -> Answer:
        for _ in range(TRIES - 1):
            cache.clear()
            with transaction.atomic(), self.world.browsers.unchanged():
                second_answer = self.world.browsers.send(plan)
                transaction.set_rollback(True)
            answer.seconds = min(answer.seconds, second_answer.seconds)
        return answer

    def _after_commit(self, plan: PlannedRequest, place: str) -> None:
        """Run what waits for the commit, which never comes in a walk."""
        callbacks: list[Any] = connection.run_on_commit
        connection.run_on_commit = []
        for _, job, robust in callbacks:
            try:
                job()
            except Exception as problem:
                if not robust:
                    cause = f"after the commit of {plan.url}: {problem!r}"
                    self.tally.add_finding(Finding("5xx", cause, cause, plan, place))


def catalogue_of(world: FuzzWorld, people: Sequence[str]) -> Catalogue:
    """The catalogue of what these people find on the site. The search changes nothing."""
    catalogue = Catalogue(world)
    for who in people:
        with transaction.atomic(), world.browsers.unchanged():
            catalogue.look_around(who)
            transaction.set_rollback(True)
    return catalogue


def is_walk(block: int) -> bool:
    """Whether the requests of the block build on each other, as they do in every fourth block."""
    return block % 4 == 3


# The report of a run: causes, then times.


REPORT_FOLDER: Final = Path("var/fuzz")
BOUNDS: Final = {"a child": CHILDS_SECONDS, "a teacher": TEACHERS_SECONDS}


def report(tally: Tally, seed: int, seconds: float) -> int:
    """Print the results and store the requests with wrong answers. Return 1 if anything is
    wrong."""
    print(
        f"\n{tally.requests} requests, seed {seed}, {seconds / 60:.1f} minutes,"
        f" {tally.processor:.0f} processor seconds beside the database's"
    )
    print("people:", ", ".join(f"{who} {n}" for who, n in tally.people.most_common()))
    print("answers:", ", ".join(f"{status} {n}" for status, n in sorted(tally.statuses.items())))
    print(f"addresses asked for: {len(tally.urls)}")
    for key, findings in sorted(tally.findings.items()):
        print(f"\n{tally.counts[key]} × {key}")
        for finding in findings:
            print(f"  at {finding.place}: {finding.plan}")
        print("    " + findings[0].plan.as_test()[:1500].replace("\n", "\n    "))
        print("    " + findings[0].detail.strip()[-1500:].replace("\n", "\n    "))
    slow = _print_slow_requests(tally)
    _store_findings(tally)
    print(
        f"\nfindings: {sum(tally.counts.values())} of {len(tally.findings)} kinds; too slow: {slow}"
    )
    return int(bool(tally.findings) or slow > 0)


def _print_slow_requests(tally: Tally) -> int:
    """Print the slowest and the most expensive addresses. Return the number of slow requests."""
    print("\nmost time altogether (seconds, requests, mean ms):")
    for url, spent in sorted(tally.seconds.items(), key=lambda item: -item[1])[:10]:
        mean = 1000 * spent / tally.urls[url]
        print(f"  {spent:7.1f} {tally.urls[url]:7} {mean:7.1f}  {url}")
    count = 0
    for kind in ("a child", "nobody", "a teacher"):
        slow = [entry for entry in slowest(tally.slow) if entry[1] == kind][:SLOWEST]
        print(f"\nslowest of {kind}:")
        for spent, _, place, request in slow:
            too_slow = spent > BOUNDS.get(kind, TEACHERS_SECONDS)
            count += too_slow
            mark = "TOO SLOW " if too_slow else ""
            print(f"  {1000 * spent:6.0f} ms at {place}: {mark}{request[:180]!r}")
    return count


def _store_findings(tally: Tally) -> None:
    REPORT_FOLDER.mkdir(parents=True, exist_ok=True)
    findings = [
        {
            "kind": finding.kind,
            "cause": finding.cause,
            "place": finding.place,
            **finding.plan.as_data(),
        }
        for of_key in tally.findings.values()
        for finding in of_key
    ]
    (REPORT_FOLDER / "findings.json").write_text(json.dumps(findings, indent=1))
