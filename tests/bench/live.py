"""An unchanged poll of the live view with 30 children, beside floor requests in the same run."""

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
        floors, polls = _timed()
    ratio = median(polls) / median(floors)
    print(f"\nLive view: an unchanged poll, {CHILDREN} children at their games, PostgreSQL")
    print(f"{'floor request':26} median {median(floors):.2f} ms")
    print(f"{'poll, answered by 304':26} median {median(polls):.2f} ms; over the floor {ratio:.2f}")


def _timed() -> tuple[list[float], list[float]]:
    client, part = client_of_a_teacher(), _lesson()
    tag = client.get(part).headers["HX-PTag"]
    floors, polls = [], []
    for _ in range(POLLS):
        floors.append(floor_request(client))
        polls.append(_poll(client, part, tag))
    return floors[POLLS // 10 :], polls[POLLS // 10 :]


def _poll(client: Client, part: str, tag: str) -> float:
    start = perf_counter()
    response = client.get(part, headers={"HX-PTag": tag, "HX-Request": "true"})
    spent = (perf_counter() - start) * 1e3
    assert response.status_code == 304
    return spent


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
