"""A round: turns, jokers, the market, piles, goals, and one goal for the table (rules 5 to 9)."""

import json
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from games.engine.actions import Deal, Discard, DrawClosed, DrawOpen, End, Knock, Pass, Take
from games.engine.cards import cards_in, deck, mask_of, shuffled
from games.engine.errors import RulesetError
from games.engine.match import apply, new_match
from games.engine.round import State
from games.engine.ruleset import EDITIONS, Deck, Ruleset, edition, ruleset_to_data
from games.engine.table import Play
from games.engine.text.notation import action_text, hand_text, parse_cards, parse_play
from games.engine.text.snapshot import state_from_data, state_to_data
from games.engine.view import legal_actions, view
from tests.counts import for_each, times
from tests.games.engine import reference
from tests.games.positions import BLOCKS, action_refusal, after, cards_of, dealt
from tests.games.rounds import choice, random_ruleset, with_unseen_exchanged

OF_2010 = edition("simplified-2010")
NO_OFFERS = edition("simplified", offers=False)
BLOCKS_SIMPLE = edition("blocks-simple")
TWO = ["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"]
THREE = ["1 2 3 10 20", "4 5 6 7 8", "31 33 36 40 46"]
TWO_OF_BLOCKS = ["1 2 3 10 20 30 40 50 60", "4 5 6 7 8 9 70 80 90"]
THREE_OF_BLOCKS = ["1 2 3 10 20 30 40", "4 5 6 7 8 9 70", "51 52 53 61 62 63 64"]


def hand(state: State, seat: int) -> str:
    return cards_of(state.hands[seat])


# Deal


def test_hands_are_dealt_then_the_open_card_then_the_closed_pile() -> None:
    state = dealt(TWO, "11 12 13")
    assert [hand(state, seat) for seat in (0, 1)] == TWO
    assert (state.open_pile, state.closed_pile) == ((11,), (13, 12))
    assert (state.phase, state.to_act, state.scores) == ("draw", 0, (20, 20))


def test_in_blocks_the_rest_is_the_pot_and_the_starter_gets_two() -> None:
    state = dealt(TWO_OF_BLOCKS, "11 12 13", ruleset=BLOCKS)
    assert hand(state, 0) == "1 2 3 10 11 12 20 30 40 50 60"
    assert (state.open_pile, state.closed_pile, state.phase) == ((), (13,), "play")


# Draw


def test_a_declined_card_is_offered_to_the_others_clockwise() -> None:
    state = after(dealt(THREE, "11 12 13", starter=1), "draw closed")
    assert (state.phase, state.to_act, state.turn) == ("offer", 2, 1)
    state = after(state, "pass")
    assert (state.phase, state.to_act) == ("offer", 0)


def test_after_a_claim_there_is_no_new_offer() -> None:
    state = dealt(THREE, "11 12 13 14 15 16")
    state = after(state, "draw open", "discard 10", "draw open", "discard 4")
    state = after(state, "draw closed", "claim", "draw closed")
    assert (state.phase, state.to_act) == ("play", 2)


def test_offers_can_be_switched_off() -> None:
    state = after(dealt(TWO, "11 12 13", ruleset=NO_OFFERS), "draw closed")
    assert (state.phase, hand(state, 0)) == ("play", "1 2 3 10 12 20 30 40")


def test_an_empty_open_pile_is_not_offered_or_drawn_from() -> None:
    state = after(dealt(TWO, "11 12 13", ruleset=OF_2010), "draw open", "end")
    assert action_refusal(state, "draw open") == "pile-empty"
    assert [action_text(action) for action in legal_actions(state)] == ["draw closed"]
    assert after(state, "draw closed").phase == "play"


def test_only_the_seat_asked_may_answer() -> None:
    state = after(dealt(THREE, "11 12 13"), "draw closed")
    assert action_refusal(state, "claim 2") == "wrong-phase"
    assert after(state, "pass 1").to_act == 2


# Rules 5.4.


def drained() -> State:
    """Seat 1 has to draw. The closed pile is empty; 1 and 12 lie open."""
    state = after(dealt(TWO, "11 12", ruleset=NO_OFFERS), "draw closed", "discard 1")
    assert (state.open_pile, state.closed_pile) == ((11, 1), ())
    return state


