"""Guided rounds through the services and the board, as a child sees them."""

import re
from functools import cache
from typing import Any

import pytest

from games.coach.guided_rounds import STEPS, advice_for
from games.engine.actions import Discard, DrawClosed, DrawOpen, Knock, Pass
from games.engine.cards import is_joker
from games.engine.errors import RulesetError
from games.engine.ruleset import EDITIONS, edition
from games.models import Game
from games.play import services, starting
from games.play.moves import Choose, Do, Lay, Move, TakeBack
from games.play.services import Outcome
from games.screen.board import board
from games.screen.view_models import Board
from tests.games.players import DORA, EMIL, act

pytestmark = pytest.mark.django_db

MOST_WORDS = 12
MOST_SENTENCES = 2
STEPS_OF_ALL = [(name, step) for name in EDITIONS for step in range(1, STEPS + 1)]


def advised(outcome: Outcome) -> Move:
    next_advice = advice_for(outcome.view)
    if next_advice.play is not None:
        return Choose(str(next_advice.play))
    if next_advice.kind == "put down":
        assert next_advice.card is not None
        return Do(Discard(next_advice.card))
    if next_advice.kind == "answer":
        return Do(Pass() if next_advice.card is None else Knock())
    return Do(DrawClosed() if next_advice.card is None else DrawOpen())


def boards_of_advice(game: Game) -> list[Board]:
    """The boards that a child sees when they follow the advice."""
    outcome = services.look(game.pk, DORA)
    boards = [board(outcome)]
    while outcome.view.phase != "match over":
        outcome = act(game, advised(outcome))
        boards.append(board(outcome))
    return boards


@cache
def guided_boards(edition: str, step: int = 1) -> list[Board]:
    """The boards of `boards_of_advice`, made once for all tests."""
    return boards_of_advice(starting.start_guided_game(DORA, "Dora", edition, step))


def coach_text(guided_board: Board) -> str:
    return guided_board.speech.guide.text


def lit_buttons(guided_board: Board) -> list[str]:
    return [
        button.move for button in (*guided_board.buttons, *guided_board.answers) if button.is_lit
    ]


@pytest.mark.parametrize(("edition", "step"), STEPS_OF_ALL)
def test_the_coach_leads_to_a_win_with_sentences_and_lights(edition: str, step: int) -> None:
    boards = guided_boards(edition, step)
    *before, last = boards
    for each_board in before:
        assert each_board.speech.guide.text
        assert each_board.speech.guide.highlights.move in (
            each_board.piles.lit_pile,
            *lit_buttons(each_board),
        )
        assert "by yourself" not in coach_text(each_board)
        assert "works too" not in coach_text(each_board)
    for each_board in boards:
        for sentence in re.split(r"[.!?:] ", coach_text(each_board)):
            assert len(sentence.split()) <= MOST_WORDS, sentence
    for each_board in before:
        assert len(re.findall(r"[.!?](?: |$)", coach_text(each_board))) <= MOST_SENTENCES
    assert all(each_board.round == f"Step {step} of 3" for each_board in boards)
    assert last.over.has_won
    assert last.over.title == f"Step {step} of 3: done!"
    assert last.over.note
    assert last.over.garden is None


LIKE = {
    "more rows": {"piles": 2, "refill": True, "market": 3},
    "no doubling": {"doubling": ()},
    "one colour": {"doubling": ("same",)},
    "anything": {"counts_back_to": None},
}


@pytest.mark.parametrize("options", LIKE.values(), ids=LIKE)
@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_the_coach_explains_the_game_that_is_learned(options: dict[str, Any], step: int) -> None:
    like = edition("simplified", offers=False, **options)
    game = starting.start_guided_game(DORA, "Dora", "simplified", step, game_ruleset=like)
    assert game.ruleset.tables is None
    *before, last = boards_of_advice(game)
    assert last.over.has_won
    text = " ".join([*map(coach_text, before), last.over.note])
    assert ("cost you points" in text) == (step == 3 and not like.earnings_decide)
    assert ("point less" in text or "points less" in text) <= (not like.earnings_decide)
    assert ("colour" in text) <= bool(like.doubling)
    assert ("different" in text) <= ("different" in like.doubling)


