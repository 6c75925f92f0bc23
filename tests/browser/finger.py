"""Drags on the page, by mouse and by finger."""

from collections.abc import Callable
from typing import Final

from playwright.sync_api import CDPSession, Locator, Page

Point = tuple[float, float]
STEPS: Final = 6


def middle(target: Locator) -> Point:
    box = target.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Mouse:
    """Drags with the mouse. `over` is called while the button is still down."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def drag(self, start: Point, end: Point, over: Callable[[], None] = lambda: None) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=STEPS)
        over()
        self.page.mouse.up()

    def move(self, to: Point) -> None:
        """Go on with the drag under way."""
        self.page.mouse.move(*to)


class Finger:
    """Drags with a finger, as a touch screen reports it to the browser."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)

    def drag(
        self,
        start: Point,
        end: Point,
        over: Callable[[], None] = lambda: None,
        while_held: Callable[[], None] = lambda: None,
    ) -> None:
        """`while_held` is called before the finger moves, `over` before it is lifted."""
        self._touch("touchStart", start)
        while_held()
        for step in range(1, STEPS + 1):
            ways = [a + (b - a) * step / STEPS for a, b in zip(start, end, strict=True)]
            self._touch("touchMove", (ways[0], ways[1]))
        over()
        self._touch("touchEnd")

    def move(self, to: Point) -> None:
        """Go on with the drag under way, for instance to where a table has scrolled."""
        self._touch("touchMove", to)

    def _touch(self, kind: str, *points: Point) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
