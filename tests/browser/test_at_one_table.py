"""Several children at one table: an act of one appears on the pages of the others."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

import pytest
from django.utils import timezone
from playwright.sync_api import Error, Page, Route, expect

from classrooms.assignments import table_care, tables
from classrooms.lesson.game_hooks import SchoolHost
from classrooms.models import Attempt, Child, GameTable
from classrooms.progress.rebuild import compare_game
from classrooms.signin import sessions
from games.engine.cards import card_text
from games.engine.round import OVER_PHASES, ROUND_OVER
from games.engine.ruleset import EDITIONS
from games.engine.text.record import EntryKind
from games.engine.view import View
from games.models import Entry, Game, Seat
from games.play import presence
from games.play import services as play
from games.play.hooks import PlayerRequest, Surroundings
from games.play.moves import NextRound
from games.play.signs import give_sign
from games.play.starting import NewSeat
from tests.browser.at_home import SOUNDS_PLAYED, choose_cards, let_in
from tests.browser.seen import WATCH
from tests.browser.tables import sit_together, wait_for_last_change
from tests.classrooms.at_tables import play_round
from tests.classrooms.progress.answering import nearly_whole
from tests.counts import PROOF, times
from tests.factories import AssignmentFactory, ChildFactory, TableFactory
from tests.games.players import act, act_at_table, play_table
from tests.games.staged import stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES: Final = ("desktop", "phone")
MOST_MOVES: Final = 300


@pytest.fixture
def with_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    around_game = SchoolHost.around_game

    def signs_on(self: SchoolHost, request: PlayerRequest, **game: Any) -> Surroundings:
        return replace(around_game(self, request, **game), may_give_signs=True)

    monkeypatch.setattr(SchoolHost, "around_game", signs_on)


@pytest.mark.usefixtures("with_signs")
def test_two_children_play_a_match_to_its_end(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2, sizes=SIZES)
    first, (second,) = table.at_turn(), table.waiting()
    names = [child.name for child in table.children]
    expect(first.page.locator("#told")).to_contain_text("It is your turn!")
    whose = names[table.at.index(first)]
    expect(second.page.locator("#told")).to_contain_text(f"It is {whose}’s turn.")
    expect(second.page.locator("#told .face")).to_be_visible()

    # A waiting child may already choose cards, and they stay chosen.
    chosen = card_text(second.hand()[0])
    second.tap("card", chosen)
    first.press("draw-closed")
    table.wait_until_all_show_the_same()
    expect(second.page.locator(f"input[name=card][value='{chosen}']")).to_be_checked()
    second.tap("card", chosen)

    expect(second.page.get_by_role("button", name="Well laid!")).to_be_disabled()
    second.page.get_by_role("button", name="Thank you!").click()
    expect(first.page.locator(".sign")).to_contain_text("Thank you!")

    if not PROOF:
        play_table(table.game, lambda view: view.phase in OVER_PHASES or min(view.hand_sizes) < 4)
        table.wait_until_all_show_the_same()
    for _ in range(60):
        if table.now().awaited_seat is None:
            break
        at_turn = table.at_turn()
        at_turn.next_move()
        table.wait_until_all_show_the_same()
    for child in table.at:
        assert child.is_over()
        expect(child.page.locator(".over-scores tbody tr")).to_have_count(2)
        expect(child.page.locator(".over-scores tbody tr").first).to_contain_text("You")
    second.page.get_by_role("button", name="Good game!").click()
    for page in table.pages:
        expect(page.locator("#over .sign")).to_contain_text("Good game!")
    acts = Entry.objects.filter(game=table.game)
    assert not acts.filter(kind=EntryKind.STAND_IN).exists()


def test_a_turn_by_keyboard_leaves_the_focus_of_others(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2)
    first, (second,) = table.at_turn(), table.waiting()
    second.page.locator("#hand input").nth(2).focus()
    focused = second.page.evaluate("() => document.activeElement.id")
    first.page.locator("#do-draw-closed").focus()
    first.page.keyboard.press("Enter")
    expect(first.page.locator("#do-lay")).to_be_visible()
    table.wait_until_all_show_the_same()
    assert second.page.evaluate("() => document.activeElement.id") == focused
    first.page.locator("#hand input").first.focus()
    first.page.keyboard.press("Space")
    first.page.locator("#do-discard").focus()
    first.page.keyboard.press("Enter")
    expect(second.page.locator("#told")).to_contain_text("It is your turn!")


def test_a_child_with_sounds_hears_their_turn(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2)
    first, (second,) = table.at_turn(), table.waiting()
    Child.objects.filter(pk=table.children[table.at.index(second)].pk).update(sounds=True)
    for child in (first, second):
        child.page.add_init_script(SOUNDS_PLAYED)
        child.page.reload()
    first.press("draw-closed")
    table.wait_until_all_show_the_same()
    before = second.page.evaluate("heard.length")
    first.put_down(first.hand()[0])
    expect(second.page.locator("#told")).to_contain_text("It is your turn!")
    second.page.wait_for_function("from => heard.length > from", arg=before)
    assert first.page.evaluate("heard") == []


def test_news_does_not_cancel_a_press(pages: Callable[..., Page]) -> None:
    assignment = AssignmentFactory.create(chairs=2)
    dora, emil = ChildFactory.create_batch(2, school_class=assignment.school_class)
    page, posts = pages(), list[Route]()
    let_in(page, dora)
    page.goto("/me/")
    page.route("**/me/tables/**", lambda route: posts.append(route))
    tables.sit(emil, assignment.pk)
    page.locator("form[action*='/me/tables/'] button").first.click(no_wait_after=True)
    page.wait_for_timeout(6_000)  # the page asks for news every four
    posts[0].continue_()
    page.wait_for_url("**/games/**")


def test_the_end_of_a_round_stays_for_players_who_look_at_it(pages: Callable[..., Page]) -> None:
    """One goes on with a tap. The other still looks at the end when the teacher takes all off the
    table, and reads this without a tap."""
    table = sit_together(pages, 3, rounds=2, sizes=(*SIZES, "phone"))
    play_table(table.game, lambda view: view.phase == ROUND_OVER)
    first, second, third = table.at
    for child in table.at:
        child.page.reload()
        expect(child.page.locator("#over")).to_be_visible()
    first.press("next-round")
    Game.objects.update(due_at=timezone.now() + timedelta(minutes=5))
    expect(second.page.locator(".whose")).to_contain_text("Ready for the next round: Dora")
    expect(first.page.locator("#do-next-round")).to_have_count(0)
    Game.objects.update(due_at=timezone.now())
    expect(first.page.locator("#over")).to_have_count(0)
    for child in (second, third):
        expect(child.page.locator("#goes-on")).to_be_visible()
        expect(child.page.locator("#over")).to_be_visible()
    second.click(second.page.locator("#do-next-round"))
    expect(second.page.locator("#over")).to_have_count(0)
    wait_for_last_change(table.now(), second.page)
    assignment = AssignmentFactory.create(school_class=table.children[0].school_class)
    GameTable.objects.create(assignment=assignment, game=table.game, opened_at=timezone.now())
    expect(third.page.get_by_text("Your teacher asks you to choose")).to_be_visible()


def test_a_bot_plays_for_a_child_who_does_not_confirm_their_presence(
    pages: Callable[..., Page],
) -> None:
    table = sit_together(pages, 2, sizes=SIZES)
    idle, (waits,) = table.at_turn(), table.waiting()
    number = table.at.index(idle)
    idle.page.clock.install()
    idle.page.reload()
    question = idle.page.locator("#still-there")
    for _ in range(2):
        idle.page.clock.run_for(40_000)
        expect(question).to_be_hidden()
        idle.page.keyboard.press("Shift")
    idle.page.clock.run_for(65_000)
    expect(question).to_be_visible()
    Seat.objects.filter(game=table.game, number=number).update(here_until=timezone.now())
    expect(waits.page.locator("#told")).to_contain_text("It is your turn!")
    idle.page.clock.run_for(20_000)
    expect(waits.page.locator(".player-away")).to_contain_text("away")
    requests: list[str] = []
    idle.page.on(
        "request", lambda request: requests.extend(re.findall("/news/|/act$", request.url))
    )
    question.get_by_role("button").click()
    expect(idle.page.locator("#told")).to_contain_text("A bot has played for you.")
    assert requests[:2] == ["/news/", "/act"], "it looks at once"
    expect(waits.page.locator(".player-away")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_a_tap_keeps_a_bot_away_that_all_others_have_asked_for(
    pages: Callable[..., Page], size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "TIME_TO_GO_ON", timedelta(minutes=10))
    table = sit_together(pages, 3, sizes=(size,) * 3)
    first, waiting = table.at_turn(), table.waiting()
    chosen = card_text(first.hand()[0])
    first.tap("card", chosen)

    def ask_for_bot() -> None:
        now = timezone.now()
        Seat.objects.update(here_until=now + timedelta(minutes=10))
        Game.objects.update(waits_since=now - presence.LONG_TURN)
        for child in waiting:
            child.page.get_by_role("button", name="Let a bot play this turn").click()
            expect(child.page.locator("#do-play-turn")).to_have_count(0)

    ask_for_bot()
    warning = first.page.locator("#told", has_text="The others wait. Tap anything")
    expect(warning).to_be_in_viewport(ratio=1)
    warning.click()
    expect(warning).to_have_count(0)
    expect(first.page.locator("#do-here")).to_have_count(0)
    assert first.is_chosen("card", chosen)

    # Without JavaScript the next page shows the warning, and a button does what any tap does.
    plain = pages(size, java_script_enabled=False)
    let_in(plain, table.children[table.at.index(first)])
    first.page.goto("about:blank")
    ask_for_bot()
    plain.goto(f"/games/{table.game.pk}/")
    expect(plain.locator("#told")).to_contain_text("or a bot plays this turn.")
    plain.get_by_role("button", name="I am here").click()
    expect(plain.locator("#told")).not_to_contain_text("or a bot plays this turn.")
    assert (table.now().due_at, table.now().awaited_seat) == (None, table.at.index(first))
    assert not table.game.entries.filter(kind=EntryKind.STAND_IN).exists()


def test_a_question_stays_while_others_act(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2)
    stage(table.game, "10 a 20 50 8 45", "26-28-30", open_card="37")
    first, second = table.at
    first.page.clock.install()
    for child in table.at:
        child.page.reload()
    choose_cards(first.page, "10", "a", "20")
    first.press_lay()
    row = first.page.locator("button[name=play]").first
    expect(row).to_be_visible()
    second.press("hint")
    for _ in range(20):
        first.page.clock.run_for(1_000)
    row.click()
    expect(first.page.locator("#table .table-row")).to_have_count(2)


def test_a_row_of_a_classmate_glows_and_its_points_fly(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2)
    stage(table.game, "10 20 30 50 8 45", open_card="37")
    first, second = table.at
    second.page.emulate_media(reduced_motion="no-preference")
    second.page.add_init_script(WATCH)
    for child in table.at:
        child.page.reload()
    choose_cards(first.page, "10", "20", "30")
    first.press_lay()
    for move in ("glow: ring", "points: points"):
        happened = "move => moved.some((each) => each.startsWith(move))"
        second.page.wait_for_function(happened, arg=move)


@pytest.mark.usefixtures("with_signs")
def test_a_phone_shows_the_garden_and_the_next_step_of_a_turn(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2, sizes=("phone", "phone"))
    play_table(
        table.game,
        lambda view: bool(view.table.lines) and min(view.turns) > 1 and view.phase == "play",
    )
    for page in table.pages:
        page.reload()
    at_turn, (waits,) = table.at_turn(), table.waiting()
    expect(waits.page.locator(".players .garden")).to_be_visible()
    waits.page.locator("#do-hint").click(trial=True)
    text, signs = (
        at_turn.page.locator(selector).bounding_box() for selector in (".to-do", ".signs")
    )
    assert text["y"] + text["height"] <= signs["y"]


@pytest.mark.usefixtures("with_signs")
def test_the_end_of_a_round_is_celebrated_once(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2)
    play_table(table.game, lambda view: view.phase in OVER_PHASES)
    first, second = table.pages
    first.emulate_media(reduced_motion="no-preference")
    for page in table.pages:
        page.reload()
        expect(page.locator("#over")).to_be_visible()

    second.get_by_role("button", name="Good game!").click()
    expect(first.locator("#over .sign")).to_contain_text("Good game!")
    names = "board => board.getAnimations({ subtree: true }).map((each) => each.animationName)"
    assert "light" not in first.locator("#board").evaluate(names)


def test_a_choice_made_while_the_page_looks_stays(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2)
    first, (second,) = table.at_turn(), table.waiting()
    earlier, later = [card_text(card) for card in second.hand()[:2]]
    second.tap("card", earlier)
    routes: list[Route] = []
    second.page.route("**/act", lambda route: routes.append(route))
    first.press("draw-closed")
    while not routes:
        second.page.wait_for_timeout(20)
    second.tap("card", earlier)
    second.tap("card", later)
    routes[0].continue_()
    second.page.unroute("**/act")
    table.wait_until_all_show_the_same()
    assert not second.is_chosen("card", earlier)
    assert second.is_chosen("card", later)


@pytest.mark.usefixtures("with_signs")
def test_a_sign_on_a_phone_does_not_move_the_table(pages: Callable[..., Page]) -> None:
    bots = (NewSeat(bot="beginner", name="Ollie", face="owl"),)
    table = sit_together(pages, 2, bots=bots, sizes=("phone", "desktop"))
    page = table.pages[0]
    above_the_table = page.locator(".players")
    before = above_the_table.bounding_box()
    for child in table.children:
        give_sign(table.game.pk, child.player, "thank-you")
    page.reload()
    signs = page.locator(".players .sign svg")
    expect(signs).to_have_count(2)
    for number in range(2):
        expect(signs.nth(number)).to_be_in_viewport(ratio=1)
    assert above_the_table.bounding_box() == before


@pytest.mark.usefixtures("with_signs")
def test_a_sign_keeps_its_place_when_the_turn_changes(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2)
    stage(table.game, "10 20 30 50 8 45", open_card="37")
    first, second = table.at
    for child in table.at:
        child.page.reload()
    choose_cards(first.page, "10", "20", "30")
    first.press_lay()
    expect(second.page.locator(".suits")).to_be_visible()

    def places(page: Page) -> list[list[float]]:
        buttons = page.locator("#give-well-laid, #give-thank-you, #give-oh, #give-good-game")
        return buttons.evaluate_all("all => all.map(({offsetLeft: x, offsetWidth: w}) => [x, w])")

    assert places(first.page) == places(second.page)
    signs, actions = (
        first.page.locator(selector).bounding_box() for selector in (".signs", ".actions")
    )
    assert signs["x"] + signs["width"] <= actions["x"]


@pytest.mark.usefixtures("with_signs")
def test_on_a_phone_the_table_is_seen_when_a_child_takes_a_card(pages: Callable[..., Page]) -> None:
    table = sit_together(
        pages, 3, sizes=("phone",) * 3, market=4, refill=True, piles=2, hand=4, together=True
    )  # fmt: skip
    play_table(
        table.game, lambda view: view.phase == "draw" and view.may_act and min(view.turns) > 0
    )
    stage(table.game, "8 22 36 41", "2-4-6", "20-25-30", open_card="37", phase="draw")
    page = table.pages[0]
    page.reload()
    expect(page.locator(".bubble")).not_to_have_count(0)
    part = page.locator(".table-scroll").evaluate("rows => rows.offsetHeight / innerHeight")
    assert part > 0.2
    expect(page.locator(".goal")).to_be_in_viewport(ratio=1)


def test_a_finished_picture_stays_closed(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2)
    child, page = table.children[0], table.pages[0]
    assignment = AssignmentFactory.create(school_class=child.school_class)
    Attempt.objects.create(assignment=assignment, child=child, game=table.game)
    nearly_whole(child)
    play_table(table.game, lambda view: view.phase in OVER_PHASES)
    page.reload()
    page.get_by_text("See the table").click()
    expect(page.locator(".finished")).to_be_hidden()
    presence.announce_change(table.now())
    table.wait_until_all_show_the_same()
    expect(page.locator(".finished")).to_be_hidden()
    page.reload()
    expect(page.locator("#over")).to_be_visible()
    expect(page.locator(".finished")).to_be_hidden()


def test_a_finished_picture_leaves_bridge_and_way_on_in_sight(
    pages: Callable[..., Page],
) -> None:
    table = sit_together(pages, 2, sizes=SIZES, together=True, refill=True, market=3, piles=1)
    child, page = table.children[0], table.pages[0]
    assignment = AssignmentFactory.create(school_class=child.school_class)
    Attempt.objects.create(assignment=assignment, child=child, game=table.game)
    nearly_whole(child)
    play_table(table.game, lambda view: view.phase in OVER_PHASES)
    page.reload()
    for part in ("#board > .crossing", ".finished summary", "#over h2", "#over .action >> nth=0"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


def test_on_a_phone_open_cards_leave_room_to_the_rows_of_others(pages: Callable[..., Page]) -> None:
    table = sit_together(
        pages, 3, sizes=("phone",) * 3, market=4, refill=True, piles=3, hand=4
    )  # fmt: skip
    stage(table.game, "8 22 a 36 41", "2-4-6", "20-25-30-35", "42-44-46-48", open_card="37")
    page = table.pages[1]
    page.reload()
    felt, rows = (page.locator(selector).bounding_box() for selector in (".felt", ".table-scroll"))
    assert rows["height"] > 0.75 * felt["height"]


def test_a_child_without_script_can_look_again(pages: Callable[..., Page]) -> None:
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


@pytest.mark.parametrize("together", times([False], [False, True]))
@pytest.mark.parametrize(
    ("name", "count"),
    times([("blocks-simple", 3)], list(zip(EDITIONS, (2, 3, 4) * 2, strict=True))),
)
def test_children_play_each_edition_at_one_table(
    pages: Callable[..., Page], name: str, count: int, *, together: bool
) -> None:
    offers = not EDITIONS[name].has_pot
    table = sit_together(
        pages, count, name=name, tables=None, offers=offers, together=together, sizes=SIZES * 2,
        seconds={"answer_seconds": 0},
    )  # fmt: skip
    for _ in range(times(6, MOST_MOVES)):
        if table.now().awaited_seat is None:
            break
        table.at_turn().next_move()
        table.wait_until_all_show_the_same()
    acts = table.game.entries
    assert not acts.filter(kind=EntryKind.STAND_IN).exists()
    assert acts.count() > 6
    assert [child.is_over() for child in table.at] == [table.now().awaited_seat is None] * count
    assert table.now().awaited_seat is None or not PROOF


# Leaving and coming back


MOST_LOOKS: Final = 300


@dataclass
class Leaving:
    """Dora and Emil at a table, each on their own page. Dora leaves it and comes back."""

    pages: Callable[..., Page]
    table: GameTable
    dora: Child
    emil: Child
    own: Page
    others: Page

    @property
    def game(self) -> Game:
        return Game.objects.get(table=self.table)

    def view(self) -> View:
        return play.watch(self.game.pk, self.dora.player).outcome.view

    def seat(self) -> Seat:
        return Seat.objects.get(game=self.game, player=self.dora.player)

    def has_left(self) -> bool:
        return not presence.is_here(self.seat(), timezone.now() + presence.INACTIVE_AFTER)

    def open_game(self, page: Page, child: Child, *, signs_in: bool = False) -> None:
        if signs_in:
            let_in(page, child)
        page.goto(f"/games/{self.game.pk}/")
        expect(page.locator("#board")).to_be_visible()

    def go_on(self, page: Page) -> None:
        with suppress(Error):  # the page may be going there by itself
            page.goto("/me/")
        page.get_by_role("button", name="Go on together").click()
        page.wait_for_url("**/games/**")

    def check_pages_are_up_to_date(self) -> None:
        for _ in range(MOST_LOOKS):
            if self.seat().away_since is None:
                break
            self.own.wait_for_timeout(200)
        wait_for_last_change(self.game, self.own, self.others)


Way = Callable[[Leaving], AbstractContextManager[None]]


@contextmanager
def closed_lid(at: Leaving) -> Iterator[None]:
    """Close the lid: nothing runs on the page until it is opened."""
    at.own.clock.install()
    at.own.reload()
    with at.own.expect_response("**/news/**"):
        at.own.clock.pause_at(timezone.now() + timedelta(seconds=6))
    yield
    at.own.clock.resume()


@contextmanager
def flat_battery(at: Leaving) -> Iterator[None]:
    browser = at.own.context
    at.own.close()
    yield
    at.own = browser.new_page()
    at.open_game(at.own, at.dora)


@contextmanager
def reloaded(at: Leaving) -> Iterator[None]:
    at.own.goto("about:blank")
    yield
    at.own.go_back()


@contextmanager
def other_device(at: Leaving) -> Iterator[None]:
    at.own.goto("about:blank")
    yield
    at.own = at.pages("phone")
    at.open_game(at.own, at.dora, signs_in=True)


@contextmanager
def signed_out(at: Leaving) -> Iterator[None]:
    at.own.goto("/me/")
    at.own.locator(".not-me summary").click()
    at.own.locator("form[action$='/me/leave/'] button").click()
    at.own.wait_for_url("**/play/**")
    assert at.has_left()
    yield
    at.open_game(at.own, at.dora, signs_in=True)


@contextmanager
def pressed_leave(at: Leaving) -> Iterator[None]:
    for _ in range(MOST_LOOKS):
        at.own.locator(".leave summary").click()
        at.own.get_by_role("button", name="Leave the table").click()
        at.own.wait_for_url("**/me/")
        if at.has_left():
            break
        at.go_on(at.own)  # a look that was under way has said that she is there
    assert at.has_left()
    yield
    at.go_on(at.own)


@contextmanager
def lesson_over(at: Leaving) -> Iterator[None]:
    sessions.end_sessions([at.dora])
    at.own.reload()
    expect(at.own.locator("#board")).to_have_count(0)
    yield
    at.open_game(at.own, at.dora, signs_in=True)


@contextmanager
def ended_by_the_teacher(at: Leaving) -> Iterator[None]:
    table_care.end(GameTable.objects.get(pk=at.table.pk))
    for page in (at.own, at.others):
        page.wait_for_url("**/me/")
    table_care.bring_back(at.dora.school_class, at.table.pk)
    at.go_on(at.others)
    yield
    at.go_on(at.own)


@contextmanager
def network_cut(at: Leaving) -> Iterator[None]:
    at.own.context.set_offline(True)
    yield
    at.own.context.set_offline(False)


WAYS: Final[tuple[Way, ...]] = (
    closed_lid, flat_battery, reloaded, other_device, signed_out, pressed_leave, lesson_over,
    ended_by_the_teacher, network_cut,
)  # fmt: skip
QUICK_WAYS: Final = (reloaded, other_device)
"""A player who leaves in these ways is back before the others notice."""
STEPS: Final[dict[str, Callable[[View], bool]]] = {
    "another child's turn": lambda view: view.phase in ("draw", "play") and not view.may_act,
    "own turn": lambda view: view.phase == "draw" and view.may_act,
    "a card taken": lambda view: view.phase == "play" and view.may_act and not view.play_count,
    "a row laid": lambda view: view.phase == "play" and view.may_act and view.play_count > 0,
    "the round over": lambda view: view.phase == ROUND_OVER,
}
STEPS_OF_EACH: Final = times(1, len(STEPS))


def play_to(at: Leaving, step: Callable[[View], bool]) -> None:
    """Let both play until Dora's view satisfies `step` and their pages show it."""
    while not step(at.view()):
        outcomes = [act_at_table(at.game, child.player) for child in (at.dora, at.emil)]
        if not any(outcomes):
            for child in (at.dora, at.emil):
                act(at.game, NextRound(), child.player)
    at.open_game(at.own, at.dora)
    at.open_game(at.others, at.emil)


