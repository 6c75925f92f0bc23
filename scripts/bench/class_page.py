"""Times the pages of a class of thirty, and of a child in it, after four and after forty weeks of
play. Pages and floor requests take turns, in one process on one PostgreSQL."""

from statistics import median
from time import perf_counter
from typing import Any, Final

from scripts.bench.floor import floor_request, site

CHILDREN: Final = 30
FEW_WEEKS: Final = 4
MANY_WEEKS: Final = 40
ALL_TABLES: Final = (tuple(range(2, 11)),)
"""The tables of forty weeks. With fewer, the map of four weeks would be smaller."""
SITTINGS: Final = 1.65
"""Sittings of each child in a week: forty weeks make about 75,000 actions."""
TIMINGS: Final = 150
WARM_UP: Final = 5
CLASS_PAGE: Final = "class page"
SAME_TABLES: Final = f"{FEW_WEEKS} weeks, as many tables"
MOST_QUERIES: Final = 15


def main() -> None:
    print(f"\nPages of a class of {CHILDREN}, PostgreSQL", flush=True)
    with site():
        _measure()


def _measure() -> None:
    from django.db import connection
    from django.test import Client

    from classrooms.demo import school
    from classrooms.demo.simulated_weeks import Weeks
    from classrooms.models import User

    classes = {
        f"{MANY_WEEKS} weeks": _class_after(Weeks(MANY_WEEKS, SITTINGS)),
        f"{FEW_WEEKS} weeks": _class_after(Weeks(FEW_WEEKS, SITTINGS)),
        SAME_TABLES: _class_after(Weeks(FEW_WEEKS, SITTINGS, tables=ALL_TABLES)),
    }
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    client = Client()
    teacher = User.objects.get(email=school.EMAIL)
    client.force_login(teacher)
    for name, pages_of in ((CLASS_PAGE, _class_pages), ("child page", _child_pages)):
        _compare(
            client,
            name,
            {title: pages_of(school_class) for title, school_class in classes.items()},
        )


def _class_after(plan: Any) -> Any:
    """A class that has played these weeks, with progress rebuilt from the logs."""
    from classrooms.demo import school
    from classrooms.models import SchoolClass
    from classrooms.progress.rebuild import rebuild
    from games.models import Entry

    start = perf_counter()
    for _ in school.make_long_class(plan, CHILDREN):
        pass
    school_class = SchoolClass.objects.latest("created_at")
    seconds = perf_counter() - start
    for child in school_class.children.all():
        rebuild(child)
    actions = Entry.objects.filter(game__attempt__child__school_class=school_class).count()
    print(
        f"  {plan.weeks} weeks: {actions:,} actions, made in {seconds:.0f} s, "
        f"read from the logs in {perf_counter() - start - seconds:.0f} s",
        flush=True,
    )
    return school_class


def _class_pages(school_class: Any) -> list[str]:
    from django.urls import reverse

    return [reverse("classrooms:class", args=[school_class.pk])]


def _child_pages(school_class: Any) -> list[str]:
    from django.urls import reverse

    children = school_class.children.order_by("name")[:10]
    return [reverse("classrooms:progress", args=[school_class.pk, child.pk]) for child in children]


def _compare(client: Any, page: str, pages: dict[str, list[str]]) -> None:
    queries = {name: _query_count(client, urls[0]) for name, urls in pages.items()}
    spent: dict[str, list[float]] = {name: [] for name in pages}
    floors: list[float] = []
    for number in range(TIMINGS):
        floors.append(floor_request(client))
        for name, urls in pages.items():
            spent[name].append(_request(client, urls[number % len(urls)]))
    floor = median(floors[WARM_UP:])
    middle = {name: median(times[WARM_UP:]) for name, times in spent.items()}
    longest = next(iter(middle.values()))
    has_aims = page == CLASS_PAGE
    for name, time in middle.items():
        over = "" if time == longest else f"; {MANY_WEEKS} weeks over these {longest / time:.2f}"
        limit = f" (≤ {MOST_QUERIES})" if has_aims else ""
        aim = " (≤ 1.1)" if has_aims and name == SAME_TABLES else ""
        print(
            f"{page}, {name:28} {queries[name]} queries{limit}, "
            f"{time:.1f} ms, {time / floor:.1f} floor requests{over}{aim}"
        )


def _query_count(client: Any, url: str) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        _request(client, url)
    return sum(query["sql"] not in ("BEGIN", "COMMIT") for query in queries)


def _request(client: Any, url: str) -> float:
    """Request a page and return the milliseconds that it took."""
    start = perf_counter()
    response = client.get(url)
    spent = (perf_counter() - start) * 1e3
    assert response.status_code == 200
    return spent


if __name__ == "__main__":
    main()
