"""A child that is signed in already and has a short round before it."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import Page, expect

from classrooms.credentials import decrypt_pictures
from classrooms.models import Child
from classrooms.signin import services as signin_services
from classrooms.signin.children_only import SESSION_COOKIE
from games.engine.ruleset import edition
from games.models import Action, Game
from games.play import services
from games.play.services import NewSeat
from tests.browser.child import ChildAtTheTable
from tests.games import players

RULESET: Final = edition("simplified", tables=(2, 5, 10), offers=False, rounds=1)


WORDS: Final = {"draw-closed": "draw closed", "draw-open": "draw open", "discard": "discard"}


@dataclass(frozen=True)
class Deal:
    """A round that a child who lays all it can ends after `actions` actions of its own."""

    seed: int
    actions: int


SHORT: Final = Deal(seed=25, actions=7)
LONGER: Final = Deal(seed=66, actions=9)
"""In both it lays a row and adds to rows."""


def game_of(child: Child, deal: Deal = SHORT) -> Game:
    seats = [
        NewSeat(player=child.player, name=child.name),
        NewSeat(bot="beginner", name="Ollie", face="owl"),
    ]
    return services.start(RULESET, seats, hint_steps=4, missed_rows=True, seed=deal.seed)


def match_of_two_rounds(child: Child, seed: int) -> Game:
    ruleset = edition("simplified", tables=(2, 5, 10), offers=False, rounds=2)
    seats = [
        NewSeat(player=child.player, name=child.name),
        NewSeat(bot="beginner", name="Ollie", face="owl"),
    ]
    return services.start(ruleset, seats, hint_steps=4, seed=seed)


def lost_match_with_a_round_won(child: Child) -> Game:
    """Its last round is the child's, the game is Ollie's."""
    return players.lost_match_with_a_round_won(
        lambda seed: match_of_two_rounds(child, seed), child.player
    )


def let_in(page: Page, child: Child) -> None:
    """Give the browser a session of this child, as signing in does."""
    pictures = decrypt_pictures(child.pictures_encrypted)
    answer = signin_services.sign_in(child, pictures, "a device of the tests")
    assert isinstance(answer, signin_services.SignedIn)
    page.goto("/healthz")
    page.context.add_cookies([{"name": SESSION_COOKIE, "value": answer.token, "url": page.url}])


def sit_down(page: Page, child: Child, deal: Deal = SHORT) -> Game:
    game = game_of(child, deal)
    let_in(page, child)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#board")).to_be_visible()
    return game


def play_to_the_end(child: ChildAtTheTable) -> None:
    """Play as `LONGER` and `SHORT` expect: take from the pile, lay all there is, put one down."""
    for _ in range(20):
        if child.is_over():
            return
        child.play_turn()
    raise AssertionError("the round has no end")


def done_in(game: Game) -> Counter[str]:
    """How often the child did what, as the log tells it, in the words of `ChildAtTheTable.did`."""
    own = game.actions.filter(seat=0, kind=Action.Kind.ACT).values_list("text", flat=True)
    return Counter(next((w for w in WORDS if text.startswith(WORDS[w])), "lay") for text in own)


def done_at(child: ChildAtTheTable) -> Counter[str]:
    """The same as the child counted it."""
    laid = Counter(lay=sum(child.did.get(kind, 0) for kind in ("laid", "added", "crossed")))
    return +laid + Counter({word: child.did[word] for word in WORDS if word in child.did})
