"""The board of a player, and cards that it must not show."""

from typing import Any
from uuid import uuid4

import pytest

from games.bots import beginner
from games.engine.actions import Discard, DrawClosed
from games.engine.cards import card_text, colour, is_joker, laid_card_text
from games.engine.play_application import make_play
from games.engine.plays import open_ends
from games.engine.round import OVER_PHASES
from games.engine.ruleset import EDITIONS
from games.engine.table import Play
from games.engine.text.notation import parse_card, parse_play
from games.models import Game
from games.play import services
from games.play.log import entries_of, setting_of, snapshots
from games.play.moves import AskHint, Choose, Do, Lay, NextRound, PublicCounts
from games.play.services import Outcome
from games.screen import words
from games.screen.board import board
from games.screen.view_models import Board
from tests.counts import times
from tests.games.players import (
    DORA,
    EMIL,
    act,
    at_turn,
    before_a_play,
    new_game,
    new_table,
    play_on,
    play_out,
    play_table,
    plays_of,
)
from tests.games.staged import stage

pytestmark = pytest.mark.django_db


def draw(game: Game) -> Outcome:
    """Let Dora draw a card. She may then lay."""
    play_on(game, lambda view: view.phase == "draw")
    return act(game, Do(DrawClosed()))


def moves(game_board: Board) -> list[str]:
    return [button.move for button in game_board.buttons]


def test_the_player_comes_first_and_is_you() -> None:
    game_board = board(services.look(new_game(bots=2).pk, DORA))
    assert [player.name for player in game_board.players] == ["You", "Bot 1", "Bot 2"]
    assert game_board.players[0].is_viewer
    assert not game_board.players[0].steps


def test_the_board_names_its_state_for_the_styles() -> None:
    game = new_game()
    all_states = [board(play_on(game, lambda view: view.phase == "draw")).states]
    all_states.append(board(act(game, Do(DrawClosed()))).states)
    all_states.append(board(act(game, AskHint())).states)
    all_states.append(board(play_out(game)).states)
    take, lay, hint, over = [set(states) - {"empty", "from-8"} for states in all_states]
    assert take == {"take"}
    assert lay >= {"lay", "discard"}
    assert not lay & {"take", "notice", "wait", "over", "no-hint", "end"}
    assert hint >= {"notice", "hint", "discard"}
    assert over >= {"over", "wait", "no-hint"}
    assert not over & {"notice", "take", "lay", "discard"}


@pytest.mark.parametrize(("name", "phase"), [("simplified", "offer"), ("blocks", "knock")])
def test_an_open_question_is_a_state_for_the_styles(name: str, phase: str) -> None:
    game = new_game(name=name, offers=phase == "offer", bots=2)
    game_board = board(play_on(game, lambda view: view.phase == phase and view.may_act))
    assert "answer" in game_board.states
    assert not {"lay", "wait"} & set(game_board.states)


@pytest.mark.parametrize(
    ("name", "phase"), [("simplified", "offer"), ("blocks", "knock"), ("blocks-simple", "knock")]
)
def test_a_seat_that_is_asked_does_not_have_the_turn(name: str, phase: str) -> None:
    game = new_game(name=name, offers=phase == "offer", bots=2)
    outcome = play_on(game, lambda view: view.phase == phase and view.may_act)
    game_board = board(outcome)
    (at_turn,) = [player for player in game_board.players if player.is_at_turn]
    assert at_turn.seat == outcome.view.turn != outcome.seat_number
    assert game_board.speech.to_do.startswith(
        (f"It is {at_turn.name}’s turn. ", f"{at_turn.name} put down a")
    )


def test_the_child_has_the_turn_when_drawing_and_nobody_at_the_end() -> None:
    game = new_game()
    outcome = play_on(game, lambda view: view.phase == "draw")
    assert [player.is_viewer for player in board(outcome).players if player.is_at_turn] == [True]
    assert not [player for player in board(play_out(game)).players if player.is_at_turn]


def test_a_row_on_the_table_shows_its_table_and_its_facts() -> None:
    game = new_game()
    play = plays_of(before_a_play(game).view)[0]
    game_board = board(act(game, Choose(str(play))))
    (row,) = [
        row
        for row in game_board.felt.rows
        if set(row.value.split("-")) >= {laid_card_text(play.hand[0])}
    ]
    assert row.name.endswith("times table")
    assert "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}" in row.facts
    assert row.name in row.label


def test_a_card_of_the_table_names_the_rows_that_it_lies_in() -> None:
    game_board = board(play_out(new_game(bots=2)))
    for card in game_board.felt.cards:
        rows = [game_board.felt.rows[index] for index in card.rows]
        assert 1 <= len(rows) <= 2
        assert all(int(card.face.number) in row.numbers for row in rows)


