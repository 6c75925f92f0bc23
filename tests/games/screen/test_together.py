"""The page of a table with one goal shows the bridge, and nobody's score."""

from typing import Any

import pytest
from django.template.loader import render_to_string

from games.models import Game
from games.play import services
from games.play.moves import Do
from games.screen.board import board
from games.screen.help_pages import rules_page
from games.screen.round_end import end_of_round
from games.screen.view_models import Goal
from games.screen.words import special_rules, title
from tests.games.players import (
    DORA,
    EMIL,
    act,
    at_turn,
    before_a_play,
    new_game,
    new_table,
    play_out,
    plays_of,
    with_state,
)

pytestmark = pytest.mark.django_db


def together(bots: int = 1, seed: int = 4, **rules: Any) -> Game:
    rules = {"piles": 1, "refill": True, "market": 3, "goal": 200, "rounds": 2} | rules
    return new_game(bots=bots, seed=seed, **rules)


def test_the_page_shows_the_bridge_and_no_scores() -> None:
    game_board = board(services.look(together().pk, DORA))
    assert game_board.goal == Goal(0, 200, "Together: 0 of 200 points.")
    assert {player.score for player in game_board.players} == {None}
    html = render_to_string("games/_players.html", {"board": game_board})
    assert 'value="0" max="200" aria-label="Together: 0 of 200 points."' in html
    assert '<b aria-hidden="true">0</b>' in html
    assert html.count('class="score" hidden') == 2


def test_a_row_makes_the_bridge_longer_and_is_announced() -> None:
    game = together()
    play = plays_of(before_a_play(game).view)[0]
    before = services.look(game.pk, DORA).view.earned_together
    outcome = act(game, Do(play))
    game_board = board(outcome)
    assert game_board.goal.earned == before + game_board.speech.own_play.points
    assert game_board.goal.spoken in game_board.speech.live


def test_the_bridge_grows_with_the_steps_of_the_others() -> None:
    game = together(bots=2, opening=False)
    for _ in range(8):
        outcome = before_a_play(game)
        game_board = board(outcome)
        if not game_board.step_counts:
            continue
        steps = [{score for score, _ in step.players} for step in game_board.step_counts]
        assert steps[-1] == {game_board.goal.earned}
        earned = [score for (score,) in steps]
        assert earned == sorted(earned)
        act(game, Do(plays_of(outcome.view)[0]))


def test_the_bridge_compares_nobody() -> None:
    """It is one picture for all, whoever has laid more of it."""
    game = new_table(piles=1, refill=True, market=3, goal=60, rounds=2, opening=False)
    player = at_turn(game)
    act(game, Do(plays_of(before_a_play(game, player).view)[0]), player)
    first, second = (board(services.look(game.pk, player)).goal for player in (DORA, EMIL))
    assert first == second
    assert first.earned


def test_a_finished_bridge_is_announced_in_the_turn() -> None:
    game = together(goal=1)
    assert board(act(game, Do(plays_of(before_a_play(game).view)[0]))).is_party
    game_board = board(services.look(game.pk, DORA))
    assert game_board.goal.turns_left_text == "The bridge is whole!"
    assert not game_board.is_party
    assert game_board.speech.to_do.startswith("This turn is the last of the round! Lay a row")


def test_the_turns_after_a_finished_bridge_are_for_stars() -> None:
    game = together(goal=1, piles=None, most_turns=4, equal_turns=True)
    game_board = board(act(game, Do(plays_of(before_a_play(game).view)[0])))
    assert game_board.goal.stars == "★" * (game_board.goal.earned - 1) != ""
    assert game_board.goal.stars in render_to_string("games/_players.html", {"board": game_board})
    to_do = board(services.look(game.pk, DORA)).speech.to_do
    assert to_do.startswith("2 more turns: each plank is a star! ")


def test_one_message_says_how_long_the_round_still_lasts() -> None:
    outcome = services.look(together(most_turns=4).pk, DORA)
    game_board = board(outcome)
    assert game_board.goal.turns_left_text == "4 turns left"
    game_board = board(with_state(outcome, closed_pile=outcome.snapshot.state.closed_pile[:1]))
    assert game_board.goal.turns_left_text == ""
    assert "Few cards that fit are left" in game_board.speech.to_do


def test_the_end_says_what_the_table_reached_and_compares_nobody() -> None:
    ended = play_out(together(rounds=1, goal_up=2, goal_down=4))
    for earned, goal, words, won in (
        ((9, 12), 20, "You did it together!", True),
        ((9, 9), 20, "Almost: 18 of 20", False),
        ((3, 4), 20, "7 of 20: you came this far", False),
    ):
        outcome = with_state(ended, scores=earned, scores_at_start=(0, 0), goal=goal)
        end = end_of_round(outcome)
        assert end.note.endswith(f"The next goal is {outcome.view.next_goal}.")
        assert (end.title, end.has_won, end.is_great) == (words, won, won)
        assert end.scores == ()
        assert end.goal == Goal(sum(earned), goal, f"Together: {sum(earned)} of {goal} points.")
        assert words in end.spoken
        assert end.next_goal == Goal(0, outcome.view.next_goal, "")


def test_title_notes_and_rules_mention_the_shared_goal() -> None:
    ruleset = together().ruleset
    assert title(ruleset) == "2, 5 and 10 times tables, together"
    assert next(special_rules(ruleset)) == "You all build one bridge. Each point is one plank."
    page = rules_page(ruleset, is_game=True)
    assert page.goal[0] == "Build one bridge together. Nobody wins alone."
    assert not any("wins it" in sentence for sentence in page.end)
