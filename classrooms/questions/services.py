"""Sittings of short questions, offered after a round, and the stamps that children collect."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import SystemRandom
from typing import Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from classrooms.models import Assignment, Attempt, Child
from classrooms.questions.models import Check, Sitting, Typed
from games.coach.questions import short_questions
from games.coach.questions.recall import FactAnswer
from games.coach.questions.short_questions import Question
from games.coach.times_tables import Fact, fact_of
from games.engine.round import OVER_PHASES
from games.models import Seat
from games.play.hooks import host
from games.play.round_story import story_of_round

# The rule of stamps: a child gets one for a fact that they answered right without help on three
# days, the last at least two weeks after the first.

STAMP_DAYS: Final = 3
STAMP_SPAN: Final = timedelta(days=14)
RIGHT_WITHOUT_HELP: Final = (Check.How.RECALLED, Check.How.DERIVED)


def is_stamp(days: Iterable[date]) -> bool:
    """Whether a fact known on these days earns a stamp."""
    dates = set(days)
    return len(dates) >= STAMP_DAYS and max(dates) - min(dates) >= STAMP_SPAN


def new_stamps(sitting: Sitting) -> list[Fact]:
    """The facts that became stamps in this sitting. Two queries, or one if no answer of the sitting
    can make a stamp."""
    answers = Check.objects.filter(
        child=sitting.child_id, kind=Check.Kind.FACT, how__in=RIGHT_WITHOUT_HELP
    )
    new_checks = list(answers.filter(sitting=sitting))
    if not new_checks:
        return []
    numbers = {number for check in new_checks for number in check.fact_answer().factors}
    first_key = _first_key(new_checks)
    earlier = answers.filter(first__in=numbers, second__in=numbers, pk__lt=first_key)
    days: dict[Fact, set[date]] = defaultdict(set)
    for check in earlier:
        days[fact_of(*check.fact_answer().factors)].add(check.day)
    stamps = set()
    for check in new_checks:
        fact = fact_of(*check.fact_answer().factors)
        if not is_stamp(days[fact]) and is_stamp({*days[fact], check.day}):
            stamps.add(fact)
    return sorted(stamps)


# Sittings of short questions: offered after a round; each question is answered once.

MOST_EARLIER_ANSWERS: Final = 1000
"""The most earlier answers that the choice of questions considers."""
_random: Final = SystemRandom()


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer with its question, and whether it is right."""

    question: Question
    answer: int
    is_right: bool
    had_help: bool  # whether the question was shown with help


@dataclass(frozen=True, slots=True)
class SittingTally:
    """The result of a sitting. Only questions that count are counted."""

    right: int
    count: int
    new_facts: tuple[tuple[int, int], ...]  # the facts that the child got right for the first time
    stamps: tuple[Fact, ...] = ()  # the facts that became stamps


def are_questions_due(attempt: Attempt, child: Child) -> bool:
    """Whether to offer the child short questions: the round is over, questions are on, and the
    child has neither answered all of this round nor skipped them."""
    return (
        attempt.game.phase in OVER_PHASES
        and attempt.assignment.has_questions
        and child.gets_questions
        and not _sittings_of_round(attempt).exclude(closed_at=None).exists()
    )


def sitting_of(attempt: Attempt, child: Child) -> Sitting | None:
    """The sitting after the round, which the first call creates. None while the round is being
    played, or if questions are off."""
    if attempt.game.phase not in OVER_PHASES or not (
        attempt.assignment.has_questions and child.gets_questions
    ):
        return None
    existing = _sittings_of_round(attempt).first()
    if existing is not None:
        return existing
    questions = _choose_questions(attempt, child)
    created, _ = Sitting.objects.get_or_create(
        game=attempt.game,
        round=attempt.game.round,
        child=child,
        defaults={"questions": [stored_question(question) for question in questions]},
    )
    return created


def stored_question(question: Question) -> list[object]:
    """A question as a sitting stores it."""
    return [question.kind, list(question.numbers), question.is_of_earlier_table]