def test_an_empty_table_says_what_to_do_first() -> None:
    game_board = board(services.look(new_game().pk, DORA))
    assert "2, 5 or 10 times table" in game_board.felt.text


def test_a_refused_row_keeps_its_cards_chosen() -> None:
    game = new_game()
    hand = [card for card in draw(game).view.hand if not is_joker(card)]
    cards = next(
        tuple(three)
        for three in zip(hand, hand[1:], hand[2:], strict=False)
        if three[1] - three[0] != three[2] - three[1]
    )
    game_board = board(act(game, Lay(cards)), taps=[str(card) for card in cards])
    assert game_board.speech.notice.kind == "refusal"
    assert [point.label for point in game_board.speech.notice.line.points] == [
        str(card) for card in cards
    ]
    assert [card.face.value for card in game_board.hand.cards if card.is_chosen] == [
        str(card) for card in cards
    ]


def test_a_stale_page_gets_the_current_board() -> None:
    game = new_game()
    outcome = draw(game)
    late = services.act(
        game.pk, DORA, version=1, key=uuid4(), move=Do(Discard(outcome.view.hand[0]))
    )
    game_board = board(late, taps=[str(outcome.view.hand[0])])
    assert game_board.speech.notice.kind == "stale"
    assert game_board.version == outcome.game.version
    assert not any(card.is_chosen for card in game_board.hand.cards)


def test_hints_go_from_a_count_to_the_name_of_the_table() -> None:
    game = new_game()
    before_a_play(game)
    boards = [board(act(game, AskHint())) for _ in range(4)]
    texts = [each_board.speech.notice.text for each_board in boards if each_board.speech.notice]
    assert "hiding in your hand" in texts[0]
    assert not any(card.is_lit for card in boards[0].hand.cards)
    assert sum(card.is_lit for card in boards[1].hand.cards) == 1
    assert "jumps of" in texts[2]
    assert "times table" in texts[3]


def test_the_live_region_has_what_the_others_just_did() -> None:
    game = new_game()
    outcome = draw(game)
    game_board = board(act(game, Do(Discard(outcome.view.hand[0]))))
    assert game_board.players[1].says_now
    assert "Bot 1: " in game_board.speech.live


def test_the_end_of_a_round_shows_points_and_rows_by_table() -> None:
    outcome = play_out(new_game(rounds=2))
    over = board(outcome).over
    assert not over.is_match_over
    assert len(over.scores) == 2
    assert moves(board(outcome)) == ["next-round"]


def test_blocks_are_drawn_alike_and_lie_in_a_pot() -> None:
    game_board = board(services.look(new_game(name="blocks").pk, DORA))
    assert game_board.piles.has_pot
    assert {card.face.colour for card in game_board.hand.cards} == {"block"}
    assert not board(services.look(new_game().pk, DORA)).piles.has_pot


def test_figures_are_blocks_if_rows_earn_nothing() -> None:
    game = new_game(name="blocks", bots=2)
    game_board = board(services.look(game.pk, DORA))
    assert game_board.score_unit == "Blocks left"
    assert [player.score for player in game_board.players] == [
        player.count for player in game_board.players
    ]
    outcome = play_on(game, lambda view: view.phase == "play" and view.turns[0] >= 2)
    for step in board(outcome).step_counts:
        assert all(score == count for score, count in step.players)


def test_pips_are_drawn_only_where_cards_have_values() -> None:
    classic = board(services.look(new_game(name="classic", tables=None).pk, DORA))
    assert all(card.face.pips or card.face.is_joker for card in classic.hand.cards)
    plain = board(services.look(new_game().pk, DORA))
    assert not any(card.face.pips for card in plain.hand.cards)


def test_the_steps_of_the_others_come_in_their_order() -> None:
    game = new_game(bots=2)
    game_board = board(act(game, Do(Discard(draw(game).view.hand[0]))))
    numbers = [sentence.number for player in game_board.players for sentence in player.steps]
    assert sorted(numbers) == list(range(1, game_board.steps + 1))
    assert numbers == sorted(numbers)
    assert game_board.steps >= 2


def test_a_card_of_others_is_new_in_its_step() -> None:
    game = new_game(bots=2, tables=None)
    game_board = board(play_on(game, lambda view: bool(view.table.lines) and view.phase == "draw"))
    new = [card for card in game_board.felt.cards if card.laid_at_step]
    assert new
    by_step = {
        sentence.number: (player, sentence)
        for player in game_board.players
        for sentence in player.steps
    }
    for card in new:
        player, sentence = by_step[card.laid_at_step]
        assert player.seat == card.by_seat
        assert card.face.number in sentence.row.split("-")
        assert card.label.endswith(", new")


