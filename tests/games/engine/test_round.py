from games.engine.actions import Discard
from games.engine.cards import cards_in, deck, mask_of, shuffled
from games.engine.match import apply, new_match
from games.engine.round import State, legal_actions, view
from games.engine.ruleset import edition
from games.engine.text.notation import action_text, hand_text, parse_cards
from tests.games.positions import (
    BLOCKS,
    action_refusal,
    after,
    cards_of,
    dealt,
)

OF_2010 = edition("simplified-2010")
NO_OFFERS = edition("simplified", offers=False)
BLOCKS_SIMPLE = edition("blocks-simple")

TWO = ["1 2 3 10 20 30 40", "4 5 6 7 8 9 50"]
THREE = ["1 2 3 10 20", "4 5 6 7 8", "31 33 36 40 46"]
TWO_OF_BLOCKS = ["1 2 3 10 20 30 40 50 60", "4 5 6 7 8 9 70 80 90"]
THREE_OF_BLOCKS = ["1 2 3 10 20 30 40", "4 5 6 7 8 9 70", "51 52 53 61 62 63 64"]


def hand(state: State, seat: int) -> str:
    return cards_of(state.hands[seat])


class TestDeal:
    def test_hands_then_the_open_card_then_the_closed_pile(self) -> None:
        state = dealt(TWO, "11 12 13")
        assert [hand(state, seat) for seat in (0, 1)] == TWO
        assert (state.open, state.closed) == ((11,), (13, 12))
        assert (state.phase, state.seat, state.scores) == ("draw", 0, (20, 20))

    def test_in_blocks_the_rest_is_the_pot_and_the_starter_has_drawn_two(self) -> None:
        state = dealt(TWO_OF_BLOCKS, "11 12 13", ruleset=BLOCKS)
        assert hand(state, 0) == "1 2 3 10 11 12 20 30 40 50 60"
        assert (state.open, state.closed, state.phase) == ((), (13,), "play")


class TestDraw:
    def test_declined_it_is_offered_to_the_others_clockwise(self) -> None:
        state = after(dealt(THREE, "11 12 13", starter=1), "draw closed")
        assert (state.phase, state.seat, state.turn) == ("offer", 2, 1)
        state = after(state, "pass")
        assert (state.phase, state.seat) == ("offer", 0)

    def test_after_a_claim_there_is_no_new_offer(self) -> None:
        state = dealt(THREE, "11 12 13 14 15 16")
        state = after(state, "draw open", "discard 10", "draw open", "discard 4")
        state = after(state, "draw closed", "claim", "draw closed")
        assert (state.phase, state.seat) == ("play", 2)

    def test_offers_can_be_switched_off(self) -> None:
        state = after(dealt(TWO, "11 12 13", ruleset=NO_OFFERS), "draw closed")
        assert (state.phase, hand(state, 0)) == ("play", "1 2 3 10 12 20 30 40")

    def test_an_empty_open_pile_is_neither_offered_nor_drawn_from(self) -> None:
        state = after(dealt(TWO, "11 12 13", ruleset=OF_2010), "draw open", "end")
        assert action_refusal(state, "draw open") == "pile-empty"
        assert [action_text(action) for action in legal_actions(state)] == ["draw closed"]
        assert after(state, "draw closed").phase == "play"

    def test_only_the_seat_asked_may_answer(self) -> None:
        state = after(dealt(THREE, "11 12 13"), "draw closed")
        assert action_refusal(state, "claim 2") == "wrong-phase"
        assert after(state, "pass 1").seat == 2


