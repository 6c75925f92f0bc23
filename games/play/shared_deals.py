"""A deal that several players play, each in their own game, to compare what they found.

All games begin with the same cards. Then the seed of the deal and the position decide everything
random: if two players reach the same position in any way, the bots do the same.
"""

from dataclasses import replace
from hashlib import sha256
from secrets import randbits
from typing import Final

from games.bots.registry import find_bot
from games.coach.deals import DealSetting, Kindness
from games.engine.actions import Action
from games.engine.match import new_match
from games.engine.plays import plays_without_jokers
from games.engine.ruleset import Ruleset
from games.engine.table import Table
from games.engine.view import View
from games.play.log import SEED_BITS, deck_of_round, new_game, setting_of

SEEDS_TRIED: Final = 100
"""The number of random seeds that are tried."""


def draw_seed(ruleset: Ruleset, seats: int, kindness: Kindness) -> int:
    """A random seed whose deal gives the player in seat 0 a row at once, so that there is something
    to find, or to compare, from the first turn on. If none is found, it is the last one tried."""
    for _ in range(SEEDS_TRIED):
        seed = randbits(SEED_BITS)
        game = new_game(ruleset, seed=seed, kindness=kindness)
        setting = setting_of(game, seats)
        deck = deck_of_round(game, 1, DealSetting(ruleset, seats, setting.starter, [0]))
        dealt = new_match(ruleset, seats, deck, setting.starter, setting.seed)
        if plays_without_jokers(dealt.position(0)):
            break
    return seed


def choice_in_shared_deal(bot: str, view: View, seed: int) -> Action:
    """The action of this bot when its seat has this view, in any game of the deal with this seed.
    The order in which the rows were laid makes no difference."""
    lines = sorted(view.table.lines, key=lambda line: line.sort_key)
    view = replace(view, table=Table.of(lines))
    visible = (
        view.seat, view.hand, view.phase, view.turn, view.to_act, view.scores, view.hand_sizes,
        view.open_top, view.open_count, view.closed_count, view.opened, view.passed, view.turns,
        view.turns_without_play, view.play_count, view.round, view.starter,
    )  # fmt: skip
    market = f" {view.market}" if view.market else ""
    text = f"{seed}/bot/{visible} {' '.join(map(str, lines))}{market}"
    return find_bot(bot)(view, int.from_bytes(sha256(text.encode()).digest()[:8], "big"))