FEW_SEEDS = range(1, times(2, 30))


def praise_of(outcome: Outcome, numbers: tuple[int, ...]) -> str:
    """The reason why this row on the table counts double, from the colours of its cards."""
    lines = [line for line in outcome.view.table.lines if line.numbers == numbers]
    doubling = outcome.view.ruleset.doubling
    praises = set()
    for line in lines:
        kinds = {colour(card) for card, _ in line.cards}
        if len(kinds) == 1 and "same" in doubling:
            praises.add("All one colour: double!")
        elif len(kinds) == len(line.cards) and "different" in doubling:
            praises.add("All colours different: double!")
        else:
            praises.add("")
    assert len(praises) == 1
    return praises.pop()


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("seed", FEW_SEEDS)
def test_points_and_praise_are_true(name: str, seed: int) -> None:
    game = new_game(name=name, seed=seed)
    outcome = services.look(game.pk, DORA)
    while outcome.view.may_act:
        before = outcome.view.scores[0]
        action = beginner.choose(outcome.view, seed + outcome.game.version)
        outcome = act(game, Do(action))
        own = board(outcome).speech.own_play
        assert (own is not None) == isinstance(action, Play)
        if own is None or outcome.view.to_act is None:
            continue
        assert own.points == outcome.view.scores[0] - before
        double = praise_of(outcome, own.numbers) if own.points else ""
        length = len(own.numbers)
        if isinstance(action, Play) and action.swaps and not double:
            assert own.praise == "A clever swap!"
        elif double or length < 5:
            assert own.praise in (double, "" if double else "A row across!")
        else:
            assert own.praise.startswith(f"A row of {length}!")
        assert f"{own.praise} {own.earned}".strip() in board(outcome).speech.live
        is_later = outcome.view.ruleset.rows_earn and before > outcome.view.ruleset.start
        assert not own.shows_points or (is_later and own.points)
        if outcome.view.ruleset.rows_earn:
            assert bool(own.earned) == bool(own.points)
            assert own.earned.startswith(f"+{own.points} for ") or not own.points
        else:
            assert own.earned.endswith(f" laid: {len(outcome.view.hand)} left.")


def test_a_page_opened_again_does_not_repeat_praise() -> None:
    game = new_game()
    play_on(game, lambda view: bool(view.table.lines))
    assert board(services.look(game.pk, DORA)).speech.own_play is None


def test_the_hand_is_dealt_once_a_round() -> None:
    game = new_game(rounds=2)
    assert board(services.look(game.pk, DORA)).hand.is_dealt
    play_on(game, lambda view: view.phase == "draw")
    assert not board(act(game, Do(DrawClosed()))).hand.is_dealt
    assert not board(play_out(game)).hand.is_dealt
    assert Game.objects.get(pk=game.pk).phase == "round over"
    assert board(act(game, NextRound())).hand.is_dealt


SEEDS = range(1, times(3, 100))
MORE_ROWS: Any = {"market": 3, "refill": True, "piles": 2}


def discard(game: Game) -> Outcome:
    """Let Dora discard. The others then act."""
    play_on(game, lambda view: view.phase == "draw")
    hand = act(game, Do(DrawClosed())).view.hand
    return act(game, Do(Discard(hand[0])))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_figures_of_each_entry_are_those_of_a_replay(seed: int) -> None:
    game = new_game(bots=3, seed=seed)
    outcome = discard(game)
    setting = setting_of(game, len(outcome.seats))
    states = [after.state for *_, after in snapshots(setting, entries_of(game))]
    assert len(outcome.public_counts) == len(outcome.entries)
    for entry, figures in zip(outcome.entries, outcome.public_counts, strict=True):
        assert figures == PublicCounts.of(states[entry.number - 1])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_steps_end_with_the_figures_on_the_page(seed: int) -> None:
    game_board = board(discard(new_game(bots=3, seed=seed)))
    assert len(game_board.step_counts) == game_board.steps + 1
    last = game_board.step_counts[-1]
    assert last.players == tuple((player.score, player.count) for player in game_board.players)
    assert last.left == game_board.piles.cards_to_come


@pytest.mark.parametrize("seed", SEEDS)
def test_a_step_changes_only_the_figures_of_the_seats_that_acted(seed: int) -> None:
    game_board = board(discard(new_game(bots=1, seed=seed)))
    own = {step.players[0] for step in game_board.step_counts}
    assert len(own) == 1


