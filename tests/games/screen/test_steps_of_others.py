"""What the others did, step by step: after each step the page has the figures of that moment."""

from typing import Any

import pytest

from games.engine.actions import Discard, DrawClosed
from games.engine.round import OVER
from games.models import Game
from games.play import services
from games.play.log import entries_of, setting_of, snapshots
from games.play.moves import Do, Figures
from games.play.services import Outcome
from games.screen.board import board
from tests.counts import times
from tests.games.players import DORA, act, new_game, play_on

pytestmark = pytest.mark.django_db
SEEDS = range(1, times(6, 100))
MORE_ROWS: Any = {"market": 3, "refill": True, "piles": 2}


def put_down(game: Game) -> Outcome:
    """Dora's move after which the others have acted."""
    play_on(game, lambda view: view.phase == "draw")
    hand = act(game, Do(DrawClosed())).view.hand
    return act(game, Do(Discard(hand[0])))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_figures_of_each_entry_are_those_of_a_replay(seed: int) -> None:
    game = new_game(bots=3, seed=seed)
    outcome = put_down(game)
    setting = setting_of(game, len(outcome.seats))
    states = [after.state for *_, after in snapshots(setting, entries_of(game))]
    assert len(outcome.figures) == len(outcome.entries)
    for entry, figures in zip(outcome.entries, outcome.figures, strict=True):
        assert figures == Figures.of(states[entry.number - 1])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_steps_end_with_the_figures_on_the_page(seed: int) -> None:
    shown = board(put_down(new_game(bots=3, seed=seed)))
    steps = shown.figures.split(";")
    assert len(steps) == shown.steps + 1
    last = " ".join(f"{player.score},{player.count}" for player in shown.players)
    assert steps[-1].startswith(f"{last} {shown.piles.closed_count} ")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_step_changes_the_figures_of_none_but_those_who_acted(seed: int) -> None:
    shown = board(put_down(new_game(bots=1, seed=seed)))
    own = {step.split()[0] for step in shown.figures.split(";")}
    assert len(own) == 1


def test_the_open_card_comes_with_the_step_that_put_it_down() -> None:
    shown = board(put_down(new_game(bots=2)))
    says = {said.step: said.text for player in shown.players for said in player.says}
    assert shown.piles.open_card is not None
    assert says[shown.piles.step] == "No row for me."
    assert f"I put down the {shown.piles.open_card.number}." in shown.live


@pytest.mark.parametrize("seed", SEEDS)
def test_another_player_says_one_line_for_each_row_or_for_a_turn_without(seed: int) -> None:
    outcome = put_down(new_game(bots=3, seed=seed, **MORE_ROWS))
    shown = board(outcome)
    for player in shown.players[1:]:
        made = [entry for entry in outcome.entries if entry.seat == player.seat]
        rows = sum("laid" in entry.data for entry in made)
        assert len(player.says) == max(rows, 1)
        assert [said.shrugs for said in player.says] == ([False] * rows or [True])


def test_a_bot_speaks_in_character_and_thanks_for_a_card_that_it_laid() -> None:
    thanked = 0
    for seed in range(1, times(8, 200)):
        game = new_game(bots=1, seed=seed, **MORE_ROWS)
        while Game.objects.get(pk=game.pk).phase not in OVER:
            outcome = put_down(game)
            own = [one.text for one in outcome.entries if one.seat == 0]
            given = own[-1].split()[1]
            takes = ("draw open", f"take {given}")
            took = any(one.seat == 1 and one.text in takes for one in outcome.entries)
            for said in board(outcome).players[1].says:
                thanks = said.text.startswith("Thank you for the")
                assert thanks or said.shrugs or said.text.startswith("Hoo-hoo!")
                assert not thanks or (took and f"for the {given}!" in said.text)
                thanked += thanks
    assert thanked


def test_a_card_comes_to_the_market_in_the_step_in_which_one_was_taken() -> None:
    seen = set()
    for seed in range(1, 30):
        outcome = put_down(new_game(bots=2, seed=seed, **MORE_ROWS))
        steps = {one.face.card: one.step for one in board(outcome).piles.market}
        up = [entry.data["turned up"] for entry in outcome.entries if "turned up" in entry.data]
        came = {card for cards in up for card in cards} & steps.keys()
        others = {entry.seat for entry in outcome.entries if entry.text.startswith("take ")}
        assert all(steps[card] for card in came)
        assert not any(steps[card] for card in steps.keys() - came)
        seen |= others
    assert seen == {1, 2}


def test_a_page_that_is_only_looked_at_has_no_steps() -> None:
    game = new_game(bots=2)
    put_down(game)
    assert board(services.look(game.pk, DORA)).figures == ""


@pytest.mark.parametrize("seed", SEEDS)
def test_each_step_has_the_cards_of_the_pile_and_who_acted(seed: int) -> None:
    outcome = put_down(new_game(bots=3, seed=seed))
    shown = board(outcome)
    says = {said.step: at for at, one in enumerate(shown.players) for said in one.says}
    steps = [tuple(map(int, step.split()[-2:])) for step in shown.figures.split(";")]
    assert [actor for _, actor in steps[1:]] == [says[step] for step in sorted(says)]
    assert steps[0][1] == steps[1][1]
    before, *_, last = (closed for closed, _ in steps)
    drawn = sum(entry.text == "draw closed" and entry.seat != 0 for entry in outcome.entries)
    assert before - last == drawn
