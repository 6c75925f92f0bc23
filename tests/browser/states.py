"""Walks through every state of every page for children. Each step shows a state and yields its
name.

A new state is one more `yield`. Tests that take the walks check what must hold in all states, such
as accessibility and sizes.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final
from unittest.mock import patch

from django.test import override_settings
from django.utils import timezone
from playwright.sync_api import Page, expect

from classrooms.assignments import tables
from classrooms.checkups.models import ChildCheckUp
from classrooms.credentials import PICTURES, decrypt_pictures
from classrooms.lesson import hands, pause
from classrooms.lesson.game_hooks import SchoolHost
from classrooms.models import Assignment, Attempt, AuditEntry, Child, SchoolClass, WrongCodes
from classrooms.progress.models import FactDay, TableDay, TableMastery
from classrooms.signin import cards
from classrooms.signin.door import OPEN_CODES
from games.coach.guided_rounds import STEPS, guided_ruleset
from games.coach.hints import LAST_STEP, HintStep
from games.engine.cards import JOKERS, card_text, mask_of
from games.engine.plays import plays_without_jokers
from games.engine.ruleset import edition
from games.engine.text.snapshot import state_to_data
from games.models import Game
from games.play import log, services, starting
from games.play.hooks import Surroundings
from games.play.moves import NextRound
from games.play.signs import give_sign
from games.play.starting import NewSeat
from tests.browser.at_home import (
    CROWDED,
    HAND,
    RULESET,
    SHORT,
    TABLE,
    WITH_A_JOKER,
    choose_cards,
    follow_the_lights,
    game_of,
    let_in,
    lost_match_with_a_round_won,
    match_of_two_rounds,
    open_staged,
    play_to_the_end,
    seats_of,
    sit_down,
)
from tests.browser.child import ChildAtTheTable
from tests.browser.finger import Mouse, middle
from tests.classrooms.checkups.answering import answer_all
from tests.classrooms.progress.answering import known_before, nearly_whole
from tests.classrooms.progress.playing import real_round
from tests.classrooms.questions.rounds import round_over, sitting_with
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    CheckUpFactory,
    ChildFactory,
    UserFactory,
    make_riddle,
)
from tests.games import players
from tests.games.players import act, best_plays, play_out

Walk = Callable[[Page, Child], Iterator[str]]


def qr_of(child: Child) -> str:
    """The address on the child's card."""
    (card,) = cards.view_cards(UserFactory.create(), [child], AuditEntry.Page.CARDS)
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
    secret, *_ = decrypt_pictures(dora.pictures_encrypted)
    for picture in [wrong_picture for wrong_picture in PICTURES if wrong_picture != secret][:3]:
        page.locator(f"button[name=picture][value={picture}]").click()
    expect(page.locator(".messages")).to_be_visible()
    yield "wrong pictures"
    page.goto(qr_of(dora))
    yield "a card"
    WrongCodes.objects.create(hour=timezone.now().replace(minute=0), count=OPEN_CODES)
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


def tables_of_class(page: Page, dora: Child) -> Iterator[str]:
    for_three = AssignmentFactory.create(school_class=dora.school_class, chairs=3)
    AttemptFactory.create(child=dora, assignment=for_three)
    Game.objects.update(finished_at=timezone.now(), phase="match over")
    let_in(page, dora)
    page.goto("/me/")
    yield "a table to open"
    emil = ChildFactory.create(school_class=dora.school_class, name="Emil", face="fox 1")
    tables.sit(emil, for_three.pk)
    page.goto("/me/")
    yield "somebody waits at a table"
    page.locator(".who-waits + form button").click()
    expect(page.locator(".waiting-table")).to_be_visible()
    yield "waiting at a table"
    tables.begin(emil)
    tables.get_up(dora)
    page.goto("/me/")
    yield "a table to go on at"


def own_page(page: Page, dora: Child) -> Iterator[str]:
    let_in(page, dora)
    page.goto("/me/")
    yield "nothing to play"
    AssignmentFactory.create(school_class=dora.school_class, note="Look at both ends of a row.")
    page.goto("/me/")
    AssignmentFactory.create(school_class=dora.school_class, deal_seed=5)
    page.goto("/me/")
    yield "games to play, one of them together"
    hands.show_next_hand(dora.school_class, [3, 4], None)
    page.goto("/me/")
    yield "called to a hand"
    page.goto("/me/hand/")
    yield "a hand for everybody"
    hand = Assignment.hands.get()
    Game.objects.update(created_at=timezone.now() - hands.TIME_TO_LOOK)
    hands.show_rows(hand.school_class, hand.pk)
    expect(page.locator(".over")).to_be_visible()
    yield "a hand whose rows are shown"
    hand.attempts.all().delete()
    page.goto("/me/hand/")
    yield "waiting for the next hand"
    hands.end(hand.school_class)
    pause.pause(hand.school_class)
    page.goto("/me/")
    yield "paused by the teacher"
    pause.go_on(hand.school_class)
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
    """A joker and two numbers: the joker can go between them or at an end."""
    ruleset = edition("simplified", offers=False, rounds=1)
    seats = seats_of(dora, "beginner")
    game = starting.start(ruleset, seats, hint_steps=4, seed=4)
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