def test_the_open_pile_except_its_top_is_shuffled_for_the_draw() -> None:
    state = after(drained(), "draw closed")
    assert hand(state, 1) == "4 5 6 7 8 9 11 50"
    assert (state.open_pile, state.closed_pile, state.reshuffles) == ((1,), (), 1)


def test_the_open_pile_is_not_shuffled_before_a_card_has_to_be_drawn() -> None:
    state = after(drained(), "draw open")
    assert (state.open_pile, state.reshuffles) == ((11,), 0)


def test_a_claim_may_get_only_the_open_card() -> None:
    state = after(dealt(TWO, "11"), "draw closed", "claim")
    assert (hand(state, 1), state.phase) == ("4 5 6 7 8 9 11 50", "redraw")
    assert action_refusal(state, "draw open") == "pile-empty"
    assert after(state, "draw closed").phase == "play"


def test_a_claim_shuffles_the_cards_under_the_claimed_one() -> None:
    state = dealt(TWO, "11 12")
    state = after(state, "draw closed", "pass", "discard 1", "draw open", "discard 4")
    state = after(state, "draw open", "discard 2")
    assert state.open_pile == (11, 2)
    state = after(state, "draw closed", "claim")
    assert (hand(state, 0), state.open_pile) == ("2 3 4 10 12 20 30 40", (11,))


def test_old_games_depend_on_how_a_seed_shuffles() -> None:
    """Another order would change old games, so `VERSION` must change with it."""
    ruleset = edition("simplified", offers=False)
    cards = parse_cards([*" ".join(TWO).split(), "11", "12", "13", "14", "15"], ruleset)
    state = new_match(ruleset, 2, cards, 0, seed=7)
    for discarded in ("1", "4", "2", "5"):
        state = after(state, "draw closed", f"discard {discarded}")
    assert (state.open_pile, state.closed_pile) == ((11, 1, 4, 2, 5), ())
    state = after(state, "draw closed")
    card, *rest = shuffled((11, 1, 4, 2), (7 * 1009 + 1) * 1009 + 0 + 1)[::-1]
    assert state.hands[0] >> card & 1
    assert (state.open_pile, state.closed_pile) == ((5,), tuple(rest[::-1]))


def test_a_seed_repeats_its_shuffles_and_each_shuffle_differs() -> None:
    def shuffles(seed: int) -> list[tuple[int, ...]]:
        state = new_match(NO_OFFERS, 2, deck(50)[:24], 0, seed=seed)
        piles = []
        while state.phase != "round over":
            shuffled = state.reshuffles
            state = after(state, "draw closed")
            if state.reshuffles > shuffled:
                piles.append(state.closed_pile)
            state = apply(state, Discard(max(cards_in(state.hands[state.turn]))))
        return piles

    assert shuffles(1) == shuffles(1)
    assert shuffles(1) != shuffles(2)
    assert len(set(shuffles(1))) > 1


# Play


def test_after_opening_the_table_is_open_in_the_same_turn() -> None:
    state = after(dealt(TWO, "11 12 13"), "draw open")
    assert action_refusal(after(state), "40 to 10-20-30") == "not-on-table"
    state = after(state, "10 20 30", "40 to 10-20-30")
    assert state.play_count == 2


def test_each_seat_opens_for_itself() -> None:
    state = after(dealt(TWO, "11 12 13"), "draw open", "1 2 3", "discard 40", "draw open")
    assert action_refusal(state, "4 to 1-2-3") == "not-opened"
    state = after(state, "5 6 7", "4 to 1-2-3")
    assert state.opened_mask == 0b11


def test_emptying_the_hand_by_a_play_ends_the_round_at_once() -> None:
    state = dealt(["1 2 3 10 20 30 40", "4 5 6 7 8 9 49"], "50 12")
    state = after(state, "draw open", "1 2 3", "10 20 30 40 50")
    assert (state.phase, state.to_act, state.round_winner) == ("round over", None, 0)


# End of turn


def test_the_discard_opens_the_pile_and_the_turn_goes_clockwise() -> None:
    state = after(dealt(THREE, "11 12 13", starter=2), "draw open", "discard 31")
    assert (state.open_pile, state.turn, state.to_act, state.phase) == ((31,), 0, 0, "draw")
    assert state.turns == (0, 0, 1)


