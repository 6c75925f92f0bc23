"""A child who is signed in already and has a short round or a staged table."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from playwright.sync_api import Page, expect

from classrooms.credentials import decrypt_pictures
from classrooms.models import Child
from classrooms.signin import services as signin
from classrooms.signin.children_only import SESSION_COOKIE
from games.engine.ruleset import edition
from games.engine.text.record import EntryKind
from games.models import Game
from games.play import starting
from games.play.starting import NewSeat
from tests.browser.child import ChildAtTheTable
from tests.games import players
from tests.games.staged import stage

RULESET: Final = edition("simplified", tables=(2, 5, 10), offers=False, rounds=1)
WORDS: Final = {"draw-closed": "draw closed", "draw-open": "draw open", "discard": "discard"}


@dataclass(frozen=True)
class Deal:
    """A round that a child who lays everything ends after `actions` actions."""

    seed: int
    actions: int


SHORT: Final = Deal(seed=25, actions=7)
LONGER: Final = Deal(seed=66, actions=9)
"""In `SHORT` and `LONGER` the child lays a row and adds to rows."""
HAND: Final = "1 12 35 40 45 50"
TABLE: Final = ("5-10-15-20-25", "18-20-22", "26-28-30", "2-4-6-c=8")
WITH_A_JOKER: Final = ("15-20-25-30-35", "38-40-42", "46-48-50", "2-4-6-c=8")
CROWDED: Final = (
    *("5-10-15-20-25-30", "9-10-11", "24-25-26", "2-4-6-8", "40-42-44", "36-37-38"),
    *("12-14-16-18", "27-28-29", "31-32-33", "45-46-47-48", "21-22-23", "7-13-19"),
    *("39-d=41-43", "34-35-36"),
)
SOUNDS_PLAYED: Final = """
window.heard = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) {
  heard.push(this.frequency.value);
  return start.call(this, at);
};
"""
"""The pitches of the sounds that a page has played."""
MOST_STEPS: Final = 60
"""The limit of turns in a guided round."""


def seats_of(child: Child, *bots: str) -> list[NewSeat]:
    """The seats of the child and of up to two bots: Ollie and Fenna."""
    others = zip(bots, (("Ollie", "owl"), ("Fenna", "fox")), strict=False)
    return [
        NewSeat(player=child.player, name=child.name),
        *(NewSeat(bot=bot, name=name, face=face) for bot, (name, face) in others),
    ]


def game_of(child: Child, deal: Deal = SHORT) -> Game:
    seats = seats_of(child, "beginner")
    return starting.start(RULESET, seats, hint_steps=4, shows_missed_rows=True, seed=deal.seed)


def match_of_two_rounds(child: Child, seed: int) -> Game:
    ruleset = edition("simplified", tables=(2, 5, 10), offers=False, rounds=2)
    seats = seats_of(child, "beginner")
    return starting.start(ruleset, seats, hint_steps=4, seed=seed)


def lost_match_with_a_round_won(child: Child) -> Game:
    """Make a match that Ollie wins, although the child wins its last round."""
    return players.lost_match_with_a_round_won(
        lambda seed: match_of_two_rounds(child, seed), child.player
    )


def tap_pictures(page: Page, child: Child) -> None:
    for picture in decrypt_pictures(child.pictures_encrypted):
        page.locator(f"button[name=picture][value={picture}]").click()


def sign_in_at_door(page: Page, child: Child) -> None:
    page.goto("/")
    page.locator("input[name=code]").fill(child.school_class.code.lower())
    page.locator("main button[type=submit]").first.click()
    page.get_by_role("link", name=child.name, exact=True).click()
    tap_pictures(page, child)
    expect(page).to_have_url(re.compile("/me/$"))


def let_in(page: Page, child: Child) -> None:
    """Give the browser a session of this child, as signing in does, unless it has one."""
    if any(cookie.get("name") == SESSION_COOKIE for cookie in page.context.cookies()):
        return
    pictures = decrypt_pictures(child.pictures_encrypted)
    answer = signin.sign_in(child, pictures, "a device of the tests")
    assert isinstance(answer, signin.SignedIn)
    page.goto("/healthz")
    page.context.add_cookies([{"name": SESSION_COOKIE, "value": answer.token, "url": page.url}])


def new_game(child: Child, **options: Any) -> Game:
    rules: dict[str, Any] = {"tables": (2, 5, 10), "offers": False, "rounds": 3, **options}
    seats = seats_of(child, "steady", "sharp")
    return starting.start(edition("simplified", **rules), seats, hint_steps=6, seed=3)


def open_new_game(page: Page, child: Child, **options: Any) -> Game:
    """Open the page of a game against two others."""
    game = new_game(child, **options)
    let_in(page, child)
    page.goto(f"/games/{game.pk}/")
    return game


def open_staged(page: Page, child: Child, hand: str, *lines: str, **how: Any) -> None:
    """Open the page of a game against two others, with this table."""
    game = new_game(child, offers=how.get("phase") == "offer")
    stage(game, hand, *lines, **({"open_card": "37"} | how))
    let_in(page, child)
    page.goto(f"/games/{game.pk}/")


DRAWN: Final = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
"""A tapped card is painted first; its results appear in the next frame."""


def choose_cards(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f"label:has(input[name=card][value='{card}'])").click()
    page.evaluate(DRAWN)


def sit_down(page: Page, child: Child, deal: Deal = SHORT) -> Game:
    game = game_of(child, deal)
    let_in(page, child)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#board")).to_be_visible()
    return game


def play_to_the_end(child: ChildAtTheTable) -> None:
    """Play as `LONGER` and `SHORT` expect: draw from the pile, lay everything possible, discard."""
    for _ in range(20):
        if child.is_over():
            return
        child.play_turn()
    raise AssertionError("the round has no end")


def follow_the_lights(child: ChildAtTheTable) -> None:
    """Tap the lit cards, then the lit button or pile."""
    page = child.page
    pile = page.locator("button:has(> .card.lit)")
    if pile.count():
        child.press(pile.get_attribute("value") or "")
        return
    for box in page.locator(".lit > input").element_handles():
        name, value = box.get_attribute("name"), box.get_attribute("value")
        child.tap(str(name), str(value))
    button = page.locator(".guided-next")
    expect(button).to_have_css("outline-style", "solid")
    version = page.locator("input[name=seen]").input_value()
    button.click()
    expect(
        page.locator(f"input[name=seen]:not([value='{version}']), button[name=play]").first
    ).to_be_attached()
    choices = page.locator("button[name=play]")
    if choices.count():
        choices.first.click()
        expect(page.locator("input[name=seen]")).not_to_have_value(version)


def logged_acts(game: Game) -> Counter[str]:
    """The number of times that the child did each act, by the log, in the words of
    `ChildAtTheTable.did`."""
    texts = game.entries.filter(seat=0, kind=EntryKind.ACT).values_list("text", flat=True)
    return Counter(next((w for w in WORDS if text.startswith(WORDS[w])), "lay") for text in texts)


def counted_acts(child: ChildAtTheTable) -> Counter[str]:
    """The number of times that the child did each act, by `ChildAtTheTable.did`."""
    counts = Counter(lay=sum(child.did.get(kind, 0) for kind in ("laid", "added", "crossed")))
    return +counts + Counter({word: child.did[word] for word in WORDS if word in child.did})


def play_a_round(page: Page, child: Child, deal: Deal = SHORT) -> None:
    """Sit down and play the deal to its end. Each act is in the log once."""
    game = sit_down(page, child, deal)
    at_table = ChildAtTheTable(page, RULESET)
    play_to_the_end(at_table)
    assert logged_acts(game) == counted_acts(at_table)
    assert sum(counted_acts(at_table).values()) == deal.actions
