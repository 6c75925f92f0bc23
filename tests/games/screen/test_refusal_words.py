"""Every refusal has words, whatever was tapped, in every edition and language."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any, Final
from uuid import uuid4

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.translation import override

from classrooms.models import Child
from games.coach.refusals import Refusal, explain_refusal
from games.engine.actions import (
    Action,
    Claim,
    Deal,
    Discard,
    DrawClosed,
    DrawOpen,
    End,
    Knock,
    Pass,
)
from games.engine.cards import card_text, cards_in, deck
from games.engine.errors import ActionRefused
from games.engine.match import apply
from games.engine.round import State
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.table import Play
from games.models import Game
from games.play import services
from games.play.moves import Lay
from games.play.services import Outcome
from games.screen import refusal_words
from games.screen.board import board
from tests.classrooms.people import client_of_child, text_on
from tests.counts import times
from tests.games.engine.random_positions import wrong_plays
from tests.games.players import DORA, act, new_game
from tests.games.positions import position
from tests.games.rounds import random_match, random_ruleset
from tests.games.staged import stage

LANGUAGES = [code for code, _ in settings.LANGUAGES]
WRONG_PLAYS = times(60, 6_000)
MATCHES = times(1, 10)
BY_TAPS = times(12, 1_200)


def a_ruleset(seed: int, name: str) -> Ruleset:
    """A random ruleset of this edition. Every second one has chosen tables, with which a single
    number and jokers can make no row."""
    if seed % 2:
        return edition(name, tables=Random(seed).sample(range(2, 13), 2))
    return random_ruleset(Random(seed), name)


def words_by_language(refusal: Refusal, ruleset: Ruleset) -> dict[str, str]:
    words = {}
    for language in LANGUAGES:
        with override(language):
            words[language] = refusal_words.refusal_text(refusal, ruleset)
    return words


def check_words(text: str) -> None:
    """Check that the sentence is not empty and has no placeholder left."""
    assert re.fullmatch(r"\S.*[.!]", text), text
    assert not re.search(r"%|\{|\}|None|__", text), text


@pytest.mark.parametrize("name", EDITIONS)
def test_every_wrong_play_has_words_in_all_languages(name: str) -> None:
    wanted, seed, refused_plays = WRONG_PLAYS // len(EDITIONS), 0, 0
    codes, alone = set(), 0
    while refused_plays < wanted:
        seed += 1
        ruleset = a_ruleset(seed, name)
        for tapped in wrong_plays(seed, ruleset):
            refusal = explain_refusal(tapped.at, tapped.cards, tapped.places)
            for text in words_by_language(refusal, ruleset).values():
                check_words(text)
            refused_plays += 1
            codes.add(refusal.code)
            alone += refusal.code == "not-a-sequence" and len(refusal.numbers) < 2
    assert {"not-a-sequence", "too-short"} <= codes
    assert alone, "no play of jokers with one number was tried"


def test_every_reason_has_words_and_every_sentence_a_reason() -> None:
    assert refusal_words.REFUSALS.keys() == refusal_words.REASONS
    for reason in refusal_words.REASONS:
        for language in LANGUAGES:
            with override(language):
                check_words(refusal_words.reason_text(reason))


# One card and two jokers


def test_a_number_that_is_there_twice_is_named() -> None:
    at = position("20 30 50", "5-10-15", "8-a=10-12")
    refusal = explain_refusal(at, (20, 30), (at.table.laid_cards[10], at.table.laid_cards[101]))
    words = refusal_words.refusal_text(refusal, at.ruleset)
    assert words == "10 is in your row twice. Use each number only once."


def test_a_refused_joker_has_the_words_of_its_code() -> None:
    """Jumps that a joker would make equal are not called unequal."""
    at = position("25 35 a", "10-20-30", "20-21-22")
    assert (
        explain_refusal(at, (101,), (at.table.laid_cards[20], at.table.laid_cards[30])).code
        == "already-crossed"
    )
    assert (
        explain_refusal(at, (101,), (at.table.laid_cards[10], at.table.laid_cards[30])).code
        == "same-island"
    )


def check_watched(outcome: Outcome) -> None:
    """Check that a teacher who watches reads, from the log, the words on the player's screen about
    a refused play."""
    if outcome.result.refusal is None:
        return
    watched = services.watch(outcome.game.pk, DORA)
    notice, ruleset = board(outcome).speech.notice, watched.outcome.view.ruleset
    assert notice == board(watched.outcome).speech.notice
    assert notice.text == refusal_words.refusal_text(watched.tries[-1].refusal, ruleset)


# Taps


@pytest.mark.parametrize(
    ("hand", "posted", "words"),
    [
        (
            "27 15 41 b 45 46 c",
            {"move": "lay", "card": ["27", "b", "c"]},
            "27 is not in the 2, 5 or 10 times table.",
        ),
        # `play` is the child's choice among the possible rows; this row is not one of them.
        ("10 20 31 40", {"play": "10 20 31"}, "That is not a row in this game."),
    ],
)
def test_a_refused_tap_is_answered_with_words(
    dora: Child, hand: str, posted: dict[str, Any], words: str
) -> None:
    game = new_game(dora.player)
    stage(game, hand)
    seen = Game.objects.get(pk=game.pk).version
    answer = client_of_child(dora).post(
        reverse("games:act", args=[game.pk]), {"seen": seen, "key": uuid4(), **posted}, follow=True
    )
    assert answer.status_code == 200
    assert words in text_on(answer)


@pytest.mark.django_db
@pytest.mark.parametrize("name", EDITIONS)
def test_every_wrong_tap_is_answered_with_words(name: str) -> None:
    game, seed, count = new_game(name=name, tables=None), 0, 0
    while count < BY_TAPS // len(EDITIONS):
        seed += 1
        for tapped in wrong_plays(seed, game.ruleset):
            lines = [str(line) for line in tapped.at.table.lines]
            stage(game, " ".join(map(card_text, cards_in(tapped.at.hand))), *lines)
            with override(LANGUAGES[count % len(LANGUAGES)]):
                outcome = act(game, Lay(tapped.cards, tapped.places))
                game_board = board(outcome)
                check_watched(outcome)
            if game_board.speech.notice is None or game_board.speech.notice.kind != "refusal":
                continue  # In the staged game the player has opened, so this play is legal.
            check_words(game_board.speech.notice.text)
            assert game_board.speech.notice.text in game_board.speech.live
            count += 1


DUE: Final[dict[str, tuple[type, ...]]] = {
    "draw": (DrawOpen, DrawClosed),
    "offer": (Claim, Pass),
    "redraw": (DrawOpen, DrawClosed),
    "play": (Play, Discard, End),
    "knock": (Knock, Pass),
    "round over": (Deal,),
    "match over": (),
}
"""The actions that are possible in each phase (5, 6.5, 7.2 to 7.4). A player may try to draw from
the closed pile even if nothing is there (5.4)."""
PLAIN_ACTIONS: Final = (DrawOpen(), DrawClosed(), Claim(), Pass(), Knock(), End())


def wrong_actions(name: str) -> Iterator[tuple[State, Action, str]]:
    """Illegal actions other than plays, at moments of random matches."""
    for seed in range(MATCHES):
        random = Random(seed)
        for state in random_match(seed, EDITIONS[name]).states:
            card = random.choice(deck(state.ruleset.highest))
            cards = Deal(deck(state.ruleset.highest))
            for action in (*PLAIN_ACTIONS, Discard(card), cards):
                try:
                    apply(state, action)
                except ActionRefused as refused:
                    yield state, action, refusal_words.reason_text(refused.code)


@pytest.mark.parametrize("name", EDITIONS)
def test_the_words_for_other_illegal_actions_are_true(name: str) -> None:
    claims: set[str] = set()
    for state, action, text in wrong_actions(name):
        due = DUE[state.phase]
        hand = state.hands[state.turn]
        true = {
            "You cannot do that now. See what you can do next.": not isinstance(action, due),
            "That pile is empty. Take from the other one.": (
                isinstance(action, DrawOpen) and not state.open_pile
            ),
            "That is not in your hand any more.": (
                isinstance(action, Discard) and action.card not in cards_in(hand)
            ),
            "Put one down to end your turn.": (
                isinstance(action, End) and hand != 0 and state.ruleset.ending != "free"
            ),
        }
        assert true[text], (text, action, state)
        claims.add(text)
    assert "You cannot do that now. See what you can do next." in claims
    assert "That is not in your hand any more." in claims
