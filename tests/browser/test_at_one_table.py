"""Several children at one table: what one does appears with the others."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from classrooms.lesson.game_hooks import SchoolAdviser
from games.engine.cards import card_text
from games.models import Action, Seat
from games.play.hooks import PlayerRequest, Surroundings
from tests.browser.at_home import let_in
from tests.browser.tables import sit_together

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def with_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    around_game = SchoolAdviser.around_game

    def signs_on(self: SchoolAdviser, request: PlayerRequest, **game: Any) -> Surroundings:
        return replace(around_game(self, request, **game), signs=True)

    monkeypatch.setattr(SchoolAdviser, "around_game", signs_on)


@pytest.mark.usefixtures("with_signs")
def test_two_children_see_each_others_moves_and_signs_and_play_to_the_end(
    pages: Callable[..., Page], screenshot: Callable[[Page, str], None]
) -> None:
    table = sit_together(pages, 2, sizes=("desktop", "phone"))
    first, (second,) = table.at_turn(), table.waiting()
    names = [child.name for child in table.children]
    expect(first.page.locator("#told")).to_contain_text("It is your turn!")
    whose = names[table.at.index(first)]
    expect(second.page.locator("#told")).to_contain_text(f"It is {whose}’s turn.")
    expect(second.page.locator("#told .face")).to_be_visible()
    screenshot(second.page, "table-waits")

    # Whoever waits may choose cards already, and they stay chosen.
    chosen = card_text(second.hand()[0])
    second.tap("card", chosen)
    first.press("draw-closed")
    table.all_show_the_same_table()
    expect(second.page.locator(f"input[name=card][value='{chosen}']")).to_be_checked()
    second.tap("card", chosen)

    second.page.locator(".signs summary").click()
    screenshot(second.page, "table-signs")
    second.page.get_by_role("button", name="Well laid!").click()
    expect(first.page.locator(".sign")).to_contain_text("Well laid!")
    screenshot(first.page, "table-sign")

    for _ in range(60):
        if table.now().at_turn is None:
            break
        at_turn = table.at_turn()
        at_turn.next_move()
        table.all_show_the_same_table()
    for child in table.at:
        assert child.is_over()
        expect(child.page.locator(".over-scores")).to_have_count(0)
    screenshot(first.page, "table-over")
    acts = Action.objects.filter(game=table.game)
    assert not acts.filter(kind=Action.Kind.STAND_IN).exists()


def test_whoever_closes_the_page_is_played_for_until_they_come_back(
    pages: Callable[..., Page],
) -> None:
    table = sit_together(pages, 2)
    leaves, (stays,) = table.at_turn(), table.waiting()
    number = table.at.index(leaves)
    leaves.page.goto("about:blank")
    Seat.objects.filter(game=table.game, number=number).update(here_until=timezone.now())
    expect(stays.page.locator("#told")).to_contain_text("It is your turn!")
    expect(stays.page.locator(".player-away")).to_contain_text("away")
    leaves.page.goto(f"/games/{table.game.pk}/")
    expect(leaves.page.locator("#told")).to_contain_text("A bot has played for you.")
    expect(stays.page.locator(".player-away")).to_have_count(0)


def test_a_turn_is_played_by_keyboard_and_the_focus_of_who_waits_stays_where_it_is(
    pages: Callable[..., Page],
) -> None:
    table = sit_together(pages, 2)
    first, (second,) = table.at_turn(), table.waiting()
    second.page.locator("#hand input").nth(2).focus()
    focused = second.page.evaluate("() => document.activeElement.id")
    first.page.locator("#do-draw-closed").focus()
    first.page.keyboard.press("Enter")
    expect(first.page.locator("#do-lay")).to_be_visible()
    table.all_show_the_same_table()
    assert second.page.evaluate("() => document.activeElement.id") == focused
    first.page.locator("#hand input").first.focus()
    first.page.keyboard.press("Space")
    first.page.locator("#do-discard").focus()
    first.page.keyboard.press("Enter")
    expect(second.page.locator("#told")).to_contain_text("It is your turn!")


def test_without_script_a_child_looks_again(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2)
    first, (second,) = table.at_turn(), table.waiting()
    child = table.children[table.at.index(second)]
    page = pages("phone", java_script_enabled=False)
    let_in(page, child)
    second.page.goto("about:blank")
    page.goto(f"/games/{table.game.pk}/")
    expect(page.get_by_role("heading", level=1)).to_be_attached()
    first.press("draw-closed")
    first.lay_and_end()
    page.get_by_role("button", name="Look again").click()
    expect(page.locator("#told")).to_contain_text("It is your turn!")
    seat = Seat.objects.get(game=table.game, player=child.player)
    assert seat.here_until is not None
    assert (seat.here_until - timezone.now()).total_seconds() > 120


def test_three_children_and_a_bot_play_blocks(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 3, name="blocks-simple", tables=None)
    for _ in range(6):
        if table.now().at_turn is None:
            break
        table.at_turn().next_move()
        table.all_show_the_same_table()
    assert table.game.actions.count() > 6
