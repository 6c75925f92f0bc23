"""Every state of every page that a child sees, as walks: each step shows one and says its name.

A new state is one more `yield`. What holds for all of them (no violation of an accessibility
rule, sizes of what is tapped) is tested by walking.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Final

from django.utils import timezone
from playwright.sync_api import Page, expect

from classrooms.checkups.models import ChildCheckUp
from classrooms.credentials import PICTURES
from classrooms.models import AuditEntry, Child, WrongCodes
from classrooms.progress.models import FactDay, TableDay, TableMastery
from classrooms.signin import cards
from classrooms.signin.services import OPENLY
from games.coach.hints import DERIVING_STEP, LAST_STEP
from games.engine.cards import JOKERS, mask_of
from games.engine.plays import plays_without_jokers
from games.engine.ruleset import edition
from games.engine.table import card_text
from games.engine.text.snapshot import state_to_data
from games.models import Game
from games.play import log, services
from games.play.services import NewSeat
from tests.browser import rare_states
from tests.browser.at_home import (
    RULESET,
    let_in,
    lost_match_with_a_round_won,
    play_to_the_end,
    sit_down,
)
from tests.browser.child import ChildAtTheTable
from tests.classrooms.checks.rounds import round_over, round_played, sitting_with
from tests.classrooms.checkups.answering import answer_all
from tests.factories import AssignmentFactory, CheckUpFactory, UserFactory
from tests.games import players

Walk = Callable[[Page, Child], Iterator[str]]


def qr_of(child: Child) -> str:
    """The address on the child's card."""
    (card,) = cards.look_up(UserFactory.create(), [child], AuditEntry.Page.CARDS)
    return f"/q/{card.token}"


def door(page: Page, dora: Child) -> Iterator[str]:
    page.goto("/")
    yield "the code"
    page.locator("input[name=code]").fill("BCDF")
    page.locator("main button[type=submit]").click()
    yield "a wrong code"
    page.goto(f"/play/{dora.school_class.code}/")
    yield "the names"
    page.keyboard.press("?")
    yield "the help"
    page.keyboard.press("Escape")
    page.get_by_role("link", name=dora.name, exact=True).click()
    yield "the pictures"
    for picture in list(PICTURES)[:3]:
        page.locator(f"button[name=picture][value={picture}]").click()
    expect(page.locator(".messages")).to_be_visible()
    yield "wrong pictures"
    page.goto(qr_of(dora))
    yield "a card"
    WrongCodes.objects.create(hour=timezone.now().replace(minute=0), count=OPENLY)
    page.goto(f"/play/{dora.school_class.code}/")
    page.locator("input[name=name]").fill("Dora")
    yield "the name typed"


def errors(page: Page, dora: Child) -> Iterator[str]:
    page.goto("/nowhere/")
    yield "nothing there"
    page.goto("/q/x")
    yield "an old card"
    page.goto("/")
    page.context.clear_cookies()
    page.locator("input[name=code]").fill("BCDF")
    page.locator("main button[type=submit]").click()
    expect(page.locator(".lone .btn[href^='http']")).to_be_visible()
    yield "an old token"


def own_page(page: Page, dora: Child) -> Iterator[str]:
    let_in(page, dora)
    page.goto("/me/")
    yield "nothing to play"
    AssignmentFactory.create(school_class=dora.school_class, note="Look at both ends of a row.")
    page.goto("/me/")
    AssignmentFactory.create(school_class=dora.school_class, deal_seed=5)
    page.goto("/me/")
    yield "games to play, one of them together"
    page.goto("/nowhere/")
    yield "nothing there for a child"
    page.goto("/me/face/")
    page.locator("#hat-cap").click()
    expect(page.locator("#hat-cap[aria-pressed=true]")).to_be_visible()
    yield "a face"
    page.goto("/me/collection/")
    yield "an empty collection"
    for days in (20, 10, 0):
        FactDay.objects.create(
            child=dora,
            school_class=dora.school_class,
            low=6,
            high=7,
            recalled=1,
            day=timezone.localdate() - timedelta(days=days),
            last_at=timezone.now(),
        )
    for number, table in enumerate((2, 3, 4, 5, 10)):
        TableMastery.objects.create(
            child=dora,
            table=table,
            day=timezone.localdate(),
            known={},
            before={},
            at_once=4 * number,
            reached="learning",
            reached_on=timezone.localdate(),
            last_at=timezone.now(),
        )
    page.goto("/me/collection/")
    yield "a collection"


