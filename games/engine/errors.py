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

Why = Literal[
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
"""Why a text is not a card, line, play or other action; more exact than the code `bad-text`."""


class ActionRefused(Exception):
    """An action that the rules do not allow. `code` is stable; `where` names what is wrong."""

    def __init__(self, code: Code, where: str = "") -> None:
        super().__init__(f"{code}: {where}" if where else code)
        self.code: Code = code
        self.where = where

    @property
    def reason(self) -> Code | Why:
        """The code; for text that cannot be read, the reason why."""
        return self.code


class NotReadable(ActionRefused):
    """Text that is not a card, line, play or other action. The code is `bad-text`, `why` is a
    stable code too, and `where` is the word that cannot be read."""

    def __init__(self, why: Why, where: str) -> None:
        super().__init__("bad-text", where)
        self.args = (f"bad-text: {why}: {where}",)
        self.why: Why = why

    @property
    def reason(self) -> Why:
        return self.why


class RulesetError(ValueError):
    """Options that cannot belong to one game. `reason` is a stable code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class JsonError(ValueError):
    """JSON that does not have the expected fields and types."""


class TextError(ValueError):
    """Text that cannot be read as a game. `line` counts from 1; `word` is the word that is wrong.
    `reason` is a stable code: an `ActionRefused.reason`, the reason of a `RulesetError`, or one
    that `games.engine.text` gives."""

    def __init__(self, line: int, word: str, reason: str) -> None:
        super().__init__(f"line {line}: {reason}: {word}")
        self.line = line
        self.word = word
        self.reason = reason