def play_on_without_dora(at: Leaving) -> None:
    """Let Emil play on. A bot plays for Dora as soon as it is her turn, even if the last request of
    her page comes late and says that she is there."""
    version = at.game.version
    if at.view().phase == ROUND_OVER:
        at.others.locator("#do-next-round").click()
        expect(at.others.locator("#over")).to_have_count(0)
    stood_in = at.game.entries.filter(number__gt=version, kind=EntryKind.STAND_IN)
    while not stood_in.exists():
        Seat.objects.filter(pk=at.seat().pk).update(here_until=timezone.now())
        act_at_table(at.game, at.emil.player)
    wait_for_last_change(at.game, at.others)
    assert at.seat().away_since


@pytest.mark.parametrize("number", range(len(WAYS)), ids=lambda n: WAYS[n].__name__)
def test_a_child_who_left_returns_to_the_same_table(
    pages: Callable[..., Page], number: int
) -> None:
    way, dora = WAYS[number], ChildFactory.create(name="Dora")
    emil = ChildFactory.create(name="Emil", school_class=dora.school_class)
    for_two = AssignmentFactory.create(
        school_class=dora.school_class, chairs=2, rounds=len(STEPS) + 1
    )
    table = TableFactory.create(children=[dora, emil], assignment=for_two)
    at = Leaving(pages, table, dora, emil, pages("desktop"), pages("phone"))
    let_in(at.own, dora)
    let_in(at.others, emil)
    for shift in range(STEPS_OF_EACH):
        name = list(STEPS)[(number + shift) % len(STEPS)]
        play_to(at, STEPS[name])
        before = at.view()
        with way(at):
            if way not in QUICK_WAYS:
                play_on_without_dora(at)
        expect(at.own.locator("#board")).to_be_visible()
        at.check_pages_are_up_to_date()
        assert at.seat().away_since is None, name
        if way in QUICK_WAYS:
            assert at.view() == before, name
        elif at.view().phase != ROUND_OVER:
            act_at_table(at.game, emil.player)
            at.check_pages_are_up_to_date()
    assert compare_game(at.game) is None


def test_it_opens_the_end_at_its_top_above_a_nearly_found_row(pages: Callable[..., Page]) -> None:
    table = sit_together(pages, 2, sizes=("phone",) * 2)
    Game.objects.update(shows_missed_rows=True)
    play_round(table.now(), table.children, lays=lambda child: child == table.children[0])
    page = table.pages[1]
    table.wait_until_all_show_the_same()
    expect(page.locator(".nearly[open]")).to_be_attached()
    expect(page.locator("#over-name")).to_be_in_viewport(ratio=1)
    page.locator(".nearly summary").press("Enter")
    page.locator(".nearly summary").press("Enter")
    expect(page.locator(".missed")).to_be_in_viewport()
    expect(page.locator("#over-name")).not_to_be_in_viewport()
