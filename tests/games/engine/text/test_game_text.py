"""A whole game as text, and the errors for text that is not a game."""

from random import Random
from typing import get_args

import pytest

from games.engine.actions import Deal
from games.engine.errors import CODES, ActionRefused, RulesetError, TextError, TextProblem
from games.engine.round import State
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.table import Play
from games.engine.text.game_text import GameRecord, read_game, write_game
from games.engine.text.record import (
    EntryKind,
    LogEntry,
    Setting,
    act_entry,
    deal_entry,
    hint_entry,
    refusal_entry,
    replay,
    take_back_entry,
    transitions,
)
from tests.counts import for_each, times
from tests.games.positions import BLOCKS, SIMPLIFIED
from tests.games.rounds import Match, random_match

SHORT = edition("simplified", rounds=1, offers=False)
DEAL = "1 2 3 10 20 30 40 4 5 6 7 8 9 49 50 11 12"
ENTRIES = (
    LogEntry(EntryKind.DEAL, None, DEAL),
    LogEntry(EntryKind.ACT, 0, "draw open"),
    LogEntry(EntryKind.ACT, 0, "1 2 3"),
    LogEntry(EntryKind.TAKE_BACK, 0),
    LogEntry(EntryKind.ACT, 0, "10 20 30"),
    LogEntry(EntryKind.ACT, 0, "discard 3"),
    LogEntry(EntryKind.ACT, 1, "draw open"),
    LogEntry(EntryKind.ACT, 1, "3 4 5 6 7 8 9"),
    LogEntry(EntryKind.ACT, 1, "discard 49"),
)
RECORD = GameRecord.of(Setting(SHORT, 2, 0), ENTRIES)
HEADERS = "edition simplified offers=no rounds=1\nseats 2\nstarter 0\n"
DEALT = f"{HEADERS}\nround 1\ndeal 1 2 3 10 20 30 40 | 4 5 6 7 8 9 49 | 50 | 11 12\n"
GAME = f"""{DEALT}1. seat 0: draw open | 1 2 3 | take back | 10 20 30 | discard 3
2. seat 1: draw open | 3 4 5 6 7 8 9 | discard 49

result 22 27 winners 1
"""
OWN_REASONS = {
    "edition-unknown",
    "option-unknown",
    "option-twice",
    "option-unreadable",
    "header-missing",
    "header-twice",
    "header-late",
    "number-unreadable",
    "deal-missing",
    "round-differs",
    "turn-differs",
    "seat-differs",
    "result-differs",
    "after-result",
}
REASONS_OF_RULESETS = {
    "market-out-of-range",
    "market-without-offers",
    "market-needs-piles",
    "piles-needed",
    "no-piles",
    "no-rows",
    "highest-out-of-range",
    "counts-back-to-unknown",
    "no-tables",
    "table-without-rows",
    "tables-do-not-count-back-to-one",
    "no-rounds",
    "rounds-needed",
    "points-need-piles",
    "hands-larger-than-deck",
    "seats-out-of-range",
    "starter-out-of-range",
    "deck-too-short",
    "deck-not-of-this-edition",
}


def log_of(match: Match) -> list[LogEntry]:
    """The log of a match in which every second play is taken back and made again."""
    entries = [deal_entry(match.deck)]
    plays = 0
    for (state, seat, action), after in zip(match.moments, match.states[1:], strict=False):
        if isinstance(action, Deal):
            entries.append(deal_entry(action.deck))
        elif seat is not None and action is not None:
            entries.append(act_entry(seat, action))
            if isinstance(action, Play) and after.phase == "play":
                plays += 1
                if plays % 2:
                    entries += [take_back_entry(state.turn), entries[-1]]
    return entries


def replay_of(record: GameRecord) -> State:
    return replay(record.setting, record.entries)


