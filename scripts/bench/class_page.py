"""Times the pages of a class of thirty, and of a child in it, after four and after forty weeks of
play. Pages and floor requests take turns, in one process on one PostgreSQL."""

from statistics import median
from time import perf_counter
from typing import Any, Final

from scripts.bench.floor import site, timed_request

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
    from django.urls import reverse

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
    class_pages, child_pages = {}, {}
    for title, school_class in classes.items():
        key = school_class.pk
        class_pages[title] = [reverse("classrooms:class", args=[key])]
        children = school_class.children.order_by("name")[:10]
        child_pages[title] = [
            reverse("classrooms:progress", args=[key, child.pk]) for child in children
        ]
    _compare(client, CLASS_PAGE, class_pages)
    _compare(client, "child page", child_pages)


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


def _compare(client: Any, page: str, pages: dict[str, list[str]]) -> None:
    queries = {name: _query_count(client, urls[0]) for name, urls in pages.items()}
    spent: dict[str, list[float]] = {name: [] for name in pages}
    floors: list[float] = []
    for number in range(TIMINGS):
        floors.append(timed_request(client))
        for name, urls in pages.items():
            spent[name].append(timed_request(client, urls[number % len(urls)]))
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
        timed_request(client, url)
    return sum(query["sql"] not in ("BEGIN", "COMMIT") for query in queries)


if __name__ == "__main__":
    main()
