"""`manage.py conformance FILE…` answers rule cases (docs/rules.md) and reports wrong answers."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.coach.times_tables import common_tables
from games.engine.actions import Deal
from games.engine.cards import card_text, cards_in, mask_of
from games.engine.errors import ActionRefused, RulesetError
from games.engine.match import apply, new_match
from games.engine.play_application import Position, make_play
from games.engine.plays import best_points, legal_plays
from games.engine.round import State
from games.engine.ruleset import Ruleset, edition
from games.engine.sequences import jump_of
from games.engine.text import notation

Case = Mapping[str, Any]
CaseAnswer = dict[str, Any]


class Command(BaseCommand):
    help = "Answer conformance cases, one JSON object a line; exit 1 when one is not as expected."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        passed = 0
        failed: list[str] = []
        for path in options["files"]:
            for number, line in enumerate(self._lines(path), start=1):
                if not line.strip():
                    continue
                case = self._case(line, f"{path}:{number}")
                answer = self._answer(case)
                self.stdout.write(json.dumps({"id": case.get("id"), **answer}))
                if "expect" in case:
                    wrong = _differences(case["expect"], answer)
                    passed += not wrong
                    if wrong:
                        failed.append(f"{case.get('id')}: {wrong}")
        for wrong in failed:
            self.stderr.write(wrong)
        self.stderr.write(f"{passed} passed, {len(failed)} failed")
        if failed:
            raise SystemExit(1)

    @staticmethod
    def _lines(path: Path) -> list[str]:
        try:
            return path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as problem:
            raise CommandError(f"{path}: {problem}") from problem

    @staticmethod
    def _case(line: str, place: str) -> dict[str, Any]:
        try:
            case = json.loads(line)
        except json.JSONDecodeError as problem:
            raise CommandError(f"{place}: not JSON: {problem}") from problem
        if not isinstance(case, dict):
            raise CommandError(f"{place}: not an object")
        return case

    @staticmethod
    def _answer(case: dict[str, Any]) -> dict[str, Any]:
        try:
            return answer(case)
        except ActionRefused as refused:
            return {"error": refused.code}
        except RulesetError as problem:
            return {"error": problem.reason}
        except (KeyError, TypeError, ValueError) as problem:
            return {"error": f"cannot be asked: {problem!r}"}


def _differences(expected: dict[str, Any], actual: dict[str, Any]) -> str:
    return "; ".join(
        f"{key} should be {json.dumps(value)}, is {json.dumps(actual.get(key))}"
        for key, value in expected.items()
        if key not in actual or actual[key] != value
    )


def answer(case: Case) -> CaseAnswer:
    """The answer to one case. Raises `KeyError` for an unknown `ask` or a missing key."""
    ruleset = edition(case["edition"], **case.get("options", {}))
    return _ANSWERS[case["ask"]](case, ruleset)


def _position(case: Case, ruleset: Ruleset) -> Position:
    return Position(
        ruleset,
        notation.parse_table(case["table"], ruleset),
        mask_of(notation.parse_cards(case["hand"], ruleset)),
        case["opened"],
    )


def _sequence(case: Case, ruleset: Ruleset) -> CaseAnswer:
    numbers = sorted(case["numbers"])
    jump = jump_of(numbers)
    offset = None if jump is None else numbers[0] % jump
    families = ruleset.sequences.families_of(numbers)
    return {
        "valid": bool(families) or _has_valid_jump(ruleset, numbers),
        "step": jump,
        "offset": offset,
        "times_table": jump if offset == 0 and jump is not None and jump > 1 else None,
        "common_divisors": list(common_tables(numbers)),
        "families": families,
    }


def _has_valid_jump(ruleset: Ruleset, numbers: Sequence[int]) -> bool:
    """Whether these numbers, from low to high, are a valid row of equal jumps in any deck."""
    jump = jump_of(numbers)
    tables = ruleset.tables
    if jump is None or (tables is not None and (jump not in tables or numbers[0] % jump)):
        return False
    targets = ruleset.counts_back_to
    return targets is None or any((numbers[0] - target) % jump == 0 for target in targets)


def _play(case: Case, ruleset: Ruleset) -> CaseAnswer:
    position = _position(case, ruleset)
    try:
        result = make_play(position, notation.parse_play(case["play"], ruleset))
    except ActionRefused as refused:
        return {"ok": False, "error": refused.code}
    return {
        "ok": True,
        "points": result.points,
        "table": notation.table_text(result.table),
        "hand": notation.hand_text(cards_in(result.hand)),
    }


def _plays(case: Case, ruleset: Ruleset) -> CaseAnswer:
    plays = sorted(str(play) for play in legal_plays(_position(case, ruleset)))
    return {"count": len(plays), "plays": plays}


def _match(case: Case, ruleset: Ruleset) -> CaseAnswer:
    decks = [notation.parse_cards(case["deck"], ruleset)]
    decks += [notation.parse_cards(deck, ruleset) for deck in case.get("more_decks", ())]
    next_decks = iter(decks)
    state = new_match(ruleset, case["seats"], next(next_decks), case["starter"])
    for index, text in enumerate(case["actions"]):
        try:
            if text == "deal":
                state = apply(state, Deal(next(next_decks, ())))
            else:
                state = apply(state, notation.parse_action(text, ruleset))
        except ActionRefused as refused:
            return {"error": refused.code, "at": index}
    return _state_answer(state)


def _state_answer(state: State) -> CaseAnswer:
    market = [card_text(card) for card in state.market]
    goal = {"goal": state.goal, "together": state.earned_together} if state.goal is not None else {}
    return (
        goal
        | ({"market": market} if state.ruleset.market else {})
        | {
            "phase": state.phase,
            "seat": state.to_act,
            "scores": list(state.scores),
            "hands": [notation.hand_text(cards_in(hand)) for hand in state.hands],
            "open": card_text(state.open_pile[-1]) if state.open_pile else None,
            "closed": len(state.closed_pile),
            "round": state.round,
            "winners": None if state.winners is None else list(state.winners),
        }
    )


_ANSWERS: dict[str, Callable[[Case, Ruleset], CaseAnswer]] = {
    "sequence": _sequence,
    "play": _play,
    "plays": _plays,
    "best": lambda case, ruleset: {"points": best_points(_position(case, ruleset))},
    "match": _match,
}
