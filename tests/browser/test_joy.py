"""Celebrations at the browser: a hand is dealt, points fly, a match ends with a garden and can be
played again."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from classrooms.models import Attempt, Child, SchoolClass
from games.engine.round import OVER_PHASES
from games.play.round_story import story_of_round
from tests.browser.at_home import (
    RULESET,
    SHORT,
    SOUNDS_PLAYED,
    TABLE,
    Deal,
    choose_cards,
    game_of,
    let_in,
    lost_match_with_a_round_won,
    match_of_two_rounds,
    open_staged,
    play_to_the_end,
    sit_down,
)
from tests.browser.child import ChildAtTheTable
from tests.browser.conftest import SIZES
from tests.browser.seen import WATCH
from tests.classrooms.progress.answering import known_before, nearly_whole
from tests.classrooms.progress.playing import Hand, begin, real_round
from tests.classrooms.questions.rounds import round_over, sitting_with
from tests.counts import times
from tests.factories import AssignmentFactory
from tests.games.players import play_out

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


MODES: Final = {
    "motion": ("no-preference", False),
    "reduced motion": ("reduce", False),
    "a quiet class": ("no-preference", True),
}
FASTER: Final = 10
LANDED: Final = "Promise.allSettled(document.getAnimations().map(({ finished }) => finished))"


@dataclass(frozen=True)
class Celebration:
    moves: tuple[str, ...]  # the moving elements, as `WATCH` names them
    shown: dict[str, str]  # selectors, with their words if they have any
    once: tuple[str, ...] = ()  # what moves once


def deal_cards(page: Page, dora: Child) -> Celebration:
    game = game_of(dora)
    page.goto(f"/games/{game.pk}/")
    return Celebration(("deal: ",), {"#hand li:nth-child(7)": "", "#told": "Take a card"})


def lay(page: Page, dora: Child) -> None:
    """Lay three cards of different colours."""
    open_staged(page, dora, "12 35 40 45 50", *TABLE[:1])
    page.evaluate("moved.length = 0")
    choose_cards(page, "35", "40", "45")
    page.locator("#do-lay").click()
    expect(page.locator("#table[data-laid='35 40 45']")).to_be_attached()


def lay_row(page: Page, dora: Child) -> Celebration:
    lay(page, dora)
    earned = page.locator("#table").get_attribute("data-earned")
    assert earned
    double = "All colours different: double!"
    return Celebration(
        (
            "points: points",
            "flight: card table-card",
            "flight: bar",
            "flight: tag-at",
            "glow: ring",
            "grow: praise",
            "cheer: cheer",
        ),
        {
            ".player-you .score": earned,
            ".table-row[data-numbers='35 40 45'] .row-name": "times table",
            ".praise": double,
            "#live": double,
        },
        once=("points: points", "glow: ring"),
    )


def win_round(page: Page, dora: Child) -> Celebration:
    for seed in range(2, 300):  # The first is one.
        game = match_of_two_rounds(dora, seed)
        if play_out(game, dora.player).view.round_winner == 0:
            break
        game.delete()
    page.goto(f"/games/{game.pk}/")
    return Celebration(("grow: star",), {"#over h2": "You won the round!", ".over-winner": "You"})


def win_round_of_lost_match(page: Page, dora: Child) -> Celebration:
    game = lost_match_with_a_round_won(dora)
    page.goto(f"/games/{game.pk}/")
    return Celebration(
        ("grow: star",),
        {
            ".over-won": "You won the round!",
            ".over-won .star": "",
            "#over h2": "Ollie won the game",
            ".over-winner": "Ollie",
        },
    )


def end_round_with_story(page: Page, dora: Child) -> Celebration:
    """End a round in which the child found a row and missed another."""
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    for seed in range(4, 100):  # The first seed gives such a round.
        hand, row = Hand(begin(dora, assignment, seed)), ""
        while hand.look().view.phase not in OVER_PHASES:
            hand.draw()
            row = row or hand.lay()
            if hand.look().view.phase == "play":
                hand.end()
        hand.attempt.game.refresh_from_db()
        story = story_of_round(hand.attempt.game, 2, 0)
        if story.rows and story.missed_row:
            break
        hand.attempt.game.delete()
    page.goto(f"/games/{hand.attempt.game_id}/")
    expect(page.locator(".nearly .missed")).to_be_hidden()
    page.locator(".nearly summary").click()
    return Celebration(("grow: flower",), {".over-best": "table", ".nearly .missed": ""})


def grow_garden(page: Page, dora: Child) -> Celebration:
    """End a round: the garden grows, and the child's rows light up on the table."""
    game = game_of(dora)
    page.goto(f"/games/{game.pk}/")
    play_to_the_end(ChildAtTheTable(page, RULESET))
    return Celebration(
        ("grow: flower", "light: ring"),
        {
            ".garden svg[role=img]": "",
            ".bloom + strong": "You laid",
            ".own-row .row-name": "table",
            ".over-says": "Hoo-hoo!",
        },
    )


def win_match(page: Page, dora: Child) -> Celebration:
    for seed in range(2, 300):  # The first is one.
        game = game_of(dora, Deal(seed, 0))
        if 0 in (play_out(game, dora.player).view.winners or ()):
            break
        game.delete()
    page.goto(f"/games/{game.pk}/")
    return Celebration(("fall: ",), {".over.party h2": "You won the game!"})


def earn_piece(page: Page, dora: Child) -> Celebration:
    Attempt.objects.all().delete()  # Otherwise their rounds wait to be counted.
    attempt, _ = real_round(dora, AssignmentFactory.create(school_class=dora.school_class))
    page.goto(f"/games/{attempt.game_id}/")
    words = "for your picture of the"
    return Celebration(("uncover: cover uncovered",), {".grown svg": "", ".grown strong": words})


