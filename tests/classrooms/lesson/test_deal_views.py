"""One deal for the class on the pages of the teacher: starting it in a few taps, its board, the
discussion."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from classrooms.assignments import playing, services
from classrooms.assignments import services as assignments
from classrooms.assignments.presets import PRESETS
from classrooms.lesson import one_deal, talks
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress.models import Chance, ChildDay
from classrooms.progress.tasks import look_for_dirty
from games.models import Entry
from tests.classrooms.lesson.deals import DealHand
from tests.classrooms.people import client_of, client_of_child
from tests.classrooms.progress.playing import begin_with_a_row
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = pytest.mark.django_db
TAG = "HX-PTag"


@pytest.fixture
def deal(school_class: SchoolClass) -> Assignment:
    return one_deal.start(school_class, PRESETS["next"].choice)


def url(name: str, deal: Assignment) -> str:
    return reverse(f"classrooms:{name}", args=[deal.school_class_id, deal.pk])


def finished(deal: Assignment, *children: Child) -> None:
    for number, child in enumerate(children):
        DealHand(child, deal, number, 0.4 + number * 0.3).play_out()


def test_two_taps_on_the_class_page_start_a_deal(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    new = reverse("classrooms:new_deal", args=[school_class.pk])
    assert new in alices_client.get(reverse("classrooms:class", args=[school_class.pk])).text
    assert 'name="preset" value="next"' in alices_client.get(new).text
    board = alices_client.post(new, {"preset": "next"}, follow=True)
    made = Assignment.objects.get()
    assert board.redirect_chain[-1][0] == url("deal", made)
    assert (made.rounds, made.checks, made.is_one_deal) == (1, False, True)
    assert school_class.spaced_code in board.text
    page = client_of_child(dora).get(reverse("classrooms:me"))
    assert "Play and compare" in page.text.partition("More games")[0]


@pytest.mark.django_db(transaction=True)
def test_eight_taps_at_once_start_one_deal(alice: User, school_class: SchoolClass) -> None:
    new = reverse("classrooms:new_deal", args=[school_class.pk])
    clients = [client_of(alice) for _ in range(8)]

    def tap(client: Client) -> str:
        try:
            return str(client.post(new, {"preset": "first"}).headers["Location"])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(tap, clients)) == {url("deal", Assignment.objects.get())}
    assignments.end(Assignment.objects.get())
    assert tap(clients[0]) != url("deal", Assignment.objects.earliest("created_at"))


def test_the_board_says_who_has_finished_but_not_who_leads(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora)
    playing.continue_or_start(emil, deal)
    shown = alices_client.get(url("deal", deal))
    assert [
        (state, [one.name for one in names]) for state, _, names in shown.context["board"].parts
    ] == [
        ("finished", ["Dora"]),
        ("playing", ["Emil"]),
    ]
    assert "1 child is still playing" in shown.text
    assert "points" not in shown.text


def test_names_are_shown_only_on_request(
    alices_client: Client, deal: Assignment, dora: Child
) -> None:
    finished(deal, dora)
    for name in ("deal", "deal_part"):
        assert "Dora" not in alices_client.get(url(name, deal)).text
        assert "Dora" in alices_client.get(f"{url(name, deal)}?names=shown").text
    assert 'href="?names=shown"' in alices_client.get(url("deal", deal)).text
    assert (
        "?names=shown"
        in alices_client.get(f"{url('deal', deal)}?names=shown").text.split("hx-get")[1]
    )


def test_closing_a_deal_early_asks_first(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora)
    close = f'action="{url("close_deal", deal)}"'
    waiting = alices_client.get(url("deal", deal)).text
    assert "1 of 2 has finished." in waiting
    assert close not in waiting
    asked = alices_client.get(f"{url('deal', deal)}?close=ask").text
    assert "Close it now?" in asked
    assert close in asked
    finished(deal, emil)
    done = alices_client.get(url("deal", deal)).text
    assert "2 of 2 have finished." in done
    assert close in done


def test_an_unchanged_board_is_not_sent_again(
    alices_client: Client, deal: Assignment, dora: Child
) -> None:
    tag = alices_client.get(url("deal_part", deal)).headers[TAG]
    assert alices_client.get(url("deal_part", deal), headers={TAG: tag}).status_code == 304
    playing.continue_or_start(dora, deal)
    assert alices_client.get(url("deal_part", deal), headers={TAG: tag}).status_code == 200


def test_no_cards_are_shown_before_the_deal_is_closed(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora, emil)
    answer = alices_client.get(url("deal_talk", deal))
    assert answer.headers["Location"] == url("deal", deal)


def test_a_closed_deal_cannot_be_begun(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora)
    alices_client.post(url("close_deal", deal))
    client_of_child(emil).post(reverse("classrooms:start", args=[deal.pk]))
    assert not emil.attempts.exists()


def test_a_deal_closed_by_mistake_can_be_reopened_on_its_board(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora)
    alices_client.post(url("close_deal", deal))
    assert "Open it again" in alices_client.get(url("deal", deal)).text
    answer = alices_client.post(url("resume_assignment", deal))
    assert answer.headers["Location"] == url("deal", deal)
    client_of_child(emil).post(reverse("classrooms:start", args=[deal.pk]))
    assert emil.attempts.get().game.shared_deal


def test_the_discussion_fills_the_screen(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora, emil)
    page = alices_client.post(url("close_deal", deal), follow=True).text
    assert '<header class="top">' not in page
    assert "Back to the board" in page


def test_the_discussion_names_nobody(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora, emil)
    first = alices_client.post(url("close_deal", deal), follow=True)
    assert "Both children had these cards." in first.text
    shown = alices_client.get(url("deal_talk", deal), {"turn": "1", "step": "2"})
    row = shown.context["rows"][0].row
    assert f"Laid by <strong>{row.laid}</strong> of the 2 who could lay it" in shown.text
    for page in (first, shown):
        assert "Only the 2 children who finished are compared." in page.text
        for hidden in ("Dora", "Emil", str(deal.deal_seed)):
            assert hidden not in page.text


def test_a_deal_finished_by_one_child_has_nothing_to_compare(
    alices_client: Client, deal: Assignment, dora: Child
) -> None:
    finished(deal, dora)
    shown = alices_client.post(url("close_deal", deal), follow=True)
    assert "once two children have finished" in shown.text


@pytest.mark.parametrize("name", ["deal", "deal_part", "deal_talk"])
def test_an_ordinary_assignment_has_no_board(
    alices_client: Client, school_class: SchoolClass, name: str
) -> None:
    ordinary = AssignmentFactory.create(school_class=school_class)
    assert alices_client.get(url(name, ordinary)).status_code == 404


def test_the_queries_do_not_grow_with_the_class(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    def queries(name: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            alices_client.get(url(name, deal))
        return len(asked)

    finished(deal, dora, emil)
    before = queries("deal")
    more = [ChildFactory.create(school_class=deal.school_class) for _ in range(2)]
    finished(deal, *more)
    assert queries("deal") <= before <= 15
    assignments.end(deal)
    assert queries("deal_talk") <= 15


# Three positions of the class's own games to talk about, without names


@pytest.fixture
def tables(school_class: SchoolClass) -> Assignment:
    return AssignmentFactory.create(
        school_class=school_class, options={"tables": [2, 3, 4], "offers": False}
    )


@pytest.fixture
def class_that_missed_rows(dora: Child, emil: Child, tables: Assignment) -> SchoolClass:
    for child in (dora, emil):
        begin_with_a_row(child, tables).play_round(lays=False)
    look_for_dirty()
    return dora.school_class


def test_the_most_missed_tables_come_first_one_position_each(
    class_that_missed_rows: SchoolClass,
) -> None:
    tables = [row.table for row in talks.rows_to_discuss(class_that_missed_rows)]
    times = [Chance.objects.filter(outcome="missed", table=table).count() for table in tables]
    assert times == sorted(times, reverse=True)
    assert len(set(tables)) == len(tables) <= talks.POSITIONS
    assert tables


def test_talks_are_about_recent_rows_of_tables(class_that_missed_rows: SchoolClass) -> None:
    assert all(row.table for row in talks.rows_to_discuss(class_that_missed_rows))
    old = class_that_missed_rows.today() - timedelta(weeks=4)
    Chance.objects.update(day=old)
    assert talks.rows_to_discuss(class_that_missed_rows) == []


def test_an_open_deal_is_not_talked_about(
    class_that_missed_rows: SchoolClass, tables: Assignment
) -> None:
    Assignment.objects.filter(pk=tables.pk).update(deal_seed=5)
    assert talks.rows_to_discuss(class_that_missed_rows) == []
    services.end(tables)
    assert talks.rows_to_discuss(class_that_missed_rows)


def test_the_row_is_revealed_step_by_step(class_that_missed_rows: SchoolClass) -> None:
    rows = talks.rows_to_discuss(class_that_missed_rows)
    shown = [talks.position(rows, 1, step).scene for step in range(1, talks.STEPS + 1)]
    own = len(talks.position(rows, 1, 1).row.hand_values)
    in_hand = [sum(card.is_lit for card in scene.hand) for scene in shown]
    on_table = [
        sum(card.is_lit for island in scene.islands for card in island.cards) for scene in shown
    ]
    assert in_hand == [0, min(1, own), own, 0]
    assert on_table == [0, 0, 0, own]
    assert len({scene.felt for scene in shown}) == 1, "the table keeps its size and place"
    assert [talks.position(rows, 1, step).is_open for step in (1, 2, 3, 4)] == [
        False,
        False,
        False,
        True,
    ]


def test_the_heading_numbers_the_row(alice: User, class_that_missed_rows: SchoolClass) -> None:
    count = len(talks.rows_to_discuss(class_that_missed_rows))
    page = client_of(alice).get(reverse("classrooms:talk", args=[class_that_missed_rows.pk]))
    assert f"From our games in the last 4 weeks: row 1 of {count}<" in page.text


def test_no_child_is_named(alice: User, class_that_missed_rows: SchoolClass) -> None:
    url = reverse("classrooms:talk", args=[class_that_missed_rows.pk])
    for step in range(1, talks.STEPS + 1):
        page = client_of(alice).get(f"{url}?step={step}").text
        assert "Dora" not in page
        assert "Emil" not in page
        assert "Bo:" not in page


@pytest.mark.parametrize("asked", ["?position=9", "?step=x", "?position=-1&step=99"])
def test_an_address_out_of_range_starts_at_the_beginning(
    alice: User, class_that_missed_rows: SchoolClass, asked: str
) -> None:
    page = client_of(alice).get(
        reverse("classrooms:talk", args=[class_that_missed_rows.pk]) + asked
    )
    assert "Can you see it?" in page.text


def test_without_missed_rows_the_page_explains_itself(alice: User, dora: Child) -> None:
    talk = reverse("classrooms:talk", args=[dora.school_class_id])
    nothing_yet = client_of(alice).get(talk).text
    assert "No games from the last 4 weeks have been counted yet." in nothing_yet
    played = {"child": dora, "school_class": dora.school_class, "last_at": timezone.now()}
    ChildDay.objects.create(day=dora.school_class.today(), rounds=1, **played)
    nothing_missed = client_of(alice).get(talk).text
    assert "There are no missed rows from the last 4 weeks to talk about." in nothing_missed
    for page in (nothing_yet, nothing_missed):
        assert "without names" in page


def test_a_row_that_somebody_laid_in_its_game_is_not_talked_about(
    class_that_missed_rows: SchoolClass,
) -> None:
    row = talks.rows_to_discuss(class_that_missed_rows)[0]
    play = Entry.objects.filter(game=row.game_id, kind=Entry.Kind.ACT).last()
    play.data = {"numbers": [*row.numbers, max(row.numbers) + row.table]}
    play.save(update_fields=("data",))
    assert (row.game_id, row.numbers) not in [
        (other.game_id, other.numbers) for other in talks.rows_to_discuss(class_that_missed_rows)
    ]


def test_the_longest_row_is_shown_and_not_a_part_of_it(class_that_missed_rows: SchoolClass) -> None:
    rows = talks.rows_to_discuss(class_that_missed_rows)
    for number in range(1, len(rows) + 1):
        shown, numbers = talks.position(rows, number, 4).row.numbers, rows[number - 1].numbers
        assert set(shown) >= set(numbers)
        scene = talks.position(rows, number, 4).scene
        held = {int(card.face.value) for card in scene.hand if card.face.value.isdigit()}
        step = shown[1] - shown[0]
        assert not {shown[0] - step, shown[-1] + step} & held


def test_the_big_screen_has_no_links_to_other_pages(
    alice: User, class_that_missed_rows: SchoolClass
) -> None:
    page = client_of(alice).get(
        reverse("classrooms:talk", args=[class_that_missed_rows.pk]), {"screen": "big"}
    )
    assert 'class="tabs"' not in page.text
    assert 'class="way-back"' not in page.text
    assert "step=2&amp;screen=big" in page.text
