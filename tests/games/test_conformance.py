"""The commands for other implementations: cases to answer, games to replay."""

import json
from collections.abc import Iterator
from hashlib import sha256
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from games.bots.registry import find_bot
from games.engine.actions import Deal
from games.engine.cards import deck, shuffled
from games.engine.errors import CODES
from games.engine.match import apply, new_match
from games.engine.round import State
from games.engine.ruleset import EDITIONS, Ruleset, ruleset_to_data
from games.engine.text.game_text import GameRecord, write_game
from games.engine.text.notation import parse_ruleset
from games.engine.text.record import LogEntry, Setting, act_entry, deal_entry
from games.engine.text.snapshot import state_to_data
from games.engine.view import legal_actions, view
from games.management.commands.conformance import answer
from tests.counts import for_each, times
from tests.games.rounds import choice
from tests.repository import ROOT

FOLDER = ROOT / "tests" / "games" / "engine" / "cases"
CASES = sorted(FOLDER.glob("*.jsonl"))
OWN_CASES = sorted(FOLDER.glob("own/*.jsonl"))
"""The project's own cases, worked out by hand or by the reference (engine/reference.py)."""


def questions_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(*paths: Path) -> tuple[list[dict[str, Any]], list[str], int]:
    """The answers, the lines on standard error, and the exit status."""
    out, err, status = StringIO(), StringIO(), 0
    try:
        call_command("conformance", *map(str, paths), stdout=out, stderr=err, no_color=True)
    except SystemExit as left:
        status = int(left.code or 0)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    return answers, err.getvalue().splitlines(), status


@for_each([*CASES, *OWN_CASES])
def test_every_case_is_answered_as_expected(path: Path) -> None:
    wrong = {}
    for case in questions_in(path):
        given = answer(case)
        differences = {
            key: (expected, given.get(key))
            for key, expected in case["expect"].items()
            if given.get(key, "nothing") != expected
        }
        if differences:
            wrong[case["id"]] = differences
    assert wrong == {}


@pytest.mark.parametrize("name", EDITIONS)
def test_every_refusal_has_a_case_in_every_edition_that_has_it(name: str) -> None:
    covered = {
        case["expect"].get("error")
        for path in OWN_CASES
        for case in questions_in(path)
        if case["edition"] == name
    }
    codes = set(CODES)
    if EDITIONS[name].ending != "discard":
        codes.remove("must-keep-a-card")
    if EDITIONS[name].ending == "free":
        codes.remove("must-discard")
    if EDITIONS[name].has_pot:
        codes.remove("pile-empty")
    assert covered - {None} == codes


# Command


def test_a_wrong_case_is_named_and_exits_with_1(tmp_path: Path) -> None:
    case = {
        "ask": "sequence",
        "edition": "simplified",
        "numbers": [10, 20, 30],
    }
    path = tmp_path / "cases.jsonl"
    path.write_text(
        json.dumps({**case, "id": "right", "expect": {"valid": True}})
        + "\n\n"
        + json.dumps({**case, "id": "wrong", "expect": {"valid": False, "step": 10}})
        + "\n"
    )
    answers, messages, status = run(path)
    assert [given["valid"] for given in answers] == [True, True]
    assert messages == ["wrong: valid should be false, is true", "1 passed, 1 failed"]
    assert status == 1


@pytest.mark.parametrize(
    ("case", "error"),
    [
        ('{"id": 1, "ask": "sequence", "edition": "chess"}', "edition-unknown"),
        ('{"id": 1, "ask": "sequence", "edition": "classic"}', "cannot be asked"),
        ('{"id": 1, "ask": "tea", "edition": "classic"}', "cannot be asked"),
        (
            '{"id": 1, "ask": "best", "edition": "classic", "table": ["1-x"], "hand": [],'
            ' "opened": true}',
            "bad-text",
        ),
    ],
)
def test_a_case_that_cannot_be_answered_is_an_error(tmp_path: Path, case: str, error: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(case)
    (given,) = run(path)[0]
    assert given["error"].startswith(error)


GAMES = Path(__file__).with_name("games_of_before.txt")
PLAYERS = ("beginner", "steady", "companion 700", "companion 1100", "")
"""The bots that play. The empty name stands for a random player."""


def test_games_replay_byte_for_byte() -> None:
    games = GAMES.read_text(encoding="utf-8").splitlines()
    assert len(games) == 400
    for game in games[:: len(games) // times(10, 400)]:
        digest, seats, seed, rules = game.split(" ", 3)
        assert digest_of(parse_ruleset(rules), int(seats), int(seed)) == digest, game


def digest_of(ruleset: Ruleset, seats: int, seed: int) -> str:
    """A digest of the rules, states and record of a game of bots and random players."""
    digest = sha256(json.dumps(ruleset_to_data(ruleset)).encode())
    setting = Setting(ruleset, seats, seed % seats, seed)
    entries: list[LogEntry] = []
    for state, entry in _play(setting):
        digest.update(json.dumps(state_to_data(state)).encode())
        entries.append(entry)
    digest.update(write_game(GameRecord.of(setting, entries)).encode())
    return digest.hexdigest()[:16]


def _play(setting: Setting) -> Iterator[tuple[State, LogEntry]]:
    ruleset, random = setting.ruleset, Random(setting.seed)
    cards = shuffled(deck(ruleset.highest), setting.seed)
    state = new_match(ruleset, setting.seats, cards, setting.starter, setting.seed)
    yield state, deal_entry(cards)
    while state.phase != "match over":
        if state.to_act is None:
            cards = shuffled(deck(ruleset.highest), setting.seed + state.round)
            state = apply(state, Deal(cards))
            yield state, deal_entry(cards)
            continue
        seat, player = state.to_act, PLAYERS[(state.to_act + setting.seed) % len(PLAYERS)]
        seat_view = view(state, seat)
        if player:
            action = find_bot(player)(seat_view, random.getrandbits(30))
        else:
            action = choice(legal_actions(seat_view), random)
        state = apply(state, action)
        yield state, act_entry(seat, action)
