"""Model children play for weeks as a whole class, for the demo school and for benchmarks. The same
seed gives the same weeks, apart from their dates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from random import Random
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from classrooms.assignments.choice import Choice
from classrooms.demo.model_children import (
    MIDDLE,
    SCHOOL_DAYS,
    STRONG,
    WEAK,
    ModelAnswers,
    ModelChild,
    ModelChooser,
    ModelReply,
)
from classrooms.demo.past_games import PastGame, PlayedGame, play_out, store_games
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from classrooms.questions.models import Check, Sitting
from classrooms.questions.services import stored_question
from games.bots import companion
from games.bots.registry import CAST
from games.coach.deals import kindness_for
from games.coach.questions import short_questions
from games.coach.questions.recall import FactAnswer, Recall
from games.coach.questions.short_questions import Question
from games.coach.rating import Rating, Result, opponent_for, rating_after_round
from games.coach.times_tables import FIRST_TABLES, TABLES_TO_10
from games.play.log import SEED_BITS
from games.play.starting import NewSeat

ASSIGNMENT_SPAN: Final = timedelta(weeks=3)
"""How long an assignment lasts."""
PLAN: Final = (FIRST_TABLES, (3, 4, 6), (2, 3, 4, 5, 6, 10), (6, 7, 8, 9), tuple(TABLES_TO_10))
SHARE_LEARNT_IN_A_WEEK: Final = 0.02
"""The share of the rows overlooked so far that a child learns to notice in a week."""
AWAY_DAYS: Final = 7
"""The children who stop do not play on this many of the last school days."""
STOPPING_CHILDREN: Final = 12, 7
"""One child in twelve stops: those whose number leaves 7 when divided by 12."""
TYPING_SECONDS: Final = 1.2
GAMES_IN_A_BATCH: Final = 200
MODELS: Final = (WEAK, MIDDLE, STRONG, MIDDLE)


@dataclass(frozen=True, slots=True)
class Weeks:
    """How much is played."""

    weeks: int
    sittings: float = 2.0  # per week and child, on average
    rounds: int = 1  # rounds of the match in each sitting
    seed: int = 1
    tables: Sequence[tuple[int, ...]] = PLAN  # assigned in turn


@dataclass(frozen=True, slots=True)
class _Sitting:
    """A match that a child played without a break, and the short questions after it."""

    simulated: "SimulatedChild"
    assignment: Assignment
    played: PlayedGame
    replies: Sequence[tuple[Question, ModelReply]]


@dataclass(slots=True)
class SimulatedChild:
    """A child, the model that plays for them, their rating, what they know, and the tables of their
    assignments so far."""

    child: Child
    model: ModelChild
    zeal: float
    stops: bool
    answers: ModelAnswers
    rating: Rating = field(default_factory=Rating)
    recall: Recall = field(default_factory=Recall)
    tables: set[int] = field(default_factory=set)

    def after(self, weeks: int) -> ModelChild:
        """The model of the child after this many weeks of learning."""
        share_left = (1 - SHARE_LEARNT_IN_A_WEEK) ** weeks

        def improved(chance: float) -> float:
            return 1 - (1 - chance) * share_left

        notices = {table: improved(chance) for table, chance in self.model.notices.items()}
        return replace(
            self.model,
            notices=MappingProxyType(notices),
            notices_others=improved(self.model.notices_others),
        )


def play_weeks(school_class: SchoolClass, plan: Weeks, only: Child | None = None) -> Iterator[int]:
    """Play these weeks with the children of the class or `only` with this one, with backdated
    assignments, and store them in batches. Yield the number of games played so far."""
    random = Random(plan.seed)
    children = [
        _simulated_child(child, number, random)
        for number, child in enumerate(school_class.children.order_by("created_at", "name"))
        if only in (None, child)
    ]
    assignments = _make_assignments(school_class, plan, only)
    batch: list[_Sitting] = []
    count = 0
    days = list(_school_days(school_class, plan.weeks))
    for number, day in enumerate(days):
        assignment = next(item for item in reversed(assignments) if item.created_at.date() <= day)
        week = (day - assignments[0].created_at.date()).days // 7
        for simulated in children:
            chance = simulated.zeal * plan.sittings / len(SCHOOL_DAYS)
            is_away = simulated.stops and number >= len(days) - AWAY_DAYS
            if random.random() < chance and not is_away:
                batch.append(_sitting(simulated, assignment, day, week, random))
        if len(batch) >= GAMES_IN_A_BATCH:
            count += _store(batch)
            yield count
    yield count + _store(batch)


def _simulated_child(child: Child, number: int, random: Random) -> SimulatedChild:
    model = MODELS[number % len(MODELS)]
    each_nth, offset = STOPPING_CHILDREN
    return SimulatedChild(
        child,
        model,
        zeal=0.6 + 0.8 * random.random(),
        stops=number % each_nth == offset,
        answers=ModelAnswers(model, random.getrandbits(32)),
    )


def sittings_to_expect(children: int, plan: Weeks) -> int:
    """The approximate number of games that `play_weeks` will play for this many children."""
    return round(children * plan.weeks * plan.sittings)


def _make_assignments(
    school_class: SchoolClass, plan: Weeks, only: Child | None
) -> Sequence[Assignment]:
    """An assignment for each span; all but the last have ended."""
    zone = ZoneInfo(school_class.time_zone)
    begin = _monday(school_class) - timedelta(weeks=plan.weeks - 1)
    rows = []
    for number in range(-(-plan.weeks * 7 // ASSIGNMENT_SPAN.days)):
        tables = plan.tables[number % len(plan.tables)]
        starts = datetime.combine(begin + number * ASSIGNMENT_SPAN, time(8), zone)
        choice = Choice(tables=tables, rounds=plan.rounds, due_on=(starts + ASSIGNMENT_SPAN).date())
        columns = {**choice.columns, "is_for_everyone": only is None}
        rows.append(Assignment(school_class=school_class, created_at=starts, **columns))
    for assignment, next_assignment in pairwise(rows):
        assignment.ended_at = next_assignment.created_at
    Assignment.objects.bulk_create(rows)
    if only:
        only.assignments.add(*rows)
    return rows


def _school_days(school_class: SchoolClass, weeks: int) -> Iterator[date]:
    """The days on which the class plays, up to yesterday."""
    monday, today = _monday(school_class), school_class.today()
    for week in range(weeks - 1, -1, -1):
        for weekday in SCHOOL_DAYS:
            day = monday - timedelta(weeks=week) + timedelta(days=weekday)
            if day < today:
                yield day


def _monday(school_class: SchoolClass) -> date:
    """The Monday of yesterday's week, so that the last week is not empty."""
    yesterday = school_class.today() - timedelta(days=1)
    return yesterday - timedelta(days=yesterday.weekday())


