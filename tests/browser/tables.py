"""Several children at one table, each in their own browser."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from classrooms.models import Child
from games.coach.goals import with_goal
from games.engine.ruleset import Ruleset, edition
from games.models import Game
from games.play import presence, starting
from games.play.starting import NewSeat
from tests.browser.at_home import let_in
from tests.browser.child import ChildAtTheTable
from tests.factories import ChildFactory

NAMES = ("Dora", "Emil", "Finn", "Greta")
SECONDS = 60


def wait_for_last_change(game: Game, *pages: Page) -> None:
    """Wait until all these pages show the last change at this table, which may go on meanwhile."""
    for left in reversed(range(SECONDS)):
        game.refresh_from_db(fields=["news"])
        numbers = (presence.shown_version(game.news, inactivity) for inactivity in range(16))
        shown = ", ".join(f"#news[data-poll$='/{number}']" for number in numbers)
        try:
            for page in pages:
                if page.locator("#goes-on:visible").count():  # still at the end of the last round
                    page.locator("#do-next-round").click()
                expect(page.locator(shown)).to_be_attached(timeout=1_000)
            return
        except AssertionError:
            if not left:
                raise


@dataclass(frozen=True)
class TableOfChildren:
    """A game, its children in the order of their seats, and each child's page."""

    game: Game
    ruleset: Ruleset
    children: tuple[Child, ...]
    at: tuple[ChildAtTheTable, ...]

    @property
    def pages(self) -> tuple[Page, ...]:
        return tuple(child.page for child in self.at)

    def now(self) -> Game:
        return Game.objects.get(pk=self.game.pk)

    def at_turn(self) -> ChildAtTheTable:
        """The page of the child whose turn it is."""
        number = self.now().awaited_seat
        assert number is not None
        child = self.at[number]
        expect(child.page.locator("html:not([data-now~=wait])")).to_be_attached()
        return child

    def waiting(self) -> list[ChildAtTheTable]:
        return [child for number, child in enumerate(self.at) if number != self.now().awaited_seat]

    def wait_until_all_show_the_same(self) -> None:
        wait_for_last_change(self.now(), *self.pages)


def sit_together(
    pages: Callable[..., Page],
    count: int,
    *,
    name: str = "simplified",
    bots: Sequence[NewSeat] = (),
    seed: int = 5,
    sizes: Sequence[str] = (),
    seconds: Mapping[str, Any] | None = None,
    together: bool = False,
    **options: Any,
) -> TableOfChildren:
    """Children at one table, each signed in and on the page of the game. `sizes`: the sizes of
    their windows. `seconds`: the arguments of `services.start`. `together`: whether they share a
    goal."""
    rules: dict[str, Any] = {"tables": (2, 5, 10), "offers": False, "rounds": 1, **options}
    ruleset = edition(name, **rules)
    if together:
        ruleset = with_goal(ruleset, count + len(bots), "right")
    first = ChildFactory.create(name=NAMES[0])
    others = [ChildFactory.create(name=n, school_class=first.school_class) for n in NAMES[1:count]]
    children = (first, *others)
    seats = [NewSeat(player=child.player, name=child.name, face="fox cap") for child in children]
    game = starting.start(ruleset, [*seats, *bots], hint_steps=4, seed=seed, **(seconds or {}))
    at = []
    for number, child in enumerate(children):
        page = pages(sizes[number] if sizes else "desktop")
        let_in(page, child)
        page.goto(f"/games/{game.pk}/")
        expect(page.locator("#board")).to_be_visible()
        at.append(ChildAtTheTable(page, ruleset))
    return TableOfChildren(game, ruleset, children, tuple(at))