def question_of(sitting: Sitting) -> Question:
    """The child's current question. Raises `IndexError` if all are answered."""
    kind, numbers, *earlier = sitting.questions[sitting.done]
    return Question(kind, tuple(numbers), any(earlier))


def start_clock(sitting: Sitting) -> bool:
    """Start timing the current question, which is about to be shown. Returns whether it is shown
    for the first time; otherwise the page's clock would start too late."""
    if sitting.asked_at is not None:
        return False
    sitting.asked_at = timezone.now()
    unseen = Sitting.objects.filter(pk=sitting.pk, asked_at=None)
    return unseen.update(asked_at=sitting.asked_at) == 1


def note_help(sitting: Sitting, number: int) -> None:
    """Store that question `number` is shown with help."""
    at_question = Sitting.objects.filter(pk=sitting.pk, done=number, closed_at=None)
    sitting.helped = at_question.update(helped=True) == 1 or sitting.helped


def skip(sitting: Sitting) -> None:
    Sitting.objects.filter(pk=sitting.pk, closed_at=None).update(closed_at=timezone.now())


def answer(
    attempt: Attempt, child: Child, sitting: Sitting, *, number: int, answer: int, ms: int | None
) -> CheckedAnswer | None:
    """Store an answer to question `number`, with the time `ms` that the page measured. Returns None
    if a second tap or another page has answered the question already."""
    now = timezone.now()
    with transaction.atomic():
        locked = Sitting.objects.select_for_update().get(pk=sitting.pk)
        if locked.closed_at is not None or locked.done != number:
            return None
        question = question_of(locked)
        asked_at = locked.asked_at or now
        plausible_ms = None
        if not child.is_untimed:
            plausible_ms = short_questions.plausible_ms(ms, _milliseconds(now - asked_at))
        checked = CheckedAnswer(question, answer, question.is_right(answer), locked.helped)
        if question.kind == "typing":
            if checked.is_right and plausible_ms is not None:
                digits = len(str(answer))
                Typed.objects.create(child=child, digits=digits, ms=plausible_ms, at=now)
        else:
            _store_answer(attempt, child, locked, checked, plausible_ms, asked_at, now)
        locked.done, locked.asked_at, locked.helped = locked.done + 1, None, False
        locked.closed_at = now if locked.done == len(locked.questions) else None
        locked.save(update_fields=("done", "asked_at", "helped", "closed_at"))
    for name in ("done", "asked_at", "helped", "closed_at"):
        setattr(sitting, name, getattr(locked, name))
    return checked


def tally_of(sitting: Sitting) -> SittingTally:
    """The tally of a sitting. Four queries."""
    checks = list(sitting.checks.order_by("number"))
    facts = {
        (check.first, check.second)
        for check in checks
        if check.right and check.first is not None and check.second is not None
    }
    before = Check.objects.filter(
        child=sitting.child_id, kind=Check.Kind.FACT, right=True, pk__lt=_first_key(checks)
    )
    known = {frozenset(fact) for fact in before.values_list("first", "second")} if facts else set()
    new_facts = [fact for fact in sorted(facts) if frozenset(fact) not in known]
    right = sum(check.right for check in checks)
    return SittingTally(right, len(checks), tuple(new_facts), tuple(new_stamps(sitting)))


def stamps_of_round(attempt: Attempt) -> list[Fact]:
    """The facts that became stamps in the questions answered so far after this round."""
    sitting = _sittings_of_round(attempt).first()
    return [] if sitting is None else new_stamps(sitting)


def _first_key(checks: Sequence[Check]) -> int:
    return min((check.pk for check in checks), default=0)


def _sittings_of_round(attempt: Attempt) -> QuerySet[Sitting]:
    return Sitting.objects.filter(
        game=attempt.game_id, round=attempt.game.round, child=attempt.child_id
    )