def test_only_simplified_2010_ends_a_turn_without_a_discard() -> None:
    state = after(dealt(TWO, "11 12 13"), "draw open")
    assert action_refusal(state, "end") == "must-discard"
    assert action_refusal(after(dealt(TWO_OF_BLOCKS, "11 12", ruleset=BLOCKS)), "end") == (
        "must-discard"
    )
    state = after(dealt(TWO, "11 12 13", ruleset=OF_2010), "draw open", "end")
    assert (state.turn, state.phase, state.open_pile) == (1, "draw", ())


def test_a_round_of_turns_without_a_change_ends_without_a_winner() -> None:
    state = dealt(TWO, "11", ruleset=OF_2010)
    state = after(state, "draw open", "end", "draw closed", "end")
    assert (state.phase, state.turns_without_change) == ("draw", 1)
    state = after(state, "draw closed", "end")
    assert (state.phase, state.round_winner) == ("round over", None)
    assert state.scores == (20 - 8, 20 - 7)


def test_turns_without_a_play_are_counted_for_each_seat() -> None:
    state = dealt(TWO, "13 12 14 16 18 11", ruleset=NO_OFFERS)
    turns_without_play = [state.turns_without_play]
    for actions in (
        ("draw closed", "discard 10"),
        ("draw closed", "discard 9"),
        ("draw closed", "1 2 3", "discard 20"),
        ("draw closed", "discard 8"),
    ):
        state = after(state, *actions)
        turns_without_play.append(state.turns_without_play)
    assert turns_without_play == [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)]
    assert [view(state, seat).turns_without_play for seat in (0, 1)] == [0, 2]


def test_the_sixtieth_turn_of_a_seat_ends_the_round() -> None:
    state = dealt(TWO, "11 12 13", ruleset=NO_OFFERS)
    while state.phase != "round over":
        state = after(state, "draw open")
        state = apply(state, Discard(cards_in(state.hands[state.turn])[0]))
    assert (state.turns, state.round_winner) == ((60, 59), None)
    assert state.scores == (13, 13)


def test_a_hand_emptied_in_the_sixtieth_turn_wins() -> None:
    state = dealt(TWO, "11 12 13", ruleset=NO_OFFERS)
    while state.turns != (59, 59):
        card = state.open_pile[-1]
        state = apply(after(state, "draw open"), Discard(card))
    state = after(state, "draw open", "1 2 3", "10 20 30 40", "discard 11")
    assert (state.phase, state.round_winner) == ("round over", 0)


# Rules 7.


def knocking() -> State:
    return after(dealt(THREE_OF_BLOCKS, "11 12 13 14 15 16 17", ruleset=BLOCKS), "discard 40")


def test_after_a_discard_anyone_else_may_knock() -> None:
    state = knocking()
    assert (state.phase, state.to_act) == ("knock", 1)
    assert action_refusal(state, "knock 0") == "wrong-phase"
    assert action_refusal(state, "knock 3") == "wrong-phase"
    assert after(state, "knock 2").phase == "play"


def test_knocking_takes_the_block_and_one_of_the_pot() -> None:
    state = after(knocking(), "knock 2")
    assert hand(state, 2) == "13 40 51 52 53 61 62 63 64"
    assert (state.turn, hand(state, 1)) == (1, "4 5 6 7 8 9 14 15 70")


def test_the_next_player_does_not_draw_two_after_knocking() -> None:
    state = after(knocking(), "knock")
    assert (state.turn, hand(state, 1)) == (1, "4 5 6 7 8 9 13 40 70")
    assert len(state.closed_pile) == 4


def test_an_answer_without_a_seat_comes_from_the_next_to_be_asked() -> None:
    assert after(knocking(), "pass", "knock").turn == 1
    assert hand(after(knocking(), "pass", "knock"), 2).startswith("13 40")


def test_an_empty_pot_gives_as_much_as_it_has() -> None:
    state = dealt(TWO_OF_BLOCKS, "11 12 13", ruleset=BLOCKS)
    state = after(state, "discard 60", "pass")
    assert hand(state, 1) == "4 5 6 7 8 9 13 70 80 90"
    state = after(state, "discard 90", "knock")
    assert hand(state, 0) == "1 2 3 10 11 12 20 30 40 50 90"


