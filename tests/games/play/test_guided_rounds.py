"""A guided round by the services and the board, as a child is led through it."""

import pytest

from games.coach.guided_lessons import advice
from games.engine.actions import Discard, DrawClosed, Pass
from games.engine.errors import RulesetError
from games.engine.ruleset import EDITIONS
from games.models import Game
from games.play import guided_rounds, services
from games.play.moves import Choose, Do, Move
from games.play.services import Outcome
from games.screen.board import board
from games.screen.view_models import Board
from tests.games.players import DORA, EMIL, act

pytestmark = pytest.mark.django_db


def advised(outcome: Outcome) -> Move:
    next_advice = advice(outcome.view)
    if next_advice.play is not None:
        return Choose(str(next_advice.play))
    if next_advice.card is not None:
        return Do(Discard(next_advice.card))
    return Do(DrawClosed() if next_advice.kind == "take" else Pass())


def led_through(game: Game) -> list[Board]:
    """The boards that a child sees who follows the advice."""
    outcome = services.look(game.pk, DORA)
    seen = [board(outcome)]
    while outcome.view.phase != "match over":
        outcome = act(game, advised(outcome))
        seen.append(board(outcome))
    return seen


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_coach_leads_to_a_win_with_a_sentence_at_every_step(edition: str) -> None:
    seen = led_through(guided_rounds.begin(DORA, "Dora", edition))
    *steps, last = seen
    assert all(step.guide and step.guide.text for step in steps)
    assert len({step.guide.text for step in steps if step.guide}) >= 6
    assert last.over is not None
    assert last.over.won
    assert "Now you know how it goes" in last.over.note


def test_the_cards_that_the_coach_speaks_of_light_up() -> None:
    game = guided_rounds.begin(DORA, "Dora", "simplified")
    shown = board(act(game, Do(DrawClosed())))
    assert shown.guide is not None
    assert "10, 20 and 30" in shown.guide.text
    assert [card.face.value for card in shown.hand if card.lit] == ["10", "20", "30"]


def test_where_the_coach_says_no_the_big_button_does_too() -> None:
    seen = led_through(guided_rounds.begin(DORA, "Dora", "blocks"))
    asked = [step for step in seen if step.guide and "You do not need" in step.guide.text]
    assert asked
    for step in asked:
        assert [b.move for b in step.answers if b.kind == "primary"] == ["pass"]


def test_blocks_are_led_without_the_word_card() -> None:
    texts = [
        b.guide.text for b in led_through(guided_rounds.begin(DORA, "Dora", "blocks")) if b.guide
    ]
    assert not any("card" in text for text in texts)


def test_beginning_again_leaves_one_lesson_of_a_player() -> None:
    first = guided_rounds.begin(DORA, "Dora", "simplified")
    other = guided_rounds.begin(EMIL, "Emil", "simplified")
    again = guided_rounds.begin(DORA, "Dora", "classic")
    assert set(Game.objects.all()) == {other, again}
    assert first not in Game.objects.all()


def test_an_edition_that_is_none_cannot_be_learnt() -> None:
    with pytest.raises(RulesetError):
        guided_rounds.begin(DORA, "Dora", "poker")


def test_the_log_of_a_lesson_is_a_game_like_any_other() -> None:
    game = guided_rounds.begin(DORA, "Dora", "simplified")
    led_through(game)
    Game.objects.filter(pk=game.pk).update(snapshot=None)
    again = services.look(game.pk, DORA)
    assert again.view.phase == "match over"
    assert services.record(game.pk, DORA).text
