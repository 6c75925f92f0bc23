"""Times polls of the live board in the middle of a lesson: without news, after a move of one child,
and after a move of each of twenty. Compares them with floor requests of the same run, and says
whether the aims are met."""

from collections import defaultdict
from itertools import cycle
from random import Random
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from django.test import Client

from scripts.bench.floor import client_of_a_teacher, site, timed_request

if TYPE_CHECKING:
    from classrooms.models import Assignment, Child
    from games.play.moves import Move
    from games.play.services import Outcome

CHILDREN: Final = 30
FEWEST_ENTRIES, MOST_ENTRIES = 20, 50
"""The number of entries in each child's log when the polls begin. Each move adds some."""
POLLS: Final = 200
AT_ONCE: Final = 20
"""The number of children who move between two polls (4 s), if each moves every 6 s."""
WITHOUT_NEWS, WITH_NEWS = 0.5, 2
"""The aims for a poll in floor requests: without news, and with news."""
KINDS: Final = {
    "poll, answered by 304": (0, WITHOUT_NEWS),
    "poll after a move": (1, WITH_NEWS),
    f"poll after {AT_ONCE} moves": (AT_ONCE, WITH_NEWS),
}
"""The number of moves before each kind of poll, and its aim."""


def main() -> None:
    with site():
        floors, polls, entries = _measure()
    floor = median(floors[POLLS // 10 :])
    print(
        f"\nLive board: polls, {CHILDREN} children in the middle of their games, with "
        f"{min(entries)} to {max(entries)} entries each when it begins, PostgreSQL"
    )
    print(f"{'floor request':26} median {floor:.2f} ms")
    for name, (_moves, aim) in KINDS.items():
        poll = median(polls[name][POLLS // 10 :])
        note = "" if poll / floor <= aim else ", MISSED"
        print(
            f"{name:26} median {poll:.2f} ms; over the floor {poll / floor:.2f}"
            f" (aim: ≤ {aim}{note})"
        )


def _measure() -> tuple[list[float], dict[str, list[float]], list[int]]:
    """The times of floor requests and of polls, and the entries at the beginning. A floor request
    directly follows a move, as a poll with news does; after another floor request it would find
    more in the caches."""
    client, (part, players) = client_of_a_teacher(), _lesson()
    tag = client.get(part).headers["HX-PTag"]
    floors: list[float] = []
    polls: dict[str, list[float]] = defaultdict(list)
    entries = [player.entries for player in players]
    turns = cycle(players)
    for _ in range(POLLS):
        next(turns).move()
        floors.append(timed_request(client))
        _spent, tag = _poll(client, part, tag, expected=200)
        for name, (moves, _aim) in KINDS.items():
            for _move in range(moves):
                next(turns).move()
            spent, tag = _poll(client, part, tag, expected=200 if moves else 304)
            polls[name].append(spent)
    return floors, polls, entries


def _poll(client: Client, part: str, tag: str, expected: int) -> tuple[float, str]:
    start = perf_counter()
    response = client.get(part, headers={"HX-PTag": tag, "HX-Request": "true"})
    spent = (perf_counter() - start) * 1e3
    assert response.status_code == expected
    return spent, response.headers["HX-PTag"]


class Player:
    """A child at their game: draws, asks for hints, lays rows and discards, and begins another game
    at its end."""

    def __init__(self, child: "Child", assignment: "Assignment", seed: int) -> None:
        self.child, self.assignment = child, assignment
        self.random = Random(seed)
        self._sit_down()

    def _sit_down(self) -> None:
        from classrooms.assignments.playing import continue_or_start
        from games.play.services import look

        game = continue_or_start(self.child, self.assignment)
        self.outcome: Outcome = look(game.pk, self.child.player)

    @property
    def entries(self) -> int:
        return self.outcome.game.version

    def move(self) -> None:
        """Move until the log has a new entry: a hint that was shown before adds none."""
        from games.engine.round import MATCH_OVER

        if self.outcome.view.phase == MATCH_OVER:
            self._sit_down()
        before = self.entries
        while self.entries == before:
            self._try_move()

    def _try_move(self) -> None:
        from games.play import services as play

        game = self.outcome.game
        self.outcome = play.act(
            game.pk, self.child.player, version=game.version, key=uuid4(), move=self._next_move()
        )
        assert not self.outcome.result.error

    def _next_move(self) -> "Move":
        from games.engine.actions import Discard, DrawClosed
        from games.engine.plays import plays_without_jokers
        from games.engine.round import OVER_PHASES
        from games.engine.view import legal_actions
        from games.play.moves import AskHint, Choose, Do, NextRound

        view = self.outcome.view
        if view.phase in OVER_PHASES:
            return NextRound()
        if view.phase == "draw":
            return Do(DrawClosed())
        if self.random.random() < 0.2:
            return AskHint()
        rows = sorted(map(str, plays_without_jokers(view.position)))
        if rows and self.random.random() < 0.6:
            return Choose(self.random.choice(rows))
        cards = [action for action in legal_actions(view) if isinstance(action, Discard)]
        return Do(self.random.choice(cards))


def _lesson() -> tuple[str, list[Player]]:
    """A class in the middle of a lesson: the address of the poll, and the players."""
    from django.urls import reverse

    from classrooms.assignments import services as assignments
    from classrooms.assignments.choice import Choice
    from classrooms.models import SchoolClass, Teaching, User
    from classrooms.roster import services as roster

    school_class = SchoolClass.objects.create(name="5B", names_shown="always")
    Teaching.objects.create(school_class=school_class, user=User.objects.get())
    assignment = assignments.assign(school_class, Choice(rounds=5))
    names = [f"Child {'ABCDE'[n % 5]}{'FGHIJK'[n // 5]}" for n in range(CHILDREN)]
    players = []
    for n, child in enumerate(roster.add_children(school_class, names, None)):
        player = Player(child, assignment, n)
        while player.entries < FEWEST_ENTRIES + n * (MOST_ENTRIES - FEWEST_ENTRIES) // CHILDREN:
            player.move()
        players.append(player)
    return reverse("classrooms:live_part", args=[school_class.pk]), players


if __name__ == "__main__":
    main()
