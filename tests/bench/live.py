"""Polls of the live view with 30 children, unchanged and changed, beside floor requests in the
same run."""

from statistics import median
from time import perf_counter
from typing import Final

from django.test import Client

from tests.bench.floor import client_of_a_teacher, floor_request, on_postgresql

CHILDREN: Final = 30
POLLS: Final = 400


def report() -> None:
    """Print the medians of floor and poll, asked by turns, and their ratio."""
    with on_postgresql():
        floors, polls, changed = _timed()
    ratio = median(polls) / median(floors)
    ratio_changed = median(changed) / median(floors)
    print(f"\nLive view: polls, {CHILDREN} children at their games, PostgreSQL")
    print(f"{'floor request':26} median {median(floors):.2f} ms")
    print(f"{'poll, answered by 304':26} median {median(polls):.2f} ms; over the floor {ratio:.2f}")
    print(
        f"{'poll after a move':26} median {median(changed):.2f} ms;"
        f" over the floor {ratio_changed:.2f}"
    )


def _timed() -> tuple[list[float], list[float], list[float]]:
    client, part = client_of_a_teacher(), _lesson()
    tag = client.get(part).headers["HX-PTag"]
    floors, polls, changed = [], [], []
    for _ in range(POLLS):
        floors.append(floor_request(client))
        polls.append(_poll(client, part, tag)[0])
        _move()
        spent, tag = _poll(client, part, tag, expected=200)
        changed.append(spent)
    return floors[POLLS // 10 :], polls[POLLS // 10 :], changed[POLLS // 10 :]


def _poll(client: Client, part: str, tag: str, expected: int = 304) -> tuple[float, str]:
    start = perf_counter()
    response = client.get(part, headers={"HX-PTag": tag, "HX-Request": "true"})
    spent = (perf_counter() - start) * 1e3
    assert response.status_code == expected
    return spent, response.headers["HX-PTag"]


def _move() -> None:
    """One child asks for a hint."""
    from django.db.models import F

    from games.models import Action, Game

    game = Game.objects.order_by("-version").first()
    assert game is not None
    Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
    Action.objects.create(game=game, number=game.version + 1, kind="hint", seat=0, text="1")


def _lesson() -> str:
    """A class in which every child has a game; the address that is polled."""
    from django.urls import reverse

    from classrooms.assignments import services
    from classrooms.assignments.choice import Choice
    from classrooms.models import SchoolClass, Teaching, User
    from classrooms.roster import services as roster

    school_class = SchoolClass.objects.create(name="5B", names_shown="always")
    Teaching.objects.create(school_class=school_class, user=User.objects.get())
    assignment = services.assign(school_class, Choice())
    names = [f"Child {'ABCDE'[n % 5]}{'FGHIJK'[n // 5]}" for n in range(CHILDREN)]
    for child in roster.add_children(school_class, names):
        services.go_on_or_start(child, assignment)
    return reverse("classrooms:live_part", args=[school_class.pk])
