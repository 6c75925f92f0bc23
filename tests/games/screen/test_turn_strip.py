"""The strip shows the parts of a turn in every edition, and the possible acts in each."""

from dataclasses import replace

import pytest

from games.bots.registry import BOTS
from games.engine.cards import shuffled
from games.engine.match import apply, new_match
from games.engine.round import State
from games.engine.ruleset import EDITIONS, edition
from games.engine.view import view
from games.models import Game
from games.play import services
from games.play.moves import AskHint
from games.play.services import Outcome
from games.screen import turn_strip
from tests.counts import times
from tests.games.players import DORA, act, new_game, play_on
from tests.games.positions import after, dealt
from tests.games.staged import stage

FIVE = ["1 5 9 14 22", "2 6 10 17 25", "3 7 11 18 29"]
SEVEN = ["1 5 9 14 22 31 40", "2 6 10 17 25 33 41", "3 7 11 18 29 35 44"]
REST = "50 49 48 47 46 45 43 42 39 38"


def new_state(name: str, hands: list[str] = FIVE) -> State:
    return dealt(hands, REST, ruleset=EDITIONS[name])


def strip(state: State, seat: int = 0) -> list[tuple[str, str]]:
    return [(step.label, step.state) for step in turn_strip.strip(view(state, seat))]


def to_do(state: State, seat: int = 0) -> str:
    seat_view = view(state, seat)
    warning = turn_strip.notice_of_end(seat_view, of_table=False).warning
    return turn_strip.to_do(seat_view, ("Dora", "Ollie", "Fenna"), warning, has_hints=True)


def play_to_phase(game: Game, phase: str) -> Outcome:
    return play_on(game, lambda seen: seen.phase == phase and seen.may_act)


def usable(outcome: Outcome) -> list[str]:
    """The moves that the buttons and answers of a moment post."""
    buttons = (*turn_strip.buttons(outcome), *turn_strip.answers(outcome))
    return [button.move for button in buttons if not button.is_idle]


def test_a_turn_with_piles_is_to_take_to_lay_and_to_discard() -> None:
    state = new_state("simplified")
    assert strip(state) == [("1 Take", "now"), ("2 Lay", "later"), ("3 Put one down", "later")]
    state_after = after(state, "draw open")
    assert strip(state_after) == [("1 Take", "done"), ("2 Lay", "now"), ("3 Put one down", "later")]


def test_the_first_turn_of_each_round_says_what_to_do() -> None:
    seat_view = view(new_state("simplified"), 0)
    assert not any(
        turn_strip.is_next_step_known(state) for state in (seat_view, replace(seat_view, round=2))
    )
    assert turn_strip.is_next_step_known(replace(seat_view, turns=(1, 1, 1)))
    assert turn_strip.is_next_step_known(seat_view, laid=True)


def test_a_players_first_turn_names_the_hint() -> None:
    first = after(new_state("simplified"), "draw open")
    assert to_do(first).endswith("“Hint” helps you.")
    assert "Hint" not in to_do(replace(first, turns=(1, 1, 1)))


def test_after_a_turn_without_a_row_a_player_is_led_to_the_table() -> None:
    state = after(dealt(["5 20 30 40 9", "2 6 10 17 25", "3 7 11 18 29"], REST), "draw open")
    state = replace(after(state, "20 30 40"), play_count=0, turns=(2, 2, 2), opened_mask=7)
    dry = replace(state, turns_without_play=(1, 0, 0))
    assert turn_strip.is_next_step_known(view(state, 0))
    assert not turn_strip.is_next_step_known(view(dry, 0))
    assert to_do(dry).startswith("Look at the table too: cross a row")


def test_a_player_offered_a_card_is_only_asked_about_it() -> None:
    offered = after(new_state("simplified"), "draw closed")
    assert strip(offered, seat=1) == [("Do you want this card?", "now")]