def test_nobody_knocks_for_the_last_block() -> None:
    hands = ["1 2 3 10 20 30 40 50 60", "4 a 6 7 8 9 70 80 90"]
    state = dealt(hands, "11 12 13", ruleset=BLOCKS)
    state = after(state, "1 2 3", "10 20 30 40 50 60", "discard 12", "pass")
    state = after(state, "discard 90", "pass", "discard 11")
    assert (state.phase, state.round_winner, state.scores) == ("round over", 0, (0, 11))
    assert state.removed_cards == (12, 90, 11)


def test_the_sixtieth_turn_ends_before_anyone_knocks() -> None:
    state = dealt(TWO_OF_BLOCKS, "11 12", ruleset=BLOCKS)
    while state.phase != "round over":
        state = apply(state, Discard(cards_in(state.hands[state.turn])[0]))
        if state.phase == "knock":
            state = after(state, "knock")
    assert (state.turns, state.round_winner) == ((60, 59), None)
    assert len(state.removed_cards) == 1


def test_in_simple_blocks_the_youngest_chooses_first_then_clockwise() -> None:
    state = dealt(THREE, "13 14 15 16 17 18", ruleset=BLOCKS_SIMPLE, starter=1)
    state = after(state, "discard 4")
    assert (state.phase, state.to_act) == ("knock", 0)
    assert action_refusal(state, "knock 2") == "wrong-phase"
    state = after(state, "pass 0")
    assert state.to_act == 2
    assert legal_actions(view(state, 0)) == []
    assert len(legal_actions(view(state, 2))) == 2


def test_the_youngests_discard_goes_clockwise() -> None:
    state = dealt(THREE, "13 14 15 16 17 18", ruleset=BLOCKS_SIMPLE, starter=0)
    assert after(state, "discard 10").to_act == 1


def test_in_simple_blocks_the_last_block_may_be_laid() -> None:
    hands = ["1 2 3 10 20", "4 5 6 7 8"]
    state = dealt(hands, "30 40 11", ruleset=BLOCKS_SIMPLE)
    state = after(state, "1 2 3", "10 20 30 40")
    assert (state.phase, state.scores, state.winners) == ("match over", (1, 0), (0,))


# View and legal actions


def test_a_view_shows_its_own_hand_and_only_the_size_of_others() -> None:
    seat_view = view(dealt(TWO, "11 12 13"), 1)
    assert hand_text(seat_view.hand) == TWO[1].split()
    assert (
        seat_view.hand_sizes,
        seat_view.open_top,
        seat_view.open_count,
        seat_view.closed_count,
    ) == (
        (7, 7),
        11,
        1,
        2,
    )
    assert seat_view.position.hand == mask_of(seat_view.hand)


def test_the_acting_seat_may_do_what_its_phase_allows() -> None:
    state = dealt(TWO, "11 12 13")
    assert [action_text(action) for action in legal_actions(state)] == [
        "draw open",
        "draw closed",
    ]
    state = after(state, "draw closed")
    assert [action_text(action) for action in legal_actions(state)] == ["claim", "pass"]


def test_every_play_and_every_discard_is_legal_in_the_phase_play() -> None:
    state = after(dealt([TWO[0], "4 5 6 7 8 9 49"], "50 12"), "draw open")
    texts = {action_text(action) for action in legal_actions(state)}
    assert {"1 2 3", "10 20 30", "30 40 50", "discard 1", "discard 50"} <= texts
    assert "end" not in texts


def test_a_turn_that_needs_no_discard_may_end() -> None:
    state = after(dealt(TWO, "11 12 13", ruleset=OF_2010), "draw open")
    assert "end" in [action_text(action) for action in legal_actions(state)]


# The market, refilled hands, and a round that ends with the pile or with a goal


CARD_EDITIONS = [name for name in EDITIONS if not EDITIONS[name].has_pot]
MORE_ROWS = edition(
    "simplified", tables=[2, 5, 10], offers=False, market=3, refill=True, piles=2, rounds=1
)