def _choose_questions(attempt: Attempt, child: Child) -> list[Question]:
    today = child.school_class.today().toordinal()
    seats = list(Seat.objects.filter(game=attempt.game_id))
    seat_number = next(seat.number for seat in seats if seat.player == child.player)
    wanted = [fact_of(*pair) for pair in attempt.assignment.facts]
    topic = short_questions.Topic(
        short_questions.tables_to_ask(attempt.assignment.focus or attempt.game.ruleset.tables),
        first_facts=wanted,
        earlier_tables=_tables_so_far(child),
        troubles=host().troubles(child.player),
    )
    rows = story_of_round(attempt.game, len(seats), seat_number).rows
    questions = short_questions.questions(topic, _answers_before(child), rows, today, _random)
    # Nothing comes before the facts that the child was given.
    if child.is_untimed or any(
        q.kind == "fact" and fact_of(*q.numbers) in wanted for q in questions[:1]
    ):
        return questions
    return short_questions.questions_of_set(_typing_questions(child, today), questions)


def _answers_before(child: Child) -> list[FactAnswer]:
    last = Check.objects.filter(child=child, kind=Check.Kind.FACT).order_by("-answered_at", "-id")
    return [check.fact_answer() for check in last[:MOST_EARLIER_ANSWERS]][::-1]


def _tables_so_far(child: Child) -> set[int]:
    """The tables of all assignments that the child has played."""
    assignments = Assignment.objects.filter(attempts__child=child).distinct().order_by()
    return {
        table
        for focus, options in assignments.values_list("focus", "options")
        for table in short_questions.tables_to_ask(focus or options.get("tables"))
    }


def _typing_questions(child: Child, today: int) -> list[Question]:
    zone = ZoneInfo(child.school_class.time_zone)
    rows = Typed.objects.filter(child=child).values_list("digits", "at")
    timed = [(digits, at.astimezone(zone).date().toordinal()) for digits, at in rows]
    lately = timezone.now() - timedelta(days=short_questions.TYPING_TIME_DAYS)
    sittings = Sitting.objects.filter(child=child, created_at__gte=lately)
    typed = [
        (len(str(numbers[0])), created_at.astimezone(zone).date().toordinal())
        for questions, count, created_at in sittings.values_list("questions", "done", "created_at")
        for kind, numbers, *_ in questions[:count]
        if kind == "typing"
    ]
    return short_questions.typing_questions(timed, typed, today, _random)


def _store_answer(
    attempt: Attempt,
    child: Child,
    sitting: Sitting,
    checked: CheckedAnswer,
    ms: int | None,
    asked_at: datetime,
    now: datetime,
) -> None:
    last = Typed.objects.filter(child=child).order_by("-at", "-id").values_list("digits", "ms")
    typed_numbers = list(last[: 4 * short_questions.TYPING_TIMES_USED])[::-1]
    typing = short_questions.typing_ms(checked.answer, typed_numbers)
    net_ms = None if ms is None or typing is None else max(ms - typing, 0)
    numbers = checked.question.numbers
    is_fact = checked.question.kind == "fact"
    Check.objects.create(
        sitting=sitting,
        number=sitting.done,
        child=child,
        school_class=child.school_class,
        assignment=attempt.assignment,
        kind=checked.question.kind,
        first=numbers[0] if is_fact else None,
        second=numbers[1] if is_fact else None,
        numbers=[] if is_fact else list(numbers),
        step=None if is_fact else numbers[1] - numbers[0],
        answer=checked.answer,
        right=checked.is_right,
        ms=ms,
        net_ms=net_ms,
        timed=not child.is_untimed,
        how=short_questions.answer_kind(
            is_right=checked.is_right, has_help=checked.had_help, net_ms=net_ms
        ),
        asked_at=asked_at,
        answered_at=now,
        day=child.school_class.day_of(now),
    )


def _milliseconds(elapsed: timedelta) -> int:
    return round(elapsed / timedelta(milliseconds=1))