def test_the_cards_that_the_coach_mentions_light_up() -> None:
    game = starting.start_guided_game(DORA, "Dora", "simplified", step=3)
    game_board = board(act(game, Do(DrawClosed())))
    assert "tap 20, joker and 40" in coach_text(game_board)
    assert [card.face.value for card in game_board.hand.cards if card.is_lit] == ["20", "40", "a"]
    assert not any(card.is_chosen for card in game_board.hand.cards)


def test_the_cards_of_the_very_first_row_are_chosen() -> None:
    game = starting.start_guided_game(DORA, "Dora", "simplified")
    game_board = board(services.look(game.pk, DORA))
    assert "tap “Lay this row”" in coach_text(game_board)
    assert [card.face.value for card in game_board.hand.cards if card.is_chosen] == [
        "15",
        "20",
        "25",
    ]
    assert not any(card.is_lit for card in game_board.hand.cards)
    assert lit_buttons(game_board) == ["lay"]
    assert game_board.felt.example == (15, 20, 25)


def test_chosen_cards_stay_chosen_after_a_refused_row() -> None:
    game = starting.start_guided_game(DORA, "Dora", "simplified")
    assert "choose them" in coach_text(board(act(game, Lay((15, 20, 25, 37)))))


def test_the_first_row_earns_a_point_for_each_card() -> None:
    game = starting.start_guided_game(DORA, "Dora", "simplified")
    assert act(game, Choose("15 20 25")).view.scores[0] == game.ruleset.start + 3


def test_adding_to_the_first_row_is_not_praised_as_a_first_row() -> None:
    texts = [coach_text(each_board) for each_board in guided_boards("simplified")]
    assert sum(text.startswith("Your first row!") for text in texts) == 1
    assert sum(text.startswith("You made the row longer!") for text in texts) == 1


def test_a_turn_without_a_row_says_so_before_a_card_is_put_down() -> None:
    game = starting.start_guided_game(DORA, "Dora", "simplified", step=3)
    act(game, Do(DrawClosed()))
    act(game, Do(Discard(20)))
    outcome = services.look(game.pk, DORA)
    while outcome.view.phase != "match over":
        if advice_for(outcome.view).kind == "put down":
            says_so = "No row this time." in coach_text(board(outcome))
            assert not (says_so and outcome.view.play_count)
        outcome = act(game, advised(outcome))


def test_the_pile_the_row_and_the_free_place_light_up() -> None:
    _, _, taking, adding, *_ = guided_boards("simplified")
    assert taking.piles.lit_pile == "draw-closed"
    (row,) = adding.felt.rows
    assert row.is_lit
    assert [end.numbers for end in row.ends if end.is_lit] == [(30,)]


def test_the_coach_calls_a_joker_a_joker() -> None:
    """The coach says for which number the joker lies, and does not only name that number."""
    game = starting.start_guided_game(DORA, "Dora", "simplified", step=3)
    act(game, Do(DrawClosed()))
    assert coach_text(board(services.look(game.pk, DORA))).startswith("The joker is 30 here: ")
    text = coach_text(board(act(game, Choose("5 a=10 15"))))
    assert text.startswith("You found a row all by yourself!")


def test_a_crossed_card_lights_up_on_the_table() -> None:
    boards = guided_boards("simplified", 2)
    (crossing,) = [each_board for each_board in boards if "cross the row" in coach_text(each_board)]
    assert [card.face.value for card in crossing.felt.cards if card.is_lit] == ["30"]


def test_another_row_is_shown_if_a_card_is_gone() -> None:
    game = starting.start_guided_game(DORA, "Dora", "simplified", step=3)
    act(game, Do(DrawClosed()))
    game_board = board(act(game, Do(Discard(20))))
    assert coach_text(game_board).startswith("The 20 is gone. No problem: there are other rows.")
    assert "joker" in coach_text(board(act(game, Do(DrawClosed()))))


