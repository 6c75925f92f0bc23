"""A whole game as text: its rules, each deal, each turn and the result (docs/notation.md).

Reading is forgiving, writing is canonical.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Self

from games.engine.actions import Action, Claim, Deal, Knock, Pass
from games.engine.cards import card_text
from games.engine.errors import ActionRefused, RulesetError, TextError
from games.engine.round import State
from games.engine.ruleset import Ruleset
from games.engine.text.notation import (
    JOINING_SIGNS,
    action_text,
    parse_action,
    parse_cards,
    parse_ruleset,
    ruleset_text,
)
from games.engine.text.record import (
    ACTS,
    EntryKind,
    LogEntry,
    LogReplay,
    Setting,
    Transition,
    deal_entry,
    parse_deck,
    take_back_entry,
    transitions,
)

_NUMBERS: Final = {
    "seats": re.compile("[0-9]{1,2}"),
    "starter": re.compile("[0-9]{1,2}"),
    "reshuffle": re.compile("-?[0-9]{1,40}"),
    "round": re.compile("[0-9]{1,4}"),
}
_HEADERS: Final = ("edition", "seats", "starter", "reshuffle")
_TURN: Final = re.compile(r"([0-9]{1,4}) ?\. ?")
_SEAT: Final = re.compile(r"seat ?([0-9]{1,2}) ?: ?")


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game that the rules allow, from its first deal on, finished or not.

    `entries` are only deals, actions and plays taken back, in the canonical form that `of` makes.
    """

    setting: Setting
    entries: tuple[LogEntry, ...]

    @classmethod
    def of(cls, setting: Setting, entries: Iterable[LogEntry]) -> Self:
        """The record of a log, without hints and refused plays, which change nothing.

        Raises `ActionRefused` for a log against the rules, `RulesetError` for a ruleset of no known
        edition or a deal that it does not allow, `ValueError` for an empty log.
        """
        ruleset = parse_ruleset(ruleset_text(setting.ruleset))
        setting = replace(setting, ruleset=ruleset)
        canonical_entries = tuple(
            _canonical(transition)
            for transition in transitions(setting, entries)
            if transition.entry.kind in (EntryKind.DEAL, *ACTS, EntryKind.TAKE_BACK)
        )
        if not canonical_entries:
            raise ValueError("an empty log is no game")
        return cls(setting, canonical_entries)


def write_game(record: GameRecord) -> str:
    """The game as text, with one line for each turn. Nobody is named."""
    setting = record.setting
    lines = [f"edition {ruleset_text(setting.ruleset)}", f"seats {setting.seats}"]
    lines.append(f"starter {setting.starter}")
    if setting.seed:
        lines.append(f"reshuffle {setting.seed}")
    turn = None
    for transition in transitions(setting, record.entries):
        entry, before = transition.entry, transition.before
        if before is None or entry.kind == EntryKind.DEAL:
            lines += ["", f"round {transition.after.round}", _deal_text(setting, entry)]
            turn = None
        elif turn == _turn(before):
            lines[-1] += f" | {_done_text(transition)}"
        else:
            turn = _turn(before)
            lines.append(f"{turn}. seat {before.turn}: {_done_text(transition)}")
    lines += ["", _result_text(transition.after)]
    return "\n".join(lines) + "\n"


