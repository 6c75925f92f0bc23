"""The end of a round and of a match, for each scoring."""

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from games.bots.reasons import Reason
from games.coach.times_tables import row_table_of
from games.engine.actions import Discard, DrawClosed
from games.engine.round import MATCH_OVER, OVER_PHASES, ROUND_OVER
from games.engine.text.notation import parse_card
from games.models import Entry, Game
from games.play import services
from games.play.hooks import AfterRound, host
from games.play.moves import Do, Lay, NextRound, TakeBack
from games.play.round_story import LaidRow, RoundStory, story_of_round
from games.play.services import Outcome
from games.screen.board import board
from games.screen.hint_words import missed_panel
from games.screen.round_end import closing_line, end_of_round
from games.screen.view_models import Board, RoundEnd
from games.screen.words import row_text
from tests.counts import times
from tests.games.players import (
    DORA,
    EMIL,
    FINN,
    act,
    act_at_table,
    before_a_play,
    new_game,
    new_table,
    play_out,
    play_table,
    players_of,
    plays_of,
    with_state,
)
from tests.games.staged import stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_over() -> Outcome:
    """A finished round of a simplified match to 100."""
    return play_out(new_game(bots=2, rounds=None))


def ended_with(ended: Outcome, **changes: object) -> RoundEnd:
    """The end of the round, with a changed state."""
    return end_of_round(with_state(ended, **changes))


def test_the_winner_of_a_round_is_named(round_over: Outcome) -> None:
    assert ended_with(round_over, round_winner=0).title == "You won the round!"
    assert ended_with(round_over, round_winner=0).has_won
    assert ended_with(round_over, round_winner=1).title == "Bot 1 won the round"
    assert not ended_with(round_over, round_winner=1).has_won


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
    round_over: Outcome, winners: tuple[int, ...], title: str, won: bool
) -> None:
    end = ended_with(round_over, phase="match over", winners=winners)
    assert (end.title, end.has_won, end.is_match_over) == (title, won, True)


def test_a_player_who_loses_by_a_few_points_reads_by_how_many() -> None:
    ended = play_out(new_game(bots=1, piles=1, offers=False))
    for scores, title in (
        ((7, 8), "So close: Bot 1 won by 1 point"),
        ((7, 10), "So close: Bot 1 won by 3 points"),
        ((7, 11), "Bot 1 won the game"),
    ):
        end = ended_with(ended, phase="match over", winners=(1,), scores=scores)
        assert end.title == title


@pytest.mark.parametrize(("rounds", "words"), [(1, "in the round wins it"), (2, "in all wins the")])
def test_the_end_of_a_game_says_what_decides_it(rounds: int, words: str) -> None:
    ended = play_out(new_game(bots=1, piles=1, offers=False, rounds=rounds))
    assert words in ended_with(ended, phase="match over", winners=(0,), round_winner=1).note


def test_both_win_if_two_draw() -> None:
    ended = play_out(new_game(bots=1, piles=1, offers=False))
    even = story_of_round(ended.game, 2, 0).scores_before
    draw = with_state(ended, phase="round over", round_winner=None, scores=even)
    assert end_of_round(draw).title == "A draw: you both win!"
    draw = with_state(draw, phase="match over", winners=())
    assert end_of_round(draw).title == "A draw: you both win!"


def test_all_who_earned_most_in_a_round_share_it() -> None:
    game = new_table(DORA, EMIL, FINN, rounds=2, piles=1, offers=False)
    play_table(game, lambda view: view.phase == ROUND_OVER)
    for player, title in (
        (DORA, "You share the win!"),
        (EMIL, "You share the win!"),
    ):
        tied = with_state(services.look(game.pk, player), round_winner=None, scores=(12, 12, 8))
        assert title in end_of_round(tied).spoken


