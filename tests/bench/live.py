"""Polls of the live board in the middle of a lesson, unchanged and after a move of any child,
beside floor requests in the same run. Says whether the aims are met."""

from itertools import cycle
from random import Random
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from django.test import Client

from tests.bench.floor import client_of_a_teacher, floor_request, on_postgresql

if TYPE_CHECKING:
    from classrooms.models import Child
    from games.models import Game
    from games.play.moves import Move
    from games.play.services import Outcome

CHILDREN: Final = 30
FEWEST, MOST = 20, 50
"""So many entries each child's log has when the polls begin; it grows with each move."""
POLLS: Final = 400
UNCHANGED, CHANGED = 0.5, 2
"""At most so many floor requests a poll takes, by whether it has anything new."""


def report() -> None:
    """Print the medians of floor and poll, asked by turns, and their ratio."""
    with on_postgresql():
        floors, polls, changed, entries = _timed()
    floor = median(floors)
    print(
        f"\nLive board: polls, {CHILDREN} children in the middle of their games, with "
        f"{min(entries)} to {max(entries)} entries each, PostgreSQL"
    )
    print(f"{'floor request':26} median {floor:.2f} ms")
    for name, times, aim in (
        ("poll, answered by 304", polls, UNCHANGED),
        ("poll after a move", changed, CHANGED),
    ):
        ratio = median(times) / floor
        missed = "" if ratio <= aim else ", MISSED"
        print(
            f"{name:26} median {median(times):.2f} ms; over the floor {ratio:.2f}"
            f" (aim: ≤ {aim}{missed})"
        )


def _timed() -> tuple[list[float], list[float], list[float], list[int]]:
    client, (part, players) = client_of_a_teacher(), _lesson()
    tag = client.get(part).headers["HX-PTag"]
    floors, polls, changed = [], [], []
    entries = [player.entries for player in players]
    turns = cycle(players)
    for _ in range(POLLS):
        floors.append(floor_request(client))
        polls.append(_poll(client, part, tag)[0])
        next(turns).move()
        spent, tag = _poll(client, part, tag, expected=200)
        changed.append(spent)
    return floors[POLLS // 10 :], polls[POLLS // 10 :], changed[POLLS // 10 :], entries


def _poll(client: Client, part: str, tag: str, expected: int = 304) -> tuple[float, str]:
    start = perf_counter()
    response = client.get(part, headers={"HX-PTag": tag, "HX-Request": "true"})
    spent = (perf_counter() - start) * 1e3
    assert response.status_code == expected
    return spent, response.headers["HX-PTag"]


class Player:
    """A child at its game: takes cards, asks for hints, lays rows, puts cards down."""

    def __init__(self, child: "Child", game: "Game", seed: int) -> None:
        from games.play import services

        self.player = child.player
        self.outcome: Outcome = services.look(game.pk, child.player)
        self.random = Random(seed)

    @property
    def entries(self) -> int:
        return self.outcome.game.version

    def move(self) -> None:
        """Until the log has a new entry: a hint that was shown before makes none."""
        before = self.entries
        while self.entries == before:
            self._try_move()

    def _try_move(self) -> None:
        from games.play import services

        game = self.outcome.game
        self.outcome = services.act(
            game.pk, self.player, seen=game.version, key=uuid4(), move=self._next()
        )
        assert not self.outcome.error

    def _next(self) -> "Move":
        from games.engine.actions import Discard, DrawClosed
        from games.engine.plays import plays_without_jokers
        from games.engine.round import OVER, legal_actions
        from games.play.moves import AskHint, Choose, Do, NextRound

        view = self.outcome.view
        if view.phase in OVER:
            return NextRound()
        if view.phase == "draw":
            return Do(DrawClosed())
        if self.random.random() < 0.2:
            return AskHint()
        rows = sorted(map(str, plays_without_jokers(view.position)))
        if rows and self.random.random() < 0.6:
            return Choose(self.random.choice(rows))
        cards = [each for each in legal_actions(view) if isinstance(each, Discard)]
        return Do(self.random.choice(cards))


def _lesson() -> tuple[str, list[Player]]:
    """A class in the middle of a lesson; the address that is polled."""
    from django.urls import reverse

    from classrooms.assignments import services
    from classrooms.assignments.choice import Choice
    from classrooms.models import SchoolClass, Teaching, User
    from classrooms.roster import services as roster

    school_class = SchoolClass.objects.create(name="5B", names_shown="always")
    Teaching.objects.create(school_class=school_class, user=User.objects.get())
    assignment = services.assign(school_class, Choice(rounds=5))
    names = [f"Child {'ABCDE'[n % 5]}{'FGHIJK'[n // 5]}" for n in range(CHILDREN)]
    players = []
    for n, child in enumerate(roster.add_children(school_class, names)):
        player = Player(child, services.go_on_or_start(child, assignment), n)
        while player.entries < FEWEST + n * (MOST - FEWEST) // CHILDREN:
            player.move()
        players.append(player)
    return reverse("classrooms:live_part", args=[school_class.pk]), players