@dataclass
class Piles:
    ruleset: Ruleset
    seats: int
    seed: int
    up: list[int]  # the closed pile, top first
    fits: set[int]  # the cards that may lie in the market
    hands: list[list[int]] = field(default_factory=list)
    market: list[int] = field(default_factory=list)
    thrown: list[int] = field(default_factory=list)
    gone_through: int = 0

    def deal(self) -> None:
        size = self.ruleset.hand_of_two if self.seats == 2 else self.ruleset.hand
        self.hands = [[self.up.pop(0) for _ in range(size)] for _ in range(self.seats)]
        self.thrown = [self.up.pop(0)]
        self.size = size
        self.fill_market()

    def top(self) -> int | None:
        """Draw the top card of the pile, after a reshuffle if one is due."""
        piles = self.ruleset.piles
        if (
            not self.up
            and len(self.thrown) > 1
            and (piles is None or self.gone_through + 1 < piles)
        ):
            self.gone_through += 1
            seed = (self.seed * 1009 + 1) * 1009 + self.gone_through
            self.up = list(reversed(shuffled(self.thrown[:-1], seed)))
            self.thrown = self.thrown[-1:]
        return self.up.pop(0) if self.up else None

    def fill_market(self) -> None:
        for _ in range(self.ruleset.market - len(self.market)):
            self.turn_up(len(self.market))

    def turn_up(self, place: int) -> None:
        card = self.fitting_top()
        if card is not None:
            self.market.insert(place, card)

    def fitting_top(self) -> int | None:
        """Draw the first card that a row can have; the others go under the open pile."""
        card = self.top()
        idle = []
        while card is not None and card not in self.fits:
            idle.append(card)
            card = self.up.pop(0) if self.up else None
        self.thrown[:0] = reversed(idle)
        return card

    def draw(self, seat: int) -> None:
        card = self.top()
        if card is not None:
            self.hands[seat].append(card)

    def end(self, seat: int) -> None:
        if self.ruleset.refill or (self.ruleset.goal and not self.hands[seat]):
            while len(self.hands[seat]) < self.size and (card := self.top()) is not None:
                self.hands[seat].append(card)
            self.exchange(self.hands[seat])
        self.fill_market()

    def exchange(self, hand: list[int]) -> None:
        while sum(card in self.fits for card in hand) < self.ruleset.least_fitting:
            useless = [card for card in hand if card not in self.fits]
            if not useless or (card := self.fitting_top()) is None:
                return
            hand.remove(min(useless))
            hand.append(card)
            self.thrown.insert(0, min(useless))

    def is_over(self, rows: int, earned: int, turns: list[int]) -> bool:
        if self.ruleset.equal_turns and len(set(turns)) > 1:
            return False
        if self.ruleset.most_turns is not None and min(turns) >= self.ruleset.most_turns:
            return True
        if self.ruleset.goal is not None and earned >= self.ruleset.goal:
            return True
        enough = self.ruleset.most_rows is not None and rows >= self.ruleset.most_rows
        if self.ruleset.piles is None:
            return enough
        again = len(self.thrown) > 1 and self.gone_through + 1 < self.ruleset.piles
        return enough or not (self.up or again)


def usable_cards(ruleset: Ruleset) -> set[int]:
    numbers = {number for row in reference.rows(reference.options_of(ruleset)) for number in row}
    return {*numbers, 101, 102, 103, 104}


def is_same(piles: Piles, state: State) -> bool:
    hands = [sorted(hand) for hand in piles.hands] == [list(cards_in(h)) for h in state.hands]
    closed = piles.up == list(reversed(state.closed_pile))
    return (
        hands and closed and piles.market == [*state.market] and piles.thrown == [*state.open_pile]
    )


def rules_for(seed: int) -> Ruleset:
    random = Random(f"market {seed}")
    ruleset = random_ruleset(random, random.choice(CARD_EDITIONS))
    refill = random.random() < 0.7
    piles: int | None = random.randint(1, 3)
    market, most = random.randint(0, 4), random.choice([None, None, 4])
    hand, goal = random.randint(2, ruleset.hand), random.choice([None, None, 5, 12, 40])
    turns, least = random.choice([None, None, 3, 6]), random.choice([0, 0, 2, 3])
    if turns and random.random() < 0.5:
        piles = None
    return replace(
        ruleset,
        offers=False,
        market=market,
        refill=refill,
        least_fitting=least if refill else 0,
        piles=piles,
        most_rows=most,
        rounds=1,
        hand=hand,
        goal=goal,
        most_turns=turns,
        goal_up=0,
        goal_down=0,
        equal_turns=random.random() < 0.5,
    )


