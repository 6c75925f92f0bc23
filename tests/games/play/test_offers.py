"""Nobody is offered the card that they have just discarded: the game passes for them."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import pytest

from classrooms.progress import evidence
from games.bots import beginner
from games.engine.actions import Discard, Knock, Pass
from games.engine.round import OVER_PHASES
from games.engine.ruleset import edition
from games.engine.text.notation import parse_action
from games.engine.text.record import EntryKind, Transition
from games.models import UNASKED, Entry, Game
from games.play import log, services, starting
from games.play.moves import Do
from games.play.services import Outcome
from games.play.starting import NewSeat
from games.screen.board import board
from games.screen.replay import moments_of_turn
from tests.classrooms.questions.rounds import round_played
from tests.counts import times
from tests.factories import AssignmentFactory, ChildFactory
from tests.games.players import DORA, EMIL, act, ends_of_turns, new_game, play_on

pytestmark = pytest.mark.django_db

EDITIONS: Final = ("simplified", "simplified-2010", "classic")
SEEDS: Final = range(1, times(3, 60))


def play_outcomes(game: Game, seed: int, most: int = 40) -> list[Outcome]:
    """The boards that Dora sees while she plays like a beginner."""
    outcomes = [services.look(game.pk, DORA)]
    while len(outcomes) < most and outcomes[-1].view.phase not in OVER_PHASES:
        last = outcomes[-1]
        assert last.view.may_act
        outcomes.append(act(game, Do(beginner.choose(last.view, seed + last.game.version))))
    return outcomes


def steps_of(game: Game, seats: int) -> list[tuple[Entry, Transition]]:
    setting = log.setting_of(game, seats)
    steps = [step for step, *_ in log.snapshots(setting, log.entries_of(game))]
    return list(zip(game.entries.order_by("number"), steps, strict=True))


def discarders(steps: Sequence[tuple[Entry, Transition]], game: Game) -> list[int | None]:
    """For each step, the seat that had discarded the card then open, from the log alone."""
    pile: list[int | None] = [None]
    seats: list[int | None] = []
    for action, step in steps:
        seats.append(pile[-1] if pile else None)
        if action.kind == EntryKind.DEAL:
            pile = [None]
        elif action.kind == EntryKind.ACT:
            if isinstance(parse_action(action.text, game.ruleset), Discard):
                pile.append(action.seat)
            if len(step.after.open_pile) < len(step.before.open_pile):
                pile.pop()
        del pile[: max(0, len(pile) - len(step.after.open_pile))]
    return seats


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_player_is_not_offered_their_own_discard(name: str, seats: int) -> None:
    entry = offers = 0
    for seed in SEEDS:
        game = new_game(name=name, tables=None, bots=seats - 1, seed=seed, offers=True)
        for outcome in play_outcomes(game, seed):
            offers += outcome.view.phase == "offer" and outcome.view.may_act
        steps = steps_of(game, seats)
        for (action, step), discarder in zip(steps, discarders(steps, game), strict=True):
            if step.before is None or step.before.phase != "offer":
                assert not action.is_unasked
                continue
            assert action.is_unasked == (step.before.to_act == discarder)
            entry += action.is_unasked
            if action.is_unasked:
                assert parse_action(action.text, game.ruleset) == Pass()
    assert entry
    assert offers or seats == 2


def test_two_seats_are_asked_about_dealt_cards_only() -> None:
    for seed in SEEDS:
        game = new_game(seed=seed, offers=True)
        for outcome in play_outcomes(game, seed):
            assert outcome.view.phase != "offer" or not any(outcome.view.turns)


def test_a_child_is_not_offered_the_card_that_they_discarded() -> None:
    seats = [NewSeat(player=DORA, name="Dora"), NewSeat(player=EMIL, name="Emil")]
    game = starting.start(edition("simplified", rounds=1), seats, hint_steps=0, seed=2)
    first, second = (DORA, EMIL) if services.look(game.pk, DORA).view.may_act else (EMIL, DORA)
    act_until_done(game, first, "draw open", "discard")
    outcome = act_until_done(game, second, "draw closed")
    assert outcome.view.phase == "play"
    assert outcome.view.may_act


def act_until_done(game: Game, player: UUID, *wanted: str) -> Outcome:
    for text in wanted:
        hand = services.look(game.pk, player).view.hand
        whole = f"{text} {hand[0]}" if text == "discard" else text
        outcome = act(game, Do(parse_action(whole, game.ruleset)), player)
        assert outcome.result.error is None
    return outcome


def make_automatic_pass(seats: int = 2) -> tuple[Game, Entry]:
    """A game against Ollie in which the game has passed for Dora."""
    for seed in range(1, 200):
        game = new_game(bots=seats - 1, seed=seed, offers=True)
        play_outcomes(game, seed, most=4)
        entry = game.entries.filter(seat=0, data=UNASKED).first()
        if entry is not None:
            return game, entry
    raise AssertionError("the bots take every open card")


def test_a_stored_offer_of_an_older_release_can_be_answered() -> None:
    """Logs and snapshots of older releases have an offer of an own discard, and its answer."""
    game, entry = make_automatic_pass()
    game.entries.filter(number__gte=entry.number).delete()
    snapshot = log.replay_snapshot(log.setting_of(game, 2), log.entries_of(game))
    Game.objects.filter(pk=game.pk).update(
        version=entry.number - 1, phase="offer", snapshot=log.snapshot_data(snapshot)
    )
    assert services.look(game.pk, DORA).view.may_act
    outcome = act(game, Do(parse_action("claim", game.ruleset)))
    assert outcome.result.error is None
    assert str(snapshot.state.open_pile[-1]) in map(str, outcome.view.hand)
    fresh_game = Game.objects.get(pk=game.pk)
    assert log.replay_snapshot(
        log.setting_of(fresh_game, 2), log.entries_of(fresh_game)
    ) == log.snapshot_of(fresh_game, 2)


def sentences_of(outcome: Outcome) -> list[list[str]]:
    return [[sentence.text for sentence in player.steps] for player in board(outcome).players]


def test_an_automatic_pass_hides_no_action_of_the_others() -> None:
    """A page that is opened again has the same sentences as the answer to the last move."""
    compared = 0
    for seed in SEEDS:
        game = new_game(bots=2, seed=seed, offers=True)
        outcome = services.look(game.pk, DORA)
        for _ in range(6):
            if outcome.view.phase in OVER_PHASES:
                break
            action = beginner.choose(outcome.view, seed + outcome.game.version)
            outcome = act(game, Do(action))
            if not any(entry.is_unasked for entry in outcome.entries):
                continue
            again = services.look(game.pk, DORA)
            if outcome.view.phase == "draw":
                assert sentences_of(again) == sentences_of(outcome)
                compared += 1
    assert compared


def test_the_steps_begin_with_the_figures_before_the_others_acted() -> None:
    for seed in SEEDS:
        game = new_game(seed=seed, offers=True)
        for outcome in play_outcomes(game, seed, most=6)[1:]:
            game_board = board(outcome)
            if not game_board.step_counts:
                continue
            before, *_, last = game_board.step_counts
            assert before.players[0] == last.players[0]
            assert len(game_board.step_counts) == game_board.steps + 1


def test_a_replay_does_not_show_an_automatic_pass() -> None:
    game, entry = make_automatic_pass()
    end = next(number for number in ends_of_turns(game.pk, 1) if number > entry.number)
    moments = moments_of_turn(game, end)
    assert [moment.entry.number for moment in moments].count(entry.number) == 0
    assert moments[0].entry.number < entry.number < moments[-1].entry.number


def test_progress_does_not_count_an_automatic_pass() -> None:
    """Progress counts the child's turns, rows, hints and refused rows. A pass has none of these."""
    dora = ChildFactory.create(name="Dora")
    assignment = AssignmentFactory.create(
        school_class=dora.school_class, options={"offers": True}, hint_steps=0
    )
    attempt = round_played(dora, assignment)
    passes = set(attempt.game.entries.filter(data=UNASKED).values_list("number", flat=True))
    (reading,) = evidence.read_games([attempt.game_id], from_start=True)
    assert passes
    assert not passes & {entry for chance in reading.chances for entry in chance.entries}
    turns = sum(played.turns_ended for played in reading.played.values())
    assert turns == len(ends_of_turns(attempt.game_id, 0))
    assert not any(
        figures.hints_asked or figures.tries_refused for figures in reading.played.values()
    )


