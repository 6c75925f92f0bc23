"""What a player's board shows, and what it must not."""

from uuid import uuid4

import pytest

from games.engine.actions import Discard, DrawClosed
from games.engine.cards import is_joker
from games.engine.text.notation import laid_text
from games.models import Game
from games.play import services
from games.play.moves import AskHint, Choose, Do, Lay
from games.play.services import Outcome
from games.screen.board import board
from games.screen.view_models import Board
from tests.games.players import DORA, act, before_a_play, new_game, play_on, play_out, plays_of

pytestmark = pytest.mark.django_db


def taken(game: Game) -> Outcome:
    """Dora has taken a card and may lay."""
    play_on(game, lambda view: view.phase == "draw")
    return act(game, Do(DrawClosed()))


def moves(shown: Board) -> list[str]:
    return [button.move for button in shown.buttons]


def test_the_player_comes_first_and_is_you() -> None:
    shown = board(services.look(new_game(bots=2).pk, DORA))
    assert [player.name for player in shown.players] == ["You", "Bot 1", "Bot 2"]
    assert shown.players[0].you
    assert not shown.players[0].says


def test_of_the_others_only_the_number_of_cards_is_shown() -> None:
    outcome = services.look(new_game().pk, DORA)
    shown = board(outcome)
    assert shown.players[1].count == outcome.view.counts[1]
    assert len(shown.hand) == outcome.view.counts[0]


def test_a_turn_begins_with_taking_a_card() -> None:
    game = new_game()
    shown = board(play_on(game, lambda view: view.phase == "draw"))
    assert shown.piles.may_draw
    assert [button.move for button in shown.buttons if not button.idle] == ["hint"]
    assert [step.state for step in shown.top.strip] == ["now", "later", "later"]


def test_then_the_big_button_lays() -> None:
    shown = board(taken(new_game()))
    assert shown.primary is not None
    assert shown.primary.move == "lay"
    assert moves(shown) == ["lay", "take-back", "hint", "discard"]
    assert [step.state for step in shown.top.strip] == ["done", "now", "later"]


def test_take_back_is_offered_only_after_a_play() -> None:
    game = new_game()
    before = board(before_a_play(game))
    after = board(act(game, Choose(str(plays_of(services.look(game.pk, DORA).view)[0]))))
    assert [b.offered for b in before.buttons if b.move == "take-back"] == [False]
    assert [b.offered for b in after.buttons if b.move == "take-back"] == [True]


def test_without_hints_there_is_no_hint_button() -> None:
    game = new_game()
    Game.objects.filter(pk=game.pk).update(hint_steps=0)
    assert "hint" not in moves(board(taken(game)))


def test_the_styles_are_told_what_is_on_the_board() -> None:
    game = new_game()
    words = [board(play_on(game, lambda view: view.phase == "draw")).now.split()]
    words.append(board(act(game, Do(DrawClosed()))).now.split())
    words.append(board(act(game, AskHint())).now.split())
    words.append(board(play_out(game)).now.split())
    take, lay, hint, over = [set(found) - {"empty", "from-5", "from-6"} for found in words]
    assert take == {"take"}
    assert lay >= {"lay", "discard"}
    assert not lay & {"take", "notice", "wait", "over", "no-hint", "end"}
    assert hint >= {"notice", "hint", "discard"}
    assert over >= {"over", "wait", "no-hint"}
    assert not over & {"notice", "take", "lay", "discard"}


@pytest.mark.parametrize(("name", "phase"), [("simplified", "offer"), ("blocks", "knock")])
def test_the_styles_are_told_that_an_answer_is_asked_for(name: str, phase: str) -> None:
    game = new_game(name=name, offers=phase == "offer", bots=2)
    shown = board(play_on(game, lambda view: view.phase == phase and view.may_act))
    assert "answer" in shown.now.split()
    assert not {"lay", "wait"} & set(shown.now.split())


