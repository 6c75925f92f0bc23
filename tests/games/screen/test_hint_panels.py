"""Hints and missed rows, from the move to the drawn panel."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from games.coach.rows import missed_row_of, plain_plays
from games.coach.times_tables import Fact
from games.engine.actions import Discard, DrawClosed
from games.engine.cards import card_text, mask_of
from games.engine.play_application import Position
from games.engine.ruleset import edition
from games.engine.table import Table
from games.models import Entry, Game
from games.play import hooks, services, starting
from games.play.hooks import Host
from games.play.moves import AskHint, Choose, Do, Lay
from games.play.services import Outcome
from games.play.starting import NewSeat
from games.screen.board import board
from games.screen.hint_words import missed_panel
from tests.games.players import DORA, act, before_a_play, card_of_a_row, new_game, plays_of
from tests.games.staged import stage

pytestmark = pytest.mark.django_db


class HostWithFacts(Host):
    """A host that knows one secure fact of everybody, and counts how often it was asked."""

    def __init__(self, *facts: Fact) -> None:
        self.facts = facts
        self.asked = 0

    def secure_facts(self, player: object) -> tuple[Fact, ...]:
        self.asked += 1
        return self.facts


def hints(game: Game, count: int) -> Outcome:
    for _ in range(count):
        game.hint_steps = 6
        Game.objects.filter(pk=game.pk).update(hint_steps=6)
        outcome = act(game, AskHint())
    return outcome


@pytest.fixture
def game() -> Game:
    new = new_game()
    before_a_play(new)
    return new


def test_six_hints_say_more_and_more_until_the_row_is_shown(game: Game) -> None:
    notices = [board(hints(game, 1)).speech.notice for _ in range(6)]
    texts = [notice.text for notice in notices if notice]
    assert len(set(texts)) == 6
    assert [bool(notice and notice.line) for notice in notices][:4] == [False, False, True, True]
    assert [bool(notice and notice.row_cards) for notice in notices] == [False] * 5 + [True]
    assert "times table" in texts[3]


def test_before_the_row_is_shown_only_one_of_its_numbers_is_drawn(game: Game) -> None:
    line = board(hints(game, 3)).speech.notice.line
    assert sum(point.label != "?" for point in line.points) == 1


def test_only_the_deriving_hint_asks_for_the_players_facts(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = HostWithFacts()
    monkeypatch.setattr(hooks, "_host", host)
    hints(game, 4)
    assert host.asked == 0
    hints(game, 1)
    assert host.asked == 1


def test_the_last_hint_lights_up_all_cards_of_the_row(game: Game) -> None:
    outcome = hints(game, 6)
    lit = {card.face.value for card in board(outcome).hand.cards if card.is_lit}
    assert lit == {card_text(card) for card in outcome.hint.lit_in_hand}


def test_a_hint_lights_up_its_cards_on_the_table() -> None:
    game = new_game(tables=(6, 9))
    stage(game, "12 35 38", "6-c=12-18-24", "27-36-45", open_card="37")
    game_board = board(hints(game, 2))
    assert [card.face.value for card in game_board.hand.cards if card.is_lit] == ["12"]
    assert [card.face.value for card in game_board.felt.cards if card.is_lit] == ["c=12"]
    last = board(hints(game, 4))
    assert {card.face.number for card in last.felt.cards if card.is_lit} == {"12", "27", "36", "45"}


def test_a_hint_is_still_there_when_the_page_is_reloaded(game: Game) -> None:
    notice = board(hints(game, 2)).speech.notice
    again = board(services.look(game.pk, DORA)).speech.notice
    assert again.text == notice.text
    act(game, Choose(str(plays_of(services.look(game.pk, DORA).view)[0])))
    outcome = services.look(game.pk, DORA)
    assert outcome.hint is None


def test_the_next_hint_waits_until_this_one_can_have_been_read(
    game: Game, settings: pytest.FixtureRequest
) -> None:
    settings.HINT_WAIT_SECONDS = 300  # type: ignore[attr-defined]
    hints(game, 1)
    soon = hints(game, 1)
    assert soon.result.is_too_soon
    assert soon.hint_step == 1
    assert "Read this hint once more" in board(soon).speech.notice.text
    assert Entry.objects.filter(game=game, kind="hint").count() == 1
    Entry.objects.filter(game=game, kind="hint").update(at=timezone.now() - timedelta(seconds=301))
    assert hints(game, 1).hint_step == 2


def game_with_missed_rows() -> Game:
    seats = [NewSeat(player=DORA, name="Dora"), NewSeat(bot="beginner", name="Bo", face="owl")]
    ruleset = new_game().ruleset
    return starting.start(ruleset, seats, hint_steps=6, seed=4, shows_missed_rows=True)


def end_turn(game: Game, card: str, hand: str = "10 20 30 11 13", lies: str = "") -> Outcome:
    stage(game, hand, *lies.split(), open_card="37")
    return act(game, Do(Discard(int(card))))


def test_a_turn_shows_the_row_of_a_discarded_card() -> None:
    outcome = end_turn(game_with_missed_rows(), "30")
    missed = board(outcome).speech.missed
    assert missed.text == "You could have laid 10, 20 and 30 (10 times table)."
    assert missed.hand_values == {face.value for face in missed.faces} == {"10", "20", "30"}
    assert missed.text in board(outcome).speech.live


def test_no_row_is_called_missed_in_a_turn_with_a_row() -> None:
    game = game_with_missed_rows()
    stage(game, "10 20 30 2 4 6 11", open_card="37")
    assert not act(game, Lay((2, 4, 6))).result.error
    outcome = act(game, Do(Discard(30)))
    assert not board(outcome).speech.missed
    assert not game.entries.exclude(missed="").exists()


@pytest.mark.parametrize(
    ("card", "row", "text", "numbers"),
    [
        ("40", "10-20-30", "added 40 after 30 (10 times table)", "20 30 40"),
        ("10", "20-30-40", "added 10 before 20 (10 times table)", "10 20 30"),
        ("20", "2-4-6-8-10-12-14-16-18", "added 20 after 18 (2 times table)", "16 18 20"),
    ],
)
def test_a_missed_card_is_shown_with_the_numbers_beside_it(
    card: str, row: str, text: str, numbers: str
) -> None:
    missed = board(end_turn(game_with_missed_rows(), card, f"{card} 11 13", row)).speech.missed
    assert missed.text == f"You could have {text}."
    assert [face.value.partition("=")[0] for face in missed.faces] == numbers.split()
    assert missed.hand_values == {card}


def test_a_missed_row_across_another_says_which_card_lies_on_the_table() -> None:
    """A child who has laid 18-20-22 in an earlier turn would else say that the 20 is gone."""
    outcome = end_turn(game_with_missed_rows(), "30", "10 30 11 13", "18-20-22")
    text = "You could have laid 10 and 30 across 20 (10 times table)."
    assert board(outcome).speech.missed.text == text


def test_a_long_missed_row_is_given_by_its_ends() -> None:
    ruleset = edition("simplified")
    position = Position(ruleset, Table(), mask_of(range(2, 16, 2)), has_opened=True)
    (play,) = [play for play in plain_plays(position) if len(play.hand) == 7]
    text = missed_panel(missed_row_of(position, play), ruleset).text
    assert text == "You could have laid 2 … 14 (2 times table)."


def test_the_same_key_is_answered_with_the_same_missed_row() -> None:
    game = game_with_missed_rows()
    while (card := card_of_a_row(game)) is None:
        view = services.look(game.pk, DORA).view
        act(game, Do(Discard(view.hand[0]) if view.phase == "play" else DrawClosed()))
    key, version = uuid4(), services.look(game.pk, DORA).game.version
    move = Do(Discard(card))
    first = services.act(game.pk, DORA, version=version, key=key, move=move)
    again = services.act(game.pk, DORA, version=version, key=key, move=move)
    assert first.result.missed_row is not None
    assert again.result.missed_row == first.result.missed_row


def test_a_hint_before_the_draw_lights_the_pile_to_take_from() -> None:
    words = {"draw-open": "Take the ", "draw-closed": "from the pile"}
    missing = {*words}
    for seed in range(60):
        game_board = board(act(new_game(seed=seed), AskHint()))
        assert words[game_board.piles.lit_pile] in game_board.speech.notice.text
        missing.discard(game_board.piles.lit_pile)
        if not missing:
            return
    pytest.fail(f"never {missing}")
