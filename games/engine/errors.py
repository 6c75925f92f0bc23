"""What the engine says when it will not do something."""

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


class Refused(Exception):
    """An action that the rules do not allow. `code` is stable, `where` says what it is about."""

    def __init__(self, code: Code, where: str = "") -> None:
        super().__init__(f"{code}: {where}" if where else code)
        self.code: Code = code
        self.where = where


class RulesetError(ValueError):
    """Options that cannot make a game. `reason` is a stable code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TextError(ValueError):
    """Text that cannot be read as a game or a position.

    `line` counts from 1, `word` is what it is about. `reason` is a stable code: one of
    docs/notation.md, a refusal's (`Code`), or that of a `RulesetError`.
    """

    def __init__(self, line: int, word: str, reason: str) -> None:
        super().__init__(f"line {line}: {reason}: {word}")
        self.line = line
        self.word = word
        self.reason = reason
