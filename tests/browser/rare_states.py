"""States that a round seldom has, for the walks of `tests.browser.states`."""

from collections.abc import Iterator
from typing import Final

from django.test import override_settings
from playwright.sync_api import Page, expect

from classrooms.models import Attempt, Child, SchoolClass
from games.coach.guided_lessons import STEPS, lesson_ruleset
from games.engine.ruleset import edition
from games.play import guided_rounds, services
from games.play.moves import NextRound
from games.play.services import NewSeat
from tests.browser.at_home import (
    RULESET,
    SHORT,
    game_of,
    let_in,
    match_of_two_rounds,
    play_to_the_end,
)
from tests.browser.child import ChildAtTheTable
from tests.browser.finger import Mouse, middle
from tests.browser.test_felt import CROWDED
from tests.browser.test_hints import WITH_A_JOKER
from tests.browser.test_layout import HAND, TABLE, choose, open_staged
from tests.browser.test_learning import follow_the_lights
from tests.classrooms.checks.rounds import sitting_with
from tests.classrooms.collection.test_round_growth import known_before, real_round
from tests.factories import AssignmentFactory, ChildFactory
from tests.games.players import act, play_out


def moments(page: Page, dora: Child) -> Iterator[str]:
    """Moments that a round seldom has: a card that is held, an offer, a card under the hand, a
    large table, sounds, a quiet class."""
    let_in(page, dora)
    hand = f"{HAND} 30"
    with override_settings(PUT_DOWN_PAUSE_MS=600_000):
        open_staged(page, dora, hand, *TABLE)
        choose(page, "1")
        page.locator("#do-discard").click()
        expect(page.locator("#held")).to_be_visible()
        yield "a card held that can be taken back"
    open_staged(page, dora, hand, *TABLE, phase="offer")
    yield "an offer"
    open_staged(page, dora, hand, *TABLE[:1])
    box = page.locator("#table").bounding_box()
    assert box
    corner = (box["x"] + 9, box["y"] + 9)
    for value in ("35", "40"):
        Mouse(page).drag(middle(page.locator(f"#hand label:has(input[value='{value}'])")), corner)
    expect(page.locator("#growing")).to_be_visible()
    yield "a row that grows on the table"
    page.set_viewport_size({"width": 1366, "height": 768})
    open_staged(page, dora, hand, *CROWDED)
    page.locator(".closer").click()
    yield "a large table looked at closer"
    page.set_viewport_size({"width": 360, "height": 740})
    open_staged(page, dora, hand, *CROWDED)
    page.locator(".whole").click()
    yield "the whole table over the board"
    page.set_viewport_size({"width": 1366, "height": 768})
    open_staged(page, dora, "8 11 13", *WITH_A_JOKER)
    child = ChildAtTheTable(page, edition("simplified"))
    child.press("hint")
    child.press("hint")
    expect(page.locator(".table-card.lit")).to_be_attached()
    yield "a hint to swap a joker"
    open_staged(page, dora, "1 7 23", open_card="50")
    child.press("hint")
    yield "a hint where there is no row"
    open_staged(page, dora, "10 20 47", open_card="30", phase="draw")
    for _ in range(2):
        child.press("hint")
    yield "a hint with the open card"
    Child.objects.filter(pk=dora.pk).update(sounds=True)
    page.reload()
    page.locator("#help summary").click()
    expect(page.locator("#sounds")).to_be_visible()
    yield "sounds on"
    SchoolClass.objects.update(quiet=True)
    page.reload()
    yield "a quiet class"


def ends(page: Page, dora: Child) -> Iterator[str]:
    """The ends of rounds: with what was nearly found, a garden, new pieces and a new stamp."""
    let_in(page, dora)
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    attempt, _ = real_round(dora, assignment)
    page.goto(f"/games/{attempt.game_id}/")
    expect(page.locator(".grown").first).to_be_visible()
    yield "new pieces"
    game = game_of(dora)
    page.goto(f"/games/{game.pk}/")
    child = ChildAtTheTable(page, RULESET)
    while not child.is_over():
        child.press("draw-closed")
        child.put_down(child.hand()[0])
    page.locator(".nearly summary").click()
    yield "a row nearly found is looked at"
    game = match_of_two_rounds(dora, 1)
    for _ in range(2):
        play_out(game, dora.player)
        if services.look(game.pk, dora.player).view.phase == "round over":
            act(game, NextRound(), dora.player)
    Attempt.objects.create(assignment=assignment, child=dora, game=game)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator(".garden")).to_be_visible()
    yield "a match ends with a garden"
    known_before(dora, 20, 10)
    sitting_with(attempt, ("fact", (6, 7)))
    page.goto(f"/me/checks/{attempt.game_id}/")
    page.locator("#answer").fill("42")
    page.locator("#do-answer").click()
    expect(page.locator(".stamp-new")).to_be_visible()
    yield "a new stamp"
    page.goto("/me/")
    yield "the list after a match"


def steps(page: Page, dora: Child) -> Iterator[str]:
    """Each step of a guided round, and its end."""
    AssignmentFactory.create(school_class=dora.school_class)
    let_in(page, dora)
    for step in range(1, STEPS + 1):
        game = guided_rounds.begin(dora.player, dora.name, "simplified", step)
        page.goto(f"/games/{game.pk}/")
        child = ChildAtTheTable(page, lesson_ruleset("simplified", step))
        follow_the_lights(child)
        yield f"step {step}"
        while not child.is_over():
            follow_the_lights(child)
        yield f"the end of step {step}"


LONGEST: Final = "Maximiliane-Charlotta van den Berghe-Öst"


def long_names(page: Page, dora: Child) -> Iterator[str]:
    """Names of 40 letters, where a name is shown."""
    assert len(LONGEST) == 40
    Child.objects.filter(pk=dora.pk).update(name=LONGEST)
    ChildFactory.create(name="W" * 40, school_class=dora.school_class)
    dora.refresh_from_db()
    page.goto(f"/play/{dora.school_class.code}/")
    yield "names at the door"
    page.get_by_role("link", name=LONGEST).click()
    yield "a name over the pictures"
    AssignmentFactory.create(school_class=dora.school_class)
    let_in(page, dora)
    page.goto("/me/")
    yield "a name on the list"
    seats = [
        NewSeat(player=dora.player, name=LONGEST),
        NewSeat(bot="beginner", name="W" * 40, face="owl"),
        NewSeat(bot="beginner", name=LONGEST[::-1], face="fox"),
    ]
    game = services.start(RULESET, seats, hint_steps=4, seed=SHORT.seed)
    page.goto(f"/games/{game.pk}/")
    yield "names at the table"
    child = ChildAtTheTable(page, RULESET)
    child.play_turn()
    yield "names of those who play"
    play_to_the_end(child)
    yield "names at the end"
