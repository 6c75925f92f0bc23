"""A collection grows with rows found without help and facts that are kept, and never shrinks."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms.collection.pieces import PIECES, Collection, Picture, collection_of, growing_of
from classrooms.models import Child
from classrooms.progress.models import FactDay, TableDay, TableMastery
from tests.classrooms.people import client_of_child
from tests.factories import ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

TODAY = date(2026, 3, 16)
SIGN = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora")


def found(child: Child, table: int, **counts: int) -> None:
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


def know_fact(child: Child, low: int, high: int, *days_ago: int, **counts: int) -> None:
    for days in days_ago:
        FactDay.objects.create(
            child=child,
            school_class=child.school_class,
            low=low,
            high=high,
            day=TODAY - timedelta(days=days),
            asked=1,
            last_at=timezone.now(),
            **(counts or {"recalled": 1}),
        )


def picture_of(collection: Collection, table: int) -> Picture:
    return next(picture for picture in collection.pictures if picture.table == table)


def test_only_rows_found_without_help_uncover_pieces(dora: Child) -> None:
    found(dora, 4, at_once=2, later=1, hinted=5, tried=4, missed=3, joker=2)
    picture = picture_of(collection_of(dora), 4)
    assert (picture.pieces, len(picture.covers)) == (3, PIECES - 3)


def test_a_picture_is_whole_with_its_last_piece_and_stays_whole(dora: Child) -> None:
    found(dora, 3, at_once=PIECES - 1)
    found(dora, 5, at_once=PIECES)
    found(dora, 7, at_once=5 * PIECES)
    collection = collection_of(dora)
    whole = {table: picture_of(collection, table).is_whole for table in (3, 5, 7)}
    assert whole == {3: False, 5: True, 7: True}
    assert "Find 1 more row of the 3 times table" in collection.next_step


def test_tables_above_10_appear_with_their_first_row(dora: Child) -> None:
    found(dora, 12, at_once=1)
    assert [picture.table for picture in collection_of(dora).pictures] == [*range(2, 11), 12]


@pytest.mark.parametrize(
    ("days_ago", "is_stamp"),
    [((14, 7, 0), True), ((13, 7, 0), False), ((14, 0), False), ((30, 20, 15, 1), True)],
)
def test_a_fact_known_on_three_days_over_two_weeks_is_a_stamp(
    dora: Child, days_ago: tuple[int, ...], is_stamp: bool
) -> None:
    know_fact(dora, 6, 7, *days_ago)
    collection = collection_of(dora)
    assert len(collection.stamps) == is_stamp
    assert len(collection.soon) == (not is_stamp)


def test_a_wrong_answer_takes_no_stamp_away(dora: Child) -> None:
    know_fact(dora, 6, 7, 30, 20, 10)
    know_fact(dora, 6, 7, 0, guessed=3)
    assert len(collection_of(dora).stamps) == 1


def test_three_queries_make_it(dora: Child, django_assert_num_queries: Any) -> None:
    found(dora, 4, at_once=9)
    know_fact(dora, 6, 7, 20, 10, 0)
    with django_assert_num_queries(3):
        assert collection_of(dora).next_step
    with django_assert_num_queries(3):
        assert growing_of(dora).picture


def test_a_stamp_is_new_on_the_day_on_which_it_became_one(dora: Child, clock: Traveller) -> None:
    clock.move_to(datetime.combine(TODAY, time(10), UTC))
    know_fact(dora, 6, 7, 20, 10, 0)
    know_fact(dora, 6, 8, 30, 20, 10, 0)
    know_fact(dora, 7, 8, 30, 20, 10)
    know_fact(dora, 4, 4, 20, 0)
    names = [f"6{SIGN}7", f"6{SIGN}8", f"7{SIGN}8"]
    assert collection_of(dora).stamps == list(zip(names, (True, False, False), strict=True))
    assert growing_of(dora).new_stamps == f"A new stamp: 6{SIGN}7"
    assert f"A new stamp: 6{SIGN}7" in client_of_child(dora).get(reverse("classrooms:me")).text
    clock.move_to(datetime.combine(TODAY + timedelta(days=1), time(10), UTC))
    assert growing_of(dora).new_stamps == ""


def test_the_page_says_how_many_rows_of_a_picture_are_of_today(dora: Child) -> None:
    found(dora, 4, at_once=7)
    TableDay.objects.create(
        child=dora,
        school_class=dora.school_class,
        table=4,
        day=dora.school_class.today(),
        at_once=2,
        last_at=timezone.now(),
    )
    assert "2 new today" in client_of_child(dora).get(reverse("classrooms:collection")).text


def test_the_page_shows_pictures_and_stamps(dora: Child) -> None:
    found(dora, 4, at_once=PIECES)
    know_fact(dora, 6, 7, 20, 10, 0)
    text = client_of_child(dora).get(reverse("classrooms:collection")).text
    assert "4 times table" in text
    assert "Finished!" in text
    assert "1 stamp" in text


def test_the_list_shows_the_picture_that_can_be_finished_next(dora: Child) -> None:
    found(dora, 3, at_once=PIECES)
    found(dora, 4, at_once=7)
    found(dora, 5, at_once=2)
    growing = growing_of(dora)
    assert growing.picture is not None
    assert growing.picture.table == 4
    text = client_of_child(dora).get(reverse("classrooms:me")).text
    assert "Find 5 more rows of the 4 times table" in text