def test_at_a_table_the_childs_own_progress_is_the_title(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_table(DORA, EMIL, rounds=1, piles=1, offers=False)
    play_table(game, lambda view: view.phase == MATCH_OVER)
    lost = with_state(services.look(game.pk, DORA), round_winner=1, winners=(1,))
    assert end_of_round(lost).title.startswith("You ")
    best = AfterRound(best="6 new or longer rows: 2 more than last time!")
    monkeypatch.setattr(type(host()), "after_round", lambda *_: best)
    for winner, cheer in enumerate(("You won the game!", "Well played, all of you!")):
        end = end_of_round(with_state(lost, round_winner=winner, winners=(winner,), scores=(9, 9)))
        assert (end.title, end.cheer, end.after_round.best) == (best.best, cheer, "")
        assert "Emil won" not in end.spoken


def test_points_of_the_round_and_of_the_match_are_shown_apart(round_over: Outcome) -> None:
    before = story_of_round(round_over.game, 3, 0).scores_before
    end = ended_with(
        round_over, phase="round over", scores=(before[0] + 11, before[1], before[2] - 4)
    )
    scores = [(score.name, score.earned, score.total) for score in end.scores]
    assert scores == [("You", "+11", "31"), ("Bot 1", "0", "20"), ("Bot 2", "−4", "16")]


def test_a_round_later_in_the_match_counts_from_where_it_began() -> None:
    game = new_game(rounds=2)
    first = play_out(game).view.scores
    act(game, NextRound())
    ended = play_out(game)
    earned = [int(score.earned.replace("−", "-")) for score in end_of_round(ended).scores]
    assert [now - then for now, then in zip(ended.view.scores, first, strict=True)] == earned
    assert [score.total for score in end_of_round(ended).scores] != [
        str(points) for points in first
    ]


def test_a_tie_beyond_the_target_needs_another_round(round_over: Outcome) -> None:
    end = ended_with(round_over, phase="round over", scores=(104, 104, 20))
    assert end.note.endswith("It’s a draw! One more round decides who wins.")


def test_a_round_won_is_praised_although_another_wins_the_match(round_over: Outcome) -> None:
    lost = ended_with(round_over, phase="match over", winners=(1,), round_winner=0)
    assert (lost.cheer, lost.title) == ("You won the round!", "Bot 1 won the game")
    assert lost.spoken.startswith("You won the round! Your best move: ")
    for winners, round_winner in (((0,), 0), ((1,), 1), ((1,), None)):
        end = ended_with(round_over, phase="match over", winners=winners, round_winner=round_winner)
        assert end.cheer == ""


def rows_of(outcome: Outcome) -> list[LaidRow]:
    story = story_of_round(outcome.game, len(outcome.seats), outcome.seat_number)
    return [row for row in story.plays if row.seat == outcome.seat_number]


def own_plays(outcome: Outcome) -> list[Reason]:
    return [row.reason for row in rows_of(outcome)]


class PlayedRound(NamedTuple):
    """A round that is over, with everything that the tests read from it."""

    outcome: Outcome
    end: RoundEnd
    board: Board
    rows: list[LaidRow]
    given: frozenset[int]
    acts: list[Entry]

    @property
    def own(self) -> list[Reason]:
        return [row.reason for row in self.rows]


@cache
def many_rounds() -> list[PlayedRound]:
    """Many rounds, played once for all tests."""
    rounds = []
    for seed in range(1, times(5, 100)):
        ended = play_out(new_game(seed=seed, market=3, refill=True, piles=2))
        cards = story_of_round(ended.game, len(ended.seats), 0).cards_given
        acts = list(ended.game.entries.filter(kind="act").order_by("number"))
        rounds.append(
            PlayedRound(ended, end_of_round(ended), board(ended), rows_of(ended), cards, acts)
        )
    return rounds


def test_a_longer_row_is_not_a_new_row() -> None:
    longer = 0
    for played in many_rounds():
        ways = Counter(why.way == "added" for why in played.own)
        end = played.end
        new = ways[False]
        assert (len(end.garden.flowers) if end.garden else 0) == new
        assert (f"You laid {new} row" in end.rows_found) == (new > 0)
        assert ("longer" in end.rows_found) == (ways[True] > 0)
        longer += ways[True]
    assert longer


def test_no_move_earned_more_than_the_best_one() -> None:
    best_of = [
        (played.end.best_move, played.own) for played in many_rounds() if played.end.best_move
    ]
    assert best_of
    for best, own in best_of:
        most = max(why.points for why in own)
        rows = {row_text(why.row.numbers) for why in own if why.points == most}
        assert any(best.startswith(row) for row in rows)


def test_the_end_says_what_ended_the_round() -> None:
    for played in many_rounds():
        out = 0 in played.outcome.view.hand_sizes
        assert ("The pile is empty: the round is over." in played.end.note) != out
        assert (" no cards left: the round is over." in played.end.note) == out
    ended = play_out(new_game(market=3, refill=True, piles=2, most_rows=2))
    rows = len(ended.view.table.lines)
    assert f"{rows} rows lie on the table: the round is over." in end_of_round(ended).note


def test_a_crossing_is_called_a_crossing() -> None:
    ends = [played.end for played in many_rounds()]
    assert any(" across, " in end.best_move for end in ends)
    assert all(
        any("across" in feat for feat in end.achievements)
        for end in ends
        if "across" in end.best_move
    )


def test_a_long_row_is_named_with_its_length() -> None:
    for played in many_rounds():
        longest = max((len(why.row.numbers) for why in played.own), default=0)
        named = [feat for feat in played.end.achievements if feat.startswith("Your longest row")]
        assert named == ([f"Your longest row: {longest} numbers"] if longest >= 5 else [])


def test_own_rows_light_up_in_the_order_in_which_they_were_laid() -> None:
    for played in many_rounds():
        over_board, ruleset = played.board, played.outcome.view.ruleset
        rows_laid = [row.cards for row in played.rows]
        lit = {
            parse_card(card.face.card, ruleset): card.lights_at_step
            for card in over_board.felt.cards
        }
        last = {card: at for at, cards in enumerate(rows_laid) for card in cards}
        assert lit.keys() >= last.keys()
        assert [at for _, at in sorted((lit[card], at) for card, at in last.items())] == sorted(
            last.values()
        )
        assert {card for card, at in lit.items() if at} == last.keys()
        rows = {row.numbers: row.lights_at_step for row in over_board.felt.rows}
        reasons = [why for why in played.own if why.row.numbers in rows]
        assert all(rows[why.row.numbers] for why in reasons)


def test_a_play_taken_back_is_not_part_of_the_story() -> None:
    game = new_game(seed=3)
    before_a_play(game)
    act(game, Do(plays_of(services.look(game.pk, DORA).view)[0]))
    act(game, TakeBack())
    ended = lay_nothing(game)
    assert own_plays(ended) == []
    assert end_of_round(ended).best_move == ""
    assert end_of_round(ended).achievements == ()


def story(*plays: tuple[int, str, str, str], given: tuple[int, ...] = (), turns: int = 3) -> Any:
    """The story of these plays, each with its seat, the laid numbers, the crossed numbers, and the
    row."""
    laid_rows = tuple(
        LaidRow(
            seat,
            (),
            Reason(
                "crossed" if crossed else "laid",
                row_table_of(tuple(map(int, row.split()))),
                tuple(map(int, cards.split())),
                tuple(map(int, crossed.split())),
                points=3,
                colours=None,
                swapped_numbers=(),
                is_last=False,
            ),
        )
        for seat, cards, crossed, row in plays
    )
    return RoundStory(plays=laid_rows, cards_given=frozenset(given), turns=turns)


@pytest.mark.parametrize(
    ("round_story", "winner", "words"),
    [
        (story(turns=1), 0, "All your cards in one turn"),
        (story((1, "8 16 24", "", "8 16 24"), (0, "14 34", "24", "14 24 34")), 1, "my 24"),
        (story((0, "8 16 24", "", "8 16 24"), (1, "14 34", "24", "14 24 34")), 1, "Your 24"),
        (story((1, "8 16 24", "", "8 16 24"), given=(16,)), 1, "Thank you for the 16"),
        (story((0, "8 16 24", "", "8 16 24"), given=(16,)), 0, "I liked your 8-16-24 best."),
        (
            story((0, "8 16 24", "", "8 16 24"), (0, "14 34", "24", "14 24 34")),
            1,
            "made it exciting",
        ),
        (story((1, "8 16 24", "", "8 16 24"), given=(5,)), 1, "I liked your 8-16-24. Once more?"),
        (story(turns=2), 1, "good cards"),
        (story(), None, "good round"),
    ],
)
def test_a_bot_speaks_of_what_happened_between_it_and_the_child(
    round_story: RoundStory, winner: int | None, words: str
) -> None:
    assert words in closing_line(
        round_story, 0, 1, winner, row="8-16-24" if round_story.plays else ""
    )


def test_a_given_card_is_one_that_another_took_at_once() -> None:
    count = 0
    for played in many_rounds():
        for own, following in pairwise(played.acts):
            if own.seat == 0 and own.text.startswith("discard ") and following.seat == 1:
                card = int(own.text.split()[1]) if own.text.split()[1].isdecimal() else 0
                if card and following.text == "draw open":
                    assert card in played.given
                    count += 1
    assert count


def test_going_out_in_one_turn_is_celebrated() -> None:
    parties = [played.end for played in many_rounds() if played.end.is_great]
    assert all(end.has_won or "Out in one turn" in end.achievements for end in parties)
    ended = play_out(new_game(rounds=3))
    assert end_of_round(ended).is_great == ("Out in one turn" in end_of_round(ended).achievements)


@pytest.mark.parametrize("shows_missed_rows", [False, True])
def test_a_row_nearly_found_is_shown_at_the_end(shows_missed_rows: bool) -> None:
    ended = lay_nothing(new_game(rounds=1))
    nearly = story_of_round(ended.game, len(ended.seats), ended.seat_number).missed_row
    assert {card for card, _ in nearly.hand_cards} <= {card for card, _ in nearly.cards}
    ended.game.shows_missed_rows = shows_missed_rows
    assert end_of_round(ended).missed == missed_panel(nearly, ended.view.ruleset)


def test_a_guided_round_ends_without_a_story() -> None:
    ended = lay_nothing(new_game(rounds=1))
    ended.game.is_guided = True
    assert end_of_round(ended).missed is None


def lay_nothing(game: Game) -> Outcome:
    """Draw and discard until the others have ended the round."""
    outcome = services.look(game.pk, DORA)
    while outcome.view.may_act:
        put_down = Discard(outcome.view.hand[0]) if outcome.view.phase == "play" else DrawClosed()
        outcome = act(game, Do(put_down))
    return outcome


def test_the_end_of_a_match_reads_its_log_once(django_assert_max_num_queries: Any) -> None:
    ended = play_out(new_game(bots=1, rounds=1))
    with django_assert_max_num_queries(4) as queries:
        end = end_of_round(ended)
    assert end.garden is not None or not own_plays(ended)
    assert len([query for query in queries if "games_action" in query["sql"]]) == 1, (
        queries.captured_queries
    )


# The end at a table of several players


def garden_of(board_or_end: Board | RoundEnd) -> list[str]:
    return [flower.label for flower in board_or_end.garden.flowers] if board_or_end.garden else []


def own_flowers(board_or_end: Board | RoundEnd) -> int:
    return (
        sum(flower.star is not None for flower in board_or_end.garden.flowers)
        if board_or_end.garden
        else 0
    )


def test_all_at_a_table_end_with_one_garden_and_find_their_own_rows_in_it() -> None:
    for seed in range(1, 1 + times(3, 20)):
        game = new_table(DORA, EMIL, FINN, seed=seed)
        play_table(game, lambda view: view.phase == MATCH_OVER, seed)
        ends = [end_of_round(services.look(game.pk, player)) for player in players_of(game)]
        (garden,) = {tuple(garden_of(end)) for end in ends}
        assert sum(map(own_flowers, ends)) == len(garden)
        for end in ends:
            assert end.is_great
            assert end.has_won or "Well played, all of you!" in (end.cheer, end.title)
            assert ("Your own have a star." in end.garden_caption) == (own_flowers(end) > 0)
            assert end.title in end.spoken


def test_the_garden_of_a_table_grows_with_each_row() -> None:
    game, grown = new_table(DORA, EMIL, FINN, seed=2), 0
    while (outcome := services.look(game.pk, DORA)).view.phase not in OVER_PHASES:
        for player in (EMIL, FINN, DORA):
            act_at_table(game, player)
        now = board(services.look(game.pk, DORA, since=outcome.game.version))
        if now.over:
            break
        assert len(garden_of(now)) >= max(grown, len(now.felt.rows))
        assert bool(own_flowers(now)) == any(row.laid_at_step for row in now.felt.rows)
        grown = len(garden_of(now))
    assert grown <= len(garden_of(end_of_round(services.look(game.pk, DORA))))
    assert grown


def test_a_garden_loses_no_flower_when_rows_are_joined() -> None:
    game = new_table()
    stage(game, "14 16 18 20 22 24 26 45")
    moves = [Lay((14, 16, 18)), Lay((22, 24, 26))]
    grown = [len(garden_of(board(act(game, move)))) for move in moves]
    (joins, *_) = [p for p in plays_of(services.look(game.pk, DORA).view) if len(p.lines) > 1]
    joined = board(act(game, Do(joins)))
    assert len(joined.felt.rows) == 1
    assert [*grown, len(garden_of(joined))] == [1, 2, 3]


def test_no_garden_grows_where_a_bridge_does_or_a_player_sits_alone() -> None:
    for game in (new_game(), new_table(goal=4, piles=2, most_turns=6, refill=True, market=3)):
        assert board(services.look(game.pk, DORA)).garden is None