def test_an_offer_says_whose_turn_it_is_and_what_may_be_taken() -> None:
    offered = after(new_state("simplified"), "draw closed")
    assert to_do(offered, seat=1) == (
        "It is Dora’s turn. You may take the 50. You also get one from the pile."
    )
    joker = after(dealt(FIVE, "a 49 48 47"), "draw closed")
    assert to_do(joker, seat=1) == (
        "It is Dora’s turn. You may take the joker. You also get one card from the pile."
    )


def test_every_seat_may_knock_in_any_order() -> None:
    offered = after(new_state("blocks", SEVEN), "discard 40")
    for seat in (1, 2):
        assert strip(offered, seat) == [("Do you want this block?", "now")]
        assert to_do(offered, seat).startswith("Dora put down a block: 40.")
    assert to_do(offered, seat=0) == "Wait for the others."


def test_a_question_says_what_yes_and_no_bring() -> None:
    offered = after(new_state("blocks", SEVEN), "discard 40")
    refused = after(offered, "pass", "pass")
    before, now = offered.hands, refused.hands
    assert [a.bit_count() - b.bit_count() for a, b in zip(now, before, strict=True)] == [0, 2, 0]
    assert to_do(offered, seat=1) == (
        "Dora put down a block: 40. Take it and one from the pot, or 2 from the pot?"
    )
    assert to_do(offered, seat=2).endswith(": 40. Do you want it and one from the pot?")


def test_the_last_turn_is_announced_before_it_is_played() -> None:
    ruleset = edition("simplified", refill=True, piles=2, market=0, offers=False)
    state = after(dealt(FIVE, REST, ruleset=ruleset), "draw open")
    assert "last turn" not in to_do(state)
    assert "last turn" not in to_do(replace(state, closed_pile=state.closed_pile[:2]))
    last = replace(state, closed_pile=state.closed_pile[:2], reshuffles=1)
    assert to_do(last).startswith("Few cards that fit are left: the round ends soon.")
    none = replace(last, closed_pile=())
    assert to_do(none).startswith("The pile is empty: this is your last turn!")


def test_all_at_a_table_read_the_same_about_the_last_cards() -> None:
    ruleset = edition("simplified", tables=(2,), refill=True, piles=1, market=2, offers=False)
    hands = ["2 4 6 8 10", "1 3 5 7 9", "11 13 15 17 19"]
    pile = " ".join(str(number) for number in (12, 14, 16, *range(18, 51)) if number != 19)
    state = dealt(hands, pile, ruleset=ruleset)
    for count in range(len(state.closed_pile)):
        views = [
            view(replace(state, closed_pile=state.closed_pile[:count]), seat) for seat in (0, 1)
        ]
        first, second = map(turn_strip.is_nearly_used_up, views)
        assert first == second


def test_the_last_turn_is_announced_if_turns_are_counted() -> None:
    ruleset = edition("simplified", refill=True, piles=2, most_turns=4, offers=False)
    state = after(dealt(FIVE, REST, ruleset=ruleset), "draw open")
    notices = (*["Lay a row"] * 3, "This is your last turn! Lay a row, or put one down.")
    for turns, begins in enumerate(notices):
        assert to_do(replace(state, turns=(turns,) * 3)).startswith(begins)


def test_the_last_turn_is_announced_if_someone_has_one_card_left() -> None:
    state = new_state("simplified")
    assert "last turn" not in to_do(state)
    one_left = replace(state, hands=(state.hands[0], 1 << 2, state.hands[2]))
    assert to_do(one_left).startswith("Someone has only 1 card left: this may be your last turn!")