def test_an_offer_is_answered_with_yes_or_no() -> None:
    game = new_game(offers=True, bots=2)
    shown = board(play_on(game, lambda view: view.phase == "offer"))
    assert [button.move for button in shown.answers] == ["pass", "claim"]
    assert len(shown.top.strip) == 1


@pytest.mark.parametrize(
    ("name", "phase"), [("simplified", "offer"), ("blocks", "knock"), ("blocks-simple", "knock")]
)
def test_to_be_asked_is_not_to_be_at_turn(name: str, phase: str) -> None:
    game = new_game(name=name, offers=phase == "offer", bots=2)
    outcome = play_on(game, lambda view: view.phase == phase and view.may_act)
    shown = board(outcome)
    (at_turn,) = [player for player in shown.players if player.turn]
    assert at_turn.seat == outcome.view.turn != outcome.seat
    assert shown.to_do.startswith(f"It is {at_turn.name}’s turn. ")


def test_when_it_is_time_to_take_a_card_the_child_is_at_turn_and_at_the_end_nobody() -> None:
    game = new_game()
    outcome = play_on(game, lambda view: view.phase == "draw")
    assert [player.you for player in board(outcome).players if player.turn] == [True]
    assert not [player for player in board(play_out(game)).players if player.turn]


def test_a_row_on_the_table_shows_its_table_and_its_facts() -> None:
    game = new_game()
    play = plays_of(before_a_play(game).view)[0]
    shown = board(act(game, Choose(str(play))))
    (row,) = [row for row in shown.rows if set(row.value.split("-")) >= {laid_text(play.hand[0])}]
    assert row.name.endswith("times table")
    assert "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}" in row.facts
    assert row.name in row.label


def test_every_card_of_the_table_has_a_place_of_its_own() -> None:
    shown = board(play_out(new_game(bots=2)))
    assert len({island.place for island in shown.islands}) == len(shown.islands)
    for island in shown.islands:
        places = [card.place for card in island.cards]
        assert len(set(places)) == len(places)


def test_tags_lie_apart() -> None:
    shown = board(play_out(new_game(bots=2, tables=None)))
    for island in shown.islands:
        tags = [row.tag_place for row in island.rows]
        assert len(set(tags)) == len(tags)


def test_a_card_of_the_table_names_the_rows_that_it_lies_in() -> None:
    shown = board(play_out(new_game(bots=2)))
    for card in shown.cards:
        rows = [shown.rows[int(index)] for index in card.rows.split()]
        assert rows
        assert len(rows) == (2 if card.crossed else 1)
        assert all(card.face.number in row.numbers.split() for row in rows)


def test_an_empty_table_says_what_to_do_first() -> None:
    shown = board(services.look(new_game().pk, DORA))
    assert "2, 5 or 10 times table" in shown.empty_hint


def test_a_refused_row_keeps_the_chosen_cards_and_shows_the_jumps() -> None:
    game = new_game()
    hand = [card for card in taken(game).view.hand if not is_joker(card)]
    cards = next(
        tuple(three)
        for three in zip(hand, hand[1:], hand[2:], strict=False)
        if three[1] - three[0] != three[2] - three[1]
    )
    shown = board(act(game, Lay(cards)), chosen=[str(card) for card in cards])
    assert shown.notice is not None
    assert shown.notice.kind == "refusal"
    assert "make all the jumps the same" in shown.notice.text
    assert shown.notice.line is not None
    assert [point.label for point in shown.notice.line.points] == [str(card) for card in cards]
    assert [card.face.value for card in shown.hand if card.chosen] == [str(card) for card in cards]


def test_a_stale_page_gets_the_board_as_it_stands_and_nothing_chosen() -> None:
    game = new_game()
    outcome = taken(game)
    late = services.act(game.pk, DORA, seen=1, key=uuid4(), move=Do(Discard(outcome.view.hand[0])))
    shown = board(late, chosen=[str(outcome.view.hand[0])])
    assert shown.notice is not None
    assert shown.notice.kind == "stale"
    assert shown.seen == outcome.game.version
    assert not any(card.chosen for card in shown.hand)


