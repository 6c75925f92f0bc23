"""`manage.py conformance FILE…`: answers rule cases, and reports wrong answers."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.errors import Refused, RulesetError
from games.lab.conformance import answer


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
                given = self._answer(case)
                self.stdout.write(json.dumps({"id": case.get("id"), **given}))
                if "expect" in case:
                    wrong = _differences(case["expect"], given)
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
    def _case(line: str, where: str) -> dict[str, Any]:
        try:
            case = json.loads(line)
        except json.JSONDecodeError as problem:
            raise CommandError(f"{where}: not JSON: {problem}") from problem
        if not isinstance(case, dict):
            raise CommandError(f"{where}: not an object")
        return case

    @staticmethod
    def _answer(case: dict[str, Any]) -> dict[str, Any]:
        try:
            return answer(case)
        except Refused as refused:
            return {"error": refused.code}
        except RulesetError as problem:
            return {"error": problem.reason}
        except (KeyError, TypeError, ValueError) as problem:
            return {"error": f"cannot be asked: {problem!r}"}


def _differences(expected: dict[str, Any], given: dict[str, Any]) -> str:
    return "; ".join(
        f"{key} should be {json.dumps(value)}, is {json.dumps(given.get(key))}"
        for key, value in expected.items()
        if key not in given or given[key] != value
    )
