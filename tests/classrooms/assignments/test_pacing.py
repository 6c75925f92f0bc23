"""Each child gets a companion and deals that suit them."""

import pytest

from classrooms.assignments import playing
from classrooms.assignments.choice import Choice
from classrooms.assignments.playing import pace_for, rating_of, rules_for
from classrooms.models import Assignment, Attempt, Child
from games.coach.deals import DECKS_OF_STRONG, PLAIN, kindness_for
from games.coach.rating import FIRST_GAME_RATING, Rating, Result, opponent_for, rating_after
from games.engine.plays import plays_without_jokers
from games.models import Game
from games.play import services as play
from games.play import starting
from games.play.log import snapshot_of
from games.play.starting import NewSeat
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def assigned(child: Child, **fields: object) -> Assignment:
    options = {"tables": [3, 4, 6], "offers": False}
    return AssignmentFactory.create(
        school_class=child.school_class, **({"options": options} | fields)
    )


def store_match(
    child: Child, assignment: Assignment, bot: str, winners: list[int | None]
) -> Attempt:
    """Store a finished match in which these seats won the rounds. The child has seat 1."""
    game = starting.start(
        assignment.ruleset,
        [NewSeat(bot=bot, name="Ollie"), NewSeat(player=child.player, name=child.name)],
        hint_steps=4,
    )
    Game.objects.filter(pk=game.pk).update(round_winners=winners, finished_at=game.created_at)
    return Attempt.objects.create(child=child, assignment=assignment, game=game)


def test_the_first_game_of_a_child_has_a_mild_companion(dora: Child) -> None:
    assignment = assigned(dora)
    assert rating_of(dora, assignment) == Rating()
    pace = pace_for(dora, assignment)
    assert pace.bot == f"companion {opponent_for(FIRST_GAME_RATING):.0f}"
    assert pace.kindness == kindness_for(assignment.ruleset)


def test_it_begins_the_first_match_of_kind_deals_with_a_row(dora: Child) -> None:
    for _ in range(6):
        game = playing.continue_or_start(dora, assigned(dora))
        assert plays_without_jokers(snapshot_of(game, 2).state.position(0))


def test_the_more_players_the_fewer_turns_each_has_in_a_round(dora: Child) -> None:
    new = assigned(dora, options=Choice(tables=(2, 5, 10)).options)
    few = assigned(dora, options=Choice(tables=(3, 4, 6), bots=3).options)
    assert [rules_for([dora], new, seats).most_turns for seats in (2, 3, 4)] == [6, 5, 4]
    assert [rules_for([dora], few, seats).most_turns for seats in (2, 4)] == [5, 3]
    assert few.ruleset.most_turns == 3


def test_a_rating_comes_from_the_childs_own_rounds(dora: Child) -> None:
    assignment = assigned(dora)
    store_match(dora, assignment, "companion 979", [1, 0, 1])
    store_match(dora, assignment, "companion 1010", [None])
    results = [(979, True), (979, False), (979, True), (1010, False)]
    assert rating_of(dora, assignment) == rating_after(Result(*result) for result in results)


def test_a_child_who_wins_gets_a_stronger_companion_and_plainer_deals(dora: Child) -> None:
    assignment = assigned(dora)
    before = pace_for(dora, assignment)
    store_match(dora, assignment, "companion 1150", [1] * 12)
    after = pace_for(dora, assignment)
    assert int(after.bot.split()[1]) > int(before.bot.split()[1]) + 100
    assert before.kindness.decks > after.kindness.decks >= DECKS_OF_STRONG


def test_another_assignment_begins_with_the_rating(dora: Child) -> None:
    first, second = assigned(dora), assigned(dora)
    store_match(dora, first, "companion 979", [1, 1, 1])
    rating = rating_of(dora, second)
    assert rating == Rating(rating_of(dora, first).value, rounds=0)
    store_match(dora, second, "companion 1100", [0])
    assert rating_of(dora, second) == rating_after([Result(1100, False)], rating)


def test_another_childs_rounds_do_not_count(dora: Child) -> None:
    assignment = assigned(dora)
    emil = ChildFactory.create(name="Emil", school_class=dora.school_class)
    store_match(emil, assignment, "companion 979", [1, 1, 1])
    assert rating_of(dora, assignment) == Rating()


def test_rounds_against_a_fixed_level_do_not_count(dora: Child) -> None:
    assignment = assigned(dora, bot="beginner")
    store_match(dora, assignment, "beginner", [1, 1, 1])
    assert rating_of(dora, assignment) == Rating()
    assert pace_for(dora, assignment).bot == "beginner"


def test_rounds_with_a_shared_goal_do_not_count(dora: Child) -> None:
    assignment = assigned(dora, together="right")
    store_match(dora, assignment, "companion 979", [None, None, None])
    assert rating_of(dora, assignment) == Rating()


def test_a_teacher_may_choose_plain_luck(dora: Child) -> None:
    assert pace_for(dora, assigned(dora, has_kind_deals=False)).kindness == PLAIN


def test_a_match_begins_at_the_childs_pace(dora: Child) -> None:
    assignment = assigned(dora, bots=2)
    store_match(dora, assignment, "companion 979", [1, 1, 1, 0])
    pace = pace_for(dora, assignment)
    game = playing.continue_or_start(dora, assignment)
    assert [seat.bot for seat in game.seats.order_by("number")] == ["", pace.bot, pace.bot]
    kindness = pace.kindness
    assert (game.kind_decks, game.kind_draws) == (kindness.decks, kindness.draws_counted)
    assert game.kind_orders == kindness.orders_compared > 1
    assert play.look(game.pk, dora.player).view.to_act == 0