def together(page: Page, dora: Child) -> Iterator[str]:
    """Shared goals: a bridge that grows and is completed, and one that is not completed."""
    more_rows: dict[str, Any] = {"market": 3, "refill": True, "piles": 1, "opening": False}
    more_rows["most_turns"] = 6
    seats = seats_of(dora, "onlooker", "onlooker")
    let_in(page, dora)
    for goal, end in ((4, "a bridge is built"), (200, "a bridge was not built")):
        ruleset = edition(
            "simplified", tables=(2, 5, 10), offers=False, rounds=2, goal=goal, goal_up=2,
            goal_down=5, **more_rows,
        )  # fmt: skip
        game = starting.start(ruleset, seats, hint_steps=4, seed=4)
        page.goto(f"/games/{game.pk}/")
        yield "a bridge to build"
        child = ChildAtTheTable(page, ruleset)
        if goal == 4:
            while int(page.locator(".goal b").inner_text()) < goal:
                if child.offered("draw-closed"):
                    child.press("draw-closed")
                elif plays := child.plays():
                    child.lay(plays[0])
                    yield "a bridge that grows"
                else:
                    child.put_down(child.hand()[0])
            yield "a bridge is whole"
            child.lay_and_end()
        play_to_the_end(child)
        yield end


def pot(page: Page, dora: Child) -> Iterator[str]:
    """Blocks: a pot, a block to knock for, and penalty points at the end of the round."""
    ruleset = edition("blocks")
    seats = seats_of(dora, "onlooker", "onlooker")
    game = starting.start(ruleset, seats, hint_steps=4, seed=1)
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
    check_up_ = CheckUpFactory.create(school_class=dora.school_class, timed=True)
    let_in(page, dora)
    page.goto("/me/")
    yield "a check-up to do"
    page.goto(f"/me/check-ups/{check_up_.pk}/")
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
    page.goto(f"/me/check-ups/{check_up_.pk}/")
    yield "a check-up is done"


def learning(page: Page, dora: Child) -> Iterator[str]:
    game = game_with_a_row(dora)
    let_in(page, dora)
    page.goto(f"/games/{game.pk}/")
    child = ChildAtTheTable(page, RULESET)
    child.press("draw-closed")
    for step in range(1, LAST_STEP + 1):
        child.press("hint")
        if step >= HintStep.NUMBER:
            yield f"hint {step}"
    card = players.card_of_a_row(game)
    assert card is not None
    child.put_down(card)
    expect(page.locator("#missed")).to_be_visible()
    yield "a row that was there"


def game_with_a_row(dora: Child) -> Game:
    """A round in which the child is dealt a row, and is shown a row that they have missed."""
    seats = seats_of(dora, "onlooker")
    for seed in range(200):
        game = starting.start(
            RULESET, seats, hint_steps=LAST_STEP, seed=seed, shows_missed_rows=True
        )
        view = services.look(game.pk, dora.player).view
        if view.phase == "draw" and plays_without_jokers(view.position._replace(has_opened=False)):
            return game
        game.delete()
    raise AssertionError("no deal has a row")


def guided(page: Page, dora: Child) -> Iterator[str]:
    AssignmentFactory.create(school_class=dora.school_class)
    let_in(page, dora)
    page.goto("/me/")
    page.locator(".assigned-first .btn").click()
    ChildAtTheTable(page, RULESET)
    yield "the coach says what to lay"
    for name in ("classic", "blocks"):
        page.goto(f"/rules/{name}/")
        yield f"the rules of {name}"


def story(page: Page, dora: Child) -> Iterator[str]:
    school_class = dora.school_class
    attempt, _ = real_round(dora, AssignmentFactory.create(school_class=school_class))
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
    expect(page.locator(".grown").last).to_be_visible()
    yield "a round's story"


# States that a round rarely has


def moments(page: Page, dora: Child) -> Iterator[str]:
    """States that a round rarely has: a dragged card, an offer, a card under the hand, a large
    table, sounds, a quiet class."""
    hand = f"{HAND} 30"
    with override_settings(PUT_DOWN_PAUSE_MS=600_000):
        open_staged(page, dora, hand, *TABLE)
        choose_cards(page, "1")
        page.locator("#do-discard").click()
        expect(page.locator("#held")).to_be_visible()
        yield "a card held that can be taken back"
    open_staged(page, dora, hand, *TABLE, phase="offer")
    yield "an offer"
    open_staged(page, dora, "1 12 35 40 50", *TABLE, phase="draw")
    yield "a full table"
    open_staged(page, dora, HAND, *TABLE)
    choose_cards(page, "35", "40", "45")
    page.locator(".row-tag").first.click()
    yield "cards chosen and a row tapped"
    open_staged(page, dora, hand, *TABLE[:1])
    box = page.locator("#table").bounding_box()
    corner = (box["x"] + 9, box["y"] + 9)
    for value in ("35", "40"):
        Mouse(page).drag(middle(page.locator(f"#hand label:has(input[value='{value}'])")), corner)
    expect(page.locator("#growing")).to_be_visible()
    yield "a row that grows on the table"
    page.set_viewport_size({"width": 1366, "height": 768})
    open_staged(page, dora, hand, *CROWDED)
    page.locator(".closer").click()
    yield "a large table looked at closer"
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
    SchoolClass.objects.update(is_quiet=True)
    page.reload()
    yield "a quiet class"