def table(page: Page, dora: Child) -> Iterator[str]:
    sit_down(page, dora)
    child = ChildAtTheTable(page, RULESET)
    yield "take"
    child.press("hint")
    yield "a hint before a card is taken"
    child.press("draw-closed")
    yield "lay"
    child.press("hint")
    yield "a hint"
    for card in child.hand()[:3]:
        child.tap("card", card_text(card))
    expect(page.locator("#chosen")).to_be_visible()
    yield "cards chosen"
    child.press("lay")
    expect(page.locator(".told-refusal")).to_be_visible()
    yield "a row refused"
    for card in child.hand()[:3]:
        child.tap("card", card_text(card))
    child.lay(child.plays()[0])
    yield "a row on the table"
    page.locator("#help summary").click()
    yield "the help and the languages"
    page.keyboard.press("Escape")
    page.locator("#away").evaluate("dialog => dialog.showModal()")
    yield "still there?"
    page.keyboard.press("Escape")
    page.locator("#network").evaluate(
        "p => { p.hidden = false; p.firstChild.textContent = p.dataset.lost;"
        " p.lastChild.textContent = p.dataset.again; }"
    )
    yield "no answer came"
    child.lay_and_end()
    yield "what the others did"
    play_to_the_end(child)
    yield "a round is over"
    page.goto(f"/games/{lost_match_with_a_round_won(dora).pk}/")
    yield "a round won in a lost match"


def choices(page: Page, dora: Child) -> Iterator[str]:
    """A joker and two numbers: the joker can be between them or at an end."""
    ruleset = edition("simplified", offers=False, rounds=1)
    seats = [
        NewSeat(player=dora.player, name=dora.name),
        NewSeat(bot="beginner", name="Ollie", face="owl"),
    ]
    game = services.start(ruleset, seats, hint_steps=4, seed=4)
    state = replace(
        log.snapshot_of(game, 2).state, hands=(mask_of((10, 20, 33, *JOKERS)), 0), phase="play"
    )
    assert game.snapshot is not None
    Game.objects.update(snapshot={**game.snapshot, "state": state_to_data(state)}, phase="play")
    let_in(page, dora)
    page.goto(f"/games/{game.pk}/")
    child = ChildAtTheTable(page, ruleset)
    for card in (10, 20, JOKERS[0]):
        child.tap("card", card_text(card))
    child.press_lay()
    expect(page.locator(".choice-play").first).to_be_visible()
    yield "which row is meant"


def pot(page: Page, dora: Child) -> Iterator[str]:
    """Blocks: a pot, a block to knock for, and penalty points when the round is over."""
    ruleset = edition("blocks")
    seats = [
        NewSeat(player=dora.player, name=dora.name),
        NewSeat(bot="onlooker", name="Ollie", face="owl"),
        NewSeat(bot="onlooker", name="Fenna", face="fox"),
    ]
    game = services.start(ruleset, seats, hint_steps=4, seed=1)
    let_in(page, dora)
    page.goto(f"/games/{game.pk}/")
    child = ChildAtTheTable(page, ruleset)
    yield "a pot"
    child.put_down(child.hand()[0])
    while not child.offered("knock"):
        child.put_down(child.hand()[0])
    yield "a block to knock for"
    while child.offered("knock"):
        child.press("pass")
    game.refresh_from_db()
    state = log.snapshot_of(game, len(seats)).state
    last = replace(state, hands=(mask_of((50,)), *state.hands[1:]), phase="play")
    assert game.snapshot is not None
    Game.objects.update(snapshot={**game.snapshot, "state": state_to_data(last)}, phase="play")
    page.reload()
    child.put_down(50)
    expect(page.locator(".over")).to_be_visible()
    yield "penalty points"


