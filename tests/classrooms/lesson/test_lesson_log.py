"""The tallies that a process remembers agree with the lesson's logs."""

from datetime import datetime, timedelta
from random import Random
from typing import Any, Final
from unittest.mock import patch
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from classrooms.lesson import lesson_log
from classrooms.lesson.lesson_log import LessonTally, tallies_since
from classrooms.models import Child, SchoolClass
from classrooms.progress.models import GameEvidence
from games.engine.text.record import EntryKind
from games.models import Entry, Game, Seat
from tests.counts import times
from tests.factories import AttemptFactory, ChanceFactory, ChildFactory, SchoolClassFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LESSON: Final = timedelta(minutes=90)
ENTRIES: Final = (
    ("act", "12-16-20"),
    ("act", "J=8-12-16"),
    ("act", "draw"),
    ("act", "discard 7"),
    ("take back", ""),
    ("hint", ""),
    ("hint", ""),
    ("refused", "1-2-3"),
    ("refused", "1-2-3"),
)


@pytest.fixture(autouse=True)
def _nothing_is_remembered() -> Any:
    with patch.object(lesson_log, "_LOGS", {}):
        yield


def games_of(child: Child, n: int, now: datetime) -> list[Game]:
    """This many games of a child and a bot. The child has the first seat."""
    games = [
        Game.objects.create(ruleset_data={}, engine_version="", seed=0, moved_at=now)
        for _ in range(n)
    ]
    for number, game in enumerate(games):
        Seat.objects.create(game=game, number=number % 2, player=child.player)
        Seat.objects.create(game=game, number=1 - number % 2, bot="beginner")
    Child.objects.filter(pk=child.pk).update(last_game=games[0])
    return games


def write(game: Game, at: datetime, *entries: tuple[str, str], own: bool = True) -> None:
    """Write these entries of the child or of the bot at this moment."""
    seat = game.seats.get(player__isnull=not own)
    for kind, text in entries:
        game.version += 1
        Entry.objects.create(
            game=game, number=game.version, kind=kind, text=text, seat=seat.number, at=at
        )
    game.moved_at = at
    game.save(update_fields=("version", "moved_at"))


def slow_count(child: Child, since: datetime) -> LessonTally:
    child.refresh_from_db()
    rows = hints = refused = hints_since = 0
    looks_at_hint = False
    for seat in Seat.objects.filter(player=child.player, game__moved_at__gt=since):
        own = list(seat.game.entries.filter(seat=seat.number).order_by("number"))
        acts = [entry.number for entry in own if entry.kind == EntryKind.ACT]
        for entry in own:
            if entry.at <= since:
                continue
            is_row = entry.kind == EntryKind.ACT and entry.text[0] in "1J"
            rows += is_row - (entry.kind == EntryKind.TAKE_BACK)
            hints += entry.kind == EntryKind.HINT
            if seat.game_id == child.last_game_id and entry.number > max(acts, default=0):
                refused += entry.kind == EntryKind.REFUSED
                hints_since += entry.kind == EntryKind.HINT
                looks_at_hint = entry.kind == EntryKind.HINT
    return LessonTally(rows, hints, refused, hints_since, looks_at_hint)


def counting_tallies(class_id: UUID, since: datetime) -> dict[UUID, LessonTally]:
    """The tallies, without those of children whose games have nothing that counts."""
    return {
        child: tally
        for child, tally in tallies_since(class_id, since).items()
        if tally != LessonTally()
    }


@pytest.mark.parametrize("seed", range(times(1, 40)))
def test_the_memory_agrees_with_the_logs(school_class: SchoolClass, seed: int) -> None:
    random, now = Random(seed), timezone.now()
    children = ChildFactory.create_batch(3, school_class=school_class)
    games = {child: games_of(child, 2, now) for child in children}
    for _ in range(30):
        now += timedelta(minutes=random.choice((0, 1, 20)))
        for child in random.sample(children, 2):
            game = random.choice(games[child])
            write(game, now, *random.choices(ENTRIES, k=random.randrange(4)))
            write(game, now, ("act", "12-16-20"), ("refused", "1-2-3"), own=False)
            if random.random() < 0.2:
                Child.objects.filter(pk=child.pk).update(last_game=random.choice(games[child]))
        since = now - LESSON
        counts = {child.pk: slow_count(child, since) for child in children}
        assert counting_tallies(school_class.pk, since) == {
            child: tally for child, tally in counts.items() if tally != LessonTally()
        }


def test_a_game_given_to_another_child_is_counted_for_that_child(school_class: SchoolClass) -> None:
    now = timezone.now()
    dora, emil = ChildFactory.create_batch(2, school_class=school_class)
    (game,) = games_of(dora, 1, now)
    write(game, now, ("act", "12-16-20"), ("hint", ""))
    since = now - LESSON
    assert counting_tallies(school_class.pk, since).keys() == {dora.pk}
    Seat.objects.filter(player=dora.player).update(player=emil.player)
    assert counting_tallies(school_class.pk, since) == {emil.pk: LessonTally(rows=1, hints=1)}


def test_rows_of_counted_turns_are_those_that_the_pages_count(school_class: SchoolClass) -> None:
    now = timezone.now()
    attempt = AttemptFactory.create(child__school_class=school_class)
    game, child = attempt.game, attempt.child
    write(game, now, ("act", "12-16-20"), ("act", "24 4-8"), ("act", "discard 7"))
    assert tallies_since(school_class.pk, now - LESSON)[child.pk].rows == 2
    write(game, now, ("act", "draw"), own=False)
    end = game.version
    mark = GameEvidence.objects.create(game=game, upto_entry=end, upto_at=now)
    ChanceFactory.create(attempt=attempt, entry=1)
    ChanceFactory.create(attempt=attempt, entry=3, outcome="missed")
    ChanceFactory.create(attempt=attempt, entry=1, at=now - 2 * LESSON)
    assert tallies_since(school_class.pk, now - LESSON)[child.pk].rows == 1
    # Within a turn the workers read its rows, but do not count them yet.
    write(game, now, ("act", "5-10-15"))
    mark.upto_entry = game.version
    mark.save()
    assert tallies_since(school_class.pk, now - LESSON)[child.pk].rows == 2
    write(game, now, ("act", "discard 8"))
    ChanceFactory.create(attempt=attempt, entry=end + 1)
    assert tallies_since(school_class.pk, now - LESSON)[child.pk].rows == 2
    write(game, now, ("act", "draw"), own=False)
    mark.upto_entry = game.version
    mark.save()
    assert tallies_since(school_class.pk, now - LESSON)[child.pk].rows == 2


def test_entries_are_read_only_once(school_class: SchoolClass) -> None:
    now = timezone.now()
    (game,) = games_of(ChildFactory.create(school_class=school_class), 1, now)
    write(game, now, *[("hint", "")] * 40)
    since = now - LESSON
    with CaptureQueriesContext(connection) as captured:
        (first,) = tallies_since(school_class.pk, since).values()
    write(game, now, ("hint", ""))
    again = lesson_log._rows(school_class.pk, since, lesson_log._LOGS[school_class.pk])
    (second,) = tallies_since(school_class.pk, since).values()
    assert (first.hints, second.hints, len(again), len(captured)) == (40, 41, 1, 1)


def test_the_number_of_remembered_classes_is_limited() -> None:
    classes = SchoolClassFactory.create_batch(3)
    since = timezone.now() - LESSON
    with patch.object(lesson_log, "MOST_CLASSES", 2):
        for place in (0, 1, 0, 2):
            tallies_since(classes[place].pk, since)
        assert list(lesson_log._LOGS) == [classes[0].pk, classes[2].pk]