def test_no_round_ends_unannounced_and_a_last_turn_is_the_last() -> None:
    ruleset = edition(
        "simplified", tables=(3, 4, 6), refill=True, piles=3, market=4, offers=False, rounds=1
    )
    for seed in range(times(6, 60)):
        notices: dict[int, str] = {}
        state = new_match(ruleset, 2, shuffled(ruleset.cards, seed), 0, seed)
        while state.to_act is not None:
            if state.to_act == 0 and state.phase == "play":
                notices[state.turns[0]] = to_do(state)
            state = apply(state, BOTS["steady"](view(state, state.to_act), seed))
        *earlier, last = notices.values()
        assert "ends soon" in last or "this is your last turn" in last, seed
        assert not any("last turn" in text for text in earlier), seed
        assert "soon" not in earlier[0]


def test_the_turns_that_are_left_fall_by_one_until_the_round_ends() -> None:
    ruleset = edition(
        "simplified", tables=(3, 4, 6), refill=True, least_fitting=3, most_turns=4, market=4,
        offers=False, rounds=1,
    )  # fmt: skip
    for seed in range(times(6, 60)):
        turns: dict[int, int] = {}
        state = new_match(ruleset, 2, shuffled(ruleset.cards, seed), 0, seed)
        while state.to_act is not None:
            if state.to_act == 0 and state.phase == "draw":
                seat_view = view(state, 0)
                turns[state.turns[0]] = turn_strip.notice_of_end(
                    seat_view, of_table=False
                ).own_turns
            state = apply(state, BOTS["steady"](view(state, state.to_act), seed))
        assert [*turns.values()] == [4, 3, 2, 1]


def test_simple_blocks_asks_the_youngest_first() -> None:
    state = after(new_state("blocks-simple"), "discard 22", "pass", "pass", "discard 25")
    assert to_do(state, seat=0).startswith("Ollie put down a block: 25.")
    assert to_do(state, seat=2) == "Wait for the others."
    assert to_do(after(state, "pass"), seat=2).startswith("Ollie put down a block: 25.")


def test_a_row_may_be_added_to_without_an_opening() -> None:
    free = edition("simplified", opening=False)
    state = after(dealt(FIVE, REST, ruleset=free), "draw open")
    assert to_do(state).startswith("Lay a row")
    for_the_next = after(state, "1 5 9", "discard 14", "draw open")
    assert to_do(for_the_next, seat=1).startswith("Lay a row, add to one")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "phase", "expected"),
    [
        ("classic", "draw", ["hint"]),
        ("classic", "play", ["lay", "discard", "hint", "take-back"]),
        ("simplified-2010", "play", ["lay", "end", "discard", "hint", "take-back"]),
        ("blocks", "play", ["lay", "discard", "hint", "take-back"]),
        ("blocks", "knock", ["pass", "knock"]),
        ("blocks-simple", "knock", ["pass", "knock"]),
    ],
)
def test_each_phase_has_its_buttons(name: str, phase: str, expected: list[str]) -> None:
    assert usable(play_to_phase(new_game(name=name, bots=2), phase)) == expected


@pytest.mark.django_db
@pytest.mark.parametrize("name", EDITIONS)
def test_the_same_places_are_shown_before_and_during_the_laying(name: str) -> None:
    outcome = services.look(new_game(name=name, bots=2).pk, DORA)
    idle = {button.move for button in turn_strip.buttons(outcome)}
    laying = {
        b.move for b in turn_strip.buttons(play_to_phase(new_game(name=name, bots=2), "play"))
    }
    assert idle == laying


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "last"), [("classic", "discard"), ("simplified-2010", "end")])
def test_after_a_no_row_hint_the_turn_can_only_end(name: str, last: str) -> None:
    game = new_game(name=name, tables=None, bots=2)
    stage(game, "1 8 23", phase="play")
    outcome = act(game, AskHint())
    assert outcome.hint.row_count == 0
    buttons = {button.move: button for button in turn_strip.buttons(outcome)}
    assert buttons["lay"].is_idle
    assert [move for move, button in buttons.items() if button.is_next] == [last]
    assert buttons[last].css_class == "btn-primary"
    without_hint = turn_strip.buttons(replace(outcome, hint=None))
    assert not any(button.is_next or button.is_idle for button in without_hint)