def questions(page: Page, dora: Child) -> Iterator[str]:
    attempt = round_over(dora, AssignmentFactory.create(school_class=dora.school_class))
    sitting_with(attempt, ("table", (12, 16, 20)), ("fact", (6, 7)))
    let_in(page, dora)
    page.goto(f"/me/checks/{attempt.game_id}/")
    yield "which table"
    page.locator("#answer").fill("4")
    page.locator("#do-answer").click()
    expect(page.locator(".check-said")).to_be_visible()
    yield "a fact, after praise"
    page.locator("#do-help").click()
    expect(page.locator(".check .notice")).to_be_visible()
    yield "a fact with help"
    page.locator("#answer").fill("41")
    page.locator("#do-answer").click()
    expect(page.locator("#go-on")).to_be_visible()
    yield "not yet"
    page.locator("#go-on").click()
    yield "after the last question"


def check_up(page: Page, dora: Child) -> Iterator[str]:
    given = CheckUpFactory.create(school_class=dora.school_class, timed=True)
    let_in(page, dora)
    page.goto("/me/")
    yield "a check-up to do"
    page.goto(f"/me/check-ups/{given.pk}/")
    yield "a check-up begins"
    page.locator("#do-begin").click()
    expect(page.locator("#answer")).to_be_hidden()
    yield "here it comes"
    ChildCheckUp.objects.update(timed=False)
    page.reload()
    page.locator("#do-answer").click()
    expect(page.locator("#ready")).not_to_be_empty()
    yield "a question of a check-up"
    answer_all(ChildCheckUp.objects.get())
    page.goto(f"/me/check-ups/{given.pk}/")
    yield "a check-up is done"


def learning(page: Page, dora: Child) -> Iterator[str]:
    game = game_with_a_row(dora)
    let_in(page, dora)
    page.goto(f"/games/{game.pk}/")
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    for step in range(1, LAST_STEP + 1):
        child.press("hint")
        if step >= DERIVING_STEP:
            yield f"hint {step}"
    card = players.card_of_a_row(game)
    assert card is not None
    child.put_down(card)
    expect(page.locator("#missed")).to_be_visible()
    yield "a row that was there"


def game_with_a_row(dora: Child) -> Game:
    """A round in which the child has been dealt a row, and is shown what it does not find."""
    seats = [
        NewSeat(player=dora.player, name=dora.name),
        NewSeat(bot="onlooker", name="Ollie", face="owl"),
    ]
    for seed in range(200):
        game = services.start(RULESET, seats, hint_steps=LAST_STEP, seed=seed, missed_rows=True)
        view = services.look(game.pk, dora.player).view
        if view.phase == "draw" and plays_without_jokers(view.position._replace(opened=False)):
            return game
        game.delete()
    raise AssertionError("no deal has a row")


def guided(page: Page, dora: Child) -> Iterator[str]:
    AssignmentFactory.create(school_class=dora.school_class)
    let_in(page, dora)
    page.goto("/me/")
    page.locator("#learn-simplified").click()
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    yield "the coach says what to lay"
    for name in ("classic", "blocks"):
        page.goto(f"/rules/{name}/")
        yield f"the rules of {name}"


def story(page: Page, dora: Child) -> Iterator[str]:
    school_class = dora.school_class
    attempt = round_played(dora, AssignmentFactory.create(school_class=school_class))
    TableDay.objects.create(
        child=dora,
        school_class=school_class,
        table=2,
        day=school_class.today(),
        at_once=12,
        last_at=timezone.now(),
    )
    let_in(page, dora)
    page.goto(f"/games/{attempt.game_id}/")
    expect(page.locator("#goal")).to_be_visible()
    yield "a round's story"


ALL: Final[tuple[Walk, ...]] = (
    door,
    errors,
    own_page,
    table,
    rare_states.moments,
    rare_states.ends,
    rare_states.steps,
    rare_states.long_names,
    choices,
    pot,
    questions,
    check_up,
    learning,
    guided,
    story,
)
WALKS: Final = {walk.__name__: walk for walk in ALL}