@for_each(range(times(12, 600)))
def test_cards_move_as_the_reference_moves_them(seed: int) -> None:
    """Every card of hands, market and piles is compared after every action, and so is the end of
    the round."""
    ruleset, random = rules_for(seed), Random(seed)
    seats = min(random.choice([2, 3, 4]), ruleset.most_seats)
    cards = shuffled(ruleset.cards, seed)
    state = new_match(ruleset, seats, cards, 0, seed)
    piles = Piles(ruleset, seats, seed, list(cards), usable_cards(ruleset))
    piles.deal()
    earned, turns = [0] * seats, [0] * seats
    while state.to_act is not None:
        assert is_same(piles, state)
        seat, action = state.to_act, choice(legal_actions(state), random)
        before, state = state, apply(state, action)
        hand, ended = piles.hands[seat], False
        match action:
            case Take(card):
                place = piles.market.index(card)
                hand.append(piles.market.pop(place))
                piles.turn_up(place)
            case DrawOpen():
                hand.append(piles.thrown.pop())
            case DrawClosed():
                piles.draw(seat)
            case Play():
                earned[seat] += state.scores[seat] - before.scores[seat]
                put_in = {number for _, number in action.swaps}
                swapped = {card for card, _ in action.swaps}
                cards_gone = put_in | {card for card, _ in action.hand} - swapped
                hand[:] = [card for card in hand if card not in cards_gone]
                ended = not hand and (ruleset.refill or ruleset.goal is not None)
            case Discard(card):
                hand.remove(card)
                piles.thrown.append(card)
                ended = True
            case End():
                ended = True
        rows = len(state.table.lines)
        if ended:
            turns[seat] += 1
            piles.end(seat)
        finished = not hand or (ended and piles.is_over(rows, sum(earned), turns))
        over = state.phase == "match over"
        assert (
            over == finished or max(before.turns) >= 59 or before.turns_without_change >= seats - 1
        )
    assert is_same(piles, state)
    best = [seat for seat in range(seats) if earned[seat] == max(earned)]
    alone = len(best) == 1 and ruleset.goal is None
    assert state.round_winner == (best[0] if alone else None)
    assert state.earned_together == (0 if ruleset.goal is None else sum(earned))
    assert state.scores == tuple(ruleset.start + points for points in earned)


@pytest.mark.parametrize(
    ("how", "count", "lacks", "has"),
    [("whole", 54, (), (7,)), ("thinned", 40, (1, 3, 9), (7, 13)), ("fitting", 34, (7, 17), (2,))],
)
def test_a_deck_leaves_out_numbers_that_are_in_no_row(
    how: Deck, count: int, lacks: tuple[int, ...], has: tuple[int, ...]
) -> None:
    cards = replace(MORE_ROWS, deck=how).cards
    assert len(cards) == count
    assert not set(lacks) & set(cards)
    assert set(has) <= set(cards)


def test_a_small_deck_is_for_fewer_players() -> None:
    assert MORE_ROWS.most_seats == 8
    assert replace(MORE_ROWS, deck="fitting").most_seats == 5
    small = replace(MORE_ROWS, deck="fitting")
    with pytest.raises(RulesetError, match="seats-out-of-range"):
        new_match(small, 6, small.cards, 0)
    with pytest.raises(RulesetError, match="hands-larger-than-deck"):
        replace(MORE_ROWS, deck="fitting", tables=(9,))


@pytest.mark.parametrize("seed", range(times(5, 60)))
def test_a_seat_sees_the_market_and_nothing_of_the_pile(seed: int) -> None:
    random = Random(seed)
    state = new_match(MORE_ROWS, 3, shuffled(deck(50), seed), 0, seed)
    while state.to_act is not None:
        for seat in range(3):
            other = with_unseen_exchanged(state, seat, random)
            assert view(other, seat) == view(state, seat)
            assert view(state, seat).market == state.market
        state = apply(state, choice(legal_actions(state), random))


# One goal for the table


TOGETHER = edition(
    "simplified", tables=[2, 5, 10], offers=False, opening=False, doubling=[], piles=1, rounds=2,
    goal=6, goal_up=2, goal_down=5,
)  # fmt: skip
DECK = "10 20 30 40 1 3 7 2 4 6 8 9 11 13 50 12 14 16 18"