class TestEmptyPiles:
    """5.4."""

    def drained(self) -> State:
        """Seat 1 is to draw; the closed pile is empty, 1 and 12 lie open."""
        state = after(dealt(TWO, "11 12", ruleset=NO_OFFERS), "draw closed", "discard 1")
        assert (state.open, state.closed) == ((11, 1), ())
        return state

    def test_the_open_pile_but_its_top_is_shuffled_when_a_closed_card_is_taken(self) -> None:
        state = after(self.drained(), "draw closed")
        assert hand(state, 1) == "4 5 6 7 8 9 11 50"
        assert (state.open, state.closed, state.reshuffles) == ((1,), (), 1)

    def test_it_is_not_shuffled_before_a_card_has_to_be_taken(self) -> None:
        state = after(self.drained(), "draw open")
        assert (state.open, state.reshuffles) == ((11,), 0)

    def test_who_claims_may_get_the_open_card_alone(self) -> None:
        state = after(dealt(TWO, "11"), "draw closed", "claim")
        assert (hand(state, 1), state.phase) == ("4 5 6 7 8 9 11 50", "redraw")
        assert action_refusal(state, "draw open") == "pile-empty"
        assert after(state, "draw closed").phase == "play"

    def test_a_claim_shuffles_what_lies_under_the_claimed_card_but_the_new_top(self) -> None:
        state = dealt(TWO, "11 12")
        state = after(state, "draw closed", "pass", "discard 1", "draw open", "discard 4")
        state = after(state, "draw open", "discard 2")
        assert state.open == (11, 2)
        state = after(state, "draw closed", "claim")
        assert (hand(state, 0), state.open) == ("2 3 4 10 12 20 30 40", (11,))

    def test_old_games_depend_on_how_a_seed_shuffles(self) -> None:
        """A change of this order would change old games, so `VERSION` must change with it."""
        ruleset = edition("simplified", offers=False)
        cards = parse_cards([*" ".join(TWO).split(), "11", "12", "13", "14", "15"], ruleset)
        state = new_match(ruleset, 2, cards, 0, seed=7)
        for discarded in ("1", "4", "2", "5"):
            state = after(state, "draw closed", f"discard {discarded}")
        assert (state.open, state.closed) == ((11, 1, 4, 2, 5), ())
        state = after(state, "draw closed")
        drawn, *left = shuffled((11, 1, 4, 2), (7 * 1009 + 1) * 1009 + 0 + 1)[::-1]
        assert state.hands[0] >> drawn & 1
        assert (state.open, state.closed) == ((5,), tuple(left[::-1]))

    def test_the_same_seed_shuffles_the_same_way_and_each_time_anew(self) -> None:
        def shuffles(seed: int) -> list[tuple[int, ...]]:
            state = new_match(NO_OFFERS, 2, deck(50)[:24], 0, seed=seed)
            piles = []
            while state.phase != "round over":
                shuffled = state.reshuffles
                state = after(state, "draw closed")
                if state.reshuffles > shuffled:
                    piles.append(state.closed)
                state = apply(state, Discard(max(cards_in(state.hands[state.turn]))))
            return piles

        assert shuffles(1) == shuffles(1)
        assert shuffles(1) != shuffles(2)
        assert len(set(shuffles(1))) > 1


class TestPlay:
    def test_after_opening_the_table_is_open_in_the_same_turn(self) -> None:
        state = after(dealt(TWO, "11 12 13"), "draw open")
        assert action_refusal(after(state), "40 to 10-20-30") == "not-on-table"
        state = after(state, "10 20 30", "40 to 10-20-30")
        assert state.plays == 2

    def test_opening_is_each_seats_own(self) -> None:
        state = after(dealt(TWO, "11 12 13"), "draw open", "1 2 3", "discard 40", "draw open")
        assert action_refusal(state, "4 to 1-2-3") == "not-opened"
        state = after(state, "5 6 7", "4 to 1-2-3")
        assert state.opened == 0b11

    def test_emptying_the_hand_by_a_play_ends_the_round_at_once(self) -> None:
        state = dealt(["1 2 3 10 20 30 40", "4 5 6 7 8 9 49"], "50 12")
        state = after(state, "draw open", "1 2 3", "10 20 30 40 50")
        assert (state.phase, state.seat, state.round_winner) == ("round over", None, 0)


