"""A deal that several players play, each in their own game, to compare what they found.

All games begin with the same cards. After that, the seed of the deal and the position decide
everything random, however a game reached the position: if two players reach the same position, the
bots do the same.
"""

from dataclasses import replace
from hashlib import sha256
from secrets import randbits
from typing import Final

from games.bots.registry import bot_called
from games.coach.deals import Dealing, Kindness
from games.engine.actions import Action
from games.engine.match import new_match
from games.engine.plays import plays_without_jokers
from games.engine.round import View
from games.engine.ruleset import Ruleset
from games.engine.table import Table
from games.play.log import SEED_BITS, deck_of_round, new_game, setting_of

SEEDS_TRIED: Final = 100
"""After this many deals without a row in the first hand, the last one is taken."""


def drawn_seed(ruleset: Ruleset, seats: int, kindness: Kindness) -> int:
    """A random seed whose deal gives the player in seat 0 a row at once, so that there is something
    to compare from the first turn on; if none is found, the last one tried."""
    for _ in range(SEEDS_TRIED):
        seed = randbits(SEED_BITS)
        if _deals_a_row(ruleset, seats, kindness, seed):
            break
    return seed


def _deals_a_row(ruleset: Ruleset, seats: int, kindness: Kindness, seed: int) -> bool:
    game = new_game(ruleset, seed=seed, kindness=kindness)
    setting = setting_of(game, seats)
    deck = deck_of_round(game, 1, Dealing(ruleset, seats, setting.starter, [0]))
    dealt = new_match(ruleset, seats, deck, setting.starter, setting.seed)
    return bool(plays_without_jokers(dealt.position(0)))


def choice_in_shared_deal(bot: str, seen: View, seed: int) -> Action:
    """What this bot does when its seat has this view, in every game of the deal with this seed."""
    seen = _sort_lines(seen)
    digest = sha256(f"{seed}/bot/{_view_text(seen)}".encode()).digest()
    return bot_called(bot)(seen, int.from_bytes(digest[:8], "big"))


def _sort_lines(seen: View) -> View:
    """The view, with the rows of the table in an order that does not depend on which was laid
    first."""
    lines = sorted(seen.table.lines, key=lambda line: line.sort_key)
    return replace(seen, table=Table.of(lines))


def _view_text(seen: View) -> str:
    """All that the seat may know, except the rules, as text."""
    known = (
        seen.seat, seen.hand, seen.phase, seen.turn, seen.to_act, seen.scores, seen.counts,
        seen.open_top, seen.open_count, seen.closed_count, seen.opened, seen.passed, seen.turns,
        seen.turns_without_play, seen.plays, seen.round, seen.starter,
    )  # fmt: skip
    lines = " ".join(map(str, seen.table.lines))
    return f"{known} {lines} {seen.market}" if seen.market else f"{known} {lines}"