def ends(page: Page, dora: Child) -> Iterator[str]:
    """The ends of rounds: with a nearly found row, a garden, new pieces and a new stamp."""
    let_in(page, dora)
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    attempt, _ = real_round(dora, assignment)
    page.goto(f"/games/{attempt.game_id}/")
    expect(page.locator(".grown").first).to_be_visible()
    yield "new pieces"
    nearly_whole(dora)
    page.reload()
    expect(page.locator(".finished > svg")).to_be_visible()
    yield "a finished picture"
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
        game = starting.start_guided_game(dora.player, dora.name, "simplified", step)
        page.goto(f"/games/{game.pk}/")
        child = ChildAtTheTable(page, guided_ruleset("simplified", step))
        follow_the_lights(child)
        yield f"step {step}"
        while not child.is_over():
            follow_the_lights(child)
        yield f"the end of step {step}"


LONGEST: Final = "Maximiliane-Charlotta van den Berghe-Öst"


def long_names(page: Page, dora: Child) -> Iterator[str]:
    """Names of 40 letters, wherever a name is shown."""
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
    game = starting.start(RULESET, seats, hint_steps=4, seed=SHORT.seed)
    page.goto(f"/games/{game.pk}/")
    yield "names at the table"
    child = ChildAtTheTable(page, RULESET)
    child.play_turn()
    yield "names of those who play"
    play_to_the_end(child)
    yield "names at the end"


def riddle(page: Page, dora: Child) -> Iterator[str]:
    ChildFactory.create(name="Emil", school_class=dora.school_class)
    let_in(page, dora)
    page.goto("/me/")
    yield "a riddle that nobody has made"
    page.locator(".riddle button").click()
    yield "a riddle that will be there in a moment"
    of_today = make_riddle(dora.school_class)
    page.wait_for_url("**/games/*/")
    yield "a riddle"
    game = Game.objects.get()
    best = best_plays(services.look(game.pk, dora.player).view.position)
    child = ChildAtTheTable(page, of_today.ruleset, opened=True)
    child.lay(best[0])
    yield "a first row of a riddle"
    child.press("end")
    yield "a riddle that is not solved yet"
    page.goto("/me/")
    yield "a riddle tried once"
    page.locator(".riddle button").click()
    for play in best:
        child.lay(play)
    yield "a riddle is solved"
    page.goto("/me/")
    yield "a riddle that is solved"
    page.goto("/me/riddles/")
    yield "all riddles"


def several(page: Page, dora: Child) -> Iterator[str]:
    """A table of three children with signs. One child has a browser."""
    around_game = SchoolHost.around_game

    def with_signs(*args: Any, **game: Any) -> Surroundings:
        return replace(around_game(*args, **game), may_give_signs=True)

    names = ((dora.player, dora.name), (players.EMIL, "Emil"), (players.FINN, "Finn"))
    seats = [NewSeat(player=player, name=name, face="fox cap") for player, name in names]
    games = (starting.start(RULESET, seats, hint_steps=4, seed=seed) for seed in range(50))
    game = next(game for game in games if game.awaited_seat == 1)
    game.seats.update(here_until=timezone.now() + timedelta(hours=1))
    let_in(page, dora)
    with patch.object(SchoolHost, "around_game", with_signs):
        page.goto(f"/games/{game.pk}/")
        yield "another child's turn"
        give_sign(game.pk, players.EMIL, "thank-you")
        expect(page.locator(".sign svg")).to_be_visible()
        yield "a sign"
        while services.look(game.pk, players.EMIL).view.turn == 1:
            players.act_at_table(game, players.EMIL)
        game.seats.filter(number=2).update(here_until=timezone.now())
        expect(page.locator(".player-away")).to_be_visible()
        yield "a bot plays for a child who is away"
        players.play_table(game, lambda view: view.to_act is None)
        expect(page.locator("#over")).to_be_visible()
        yield "the end at a table of several"


ALL: Final[tuple[Walk, ...]] = (
    door,
    errors,
    own_page,
    tables_of_class,
    table,
    moments,
    ends,
    steps,
    long_names,
    choices,
    pot,
    together,
    questions,
    check_up,
    learning,
    guided,
    story,
    riddle,
    several,
)
WALKS: Final = {walk.__name__: walk for walk in ALL}