def test_the_open_card_comes_with_the_step_that_discarded_it() -> None:
    game_board = board(discard(new_game(bots=2)))
    says = {line.number: line.text for player in game_board.players for line in player.steps}
    assert says[game_board.piles.open_card.step] == "No row for me."
    assert f"I put down the {game_board.piles.open_card.face.number}." in game_board.speech.live


def test_a_classmate_without_a_row_says_only_what_they_discarded() -> None:
    game = new_table(DORA, EMIL)
    first = at_turn(game)
    second = EMIL if first == DORA else DORA
    card = act(game, Do(DrawClosed()), first).view.hand[0]
    act(game, Do(Discard(card)), first)
    (line,) = board(services.look(game.pk, second)).players[1].steps
    assert line.text in ("I put down the joker.", f"I put down the {card}.")
    assert not line.shrugs


def test_a_waiting_child_sees_where_a_card_fits_until_the_round_is_over() -> None:
    game = new_table(DORA, EMIL, tables=None)
    play_table(game, lambda view: not view.may_act and bool(open_ends(view.position)))
    rows = board(services.look(game.pk, DORA)).felt.rows
    assert [row for row in rows if row.ends]
    play_table(game, lambda view: view.phase in OVER_PHASES)
    rows = board(services.look(game.pk, DORA)).felt.rows
    assert not [row for row in rows if row.ends]


def test_a_first_waiting_player_reads_that_they_may_choose_cards_meanwhile() -> None:
    game, sentence = new_table(DORA, EMIL), "You can choose cards already."
    play_table(game, lambda view: not view.may_act)
    assert sentence in board(services.look(game.pk, DORA)).speech.to_do
    play_table(game, lambda view: view.may_act)
    assert sentence not in board(services.look(game.pk, DORA)).speech.to_do
    play_table(game, lambda view: not view.may_act and view.turns[view.seat] > 1)
    assert sentence not in board(services.look(game.pk, DORA)).speech.to_do


@pytest.mark.parametrize("seed", SEEDS)
def test_another_player_says_one_line_for_each_row(seed: int) -> None:
    outcome = discard(new_game(bots=3, seed=seed, **MORE_ROWS))
    game_board = board(outcome)
    for player in game_board.players[1:]:
        entries = [entry for entry in outcome.entries if entry.seat == player.seat]
        rows = sum("laid" in entry.data for entry in entries)
        assert len(player.steps) == max(rows, 1)
        shown_rows = [words.row_text(e.data["numbers"]) for e in entries if "laid" in e.data]
        assert [line.row for line in player.steps] == (shown_rows or [""])
        assert not any("times table" in line.text for line in player.steps)
        took = [entry for entry in entries if entry.text.startswith(("take ", "draw open"))]
        assert [line.shrugs for line in player.steps] == ([False] * rows or [not took])
        if took and not rows:
            assert player.steps[0].text.startswith("I took the ")


def test_a_bot_speaks_in_character() -> None:
    thanked = 0
    for seed in range(1, times(4, 200)):
        game = new_game(bots=1, seed=seed, **MORE_ROWS)
        while Game.objects.get(pk=game.pk).phase not in OVER_PHASES:
            outcome = discard(game)
            own = [entry.text for entry in outcome.entries if entry.seat == 0]
            card = own[-1].split()[1]
            takes = ("draw open", f"take {card}")
            took = any(entry.seat == 1 and entry.text in takes for entry in outcome.entries)
            for at, line in enumerate(board(outcome).players[1].steps):
                thanks = line.text.startswith("Thank you for the")
                took_only = line.text.startswith("I took the ")
                sounds = line.text.startswith("Hoo-hoo!")
                assert sounds <= (at == 0)
                assert at or thanks or line.shrugs or took_only or sounds
                assert not thanks or (took and f"for the {card}!" in line.text)
                thanked += thanks
    assert thanked


def test_a_card_comes_to_the_market_in_its_step() -> None:
    seats = set()
    for seed in range(1, 30):
        outcome = discard(new_game(bots=2, seed=seed, **MORE_ROWS))
        steps = {card.face.card: card.step for card in board(outcome).piles.market}
        up = [entry.data["turned up"] for entry in outcome.entries if "turned up" in entry.data]
        came = {card for cards in up for card in cards} & steps.keys()
        others = {entry.seat for entry in outcome.entries if entry.text.startswith("take ")}
        assert all(steps[card] for card in came)
        assert not any(steps[card] for card in steps.keys() - came)
        seats |= others
    assert seats == {1, 2}


