"""Times a child's move (their own play, the bots' answer and the HTML) against a minimal request
that renders 48 items of HTML. The two take turns in one process, on one database."""

import sys
from collections import defaultdict
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any, Final
from unittest.mock import patch
from urllib.parse import urlencode
from uuid import uuid4

from scripts.bench.floor import client_of_a_teacher, site

ROUNDS_OF_TIMING: Final = 3
MOVES: Final = 100
"""The number of moves in each round."""
FLOOR_WITH_ITEMS: Final = "floor with 48 items"
ANSWERED_MOVE: Final = "a move that the bots answer"
HEADERS: Final = {"HX-Request": "true", "Accept-Encoding": "gzip"}
FORM: Final = "application/x-www-form-urlencoded"


def main(database: str) -> None:
    print(f"\nA child's move with the bots' answer, {database}", flush=True)
    with site(on_sqlite=database == "SQLite"):
        _compare()


def _compare() -> None:
    from games.templatetags import drawn_parts

    teacher, table = client_of_a_teacher(), _Table()
    spent: dict[str, list[float]] = defaultdict(list)
    uncached: dict[str, list[float]] = defaultdict(list)
    _round_of_moves(teacher, table, defaultdict(list), MOVES // 5)
    for _ in range(ROUNDS_OF_TIMING):
        _round_of_moves(teacher, table, spent, MOVES)
        with patch.object(drawn_parts, "draw", drawn_parts.draw.__wrapped__):
            _round_of_moves(teacher, table, uncached, MOVES)
    middle = {name: median(times) for name, times in spent.items()}
    middle[f"{ANSWERED_MOVE}, no part kept"] = median(uncached[ANSWERED_MOVE])
    drawn = middle[FLOOR_WITH_ITEMS]
    for name, time in middle.items():
        print(f"{name:42} median {time:6.2f} ms; over the floor with 48 items {time / drawn:.2f}")


def _round_of_moves(teacher: Any, table: "_Table", spent: dict[str, list[float]], n: int) -> None:
    """Time the kinds of requests in turn, so that each follows another kind, as on a server.
    Directly after its own kind a request finds everything in memory; that gain is measured too."""
    for _ in range(n):
        _timed(spent["floor"], lambda: teacher.get("/floor", headers=HEADERS))
        ends, move = table.next_move()
        _timed(spent[ANSWERED_MOVE if ends else "any other move"], move)
        _timed(spent[FLOOR_WITH_ITEMS], lambda: teacher.get("/floor48", headers=HEADERS))
        _timed(
            spent[f"{FLOOR_WITH_ITEMS}, at once again"],
            lambda: teacher.get("/floor48", headers=HEADERS),
        )


def _timed(spent: list[float], request: Callable[[], Any]) -> None:
    start = perf_counter()
    answer = request()
    spent.append((perf_counter() - start) * 1e3)
    assert answer.status_code == 200


class _Table:
    """Dora's table with the default settings and two more bots, game after game."""

    def __init__(self) -> None:
        from tests.classrooms.people import client_of_child
        from tests.factories import AssignmentFactory, ChildFactory

        self.dora = ChildFactory.create(name="Dora")
        self.assignment = AssignmentFactory.create(
            school_class=self.dora.school_class, bots=3, rounds=1, hint_steps=6
        )
        self.client = client_of_child(self.dora)
        self.game: Any = None

    def next_move(self) -> tuple[bool, Callable[[], Any]]:
        """Whether the move ends her turn, and the move itself as a page would post it."""
        from classrooms.assignments.playing import continue_or_start
        from games.bots import beginner
        from games.engine.actions import Discard, End
        from games.play import services as play

        view = play.look(self.game.pk, self.dora.player).view if self.game else None
        if view is None or not view.may_act:
            self.game = continue_or_start(self.dora, self.assignment)
            return self.next_move()
        self.game.refresh_from_db(fields=["version"])
        action = beginner.choose(view, self.game.version)
        data = {"seen": self.game.version, "key": uuid4(), **_post_of(action)}
        address = f"/games/{self.game.pk}/act"
        return isinstance(action, Discard | End), lambda: self.client.post(
            address, urlencode(data), content_type=FORM, headers=HEADERS
        )


def _post_of(action: Any) -> dict[str, Any]:
    from games.engine.actions import Discard, DrawOpen, End
    from games.engine.cards import card_text
    from games.engine.table import Play

    if isinstance(action, Play):
        return {"play": str(action)}
    if isinstance(action, Discard):
        return {"move": "discard", "card": card_text(action.card)}
    if isinstance(action, End):
        return {"move": "end"}
    return {"move": "draw-open" if isinstance(action, DrawOpen) else "draw-closed"}


if __name__ == "__main__":
    main(*sys.argv[1:])
