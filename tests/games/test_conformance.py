import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.conformance import answer

CASES = sorted(Path(__file__).parent.joinpath("engine", "cases").glob("*.jsonl"))


def asked(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(*paths: Path) -> tuple[list[dict[str, Any]], list[str], int]:
    """The answers, the lines on standard error and the exit status."""
    out, err, status = StringIO(), StringIO(), 0
    try:
        call_command("conformance", *map(str, paths), stdout=out, stderr=err, no_color=True)
    except SystemExit as left:
        status = int(left.code or 0)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    return answers, err.getvalue().splitlines(), status


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_case_is_answered_as_expected(path: Path) -> None:
    wrong = {}
    for case in asked(path):
        given = answer(case)
        differences = {
            key: (expected, given.get(key))
            for key, expected in case["expect"].items()
            if given.get(key, "nothing") != expected
        }
        if differences:
            wrong[case["id"]] = differences
    assert wrong == {}


def test_all_cases_are_here() -> None:
    counts = {path.stem: len(asked(path)) for path in CASES}
    assert counts == {"best": 35, "match": 34, "play": 181, "plays": 70, "sequence": 64}


class TestCommand:
    def test_it_answers_each_case_and_leaves_with_nought_when_all_are_right(self) -> None:
        answers, told, status = run(*CASES)
        assert [given["id"] for given in answers] == [
            case["id"] for path in CASES for case in asked(path)
        ]
        assert told == ["384 passed, 0 failed"]
        assert status == 0

    def test_it_says_which_case_is_wrong_and_leaves_with_one(self, tmp_path: Path) -> None:
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
        answers, told, status = run(path)
        assert [given["valid"] for given in answers] == [True, True]
        assert told == ["wrong: valid should be false, is true", "1 passed, 1 failed"]
        assert status == 1

    def test_a_key_that_the_answer_lacks_is_wrong(self, tmp_path: Path) -> None:
        path = tmp_path / "cases.jsonl"
        path.write_text(
            '{"id": "x", "ask": "sequence", "edition": "classic", "numbers": [1, 2, 3],'
            ' "expect": {"colour": null}}'
        )
        assert run(path)[2] == 1

    def test_a_case_without_expect_is_answered_and_not_counted(self, tmp_path: Path) -> None:
        path = tmp_path / "cases.jsonl"
        path.write_text('{"id": "x", "ask": "sequence", "edition": "classic", "numbers": [1, 2]}')
        answers, told, status = run(path)
        assert (answers[0]["valid"], told, status) == (False, ["0 passed, 0 failed"], 0)

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
    def test_what_cannot_be_answered_is_told_as_an_error(
        self, tmp_path: Path, case: str, error: str
    ) -> None:
        path = tmp_path / "cases.jsonl"
        path.write_text(case)
        (given,) = run(path)[0]
        assert given["error"].startswith(error)

    @pytest.mark.parametrize("text", ["{", "[1]", b"\xff".decode("latin-1") + "{"])
    def test_what_is_no_case_is_refused_with_its_place(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "cases.jsonl"
        path.write_text("\n" + text)
        with pytest.raises(CommandError, match=r"cases\.jsonl:2"):
            run(path)

    def test_a_file_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match=r"none\.jsonl"):
            run(tmp_path / "none.jsonl")
