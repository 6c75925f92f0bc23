"""The end of a round and of a match, for each scoring."""

from dataclasses import replace

import pytest

from games.engine.ruleset import edition
from games.play import services
from games.play.services import Outcome
from games.screen.round_end import over
from games.screen.view_models import Over
from tests.games.players import DORA, new_game, play_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended() -> Outcome:
    """A round of a simplified match to 100 that is over."""
    return play_out(new_game(bots=2, rounds=None))


def ended_with(ended: Outcome, **changed: object) -> Over:
    """The end of the round with a changed view."""
    return over(replace(ended, view=replace(ended.view, **changed)))  # type: ignore[arg-type]


def test_the_winner_of_a_round_is_named(ended: Outcome) -> None:
    assert ended_with(ended, round_winner=0).title == "You won the round!"
    assert ended_with(ended, round_winner=0).won
    assert ended_with(ended, round_winner=1).title == "Bot 1 won the round"
    assert not ended_with(ended, round_winner=1).won


def test_a_round_may_have_no_winner(ended: Outcome) -> None:
    assert ended_with(ended, round_winner=None).title == "The round is over: nobody won"


@pytest.mark.parametrize(
    ("winners", "title", "won"),
    [
        ((0,), "You won the game!", True),
        ((0, 2), "You share the win!", True),
        ((1,), "Bot 1 won the game", False),
        ((1, 2), "Bot 1 and Bot 2 share the win", False),
        ((), "The game is over: nobody won", False),
    ],
)
def test_a_match_has_one_winner_several_or_none(
    ended: Outcome, winners: tuple[int, ...], title: str, won: bool
) -> None:
    end = ended_with(ended, phase="match over", winners=winners)
    assert (end.title, end.won, end.match) == (title, won, True)


def test_points_go_on_to_the_target(ended: Outcome) -> None:
    end = ended_with(ended, phase="round over", scores=(31, 1, -4))
    assert [score.text for score in end.scores] == [
        "You: 31 points",
        "Bot 1: 1 point",
        "Bot 2: -4 points",
    ]
    assert end.note == "Who first has 100 points or more wins the game."


def test_a_tie_beyond_the_target_needs_another_round(ended: Outcome) -> None:
    end = ended_with(ended, phase="round over", scores=(104, 104, 20))
    assert end.note == "Equal at the top: one more round decides."


def test_penalty_points_are_called_so(ended: Outcome) -> None:
    end = ended_with(ended, ruleset=edition("blocks"), scores=(0, 1, 6))
    assert [score.text for score in end.scores] == [
        "You: 0 penalty points",
        "Bot 1: 1 penalty point",
        "Bot 2: 6 penalty points",
    ]
    assert end.note.endswith("The fewest win.")


def test_simple_blocks_count_rounds_won(ended: Outcome) -> None:
    end = ended_with(ended, ruleset=edition("blocks-simple", rounds=3), scores=(2, 1, 0))
    assert [score.text for score in end.scores] == [
        "You: 2 rounds won",
        "Bot 1: 1 round won",
        "Bot 2: 0 rounds won",
    ]
    assert end.note == "Who wins most rounds wins the game."
    assert ended_with(ended, ruleset=edition("blocks-simple")).note == ""


def test_a_match_of_agreed_rounds_needs_no_further_word(ended: Outcome) -> None:
    assert ended_with(ended, ruleset=edition("classic", rounds=2)).note == ""


def test_a_round_that_is_over_can_be_looked_at_again(ended: Outcome) -> None:
    assert over(services.look(ended.game.pk, DORA)) == over(ended)
