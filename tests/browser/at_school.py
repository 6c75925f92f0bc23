"""A teacher who is signed in already, and a class that has played."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Locator, Page

from classrooms.models import Child, SchoolClass, Teaching
from classrooms.progress.models import ChildDay, TableDay
from classrooms.progress.table_levels import fold_all_tables
from tests.classrooms.people import client_of
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory

NAMES: Final = (
    "Anna", "Ben", "Chloé", "Daan", "Dora", "Elif", "Emil", "Fay", "Finn", "Gül", "Hugo", "Isa",
    "Jip", "Kim", "Lena", "Mila", "Noor", "Ole", "Pim", "Quinten", "Rosa", "Sam", "Tess", "Umut",
    "Vera", "Wout", "Xenia", "Yara", "Zeb", "Annabella-Wilhelmina van den Bergh-Smit",
)  # fmt: skip
TABLES: Final = range(2, 11)


def signed_in(page: Page, school_class: SchoolClass) -> Page:
    """Sign the owner of the class in on the browser."""
    owner = school_class.teachers.get(teachings__role=Teaching.Role.OWNER)
    session = client_of(owner).cookies[settings.SESSION_COOKIE_NAME].value
    page.goto("/healthz")
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": page.url}]
    )
    return page


def new_class(name: str) -> SchoolClass:
    school_class = TeachingFactory.create(school_class__name=name).school_class
    AssignmentFactory.create(school_class=school_class, options={"tables": [2, 3, 4, 5, 6, 10]})
    return school_class


def new_children(school_class: SchoolClass, n: int) -> Sequence[Child]:
    return [ChildFactory.create(school_class=school_class, name=name) for name in NAMES[:n]]


def play(children: Sequence[Child], ago: Sequence[int]) -> None:
    """Store rows of each child on these days, of all tables but a few."""
    days, games = [], []
    for number, child in enumerate(children):
        for days_ago in ago:
            at = {
                "child": child,
                "school_class": child.school_class,
                "day": child.school_class.today() - timedelta(days=days_ago),
                "last_at": timezone.now() - timedelta(days=days_ago),
            }
            games.append(ChildDay(**at, turns=20, rounds=2))
            days += [
                TableDay(
                    **at,
                    table=table,
                    at_once=(number * table + 3 * days_ago) % (12 - table),
                    missed=(number + table) % 7,
                )
                for table in TABLES
                if (number + table) % 4
            ]
    TableDay.objects.bulk_create(days)
    ChildDay.objects.bulk_create(games)
    fold_all_tables([child.pk for child in children])


class CountingTeacher:
    """A teacher whose clicks and filled fields are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.interactions = 0

    def click(self, target: Locator) -> None:
        self.interactions += 1
        target.click()

    def fill(self, name: str, text: str) -> None:
        self.interactions += 1
        self.page.locator(f"main [name={name}]").fill(text)

    @property
    def next(self) -> Locator:
        """The main thing to do next on the page."""
        return self.page.locator("main .btn-primary").first