def test_a_taken_card_leaves_the_market_in_its_step() -> None:
    cards = set()
    for seed in range(1, times(30, 300)):
        outcome = discard(new_game(bots=2, seed=seed, **MORE_ROWS))
        game_board, before, came = board(outcome), set[str](), set[str]()
        for entry in outcome.entries:
            if entry.text.startswith("take "):
                before |= {entry.text.removeprefix("take ")} - came
            came |= set(entry.data.get("turned up", ()))
        taken_cards = {
            card.taken_card.face.card: card.taken_card
            for card in game_board.piles.market
            if card.taken_card
        }
        steps = {
            line.number: at for at, player in enumerate(game_board.players) for line in player.steps
        }
        assert set(taken_cards) <= before
        assert all(
            steps[taken_card.step] == taken_card.by_seat for taken_card in taken_cards.values()
        )
        assert len(taken_cards) == len(before) or game_board.piles.cards_to_come == 0
        cards |= {taken_card.by_seat for taken_card in taken_cards.values()}
    assert cards == {1, 2}
    assert not any(
        card.taken_card for card in board(services.look(outcome.game.pk, DORA)).piles.market
    )


def test_a_refilled_hand_is_announced() -> None:
    count = 0
    for seed in range(1, times(6, 60)):
        game = new_game(bots=1, seed=seed, tables=[3, 4, 6], least_fitting=6, **MORE_ROWS)
        before = play_on(game, lambda view: view.phase == "play" and view.play_count > 0)
        hand, key = before.view.hand, uuid4()
        move, version = Do(Discard(hand[0])), before.game.version
        outcome = services.act(game.pk, DORA, version=version, key=key, move=move)
        new = set(outcome.view.hand) - set(hand)
        assert set(outcome.result.cards_refilled) == new
        cards = {*hand[1:]} - {*outcome.view.hand}
        assert set(outcome.result.cards_exchanged) == cards
        assert (
            services.act(game.pk, DORA, version=version, key=key, move=move).result.cards_refilled
            == outcome.result.cards_refilled
        )
        if outcome.view.phase not in OVER_PHASES:
            game_board = board(outcome)
            assert {card.face.card for card in game_board.hand.cards if card.is_new} == {
                *map(card_text, new)
            }
            assert ("hand fills up" in game_board.speech.live) == bool(new)
            assert ("no row" in game_board.speech.to_do) == bool(cards)
            count += bool(new)
    assert count
    assert not discard(new_game(bots=1)).result.cards_refilled


@pytest.mark.parametrize("seed", SEEDS)
def test_each_step_has_the_cards_of_the_pile_and_who_acted(seed: int) -> None:
    outcome = discard(new_game(bots=3, seed=seed))
    game_board = board(outcome)
    says = {
        line.number: at for at, player in enumerate(game_board.players) for line in player.steps
    }
    steps = [(step.left, step.acts) for step in game_board.step_counts]
    assert [actor for _, actor in steps[1:]] == [says[step] for step in sorted(says)]
    assert steps[0][1] == steps[1][1]
    before, *_, last = (closed for closed, _ in steps)
    draws = sum(entry.text == "draw closed" and entry.seat != 0 for entry in outcome.entries)
    assert before - last == draws


def test_a_joker_that_was_moved_is_marked_and_says_its_number() -> None:
    game = new_game(bots=1)
    stage(game, "8 13 33", "2-4-6-c=8")
    play = parse_play("c=10 to 2-4-6-c=8 swap 8 for c", game.ruleset)
    game_board = board(act(game, Do(play)))
    assert game_board.speech.own_play.joker == "The 8 is where the joker was. The joker is 10 now."
    assert [card.face.card for card in game_board.felt.cards if card.lights_at_step] == ["c"]


def test_each_row_that_a_tap_can_mean_shows_its_points() -> None:
    game = new_game(bots=1)
    stage(game, "26 a 13", "14-16-18-20-22", "35-40-45")
    outcome = act(game, Lay((26, parse_card("a", game.ruleset))))
    choices = board(outcome).choices
    assert len(choices) > 1
    for choice in choices:
        play = parse_play(choice.play, game.ruleset)
        assert choice.earned == make_play(outcome.view.position, play).points > 0


def test_a_row_is_celebrated_once_when_it_is_very_long() -> None:
    game = new_game(bots=1)
    stage(game, "14 16 18 33 35", "2-4-6-8-10-12")
    parties = []
    for text in (
        "14 to 2-4-6-8-10-12",
        "16 to 2-4-6-8-10-12-14",
        "18 to 2-4-6-8-10-12-14-16",
    ):
        parties.append(board(act(game, Do(parse_play(text, game.ruleset)))).is_party)
    assert parties == [False, True, False]