class TestEndOfTurn:
    def test_the_discard_opens_the_pile_and_the_turn_goes_clockwise(self) -> None:
        state = after(dealt(THREE, "11 12 13", starter=2), "draw open", "discard 31")
        assert (state.open, state.turn, state.seat, state.phase) == ((31,), 0, 0, "draw")
        assert state.turns == (0, 0, 1)

    def test_a_discard_is_owed_but_in_simplified_2010(self) -> None:
        state = after(dealt(TWO, "11 12 13"), "draw open")
        assert action_refusal(state, "end") == "must-discard"
        assert action_refusal(after(dealt(TWO_OF_BLOCKS, "11 12", ruleset=BLOCKS)), "end") == (
            "must-discard"
        )
        state = after(dealt(TWO, "11 12 13", ruleset=OF_2010), "draw open", "end")
        assert (state.turn, state.phase, state.open) == (1, "draw", ())

    def test_a_round_of_turns_with_nothing_done_ends_without_a_winner(self) -> None:
        state = dealt(TWO, "11", ruleset=OF_2010)
        state = after(state, "draw open", "end", "draw closed", "end")
        assert (state.phase, state.idle) == ("draw", 1)
        state = after(state, "draw closed", "end")
        assert (state.phase, state.round_winner) == ("round over", None)
        assert state.scores == (20 - 8, 20 - 7)

    def test_turns_without_a_play_are_counted_for_each_seat_until_it_makes_one(self) -> None:
        state = dealt(TWO, "13 12 14 16 18 11", ruleset=NO_OFFERS)
        quiet = [state.quiet]
        for actions in (
            ("draw closed", "discard 10"),
            ("draw closed", "discard 9"),
            ("draw closed", "1 2 3", "discard 20"),
            ("draw closed", "discard 8"),
        ):
            state = after(state, *actions)
            quiet.append(state.quiet)
        assert quiet == [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)]
        assert [view(state, seat).quiet for seat in (0, 1)] == [0, 2]

    def test_the_sixtieth_turn_of_a_seat_ends_the_round(self) -> None:
        state = dealt(TWO, "11 12 13", ruleset=NO_OFFERS)
        while state.phase != "round over":
            state = after(state, "draw open")
            state = apply(state, Discard(cards_in(state.hands[state.turn])[0]))
        assert (state.turns, state.round_winner) == ((60, 59), None)
        assert state.scores == (13, 13)

    def test_a_hand_emptied_in_the_sixtieth_turn_wins(self) -> None:
        state = dealt(TWO, "11 12 13", ruleset=NO_OFFERS)
        while state.turns != (59, 59):
            drawn = state.open[-1]
            state = apply(after(state, "draw open"), Discard(drawn))
        state = after(state, "draw open", "1 2 3", "10 20 30 40", "discard 11")
        assert (state.phase, state.round_winner) == ("round over", 0)