def game_at_knock(name: str = "blocks", bots: int = 2) -> tuple[Game, Outcome]:
    """A game in which a bot has discarded a block that Dora may claim."""
    game = new_game(name=name, bots=bots)
    return game, play_on(game, lambda view: view.phase == "knock" and view.may_act)


def test_the_bots_wait_until_the_child_has_answered() -> None:
    _, outcome = game_at_knock()
    view = outcome.view
    assert not any(view.passed)
    game_board = board(outcome)
    assert game_board.is_my_turn
    assert game_board.piles.is_offered
    assert [button.move for button in game_board.answers] == ["pass", "knock"]


def test_the_child_is_asked_before_the_bot_whose_turn_is_next() -> None:
    game = new_game(name="blocks", bots=2)
    outcome = play_on(
        game, lambda view: view.phase == "knock" and view.may_act and view.to_act == 2
    )
    assert outcome.view.turn == 1


def test_knocking_takes_the_block_and_one_more() -> None:
    game, before = game_at_knock()
    offered, count = before.view.open_top, before.view.hand_sizes[0]
    outcome = act(game, Do(Knock()))
    assert offered in outcome.view.hand
    assert outcome.view.hand_sizes[0] >= count + 2
    knock = game.entries.get(text="knock 0")
    assert knock.data == {"card": str(offered)}