def earn_stamp(page: Page, dora: Child) -> Celebration:
    attempt = round_over(dora, AssignmentFactory.create(school_class=dora.school_class))
    known_before(dora, 20, 10)
    sitting_with(attempt, ("fact", (7, 6)))
    page.goto(f"/me/checks/{attempt.game_id}/")
    page.locator("#answer").fill("42")
    page.locator("#do-answer").click()
    return Celebration(("grow: stamp stamp-new",), {".stamp-new": "6", ".praise": "A new stamp"})


CELEBRATIONS: Final = (
    deal_cards,
    lay_row,
    win_round,
    win_round_of_lost_match,
    end_round_with_story,
    grow_garden,
    win_match,
    earn_piece,
    earn_stamp,
)


@pytest.mark.parametrize("mode", times(("motion",), tuple(MODES)))
def test_a_celebration_moves_only_where_motion_is_wanted(
    page: Page, dora: Child, mode: str
) -> None:
    motion, quiet = MODES[mode]
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    SchoolClass.objects.update(is_quiet=quiet)
    let_in(page, dora)
    page.add_init_script(WATCH)
    fast = page.context.new_cdp_session(page)
    fast.send("Animation.enable")
    fast.send("Animation.setPlaybackRate", {"playbackRate": FASTER})
    for begin_it in CELEBRATIONS:
        celebration = begin_it(page, dora)
        for selector, words in celebration.shown.items():
            expect(page.locator(selector).first).to_contain_text(words)
            if selector != "#live":
                expect(page.locator(selector).first).to_be_visible()
        page.evaluate(LANDED)
        moved = page.evaluate("moved")
        if mode == "motion":
            for moves in celebration.moves:
                times_moved = sum(move.startswith(moves) for move in moved)
                assert times_moved == 1 if moves in celebration.once else times_moved, (
                    begin_it,
                    moved,
                )
            expect(page.locator(".points, .glows")).to_have_count(0)
        else:
            assert moved == [], begin_it


def test_a_finished_picture_lies_over_the_table(page: Page, dora: Child) -> None:
    attempt, _ = real_round(dora, AssignmentFactory.create(school_class=dora.school_class))
    nearly_whole(dora)
    let_in(page, dora)
    page.goto(f"/games/{attempt.game_id}/")
    assert page.locator(".finished").bounding_box() == page.locator(".felt").bounding_box()
    expect(page.locator(".felt")).to_be_hidden()
    expect(page.locator("#over .action").first).to_be_in_viewport(ratio=1)
    page.locator(".finished summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".finished")).to_be_hidden()
    expect(page.locator("#over .action").first).to_be_focused()


def test_the_first_new_piece_is_seen_whole(page: Page, dora: Child) -> None:
    attempt, _ = real_round(dora, AssignmentFactory.create(school_class=dora.school_class))
    let_in(page, dora)
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"/games/{attempt.game_id}/")
        box = page.locator(".over-text").bounding_box()
        piece = page.locator(".grown").first.bounding_box()
        fades = 20
        assert piece["y"] + piece["height"] <= box["y"] + box["height"] - fades


def test_a_lost_match_begins_with_what_the_child_did_well(page: Page, dora: Child) -> None:
    game = lost_match_with_a_round_won(dora)
    let_in(page, dora)
    page.goto(f"/games/{game.pk}/")
    best, title = (page.locator(each).bounding_box() for each in (".over-best", "#over-name"))
    assert best["y"] < title["y"]


def test_play_again_begins_another_match(page: Page, dora: Child) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    game = sit_down(page, dora, SHORT)
    Attempt.objects.create(assignment=assignment, child=dora, game=game)
    play_out(game, dora.player)
    page.reload()
    page.locator("#to-again").click()
    expect(page.locator("#do-draw-closed")).to_be_visible()
    assert str(game.pk) not in page.url


def test_sorting_the_hand_does_not_deal_it_again(page: Page, dora: Child) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(WATCH)
    sit_down(page, dora, SHORT)
    expect(page.locator(".dealt")).to_have_count(0)
    page.evaluate("moved.length = 0")
    page.locator("#sort").click()
    page.evaluate(LANDED)
    assert not any(move.startswith("deal") for move in page.evaluate("moved"))


def test_sounds_are_played_once_a_child_has_turned_them_on(page: Page, dora: Child) -> None:
    page.add_init_script(SOUNDS_PLAYED)
    open_staged(page, dora, "12 35 40 45 50", *TABLE[:1], phase="draw")
    page.keyboard.press("?")
    page.locator("#sounds").click()
    expect(page.locator("script[src*=sounds]")).to_be_attached()
    page.locator("#do-draw-closed").click()
    expect(page.locator("#hand input")).to_have_count(6)
    assert page.evaluate("heard.length") == 1
    choose_cards(page, "35", "40", "45")
    page.locator("#do-lay").click()
    expect(page.locator("#table[data-laid]")).to_be_attached()
    assert page.evaluate("heard.length") == 4


def test_nothing_of_a_covered_picture_shows_at_its_corners(
    pages: Callable[..., Page], dora: Child
) -> None:
    page = pages("desktop")
    let_in(page, dora)
    page.goto("/me/collection/")
    pictures = page.locator(".picture svg")
    before = [picture.screenshot() for picture in pictures.all()]
    pictures.locator("use").evaluate_all("drawn => drawn.forEach((each) => each.remove())")
    assert [picture.screenshot() for picture in pictures.all()] == before
    assert before
