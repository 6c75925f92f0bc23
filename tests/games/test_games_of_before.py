"""Games of before a market, hands that fill up and decks that fit: they replay byte for byte.

`games_of_before.txt` was written at 80d270dd: the rules, seats and seed of 400 games, and a digest
of the record and of the data of every state. Bots and random players make the same games again.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

from games.bots.registry import bot_called
from games.engine.actions import Deal
from games.engine.cards import deck, shuffled
from games.engine.match import apply, new_match
from games.engine.round import State, legal_actions, view
from games.engine.ruleset import Ruleset, ruleset_to_data
from games.engine.text.entries import LogEntry, act_entry, deal_entry
from games.engine.text.game_text import GameRecord, write
from games.engine.text.record import Setting
from games.engine.text.ruleset_text import parse_ruleset
from games.engine.text.snapshot import state_to_data
from tests.counts import times
from tests.games.rounds import choice

GAMES = Path(__file__).with_name("games_of_before.txt")
PLAYERS = ("beginner", "steady", "companion 700", "companion 1100", "")
"""The bots that play; the empty name is a random player."""


def test_they_replay_byte_for_byte() -> None:
    games = GAMES.read_text(encoding="utf-8").splitlines()
    assert len(games) == 400
    for game in games[:: len(games) // times(10, 400)]:
        digest, seats, seed, rules = game.split(" ", 3)
        assert digest_of(parse_ruleset(rules), int(seats), int(seed)) == digest, game


def digest_of(ruleset: Ruleset, seats: int, seed: int) -> str:
    """A digest of one game of bots and random players: its rules, its states, its record."""
    digest = sha256(json.dumps(ruleset_to_data(ruleset)).encode())
    setting = Setting(ruleset, seats, seed % seats, seed)
    entries: list[LogEntry] = []
    for state, entry in _played(setting):
        digest.update(json.dumps(state_to_data(state)).encode())
        entries.append(entry)
    digest.update(write(GameRecord.of(setting, entries)).encode())
    return digest.hexdigest()[:16]


def _played(setting: Setting) -> Iterator[tuple[State, LogEntry]]:
    ruleset, random = setting.ruleset, Random(setting.seed)
    cards = shuffled(deck(ruleset.highest), setting.seed)
    state = new_match(ruleset, setting.seats, cards, setting.starter, setting.seed)
    yield state, deal_entry(cards)
    while state.phase != "match over":
        if state.seat is None:
            cards = shuffled(deck(ruleset.highest), setting.seed + state.round)
            state = apply(state, Deal(cards))
            yield state, deal_entry(cards)
            continue
        seat, player = state.seat, PLAYERS[(state.seat + setting.seed) % len(PLAYERS)]
        seen = view(state, seat)
        if player:
            action = bot_called(player)(seen, random.getrandbits(30))
        else:
            action = choice(legal_actions(seen), random)
        state = apply(state, action)
        yield state, act_entry(seat, action)