def test_passing_leaves_the_block_to_the_bots() -> None:
    game, before = game_at_knock()
    outcome = act(game, Do(Pass()))
    assert game.entries.filter(text="pass 0", seat=0).exists()
    assert before.view.open_top not in outcome.view.hand


def test_nobody_can_answer_for_another_seat() -> None:
    game, before = game_at_knock()
    count = before.view.hand_sizes[0]
    outcome = act(game, Do(Knock(1)))
    assert game.entries.filter(text="knock 0").exists()
    assert outcome.view.hand_sizes[0] >= count + 2


def test_the_discarder_cannot_take_the_card_back() -> None:
    game = new_game(name="blocks", bots=1)
    outcome = play_on(game, lambda view: view.phase == "play")
    outcome = act(game, Do(Discard(outcome.view.hand[0])))
    assert outcome.view.phase != "knock" or outcome.view.turn != 0


def test_two_children_choose_in_any_order() -> None:
    seats = [
        NewSeat(player=DORA, name="Dora"),
        NewSeat(player=EMIL, name="Emil"),
        NewSeat(bot="beginner", name="Bot", face="owl"),
    ]
    ruleset = edition("blocks", rounds=1)
    games = (starting.start(ruleset, seats, hint_steps=0, seed=seed) for seed in range(50))
    game = next(game for game in games if services.look(game.pk, DORA).view.turn == 2)
    assert services.look(game.pk, DORA).view.may_act
    assert services.look(game.pk, EMIL).view.may_act
    outcome = act(game, Do(Pass()), EMIL)
    assert outcome.view.passed == (False, True, False)
    assert services.look(game.pk, DORA).view.may_act
    assert not outcome.view.may_act


def test_in_simple_blocks_the_child_is_the_youngest() -> None:
    _, outcome = game_at_knock("blocks-simple")
    assert outcome.view.to_act == 0