def test_a_child_who_adds_instead_of_crossing_is_taught_to_cross_later() -> None:
    game = starting.start_guided_game(DORA, "Dora", "simplified", step=2)
    outcome = services.look(game.pk, DORA)
    while 20 not in outcome.view.hand:
        outcome = act(game, advised(outcome))
    act(game, Choose("20 to 25-30-35"))
    assert any(
        "cross the row" in coach_text(each_board) for each_board in boards_of_advice(game)[:-1]
    )


def test_a_child_swaps_a_joker_once_and_is_not_told_how_afterwards() -> None:
    boards = guided_boards("simplified", 3)
    assert any("Swap 30 for the joker" in coach_text(each_board) for each_board in boards)
    assert "swap" not in boards[-1].over.note


def test_other_acts_are_commented_on() -> None:
    game = starting.start_guided_game(DORA, "Dora", "simplified", step=2)
    outcome = act(game, Do(DrawOpen()))
    assert "That works too" in coach_text(board(outcome))
    game = starting.start_guided_game(DORA, "Dora", "simplified", step=3)
    act(game, Do(DrawClosed()))
    assert "You found a row all by yourself!" in coach_text(board(act(game, Choose("5 a=10 15"))))
    assert "back in your hand" in coach_text(board(act(game, TakeBack())))


@pytest.mark.parametrize(("edition", "step"), STEPS_OF_ALL)
def test_a_player_off_the_plan_is_led_back(edition: str, step: int) -> None:
    """The first card is discarded, so that other rows are lit."""
    game = starting.start_guided_game(DORA, "Dora", edition, step)
    outcome = services.look(game.pk, DORA)
    while outcome.view.phase != "play":
        outcome = act(game, advised(outcome))
    act(game, Do(Discard(10)))
    for each_board in boards_of_advice(game)[1:-1]:
        assert "by yourself" not in coach_text(each_board)
        assert "works too" not in coach_text(each_board)


def test_a_discarded_joker_is_called_a_joker() -> None:
    game = starting.start_guided_game(DORA, "Dora", "simplified", step=3)
    act(game, Do(DrawClosed()))
    joker = next(card for card in services.look(game.pk, DORA).view.hand if is_joker(card))
    assert coach_text(board(act(game, Do(Discard(joker))))).startswith("The joker is gone.")


def test_a_refused_row_is_explained_and_the_advice_stays() -> None:
    game = starting.start_guided_game(DORA, "Dora", "simplified", step=3)
    before = coach_text(board(act(game, Do(DrawClosed()))))
    game_board = board(act(game, Lay((10, 30, 37))))
    assert game_board.speech.notice.kind == "refusal"
    assert coach_text(game_board) == before


def test_points_and_doubling_are_explained_in_the_second_step() -> None:
    texts = [coach_text(b) for b in guided_boards("simplified", 2)]
    assert any("That is 3 points." in text for text in texts)
    assert any("All colours different: double!" in text for text in texts)


def test_the_right_button_lights_up_when_the_coach_advises_no() -> None:
    boards = guided_boards("blocks")
    boards_without = [
        each_board for each_board in boards if "You do not need" in coach_text(each_board)
    ]
    assert boards_without
    assert all(lit_buttons(each_board) == ["pass"] for each_board in boards_without)


@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_the_coach_never_says_card_in_blocks(step: int) -> None:
    boards = guided_boards("blocks", step)
    assert not any("card" in coach_text(each_board) for each_board in boards)


def test_beginning_again_leaves_one_lesson_for_a_player() -> None:
    first = starting.start_guided_game(DORA, "Dora", "simplified")
    other = starting.start_guided_game(EMIL, "Emil", "simplified")
    again = starting.start_guided_game(DORA, "Dora", "classic")
    assert set(Game.objects.all()) == {other, again}
    assert first not in Game.objects.all()


def test_a_lesson_of_an_unknown_edition_is_refused() -> None:
    with pytest.raises(RulesetError):
        starting.start_guided_game(DORA, "Dora", "poker")


def test_a_guided_game_is_rebuilt_from_its_log() -> None:
    game = starting.start_guided_game(DORA, "Dora", "simplified")
    boards_of_advice(game)
    Game.objects.filter(pk=game.pk).update(snapshot=None)
    again = services.look(game.pk, DORA)
    assert again.view.phase == "match over"
    assert services.game_file(Game.objects.get(pk=game.pk))[1]