@dataclass
class Pot:
    ruleset: Ruleset
    left: list[int]  # top first
    hands: list[list[int]] = field(default_factory=list)
    laid: int = 0

    def deal(self, seats: int, starter: int) -> None:
        self.size = self.ruleset.hand_of_two if seats == 2 else self.ruleset.hand
        self.hands = [self.take(self.size) for _ in range(seats)]
        self.hands[starter] += self.take(2)
        self.turns = [0] * seats

    def take(self, count: int) -> list[int]:
        cards, self.left = self.left[:count], self.left[count:]
        return cards

    def ends_turn(self, seat: int) -> bool:
        """Refill an empty hand, and return whether the round is over with this turn."""
        if not self.hands[seat]:
            self.hands[seat] += self.take(self.size)
        self.turns[seat] += 1
        if self.ruleset.equal_turns and len(set(self.turns)) > 1 and self.hands[seat]:
            return False
        return not self.left or self.laid >= (self.ruleset.goal or 0)


@for_each(range(times(12, 600)))
def test_blocks_move_as_the_reference_moves_them(seed: int) -> None:
    random = Random(seed)
    name = random.choice(["blocks", "blocks-simple"])
    ruleset = edition(name, goal=random.choice([6, 15, 60]), rounds=1, equal_turns=seed % 2 > 0)
    seats, starter = random.choice([2, 3, 4]), 0
    cards = shuffled(ruleset.cards, seed)
    state, pot = new_match(ruleset, seats, cards, starter, seed), Pot(ruleset, list(cards))
    pot.deal(seats, starter)
    over = False
    while state.to_act is not None:
        assert not over
        assert [sorted(hand) for hand in pot.hands] == [list(cards_in(h)) for h in state.hands]
        assert len(pot.left) == len(state.closed_pile)
        seat, turn, before = state.to_act, state.turn, state
        action = choice(legal_actions(state), random)
        state = apply(state, action)
        following, picked = (turn + 1) % seats, False
        match action:
            case Play():
                put_in = {number for _, number in action.swaps}
                swapped = {card for card, _ in action.swaps}
                cards_gone = put_in | {card for card, _ in action.hand} - swapped
                pot.hands[turn] = [card for card in pot.hands[turn] if card not in cards_gone]
                pot.laid += len(action.hand)
                if pot.hands[turn]:
                    continue
                over = pot.ends_turn(turn)
            case Discard(card):
                pot.hands[turn].remove(card)
                over = pot.ends_turn(turn)
                if not over:
                    assert state.phase == "knock" or max(before.turns) >= 59
                    over = max(before.turns) >= 59
                    continue
            case Knock():
                pot.hands[seat] += [before.open_pile[-1], *pot.take(1)]
                picked = seat == following
            case Pass() if state.phase == "knock":
                continue
        if not over and not picked:
            pot.hands[following] += pot.take(2)
    assert over or max(state.turns) >= 60
    assert state.earned_together == pot.laid == sum(state.scores)
    assert (state.phase, state.round_winner, state.winners) == ("match over", None, ())


def new_round(ruleset: Ruleset = TOGETHER, deck: str = DECK) -> State:
    return new_match(ruleset, 2, parse_cards(deck.split(), ruleset), 0)


def lay(state: State, *plays: str) -> State:
    for play in plays:
        state = apply(state, parse_play(play, state.ruleset))
    return state


def test_a_round_ends_with_the_turn_that_reaches_the_goal() -> None:
    state = lay(apply(new_round(), DrawClosed()), "10 20 30")
    assert (state.earned_together, view(state, 1).is_goal_reached) == (3, False)
    after = apply(state, Discard(1))
    assert (after.phase, after.turn) == ("draw", 1)
    after = lay(apply(after, DrawClosed()), "2 4 6 8")
    assert (after.phase, after.earned_together, view(after, 0).is_goal_reached) == ("play", 7, True)
    assert view(after, 0).earned == (3, 4)
    over = apply(after, Discard(9))
    assert (over.phase, over.scores, over.round_winner) == ("round over", (23, 24), None)


def test_with_equal_turns_a_round_goes_on_until_all_have_had_as_many() -> None:
    ruleset = replace(TOGETHER, goal=3, equal_turns=True, piles=None, most_turns=2)
    state = lay(apply(new_round(ruleset), DrawClosed()), "10 20 30")
    assert (view(state, 1).is_goal_reached, view(state, 1).turns_after_goal) == (True, 2)
    second = lay(apply(apply(state, Discard(1)), DrawClosed()), "2 4 6 8")
    assert (second.phase, view(second, 0).turns_after_goal) == ("play", 1)
    over = apply(second, Discard(9))
    assert (over.phase, over.turns, over.earned_together) == ("round over", (1, 1), 7)
    assert view(over, 0).next_goal == 5