def _sitting(
    simulated: SimulatedChild, assignment: Assignment, day: date, week: int, random: Random
) -> _Sitting:
    """Play a child's match of a day against a companion that suits them, then their short
    questions."""
    zone = ZoneInfo(assignment.school_class.time_zone)
    name, face = CAST[random.randrange(len(CAST))]
    strength = opponent_for(simulated.rating.value)
    bot = NewSeat(bot=companion.name_of(strength), name=name, face=face)
    past = PastGame(
        ruleset=assignment.ruleset,
        seats=[NewSeat(player=simulated.child.player, name=simulated.child.name), bot],
        begins=datetime.combine(day, time(9), zone) + timedelta(seconds=random.randrange(18000)),
        seed=random.getrandbits(SEED_BITS),
        hint_steps=assignment.hint_steps,
        kindness=kindness_for(assignment.ruleset, simulated.rating.value),
        shows_missed_rows=assignment.shows_missed_rows,
    )
    grown = simulated.after(week)
    game_played = play_out(past, ModelChooser(grown, random.getrandbits(32)))
    for winner in game_played.game.round_winners:
        simulated.rating = rating_after_round(simulated.rating, Result(strength, won=winner == 0))
    simulated.answers.child = grown
    replies = list(_replies(simulated, assignment, day, random))
    return _Sitting(simulated, assignment, game_played, replies)


def _replies(
    simulated: SimulatedChild, assignment: Assignment, day: date, random: Random
) -> Iterator[tuple[Question, ModelReply]]:
    tables = short_questions.tables_to_ask(assignment.ruleset.tables)
    number = day.toordinal()
    simulated.tables |= {*tables}
    topic = short_questions.Topic(tables, earlier_tables=simulated.tables)
    questions = short_questions.fact_questions(simulated.recall, topic, number, random)
    for place, question in enumerate(questions):
        fact = (question.numbers[0], question.numbers[1])
        reply = simulated.answers.answer(fact, number + place / 1000)
        net_ms = round(1000 * reply.seconds)
        simulated.recall.add(FactAnswer(fact, reply.right, number, net_ms=net_ms))
        yield question, reply


def _store(batch: list[_Sitting]) -> int:
    """Store a batch, empty it, and return its number of games."""
    store_games(sitting.played for sitting in batch)
    attempts = [
        Attempt(
            assignment=sitting.assignment,
            child=sitting.simulated.child,
            game=sitting.played.game,
            created_at=sitting.played.game.created_at,
        )
        for sitting in batch
    ]
    Attempt.objects.bulk_create(attempts)
    rows = Sitting.objects.bulk_create([_sitting_row(sitting) for sitting in batch])
    pairs = zip(batch, rows, strict=True)
    Check.objects.bulk_create([check for pair in pairs for check in _check_rows(*pair)])
    batch.clear()
    return len(attempts)


def _sitting_row(sitting: _Sitting) -> Sitting:
    game = sitting.played.game
    return Sitting(
        game=game,
        round=game.round,
        child=sitting.simulated.child,
        questions=[stored_question(question) for question, _ in sitting.replies],
        done=len(sitting.replies),
        created_at=game.moved_at,
        closed_at=game.moved_at,
    )


def _check_rows(sitting: _Sitting, row: Sitting) -> Iterator[Check]:
    school_class = sitting.assignment.school_class
    at = sitting.played.game.moved_at
    for number, (question, reply) in enumerate(sitting.replies):
        net_ms = round(1000 * reply.seconds)
        asked_at, at = at, at + timedelta(seconds=reply.seconds + TYPING_SECONDS)
        yield Check(
            sitting=row,
            number=number,
            child=sitting.simulated.child,
            school_class=school_class,
            assignment=sitting.assignment,
            kind=question.kind,
            first=question.numbers[0],
            second=question.numbers[1],
            answer=question.answer if reply.right else question.answer + question.numbers[0],
            right=reply.right,
            ms=net_ms + round(1000 * TYPING_SECONDS),
            net_ms=net_ms,
            how=short_questions.answer_kind(is_right=reply.right, has_help=False, net_ms=net_ms),
            asked_at=asked_at,
            answered_at=at,
            day=at.astimezone(ZoneInfo(school_class.time_zone)).date(),
        )
