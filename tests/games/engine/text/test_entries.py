"""Each entry of a log reads as it was written."""

from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import Card, LaidCard, deck, is_joker
from games.engine.errors import CODES, Code
from games.engine.play_application import form
from games.engine.table import Play
from games.engine.text.entries import (
    LogEntry,
    act_entry,
    deal_entry,
    hint_entry,
    parse_hint,
    parse_refused,
    refused_entry,
)
from games.engine.text.notation import parse_action
from tests.games.engine.test_properties import SEEDS, tries
from tests.games.positions import CLASSIC, SIMPLIFIED
from tests.games.rounds import random_match

CARDS = st.sampled_from(deck(CLASSIC.highest))
NUMBERS = st.integers(1, CLASSIC.highest)
TAPPED = st.builds(
    lambda card, number: LaidCard(card, number if is_joker(card) else card), CARDS, NUMBERS
)


def test_entries_have_the_text_of_what_was_done() -> None:
    play = parse_action("3 2 1", SIMPLIFIED)
    assert act_entry(1, play) == LogEntry("act", 1, "1 2 3")
    assert deal_entry([1, 104]) == LogEntry("deal", None, "1 d")


def test_a_refused_play_has_its_code_and_all_its_cards() -> None:
    refused = refused_entry(0, "not-a-sequence", [10, 20, 101], [LaidCard(1, 1), LaidCard(102, 2)])
    assert refused.text == "not-a-sequence 10 20 a 1 b=2"
    assert parse_refused(refused.text).row == "10 20 a 1 b=2"


@tries(8, 500)
@given(SEEDS, st.integers(1, 4))
def test_a_hint_reads_as_it_was_written(seed: int, step: int) -> None:
    for state, _, action in random_match(seed).moments:
        if isinstance(action, Play):
            read = parse_hint(hint_entry(0, step, action).text, state.ruleset)
            assert read.play is not None
            found = form(state.position(state.turn), read.play).play
            assert (read.step, str(found)) == (step, str(action))


@tries(100, 5000)
@given(st.sampled_from(CODES), st.lists(CARDS), st.lists(TAPPED))
def test_a_refused_play_reads_as_it_was_written(
    code: Code, cards: list[Card], tapped: list[LaidCard]
) -> None:
    entry = refused_entry(0, code, cards, tapped)
    read = parse_refused(entry.text)
    hand, table = read.cards[: len(cards)], read.cards[len(cards) :]
    assert (read.code, [laid.card for laid in hand], list(table)) == (code, cards, tapped)
    assert all(laid.number == (0 if is_joker(laid.card) else laid.card) for laid in hand)
    assert " ".join(filter(None, (read.code, read.row))) == entry.text
