"""Store what children have done: answers to short questions, rows of a table, and days of play. And
read everything that is stored."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from classrooms.collection.pieces import PIECES
from classrooms.models import Assignment, Child
from classrooms.progress.models import (
    Chance,
    ChildDay,
    GameEvidence,
    SittingEvidence,
    TableDay,
    TableMastery,
)
from classrooms.progress.rebuild import REBUILT_MODELS
from classrooms.progress.table_levels import fold_all_tables
from classrooms.questions.models import Check, Sitting
from games.coach.questions.short_questions import answer_kind
from games.coach.times_tables import TABLES_TO_12
from tests.factories import AttemptFactory


def answer(
    child: Child,
    first: int,
    second: int,
    *,
    right: bool = True,
    net_ms: int | None = 2000,
    hinted: bool = False,
    at: datetime | None = None,
    assignment: Assignment | None = None,
    sitting: Sitting | None = None,
) -> Check:
    """Store one answer, in a sitting of its own unless one is given."""
    at = at or timezone.now()
    school_class = child.school_class
    with transaction.atomic(savepoint=False):
        sitting = sitting or Sitting.objects.create(child=child, round=1, questions=[["fact", []]])
        check = Check.objects.create(
            sitting=sitting,
            number=sitting.done,
            child=child,
            school_class=school_class,
            assignment=assignment,
            kind=Check.Kind.FACT,
            first=first,
            second=second,
            answer=first * second if right else first * second + 1,
            right=right,
            ms=net_ms,
            net_ms=net_ms,
            timed=not child.is_untimed,
            how=answer_kind(is_right=right, has_help=hinted, net_ms=net_ms),
            asked_at=at,
            answered_at=at,
            day=at.astimezone(ZoneInfo(school_class.time_zone)).date(),
        )
        sitting.done += 1
        sitting.save(update_fields=["done"])
    return check


def chances(
    child: Child,
    task: Assignment,
    *,
    found: int,
    of: int,
    table: int = 5,
    ago: int = 1,
    hint_steps: int = 6,
    days: int = 3,
) -> None:
    """Store a game in which the child found `found` of `of` chances. They fall on `days` days, the
    last of which was `ago` days ago."""
    attempt = AttemptFactory.create(child=child, assignment=task)
    attempt.game.hint_steps = hint_steps
    attempt.game.save()
    Chance.objects.bulk_create(
        Chance(
            child=child,
            school_class=child.school_class,
            assignment=task,
            game=attempt.game,
            entry=number,
            entries=[number],
            round=1,
            first_turn=1,
            last_turn=1,
            day=child.school_class.today() - timedelta(days=ago + number % days),
            at=timezone.now() - timedelta(days=ago + number % days),
            table=table,
            outcome=Chance.Outcome.AT_ONCE if number < found else Chance.Outcome.MISSED,
            row="5 10 15",
            numbers=[5, 10, 15],
        )
        for number in range(of)
    )


def rows(
    child: Child,
    table: int,
    *,
    found: int,
    missed: int = 0,
    joker: int = 0,
    ago: int = 0,
    fold: bool = True,
) -> None:
    """Store rows of one day. To store many, pass `fold=False` and fold at the end, because each
    fold is of all tables."""
    at = timezone.now() - timedelta(days=ago)
    TableDay.objects.create(
        child=child,
        school_class=child.school_class,
        table=table,
        day=child.school_class.today() - timedelta(days=ago),
        at_once=found,
        missed=missed,
        joker=joker,
        last_at=at,
    )
    if fold:
        fold_all_tables([child.pk])


def play_day(child: Child, *, turns: int, ago: int = 0, rounds: int = 1, **counts: int) -> None:
    at = timezone.now() - timedelta(days=ago)
    ChildDay.objects.create(
        child=child,
        school_class=child.school_class,
        day=child.school_class.today() - timedelta(days=ago),
        turns=turns,
        rounds=rounds,
        last_at=at,
        **counts,
    )


MODELS: tuple[type[Model], ...] = (*REBUILT_MODELS, GameEvidence, SittingEvidence)


def everything() -> dict[str, list[str]]:
    """All rows of all tables, without their ids."""
    return {
        model.__name__: sorted(
            repr([(key, value) for key, value in sorted(row.items()) if key != "id"])
            for row in model._default_manager.values()
        )
        for model in MODELS
    }


TODAY = date(2026, 3, 16)


def master_table(child: Child, table: int, **counts: int) -> None:
    TableMastery.objects.create(
        child=child,
        table=table,
        day=TODAY,
        known={},
        before={},
        reached="learning",
        reached_on=TODAY,
        last_at=timezone.now(),
        **counts,
    )


def nearly_whole(child: Child) -> None:
    """Store so many rows that one more completes each of the child's pictures."""
    for table in TABLES_TO_12:
        master_table(child, table, at_once=PIECES - 1)


def known_before(dora: Child, *days_ago: int) -> None:
    for days in days_ago:
        answer(dora, 6, 7, at=timezone.now() - timedelta(days=days))