class TestBlocks:
    """7."""

    def knocking(self) -> State:
        return after(dealt(THREE_OF_BLOCKS, "11 12 13 14 15 16 17", ruleset=BLOCKS), "discard 40")

    def test_after_a_discard_anyone_else_may_knock(self) -> None:
        state = self.knocking()
        assert (state.phase, state.seat) == ("knock", 1)
        assert action_refusal(state, "knock 0") == "wrong-phase"
        assert action_refusal(state, "knock 3") == "wrong-phase"
        assert after(state, "knock 2").phase == "play"

    def test_who_knocks_takes_the_block_and_one_of_the_pot(self) -> None:
        state = after(self.knocking(), "knock 2")
        assert hand(state, 2) == "13 40 51 52 53 61 62 63 64"
        assert (state.turn, hand(state, 1)) == (1, "4 5 6 7 8 9 14 15 70")

    def test_the_next_player_who_picked_up_draws_no_two(self) -> None:
        state = after(self.knocking(), "knock")
        assert (state.turn, hand(state, 1)) == (1, "4 5 6 7 8 9 13 40 70")
        assert len(state.closed) == 4

    def test_without_a_seat_it_is_the_next_who_has_not_passed(self) -> None:
        assert after(self.knocking(), "pass", "knock").turn == 1
        assert hand(after(self.knocking(), "pass", "knock"), 2).startswith("13 40")

    def test_an_empty_pot_gives_what_it_has(self) -> None:
        state = dealt(TWO_OF_BLOCKS, "11 12 13", ruleset=BLOCKS)
        state = after(state, "discard 60", "pass")
        assert hand(state, 1) == "4 5 6 7 8 9 13 70 80 90"
        state = after(state, "discard 90", "knock")
        assert hand(state, 0) == "1 2 3 10 11 12 20 30 40 50 90"

    def test_nobody_knocks_for_the_last_block(self) -> None:
        hands = ["1 2 3 10 20 30 40 50 60", "4 a 6 7 8 9 70 80 90"]
        state = dealt(hands, "11 12 13", ruleset=BLOCKS)
        state = after(state, "1 2 3", "10 20 30 40 50 60", "discard 12", "pass")
        state = after(state, "discard 90", "pass", "discard 11")
        assert (state.phase, state.round_winner, state.scores) == ("round over", 0, (0, 11))
        assert state.out == (12, 90, 11)

    def test_the_sixtieth_turn_ends_with_its_discard_before_anyone_knocks(self) -> None:
        state = dealt(TWO_OF_BLOCKS, "11 12", ruleset=BLOCKS)
        while state.phase != "round over":
            state = apply(state, Discard(cards_in(state.hands[state.turn])[0]))
            if state.phase == "knock":
                state = after(state, "knock")
        assert (state.turns, state.round_winner) == ((60, 59), None)
        assert len(state.out) == 1

    def test_simple_blocks_the_youngest_chooses_first_then_clockwise(self) -> None:
        state = dealt(THREE, "13 14 15 16 17 18", ruleset=BLOCKS_SIMPLE, starter=1)
        state = after(state, "discard 4")
        assert (state.phase, state.seat) == ("knock", 0)
        assert action_refusal(state, "knock 2") == "wrong-phase"
        state = after(state, "pass 0")
        assert state.seat == 2
        assert legal_actions(view(state, 0)) == []
        assert len(legal_actions(view(state, 2))) == 2

    def test_simple_blocks_where_the_youngest_discards_it_goes_clockwise(self) -> None:
        state = dealt(THREE, "13 14 15 16 17 18", ruleset=BLOCKS_SIMPLE, starter=0)
        assert after(state, "discard 10").seat == 1

    def test_simple_blocks_the_last_block_may_be_laid(self) -> None:
        hands = ["1 2 3 10 20", "4 5 6 7 8"]
        state = dealt(hands, "30 40 11", ruleset=BLOCKS_SIMPLE)
        state = after(state, "1 2 3", "10 20 30 40")
        assert (state.phase, state.scores, state.winners) == ("match over", (1, 0), (0,))


class TestViewAndLegalActions:
    def test_a_view_shows_the_own_hand_and_only_counts_of_others(self) -> None:
        seen = view(dealt(TWO, "11 12 13"), 1)
        assert hand_text(seen.hand) == TWO[1].split()
        assert (seen.counts, seen.open_top, seen.open_count, seen.closed_count) == (
            (7, 7),
            11,
            1,
            2,
        )
        assert seen.position.hand == mask_of(seen.hand)

    def test_the_one_to_act_may_do_what_its_phase_allows(self) -> None:
        state = dealt(TWO, "11 12 13")
        assert [action_text(action) for action in legal_actions(state)] == [
            "draw open",
            "draw closed",
        ]
        state = after(state, "draw closed")
        assert [action_text(action) for action in legal_actions(state)] == ["claim", "pass"]

    def test_in_play_every_play_and_every_discard_is_open(self) -> None:
        state = after(dealt([TWO[0], "4 5 6 7 8 9 49"], "50 12"), "draw open")
        texts = {action_text(action) for action in legal_actions(state)}
        assert {"1 2 3", "10 20 30", "30 40 50", "discard 1", "discard 50"} <= texts
        assert "end" not in texts

    def test_a_turn_that_owes_no_discard_may_end(self) -> None:
        state = after(dealt(TWO, "11 12 13", ruleset=OF_2010), "draw open")
        assert "end" in [action_text(action) for action in legal_actions(state)]
