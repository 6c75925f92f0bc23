"""The log of a match replays to what was played; a stored state is read as it was."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.actions import Deal
from games.engine.cards import Card, LaidCard, deck, is_joker
from games.engine.errors import CODES, ActionRefused, Code
from games.engine.play_application import make_play
from games.engine.round import State
from games.engine.table import Play
from games.engine.text.notation import parse_action, parse_cards, parse_play
from games.engine.text.record import (
    EntryKind,
    LogEntry,
    Setting,
    act_entry,
    deal_entry,
    hint_entry,
    parse_hint,
    parse_refusal,
    refusal_entry,
    replay,
    take_back_entry,
    transitions,
)
from games.engine.text.snapshot import state_from_data, state_to_data
from tests.games.positions import BLOCKS, CLASSIC, SIMPLIFIED, after, dealt
from tests.games.rounds import SEEDS, random_match, tries

HANDS = ["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"]
REST = "11 12 13"
DEAL = LogEntry(EntryKind.DEAL, None, " ".join([*HANDS, REST]))
SETTING = Setting(SIMPLIFIED, seats=2, starter=0)


def acts(seat: int, *texts: str) -> list[LogEntry]:
    return [LogEntry(EntryKind.ACT, seat, text) for text in texts]


def refusal(*entries: LogEntry, setting: Setting = SETTING) -> str:
    with pytest.raises(ActionRefused) as refused:
        replay(setting, entries)
    return refused.value.code


def test_a_log_replays_to_the_state_that_was_played() -> None:
    log = [DEAL, *acts(0, "draw open", "1 2 3", "discard 10"), *acts(1, "draw open")]
    played = after(dealt(HANDS, REST), "draw open", "1 2 3", "discard 10", "draw open")
    assert replay(SETTING, log) == played


def test_each_step_has_its_deal_or_action() -> None:
    texts = ("draw open", "1 2 3", "discard 10")
    log = [
        DEAL,
        *acts(0, *texts[:2]),
        hint_entry(0, 1, None),
        take_back_entry(0),
        *acts(0, *texts[1:]),
    ]
    deck = parse_cards(DEAL.text.split(), SIMPLIFIED)
    draw, play, discarded = (parse_action(text, SIMPLIFIED) for text in texts)
    actions = [step.action for step in transitions(SETTING, log)]
    assert actions == [Deal(deck), draw, play, None, None, play, discarded]


def test_taking_back_undoes_the_last_play_of_the_turn() -> None:
    log = [DEAL, *acts(0, "draw open", "1 2 3", "10 20 30")]
    once = replay(SETTING, [*log, take_back_entry(0)])
    twice = replay(SETTING, [*log, take_back_entry(0), take_back_entry(0)])
    assert once == after(dealt(HANDS, REST), "draw open", "1 2 3")
    assert twice == after(dealt(HANDS, REST), "draw open")


def test_the_turn_goes_on_after_taking_back() -> None:
    log = [DEAL, *acts(0, "draw open", "1 2 3"), take_back_entry(0), *acts(0, "10 20 30")]
    assert replay(SETTING, log) == after(dealt(HANDS, REST), "draw open", "10 20 30")


def test_a_play_that_ended_the_round_cannot_be_taken_back() -> None:
    deal = LogEntry(EntryKind.DEAL, None, "1 2 3 10 20 30 40 4 5 6 7 8 9 49 50 11")
    log = [deal, *acts(0, "draw open", "1 2 3", "10 20 30 40 50")]
    assert replay(SETTING, log).phase == "round over"
    assert refusal(*log, take_back_entry(0)) == "wrong-phase"


def test_hints_and_refused_plays_change_nothing() -> None:
    log = [DEAL, *acts(0, "draw open", "1 2 3")]
    state = replay(SETTING, log)
    hint = hint_entry(0, 2, parse_play("10 20 30", SIMPLIFIED))
    refused = refusal_entry(0, "not-a-sequence", [10, 20, 101], [LaidCard(1, 1), LaidCard(102, 2)])
    assert replay(SETTING, [*log, hint, refused]) == state
    taken_back = replay(SETTING, [*log, hint, refused, take_back_entry(0)])
    assert taken_back == replay(SETTING, log[:-1])


def test_a_next_deal_begins_the_next_round() -> None:
    won = acts(0, "draw open", "1 2 3", "10 20 30 40", "discard 11")
    state = replay(SETTING, [DEAL, *won, deal_entry(deck(50))])
    assert (state.round, state.starter, state.scores) == (2, 1, (27, 13))


def test_a_block_on_offer_is_answered_by_the_entrys_own_seat() -> None:
    setting = Setting(BLOCKS, seats=3, starter=0)
    hands = "1 2 3 10 20 30 40 4 5 6 7 8 9 70 51 52 53 61 62 63 64"
    log = [LogEntry(EntryKind.DEAL, None, f"{hands} 11 12 13 14 15 16"), *acts(0, "discard 40")]
    by_two = replay(setting, [*log, *acts(2, "knock")])
    assert by_two.hands[2] >> 40 & 1
    assert replay(setting, [*log, *acts(2, "knock 2")]) == by_two
    assert replay(setting, [*log, *acts(2, "pass")]).passed_mask == 0b100
    assert refusal(*log, *acts(1, "knock 2"), setting=setting) == "wrong-phase"
    assert refusal(*log, LogEntry(EntryKind.ACT, None, "knock"), setting=setting) == "wrong-phase"
    assert refusal(*log, *acts(0, "knock"), setting=setting) == "wrong-phase"


def test_a_replay_refuses_an_action_that_the_rules_refuse() -> None:
    assert refusal(DEAL, *acts(0, "draw open", "1 2 40")) == "not-a-sequence"


CARDS = st.sampled_from(deck(CLASSIC.highest))
NUMBERS = st.integers(1, CLASSIC.highest)
TAPPED = st.builds(
    lambda card, number: LaidCard(card, number if is_joker(card) else card), CARDS, NUMBERS
)


def test_entries_have_the_text_of_their_act() -> None:
    play = parse_action("3 2 1", SIMPLIFIED)
    assert act_entry(1, play) == LogEntry(EntryKind.ACT, 1, "1 2 3")
    assert deal_entry([1, 104]) == LogEntry(EntryKind.DEAL, None, "1 d")


def test_a_refused_play_is_written_with_its_code_and_all_cards() -> None:
    refused = refusal_entry(0, "not-a-sequence", [10, 20, 101], [LaidCard(1, 1), LaidCard(102, 2)])
    assert refused.text == "not-a-sequence 10 20 a 1 b=2"
    assert parse_refusal(refused.text).row == "10 20 a 1 b=2"


@tries(8, 500)
@given(SEEDS, st.integers(1, 4))
def test_a_hint_is_read_as_it_was_written(seed: int, step: int) -> None:
    for state, _, action in random_match(seed).moments:
        if isinstance(action, Play):
            hint = parse_hint(hint_entry(0, step, action).text, state.ruleset)
            assert hint.play is not None
            play = make_play(state.position(state.turn), hint.play).play
            assert (hint.step, str(play)) == (step, str(action))


@tries(100, 5000)
@given(st.sampled_from(CODES), st.lists(CARDS), st.lists(TAPPED))
def test_a_refused_play_is_read_as_it_was_written(
    code: Code, cards: list[Card], tapped: list[LaidCard]
) -> None:
    entry = refusal_entry(0, code, cards, tapped)
    refusal = parse_refusal(entry.text)
    hand, table = refusal.cards[: len(cards)], refusal.cards[len(cards) :]
    assert (refusal.code, [card for card, _ in hand], list(table)) == (code, cards, tapped)
    assert all(number == (0 if is_joker(card) else card) for card, number in hand)
    assert " ".join(filter(None, (refusal.code, refusal.row))) == entry.text


TWO = ["1 2 3 10 20 30 40", "4 5 6 7 8 9 a"]
THREE_OF_BLOCKS = ["1 2 3 10 20 30 40", "4 5 6 7 8 9 70", "51 52 53 61 62 63 64"]


def new_state() -> State:
    return dealt(TWO, "11 12 13")


def through_json(state: State) -> State:
    return state_from_data(json.loads(json.dumps(state_to_data(state))), state.ruleset)


def test_a_state_survives_json() -> None:
    played = after(new_state(), "draw open", "1 2 3", "10 20 30", "40 to 10-20-30")
    assert through_json(played) == played
    assert through_json(played).table.islands == played.table.islands


def test_a_table_with_jokers_and_crossings_survives() -> None:
    state = after(new_state(), "draw open", "1 2 3", "discard 40", "draw open", "6 7 a=8")
    assert through_json(after(state, "5 9 across 7")) == after(state, "5 9 across 7")


def test_a_block_on_offer_survives() -> None:
    state = dealt(THREE_OF_BLOCKS, "11 12 13 14", ruleset=BLOCKS)
    state = after(state, "discard 40", "pass 2")
    assert through_json(state) == state


def test_a_match_that_is_over_survives() -> None:
    state = after(new_state(), "draw open", "1 2 3", "10 20 30 40", "discard 11")
    assert state.phase == "round over"
    assert through_json(state) == state


def test_the_stored_form_has_all_of_the_state_and_nothing_else() -> None:
    """Games have always been stored in this form."""
    state = after(new_state(), "draw open", "1 2 3", "discard 40", "draw open", "6 7 a=8")
    assert json.loads(json.dumps(state_to_data(state))) == {
        "seed": 0,
        "round": 1,
        "starter": 0,
        "phase": "play",
        "turn": 1,
        "seat": 1,
        "hands": ["40100c00", "10000000330"],
        "lines": ["1-2-3", "6-7-a=8"],
        "island_of": [0, 1],
        "open": [],
        "closed": [13, 12],
        "scores": [23, 23],
        "opened": 3,
        "turns": [1, 0],
        "quiet": [0, 0],
        "idle": 0,
        "active": True,
        "passed": 0,
        "plays": 1,
        "out": [],
        "reshuffles": 0,
        "round_winner": None,
        "winners": None,
    }