def test_hints_go_from_a_count_to_the_name_of_the_table() -> None:
    game = new_game()
    before_a_play(game)
    boards = [board(act(game, AskHint())) for _ in range(4)]
    texts = [shown.notice.text for shown in boards if shown.notice]
    assert "hiding in your cards" in texts[0]
    assert not any(card.lit for card in boards[0].hand)
    assert sum(card.lit for card in boards[1].hand) == 1
    assert "jumps of" in texts[2]
    assert "times table" in texts[3]


def test_a_hint_does_not_hide_what_the_others_said() -> None:
    game = new_game()
    act(game, Do(Discard(taken(game).view.hand[0])))
    taken(game)
    other = board(act(game, AskHint())).players[1]
    assert other.says
    assert not other.fresh


def test_what_the_others_just_did_is_in_the_live_region() -> None:
    game = new_game()
    outcome = taken(game)
    shown = board(act(game, Do(Discard(outcome.view.hand[0]))))
    assert shown.players[1].fresh
    assert "Bot 1: " in shown.live


def test_the_end_of_a_round_shows_points_and_rows_by_table() -> None:
    outcome = play_out(new_game(rounds=2))
    over = board(outcome).over
    assert over is not None
    assert not over.match
    assert len(over.scores) == 2
    assert moves(board(outcome)) == ["next-round"]


def test_the_end_of_the_match_has_no_further_round() -> None:
    outcome = play_out(new_game(rounds=1))
    over = board(outcome).over
    assert over is not None
    assert over.match
    assert moves(board(outcome)) == []


def test_a_bot_introduces_itself_until_it_has_something_to_tell() -> None:
    game = new_game(bots=1)
    outcome = play_on(game, lambda view: view.phase == "draw" and not view.turns[1])
    (bot,) = board(outcome).players[1:]
    assert bot.introduces
    assert bot.says
    other = board(act(game, Do(Discard(taken(game).view.hand[0])))).players[1]
    assert not other.introduces
    assert other.says


def test_blocks_are_drawn_alike_and_lie_in_a_pot() -> None:
    shown = board(services.look(new_game(name="blocks").pk, DORA))
    assert shown.piles.pot
    assert {card.face.colour for card in shown.hand} == {"block"}
    assert not board(services.look(new_game().pk, DORA)).piles.pot


def test_pips_are_drawn_only_where_cards_have_values() -> None:
    classic = board(services.look(new_game(name="classic", tables=None).pk, DORA))
    assert all(card.face.pips or card.face.joker for card in classic.hand)
    plain = board(services.look(new_game().pk, DORA))
    assert not any(card.face.pips for card in plain.hand)


def test_a_match_to_a_target_says_so() -> None:
    shown = board(services.look(new_game(rounds=None).pk, DORA))
    assert shown.round == "round 1, playing to 100"


def test_the_steps_of_the_others_come_in_their_order() -> None:
    game = new_game(bots=2)
    shown = board(act(game, Do(Discard(taken(game).view.hand[0]))))
    numbers = [sentence.step for player in shown.players for sentence in player.says]
    assert sorted(numbers) == list(range(1, shown.steps + 1))
    assert numbers == sorted(numbers)
    assert shown.steps >= 2


def test_a_card_that_the_others_laid_is_new_in_the_step_that_names_it() -> None:
    game = new_game(bots=2, tables=None)
    shown = board(play_on(game, lambda view: bool(view.table.lines) and view.phase == "draw"))
    new = [card for card in shown.cards if card.new]
    assert new
    by_step = {
        sentence.step: (player, sentence) for player in shown.players for sentence in player.says
    }
    for card in new:
        player, sentence = by_step[card.new]
        assert player.seat == card.by
        assert card.face.number in sentence.text
        assert card.label.endswith(", new")
