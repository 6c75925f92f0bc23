import pytest

from games.engine.actions import Deal
from games.engine.cards import LaidCard, deck
from games.engine.errors import ActionRefused
from games.engine.text.entries import (
    LogEntry,
    deal_entry,
    hint_entry,
    refused_entry,
    take_back_entry,
)
from games.engine.text.notation import parse_action, parse_cards, parse_play
from games.engine.text.record import Setting, replay, steps
from tests.games.positions import BLOCKS, SIMPLIFIED, after, dealt

HANDS = ["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"]
REST = "11 12 13"
DEAL = LogEntry("deal", None, " ".join([*HANDS, REST]))
SETTING = Setting(SIMPLIFIED, seats=2, starter=0)


def acts(seat: int, *texts: str) -> list[LogEntry]:
    return [LogEntry("act", seat, text) for text in texts]


def refusal(*entries: LogEntry, setting: Setting = SETTING) -> str:
    with pytest.raises(ActionRefused) as refused:
        replay(setting, entries)
    return refused.value.code


def test_a_log_replays_to_the_state_that_was_played() -> None:
    log = [DEAL, *acts(0, "draw open", "1 2 3", "discard 10"), *acts(1, "draw open")]
    played = after(dealt(HANDS, REST), "draw open", "1 2 3", "discard 10", "draw open")
    assert replay(SETTING, log) == played


def test_each_step_has_what_was_dealt_or_done() -> None:
    texts = ("draw open", "1 2 3", "discard 10")
    log = [
        DEAL,
        *acts(0, *texts[:2]),
        hint_entry(0, 1, None),
        take_back_entry(0),
        *acts(0, *texts[1:]),
    ]
    deck = parse_cards(DEAL.text.split(), SIMPLIFIED)
    drawn, laid, discarded = (parse_action(text, SIMPLIFIED) for text in texts)
    done = [step.action for step in steps(SETTING, log)]
    assert done == [Deal(deck), drawn, laid, None, None, laid, discarded]


def test_taking_back_undoes_the_last_play_of_the_turn() -> None:
    log = [DEAL, *acts(0, "draw open", "1 2 3", "10 20 30")]
    once = replay(SETTING, [*log, take_back_entry(0)])
    twice = replay(SETTING, [*log, take_back_entry(0), take_back_entry(0)])
    assert once == after(dealt(HANDS, REST), "draw open", "1 2 3")
    assert twice == after(dealt(HANDS, REST), "draw open")


def test_after_taking_back_the_turn_goes_on() -> None:
    log = [DEAL, *acts(0, "draw open", "1 2 3"), take_back_entry(0), *acts(0, "10 20 30")]
    assert replay(SETTING, log) == after(dealt(HANDS, REST), "draw open", "10 20 30")


def test_a_play_that_ended_the_round_is_not_taken_back() -> None:
    deal = LogEntry("deal", None, "1 2 3 10 20 30 40 4 5 6 7 8 9 49 50 11")
    log = [deal, *acts(0, "draw open", "1 2 3", "10 20 30 40 50")]
    assert replay(SETTING, log).phase == "round over"
    assert refusal(*log, take_back_entry(0)) == "wrong-phase"


def test_hints_and_refused_plays_change_nothing() -> None:
    log = [DEAL, *acts(0, "draw open", "1 2 3")]
    state = replay(SETTING, log)
    hint = hint_entry(0, 2, parse_play("10 20 30", SIMPLIFIED))
    refused = refused_entry(0, "not-a-sequence", [10, 20, 101], [LaidCard(1, 1), LaidCard(102, 2)])
    assert replay(SETTING, [*log, hint, refused]) == state
    taken_back = replay(SETTING, [*log, hint, refused, take_back_entry(0)])
    assert taken_back == replay(SETTING, log[:-1])


def test_a_next_deal_begins_the_next_round() -> None:
    won = acts(0, "draw open", "1 2 3", "10 20 30 40", "discard 11")
    state = replay(SETTING, [DEAL, *won, deal_entry(deck(50))])
    assert (state.round, state.starter, state.scores) == (2, 1, (27, 13))


def test_for_a_block_on_offer_the_entrys_own_seat_answers() -> None:
    setting = Setting(BLOCKS, seats=3, starter=0)
    hands = "1 2 3 10 20 30 40 4 5 6 7 8 9 70 51 52 53 61 62 63 64"
    begun = [LogEntry("deal", None, f"{hands} 11 12 13 14 15 16"), *acts(0, "discard 40")]
    by_two = replay(setting, [*begun, *acts(2, "knock")])
    assert by_two.hands[2] >> 40 & 1
    assert replay(setting, [*begun, *acts(2, "knock 2")]) == by_two
    assert replay(setting, [*begun, *acts(2, "pass")]).passed == 0b100
    assert refusal(*begun, *acts(1, "knock 2"), setting=setting) == "wrong-phase"
    assert refusal(*begun, LogEntry("act", None, "knock"), setting=setting) == "wrong-phase"
    assert refusal(*begun, *acts(0, "knock"), setting=setting) == "wrong-phase"


def test_an_act_that_the_rules_refuse_is_refused_in_replay_too() -> None:
    assert refusal(DEAL, *acts(0, "draw open", "1 2 40")) == "not-a-sequence"
