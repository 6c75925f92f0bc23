"""The errors of the engine."""

from typing import Final, Literal, get_args

Code = Literal[
    "bad-text",
    "wrong-phase",
    "not-in-hand",
    "not-on-table",
    "not-opened",
    "swap-mismatch",
    "joker-not-laid",
    "already-crossed",
    "same-island",
    "out-of-range",
    "too-short",
    "not-a-sequence",
    "must-keep-a-card",
    "must-discard",
    "pile-empty",
]
CODES: Final[tuple[Code, ...]] = get_args(Code)

TextProblem = Literal[
    "no-card",
    "not-in-edition",
    "number-missing",
    "another-number",
    "number-not-wanted",
    "twice",
    "no-hand-card",
    "nothing-after",
    "word-twice",
    "no-swap",
    "no-seat",
    "no-action",
]
"""Why a text is not a card, line, play or other action. All share the code `bad-text`."""


class ActionRefused(Exception):
    """An action that the rules do not allow. `code` is stable; `detail` is the card, word or phase
    that is wrong. `reason` is the code, or for an unreadable text its problem."""

    def __init__(self, code: Code, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code: Code = code
        self.reason: Code | TextProblem = code
        self.detail = detail


class UnreadableText(ActionRefused):
    """Text that is not a card, line, play or other action. The code is `bad-text`, and `detail` is
    the word that cannot be read."""

    def __init__(self, problem: TextProblem, detail: str) -> None:
        super().__init__("bad-text", detail)
        self.args = (f"bad-text: {problem}: {detail}",)
        self.reason = problem


class RulesetError(ValueError):
    """Options that cannot belong to one game. `reason` is a stable code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class JsonError(ValueError):
    """JSON that does not have the expected fields and types."""


class TextError(ValueError):
    """Text that cannot be read as a game. `line` counts from 1; `word` is the word that is wrong.
    `reason` is a stable code: that of an `ActionRefused`, of a `RulesetError`, or one of
    `games.engine.text`."""

    def __init__(self, line: int, word: str, reason: str) -> None:
        super().__init__(f"line {line}: {reason}: {word}")
        self.line = line
        self.word = word
        self.reason = reason