def some_match(seed: int) -> Match:
    """A match of random actions. The seed chooses the edition and some options."""
    names = list(EDITIONS)
    if seed % 2:
        return random_match(seed)
    return random_match(seed, edition(names[seed // 2 % len(names)], rounds=1 + seed % 3 % 2))


def error_of(text: str) -> tuple[int, str, str]:
    with pytest.raises(TextError) as problem:
        read_game(text)
    return problem.value.line, problem.value.word, problem.value.reason


def test_a_game_is_written_with_a_line_for_each_turn() -> None:
    assert write_game(RECORD) == GAME


@for_each(range(times(12, 300)))
def test_a_record_and_its_text_say_the_same(seed: int) -> None:
    match = some_match(seed)
    log = log_of(match)
    record = GameRecord.of(match.setting, log)
    text = write_game(record)
    assert read_game(text) == record
    assert write_game(read_game(text)) == text
    states = [step.after for step in transitions(record.setting, record.entries)]
    assert states == [step.after for step in transitions(match.setting, log)]
    assert states[-1] == match.states[-1]
    number = Random(seed).randint(1, len(log))
    assert states[number - 1] == replay(match.setting, log[:number])


def test_numbers_seats_and_the_result_are_optional() -> None:
    bare = HEADERS + f"deal {DEAL}\ndraw open\n1 2 3\ntake back | 10 20 30\n| discard 3 |\n"
    assert read_game(bare + "3 4 5 6 7 8 9".join(["draw open|", "|discard 49"])) == RECORD
    assert read_game(bare + "seat 1: draw open | | 3 4 5 6 7 8 9\n2. discard 49") == RECORD


def test_hints_and_refused_plays_are_not_part_of_a_record() -> None:
    hint, refusal = hint_entry(0, 1, None), refusal_entry(0, "too-short", [1, 2], [])
    log = (*ENTRIES[:2], hint, refusal, *ENTRIES[2:])
    assert GameRecord.of(RECORD.setting, log) == RECORD


def test_a_record_is_canonical_whatever_its_log_looks_like() -> None:
    careless = {"10 20 30": "30 10  20", "discard 3": " discard  03"}
    log = [LogEntry(e.kind, e.seat, careless.get(e.text, e.text)) for e in ENTRIES]
    setting = Setting(SHORT, 2, 0)
    assert GameRecord.of(setting, log) == RECORD


def test_lists_of_a_ruleset_have_one_order() -> None:
    tables = Ruleset(**{**vars(edition("classic")), "tables": (5, 2), "doubling": ("same",)})
    record = GameRecord.of(Setting(tables, 2, 0), [deal_entry(range(1, 101))])
    assert record.setting.ruleset.tables == (2, 5)
    assert write_game(record).startswith("edition classic doubling=same tables=2,5\n")


def test_an_answer_names_its_seat_in_log_and_text() -> None:
    cards = "1 2 3 10 20 30 40 4 5 6 7 8 9 70 51 52 53 61 62 63 64 11 12 13 14 15 16"
    log = [
        LogEntry(EntryKind.DEAL, None, cards),
        LogEntry(EntryKind.ACT, 0, "discard 40"),
        LogEntry(EntryKind.ACT, 2, "knock 2"),
    ]
    record = GameRecord.of(Setting(BLOCKS, 3, 0), log)
    assert record.entries[-1] == LogEntry(EntryKind.ACT, 2, "knock")
    text = write_game(record)
    assert "1. seat 0: discard 40 | knock 2\n" in text
    assert read_game(text) == record
    assert read_game(text.replace("knock 2", "pass | knock")).entries[-2:] == (
        LogEntry(EntryKind.ACT, 1, "pass"),
        LogEntry(EntryKind.ACT, 2, "knock"),
    )


def test_an_offer_is_answered_on_the_line_of_the_seat_that_acts() -> None:
    log = (
        ENTRIES[0],
        LogEntry(EntryKind.ACT, 0, "draw closed"),
        LogEntry(EntryKind.ACT, 1, "claim 1"),
    )
    record = GameRecord.of(Setting(SIMPLIFIED, 2, 0), log)
    assert "\n1. seat 0: draw closed | claim 1\n" in write_game(record)
    assert read_game(write_game(record)) == record


def test_each_round_begins_with_its_deal_and_counts_from_one() -> None:
    record = GameRecord.of(
        Setting(edition("simplified", rounds=2, offers=False), 2, 0),
        (*ENTRIES, ENTRIES[0], LogEntry(EntryKind.ACT, 1, "draw closed")),
    )
    text = write_game(record)
    assert "| discard 49\n\nround 2\ndeal 1 2 3 10" in text
    assert "\n1. seat 1: draw closed\n\nresult 22 27 unfinished\n" in text
    assert read_game(text) == record


def test_the_seed_of_reshuffles_is_written_if_there_is_one() -> None:
    seeded = GameRecord.of(Setting(SHORT, 2, 0, seed=-77), ENTRIES)
    assert "\nstarter 0\nreshuffle -77\n\n" in write_game(seeded)
    assert read_game(write_game(seeded)) == seeded
    assert "reshuffle" not in write_game(RECORD)


def test_a_reshuffle_is_the_same_when_the_text_is_replayed() -> None:
    deal = LogEntry(EntryKind.DEAL, None, "1 2 3 10 20 30 40 4 5 6 7 8 9 49 50")
    log = [deal, LogEntry(EntryKind.ACT, 0, "draw closed"), LogEntry(EntryKind.ACT, 0, "discard 1")]
    log += [LogEntry(EntryKind.ACT, 1, "draw closed")]
    for seed in (0, 5):
        record = GameRecord.of(Setting(SHORT, 2, 0, seed), log)
        state = replay_of(read_game(write_game(record)))
        assert state.reshuffles == 1
        assert state == replay(Setting(SHORT, 2, 0, seed), log)


def test_a_result_without_winners_says_so() -> None:
    simple = edition("blocks-simple", rounds=1)
    cards = "1 2 3 4 5 6 7 8 9 10"
    log = [LogEntry(EntryKind.DEAL, None, cards)]
    for turn in range(60):
        for seat in (0, 1):
            mine = replay(Setting(simple, 2, 0), log).hands[seat]
            card = mine.bit_length() - 1
            log += [LogEntry(EntryKind.ACT, seat, f"discard {card}")]
            if (turn, seat) != (59, 0):
                log += [LogEntry(EntryKind.ACT, 1 - seat, "knock")]
            else:
                break
    record = GameRecord.of(Setting(simple, 2, 0), log)
    assert replay_of(record).winners == ()
    assert write_game(record).endswith("\n\nresult 0 0 winners none\n")
    assert read_game(write_game(record)) == record


def test_entries_that_are_not_a_game_have_no_record() -> None:
    setting = Setting(SHORT, 2, 0)
    with pytest.raises(ValueError, match="an empty log is no game"):
        GameRecord.of(setting, [hint_entry(0, 1, None)][:0])
    with pytest.raises(ActionRefused, match="wrong-phase"):
        GameRecord.of(setting, ENTRIES[1:])
    with pytest.raises(RulesetError, match="edition-unknown"):
        GameRecord.of(Setting(Ruleset("own"), 2, 0), ENTRIES)


@for_each(
    [
        ("", (1, "deal", "deal-missing")),
        (HEADERS, (3, "deal", "deal-missing")),
        (f"{HEADERS}\nround 1\ndraw open", (6, "deal", "deal-missing")),
        (f"{HEADERS}result 20 20 unfinished", (4, "deal", "deal-missing")),
        ("hello", (1, "deal", "deal-missing")),
        ("edition chess", (1, "chess", "edition-unknown")),
        ("edition", (1, "", "edition-unknown")),
        ("\n\nedition classic colour=red", (3, "colour", "option-unknown")),
        ("edition classic start=1 start=2", (1, "start", "option-twice")),
        ("edition classic start=much", (1, "start=much", "option-unreadable")),
        ("edition classic tables=none", (1, "tables=none", "no-tables")),
        ("edition classic rounds=0 start=5", (1, "rounds=0 start=5", "no-rounds")),
        ("seats 2\nseats 2", (2, "seats", "header-twice")),
        ("seats two", (1, "seats two", "number-unreadable")),
        ("seats 100", (1, "seats 100", "number-unreadable")),
        ("starter", (1, "starter ", "number-unreadable")),
        ("reshuffle ٣", (1, "reshuffle ٣", "number-unreadable")),
        ("seats 2\nstarter 0\ndeal 1", (3, "edition", "header-missing")),
        ("edition classic\nstarter 0\ndeal 1", (3, "seats", "header-missing")),
        ("edition classic\nseats 2\ndeal 1", (3, "starter", "header-missing")),
        (HEADERS.replace("s 2", "s 9") + "deal 1", (2, "seats", "seats-out-of-range")),
        (HEADERS.replace("r 0", "r 2") + "deal 1", (3, "starter", "starter-out-of-range")),
        (HEADERS + "deal 1", (4, "deck", "deck-too-short")),
        (HEADERS + "deal", (4, "deck", "deck-too-short")),
        (HEADERS + f"deal {DEAL} 12", (4, "deck", "deck-not-of-this-edition")),
        (HEADERS + f"deal {DEAL} 51", (4, "51", "not-in-edition")),
        (HEADERS + f"deal {DEAL} a=4", (4, "a=4", "number-not-wanted")),
        (DEALT + "seats 2", (7, "seats", "header-late")),
        (DEALT + f"deal {DEAL}", (7, "deal", "wrong-phase")),
        (HEADERS + "round 2", (4, "2", "round-differs")),
        (HEADERS + "round one", (4, "round one", "number-unreadable")),
        (DEALT + "round 1", (7, "1", "round-differs")),
        (DEALT + "2. seat 0: draw open", (7, "2", "turn-differs")),
        (DEALT + "1. seat 1: draw open", (7, "1", "seat-differs")),
        (DEALT + "1. seat 0: draw op", (7, "draw op", "no-action")),
        (DEALT + "1. seat x: draw open", (7, "seat x: draw open", "no-action")),
        (DEALT + "draw open | 1 2", (7, "1 2", "too-short")),
        (DEALT + "draw open | 1 3 2 | 20 30 10 to", (7, "20 30 10 to", "nothing-after")),
        (DEALT + "1 2 swap 3 for a=4", (7, "3 for a=4", "swap-mismatch")),
        (DEALT + "draw open\n1 2 4", (8, "1 2 4", "not-in-hand")),
        (DEALT + "draw open | take back", (7, "take back", "wrong-phase")),
        (DEALT + "knock 1", (7, "knock 1", "wrong-phase")),
        (GAME.replace("| discard 49", ""), (10, "result 22 27 winners 1", "result-differs")),
        (GAME.replace("22 27 w", "27 22 w"), (10, "result 27 22 winners 1", "result-differs")),
        (GAME.replace("winners 1", "won"), (10, "result 22 27 won", "result-differs")),
        (GAME + "\ndraw open", (12, "draw", "after-result")),
        (GAME + "result 22 27 winners 1", (11, "result", "after-result")),
        (GAME.replace("result", "9. seat 0: draw open;"), (10, "draw open", "wrong-phase")),
    ]
)
def test_the_error_for_unreadable_text_says_where_and_why(
    text: str, where_and_why: tuple[int, str, str]
) -> None:
    assert error_of(text) == where_and_why


@for_each(range(times(10, 200)))
def test_spoilt_text_raises_only_the_one_error(seed: int) -> None:
    random = Random(seed)
    match = some_match(seed)
    text = write_game(GameRecord.of(match.setting, log_of(match)))
    refusals = [error for _ in range(10) if (error := reading_error(spoil(text, random)))]
    assert refusals
    assert {error.reason for error in refusals} <= {
        *CODES,
        *get_args(TextProblem),
        *OWN_REASONS,
        *REASONS_OF_RULESETS,
    }
    assert all(1 <= error.line <= text.count("\n") + 10 for error in refusals)


def reading_error(text: str) -> TextError | None:
    try:
        read_game(text)
    except TextError as problem:
        return problem
    return None


def spoil(text: str, random: Random) -> str:
    """The text, with some parts doubled, left out, exchanged or invented."""
    for _ in range(random.randint(1, 3)):
        parts = random.choice([text.split(), text.splitlines(), list(text)])
        at, other = random.randrange(len(parts)), random.randrange(len(parts))
        made_up = ["-", "=", "a", "b=99", "c=0", "999", "-1", "|", "swap", "٣", "9" * 5000, "\x85"]
        replacement = random.choice([parts[other], "", random.choice(made_up), parts[at] * 2])
        start = text.find(parts[at])
        text = text[:start] + replacement + text[start + len(parts[at]) :]
    return text
