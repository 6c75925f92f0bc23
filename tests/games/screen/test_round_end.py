"""The end of a round and of a match, for each scoring."""

from dataclasses import replace
from typing import Any

import pytest

from games.engine.actions import Discard, DrawClosed
from games.engine.ruleset import edition
from games.models import Game
from games.play import services
from games.play.moves import Do
from games.play.round_story import story_of_round
from games.play.services import Outcome
from games.screen.learning_panels import missed_panel
from games.screen.round_end import over
from games.screen.view_models import Over
from tests.games.players import DORA, act, lost_match_with_a_round_won, new_game, play_out

pytestmark = pytest.mark.django_db
ONE = "Each card left in a hand costs 1 point."
DOTS = "Each dot left in a hand costs 1 point."


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
    assert end.note == f"{ONE} The first to reach 100 points wins the game."


def test_a_tie_beyond_the_target_needs_another_round(ended: Outcome) -> None:
    end = ended_with(ended, phase="round over", scores=(104, 104, 20))
    assert end.note == f"{ONE} It’s a draw! One more round decides who wins."


def test_penalty_points_are_called_so(ended: Outcome) -> None:
    end = ended_with(ended, ruleset=edition("blocks"), scores=(0, 1, 6))
    assert [score.text for score in end.scores] == [
        "You: 0 penalty points",
        "Bot 1: 1 penalty point",
        "Bot 2: 6 penalty points",
    ]
    assert end.note.endswith("The player with the fewest points wins.")


def test_simple_blocks_count_rounds_won(ended: Outcome) -> None:
    end = ended_with(ended, ruleset=edition("blocks-simple", rounds=3), scores=(2, 1, 0))
    assert [score.text for score in end.scores] == [
        "You: 2 rounds won",
        "Bot 1: 1 round won",
        "Bot 2: 0 rounds won",
    ]
    assert end.note == "Whoever wins the most rounds wins the game."
    assert ended_with(ended, ruleset=edition("blocks-simple")).note == ""


def test_a_match_of_agreed_rounds_needs_no_further_word(ended: Outcome) -> None:
    assert ended_with(ended, ruleset=edition("classic", rounds=2)).note == DOTS


def test_the_end_says_what_cards_left_cost(ended: Outcome) -> None:
    simplified = edition("simplified", rounds=2)
    assert ended_with(ended, ruleset=simplified).note == ONE
    assert ended_with(ended, ruleset=simplified, counts=(0, 0, 0)).note == ""


def test_a_round_that_is_over_can_be_looked_at_again(ended: Outcome) -> None:
    assert over(services.look(ended.game.pk, DORA)) == over(ended)


def test_a_round_won_is_a_win_in_a_match_that_another_wins(ended: Outcome) -> None:
    lost = ended_with(ended, phase="match over", winners=(1,), round_winner=0)
    assert (lost.cheer, lost.title) == ("You won the round!", "Bot 1 won the game")
    assert lost.said == "You won the round! Bot 1 won the game"
    for winners, round_winner in (((0,), 0), ((1,), 1), ((1,), None)):
        end = ended_with(ended, phase="match over", winners=winners, round_winner=round_winner)
        assert end.cheer == ""


def test_a_round_won_in_a_match_that_was_really_lost() -> None:
    game = lost_match_with_a_round_won(lambda seed: new_game(seed=seed, rounds=2))
    end = over(services.look(game.pk, DORA))
    assert (end.cheer, end.title, end.match) == ("You won the round!", "Bot 1 won the game", True)
    assert [score.won for score in end.scores] == [False, True]


def test_a_match_of_one_round_is_lost_and_won_once(ended: Outcome) -> None:
    once = edition("simplified", rounds=1)
    end = ended_with(ended, phase="match over", winners=(1,), round_winner=0, ruleset=once)
    assert end.cheer == ""


def test_a_match_ends_with_a_flower_for_each_row(ended: Outcome) -> None:
    story = story_of_round(ended.game, len(ended.seats), ended.seat)
    end = ended_with(ended, phase="match over", winners=(1,))
    assert (len(end.garden.flowers) if end.garden else 0) == story.found
    assert ended_with(ended, phase="round over").garden is None


@pytest.mark.parametrize("missed_rows", [False, True])
def test_a_row_nearly_found_is_shown_also_where_none_is_shown_after_each_turn(
    missed_rows: bool,
) -> None:
    ended = lay_nothing(new_game(rounds=1))
    nearly = story_of_round(ended.game, len(ended.seats), ended.seat).nearly
    assert nearly is not None
    assert {laid.card for laid in nearly.own} <= {laid.card for laid in nearly.cards}
    ended.game.missed_rows = missed_rows
    assert over(ended).nearly == missed_panel(nearly, ended.view.ruleset)


def test_a_guided_round_ends_without_it() -> None:
    ended = lay_nothing(new_game(rounds=1))
    ended.game.lesson = True
    assert over(ended).nearly is None


def lay_nothing(game: Game) -> Outcome:
    """Take and put down until the others have ended the round."""
    outcome = services.look(game.pk, DORA)
    while outcome.view.may_act:
        put_down = Discard(outcome.view.hand[0]) if outcome.view.phase == "play" else DrawClosed()
        outcome = act(game, Do(put_down))
    return outcome


def test_the_end_of_a_match_reads_its_log_once(django_assert_max_num_queries: Any) -> None:
    ended = play_out(new_game(bots=1, rounds=1))
    with django_assert_max_num_queries(4) as read:
        end = over(ended)
    assert end.garden is not None
    assert len([one for one in read if "games_action" in one["sql"]]) == 1, read.captured_queries