def test_who_builds_on_uses_all_turns_after_the_goal() -> None:
    rules = replace(TOGETHER, goal=3, equal_turns=True, builds_on=True, piles=None, most_turns=2)
    state = lay(apply(new_round(rules), DrawClosed()), "10 20 30")
    assert (view(state, 1).is_goal_reached, view(state, 1).turns_after_goal) == (True, 4)
    state = apply(state, Discard(1))
    while state.to_act is not None:
        state = apply(state, DrawClosed())
        state = apply(state, Discard(view(state, state.turn).hand[0]))
    assert (state.turns, state.goal, view(state, 0).next_goal) == ((2, 2), 3, 5)


def test_the_goal_rises_when_reached_and_falls_otherwise() -> None:
    reached = lay(apply(with_goal(3), DrawClosed()), "10 20 30")
    reached = apply(reached, Discard(1))
    deck = parse_cards(DECK.split(), TOGETHER)
    assert view(reached, 0).next_goal == 5
    assert apply(reached, Deal(deck)).goal == 5
    missed = without_a_row(with_goal(10))
    assert missed.earned_together == 0
    assert view(missed, 0).next_goal == 5
    assert apply(missed, Deal(deck)).goal == 5
    assert view(without_a_row(with_goal(6)), 0).next_goal == 3
    assert view(without_a_row(with_goal(2)), 0).next_goal == 2


def with_goal(goal: int) -> State:
    return new_round(replace(TOGETHER, goal=goal))


def without_a_row(state: State) -> State:
    """The end of a round in which everybody takes a card and discards the lowest one."""
    while state.to_act is not None:
        state = apply(state, DrawClosed())
        state = apply(state, Discard(cards_in(state.hands[state.turn])[0]))
    return state


def test_an_empty_hand_is_refilled_and_nobody_goes_out() -> None:
    deck = "10 20 30 40 2 4 6 1 3 5 7 9 11 13 50 8 12 14 16 18 22 24 26 28 32"
    state = new_round(replace(TOGETHER, goal=50), deck)
    state = lay(apply(state, DrawClosed()), "10 20 30 40", "2 4 6 8")
    assert (state.phase, state.turn) == ("draw", 1)
    assert (state.hands[0].bit_count(), state.turns) == (7, (1, 0))


def test_in_blocks_others_may_knock_for_the_last_block_of_a_hand() -> None:
    ruleset = edition("blocks", goal=90, rounds=1)
    deck = "10 20 30 40 50 60 70 2 4 1 3 7 9 13 17 19 23 29 6 8 31 37 41 43 47 53 59 61 67 71 73"
    state = new_match(ruleset, 2, parse_cards(deck.split(), ruleset), 0)
    state = lay(state, "10 20 30 40 50 60 70", "2 4 6")
    state = apply(state, Discard(8))
    assert (state.phase, state.hands[0].bit_count(), state.round_winner) == ("knock", 9, None)
    assert Knock(1) in legal_actions(view(state, 1))


@pytest.mark.parametrize("name", ["simplified", "classic", "blocks"])
def test_a_ruleset_without_a_goal_is_stored_as_before(name: str) -> None:
    ruleset = edition(name, rounds=1)
    assert not {"goal", "goal_up", "goal_down"} & ruleset_to_data(ruleset).keys()
    state = new_match(ruleset, 2, ruleset.cards, 0)
    assert "goal" not in state_to_data(state)


def test_the_goal_of_a_round_survives_json() -> None:
    state = without_a_row(new_round())
    deck = parse_cards(DECK.split(), TOGETHER)
    state = apply(state, Deal(deck))
    data = json.loads(json.dumps(state_to_data(state)))
    assert state_from_data(data, TOGETHER) == state
    assert state.goal == 3


def test_a_turn_without_a_discard_can_reach_the_goal() -> None:
    ruleset = replace(TOGETHER, ending="free", goal=3)
    state = lay(apply(new_round(ruleset), DrawClosed()), "10 20 30")
    assert apply(state, End()).phase == "round over"