def read_game(text: str) -> GameRecord:
    """Parse the text of a game. Raises only `TextError`.

    Case, spaces, blank lines, the kind of line end and anything after a `;` make no difference. The
    numbers of rounds and turns, the seat whose turn it is and the result may be left out, but must
    be right if they are there. A turn may take several lines.
    """
    reader = _Reader()
    for number, line in _lines(text):
        reader.read_line(number, line)
    return reader.record()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The number, from 1, and the text of each line that is not empty or a comment, in lower case
    and with single spaces."""
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1):
        words = " ".join(line.partition(";")[0].lower().split())
        if words:
            yield number, words


def _turn(state: State) -> int:
    """The number of the current turn, from 1 in each round. In blocks, `state.turns` already counts
    a turn while its block is on offer."""
    return sum(state.turns) + (state.phase != "knock")


def _canonical(transition: Transition) -> LogEntry:
    match transition.action:
        case None:
            return LogEntry(transition.entry.kind, transition.entry.seat)
        case Deal(deck):
            return deal_entry(deck)
        case action:
            return _entry_of(transition.entry.seat, action)


def _entry_of(seat: int | None, action: Action) -> LogEntry:
    """The entry of an action. If it answers an offer, its text does not repeat the seat."""
    return LogEntry(EntryKind.ACT, seat, action_text(_action_with_seat(action, None)))


def _action_with_seat(action: Action, seat: int | None) -> Action:
    """The action, with this seat if it answers an offer."""
    return replace(action, seat=seat) if isinstance(action, Claim | Pass | Knock) else action


def _deal_text(setting: Setting, entry: LogEntry) -> str:
    """The deck as it is dealt: the hands, the open card and the rest."""
    cards = [card_text(card) for card in parse_deck(entry.text, setting.ruleset)]
    size = setting.ruleset.hand_size(setting.seats)
    ends = [size * seat for seat in range(setting.seats + 1)]
    if not setting.ruleset.has_pot:
        ends.append(ends[-1] + 1)
    bounds = zip(ends, [*ends[1:], len(cards)], strict=True)
    return "deal " + " | ".join(" ".join(cards[a:b]) for a, b in bounds if cards[a:b])


def _done_text(transition: Transition) -> str:
    if transition.action is None:
        return transition.entry.kind
    return action_text(_action_with_seat(transition.action, transition.entry.seat))


def _result_text(state: State) -> str:
    words = ["result", *map(str, state.scores)]
    if state.winners is None:
        return " ".join((*words, "unfinished"))
    return " ".join((*words, "winners", *(map(str, state.winners or ("none",)))))


class _Reader:
    """Reads a game line by line, and plays it at the same time."""

    def __init__(self) -> None:
        self._line = 1
        self._line_of: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._ruleset: Ruleset | None = None
        self._replay: LogReplay | None = None
        self._entries: list[LogEntry] = []

    def read_line(self, number: int, line: str) -> None:
        self._line = number
        word, _, rest = line.partition(" ")
        if "result" in self._line_of:
            raise self._wrong(word, "after-result")
        if word in _HEADERS:
            self._read_header(word, rest)
        elif word == "round":
            self._check_round(rest)
        elif word == "deal":
            self._read_deal(rest)
        elif word == "result":
            self._check_result(line)
        else:
            self._read_turn(line)

    def record(self) -> GameRecord:
        replay, _ = self._playing()
        return GameRecord(replay.setting, tuple(self._entries))

    def _read_header(self, word: str, rest: str) -> None:
        if self._replay is not None:
            raise self._wrong(word, "header-late")
        if word in self._line_of:
            raise self._wrong(word, "header-twice")
        self._line_of[word] = self._line
        if word == "edition":
            self._ruleset = parse_ruleset(rest, self._line)
        else:
            self._numbers[word] = self._number(word, rest)

    def _check_round(self, rest: str) -> None:
        state = None if self._replay is None else self._replay.state
        if self._number("round", rest) != (0 if state is None else state.round) + 1:
            raise self._wrong(rest, "round-differs")

    def _read_deal(self, rest: str) -> None:
        if self._replay is None:
            self._replay = LogReplay(self._setting())
        words = re.sub("[|,]", " ", rest).split()
        try:
            cards = parse_cards(words, self._replay.setting.ruleset)
        except ActionRefused as refused:
            raise self._wrong(refused.detail, refused.reason) from refused
        try:
            self._enter(self._replay, deal_entry(cards), "deal")
        except RulesetError as problem:
            about = problem.reason.partition("-")[0]
            raise TextError(
                self._line_of.get(about, self._line), about, problem.reason
            ) from problem

    def _check_result(self, line: str) -> None:
        _, state = self._playing()
        self._line_of["result"] = self._line
        words = line.replace("- ", "-").replace(",", " ").split()
        if words != _result_text(state).split():
            raise self._wrong(line, "result-differs")

    def _read_turn(self, line: str) -> None:
        replay, state = self._playing()
        turn, rest = _leading_number(_TURN, line)
        seat, rest = _leading_number(_SEAT, rest)
        if state.to_act is not None:
            if turn not in (None, _turn(state)):
                raise self._wrong(str(turn), "turn-differs")
            if seat not in (None, state.turn):
                raise self._wrong(str(seat), "seat-differs")
        for text in rest.split("|"):
            if text.strip():
                state = self._read_action(replay, state, JOINING_SIGNS.sub(r"\1", text.strip()))

    def _read_action(self, replay: LogReplay, state: State, text: str) -> State:
        if text == "take back":
            return self._enter(replay, take_back_entry(state.turn), text)
        try:
            action = parse_action(text, state.ruleset)
        except ActionRefused as refused:
            raise self._wrong(refused.detail or text, refused.reason) from refused
        seat = state.to_act
        if isinstance(action, Claim | Pass | Knock) and action.seat is not None:
            seat = action.seat
        return self._enter(replay, _entry_of(seat, action), text)

    def _enter(self, replay: LogReplay, entry: LogEntry, text: str) -> State:
        try:
            transition = replay.apply_entry(entry)
        except ActionRefused as refused:
            raise self._wrong(text, refused.code) from refused
        self._entries.append(entry)
        return transition.after

    def _setting(self) -> Setting:
        if self._ruleset is None:
            raise self._wrong("edition", "header-missing")
        for word in ("seats", "starter"):
            if word not in self._numbers:
                raise self._wrong(word, "header-missing")
        numbers = self._numbers
        seed = numbers.get("reshuffle", 0)
        return Setting(self._ruleset, numbers["seats"], numbers["starter"], seed)

    def _playing(self) -> tuple[LogReplay, State]:
        """The game read so far. Raises `TextError` before the first deal."""
        if self._replay is None or self._replay.state is None:
            raise self._wrong("deal", "deal-missing")
        return self._replay, self._replay.state

    def _number(self, word: str, text: str) -> int:
        number = text.replace("- ", "-")
        if not _NUMBERS[word].fullmatch(number):
            raise self._wrong(f"{word} {text}", "number-unreadable")
        return int(number)

    def _wrong(self, word: str, reason: str) -> TextError:
        return TextError(self._line, word, reason)


def _leading_number(pattern: re.Pattern[str], line: str) -> tuple[int | None, str]:
    """The number in the match of a pattern at the start of a line, or None, and the rest of the
    line."""
    match = pattern.match(line)
    return (int(match[1]), line[match.end() :]) if match else (None, line)
