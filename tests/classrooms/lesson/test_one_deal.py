"""A whole class plays one deal, and looks at it together; and the talk about missed rows."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms.assignments import playing, services, status
from classrooms.assignments import services as assignments
from classrooms.assignments.presets import PRESETS
from classrooms.lesson import one_deal, talks
from classrooms.models import Assignment, Attempt, Child, SchoolClass, User
from classrooms.progress.models import Chance, ChildDay
from classrooms.progress.tasks import look_for_dirty
from games.engine.actions import DrawClosed
from games.engine.text.record import EntryKind, transitions
from games.engine.view import view
from games.models import Entry, Game
from games.play import services as play
from games.play.log import entries_of, setting_of
from games.play.moves import Do
from tests.classrooms.lesson.deals import DealHand
from tests.classrooms.people import client_of, client_of_child, text_on, url_of
from tests.classrooms.progress.playing import begin_with_a_row
from tests.counts import at_once, times
from tests.factories import AssignmentFactory, ChildFactory
from tests.games.coach.deal_oracle import slow_count, slow_turns

pytestmark = pytest.mark.django_db
CHILDREN = times(5, 28)


@pytest.fixture
def deal(school_class: SchoolClass) -> Assignment:
    return one_deal.start(school_class, PRESETS["next"].choice)


def closed(deal: Assignment) -> Assignment:
    assignments.end(deal)
    deal.refresh_from_db()
    return deal


def state_of(child: Child, deal: Assignment) -> str:
    players = one_deal.board(deal, timezone.now()).players
    return next(player.state for player in players if player.child == child)


def answers_of_bots(game: Game, bots: int) -> Iterator[tuple[object, str]]:
    """Each bot's view with its rows in a fixed order, and its action."""
    for step in transitions(setting_of(game, bots + 1), entries_of(game)):
        seat = step.entry.seat
        if step.before is not None and seat:
            seat_view = view(step.before, seat)
            lines = tuple(sorted(map(str, seat_view.table.lines)))
            fields = [
                value for name, value in each_field(seat_view) if name not in ("table", "ruleset")
            ]
            yield (seat, str(fields), lines), step.entry.text


def each_field(value: object) -> list[tuple[str, object]]:
    return [(name, getattr(value, name)) for name in value.__slots__]  # type: ignore[attr-defined]


@pytest.mark.parametrize("bots", times([3], [1, 3]))
def test_a_whole_class_plays_one_deal(
    clock: Traveller, school_class: SchoolClass, bots: int
) -> None:
    """All get the same cards, and bots act alike in equal positions. The comparison matches a slow
    recount: without the child who left, and with the child who came late."""
    deal = one_deal.start(school_class, replace(PRESETS["next"].choice, bots=bots, more_rows=False))
    deal.deal_seed = 21  # a deal in which nobody is out before the second turn
    deal.save()
    *most, leaver, late = (ChildFactory.create(school_class=school_class) for _ in range(CHILDREN))
    for number, child in enumerate(most):
        DealHand(child, deal, number, 0.3 + number % 3 * 0.2).play_out()
    DealHand(leaver, deal, 91, 0.5).play_out(most_turns=2)
    assert (state_of(leaver, deal), state_of(late, deal)) == ("playing", "waiting")
    clock.shift(one_deal.AWAY_AFTER + timedelta(minutes=1))
    assert (state_of(leaver, deal), state_of(late, deal)) == ("left", "waiting")
    coming = DealHand(late, deal, 92, 0.5)
    assert state_of(late, deal) == "playing"
    coming.play_out()
    assert {state_of(child, deal) for child in (*most, late)} == {"finished"}
    games = [
        attempt.game for attempt in Attempt.objects.filter(assignment=deal).select_related("game")
    ]
    decks = Entry.objects.filter(game__in=games, kind="deal").values_list("text", flat=True)
    assert len(games) == CHILDREN
    assert len(set(decks)) == 1
    answers: dict[object, str] = {}
    for game in games:
        for fields, answer in answers_of_bots(game, bots):
            assert answers.setdefault(fields, answer) == answer

    rows = one_deal.comparison(closed(deal))
    compared = {attempt.child for attempt in rows.attempts}
    assert compared == {*most, late}
    slow = [
        slow_turns(
            list(transitions(setting_of(attempt.game, bots + 1), entries_of(attempt.game))), 0
        )
        for attempt in rows.attempts
    ]
    assert rows.turns[0].players == CHILDREN - 1
    for turn in rows.turns:
        expected = slow_count(slow, turn.number, turn.example)
        assert len(turn.rows) == len(expected)
        starts = [turns[turn.number - 1].before for turns in slow if len(turns) >= turn.number]
        assert turn.players == len(starts)
        assert turn.alike == max(starts.count(start) for start in starts)
        for row in turn.rows:
            counts = (row.could, row.laid, row.partly, row.later, row.never)
            assert expected[frozenset(row.numbers)] == counts
    assert state_of(leaver, deal) == "left"


def test_a_child_who_has_left_can_go_on_until_the_deal_is_closed(
    clock: Traveller, dora: Child, deal: Assignment
) -> None:
    hand = DealHand(dora, deal, 1, 0.5)
    hand.play_turn()
    clock.shift(one_deal.AWAY_AFTER + timedelta(minutes=1))
    assert state_of(dora, deal) == "left"
    hand.play_turn()
    assert state_of(dora, deal) == "playing"
    closed(deal)
    assert state_of(dora, deal) == "left"
    clock.shift(timedelta(seconds=1))
    hand.play_out()
    assert state_of(dora, deal) == "left"
    assert one_deal.comparison(deal).attempts == []


def test_a_deal_with_a_last_day_can_be_played_at_any_time_before(
    clock: Traveller, alice: User, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    due_on = school_class.today() + timedelta(days=3)
    teacher, new = client_of(alice), url_of("new_deal", school_class)
    page = teacher.post(new, {"preset": "next", "due_on": due_on.isoformat()}, follow=True)
    assert page.redirect_chain[-1][0] == url_of("assignments", school_class)
    deal = Assignment.objects.get()
    assert (deal.is_one_deal, deal.due_on) == (True, due_on)
    board = url_of("deal", school_class, deal.pk)
    assert "until Thursday<" in text_on(client_of_child(dora).get(reverse("classrooms:me")))
    first = DealHand(dora, deal, 1, 0.5)
    first.play_out()
    assert "once two children have finished" in text_on(client_of(alice).get(board))
    clock.shift(timedelta(days=2))
    second = DealHand(emil, deal, 2, 0.5)
    dealt = Entry.objects.filter(kind="deal").values_list("text", flat=True)
    assert len(dealt) == 2
    assert len(set(dealt)) == 1
    second.play_out()
    assert school_class.spaced_code in text_on(client_of(alice).get(board))
    clock.shift(timedelta(days=2))
    over = text_on(client_of(alice).get(board))
    assert school_class.spaced_code not in over
    assert "Close and discuss" in over
    assert "once two children have finished" not in over
    start = reverse("classrooms:start", args=[deal.pk])
    late = ChildFactory.create(school_class=school_class)
    assert client_of_child(late).post(start)["Location"] == reverse("classrooms:me")
    assert {attempt.child for attempt in one_deal.comparison(closed(deal)).attempts} == {dora, emil}


def test_a_last_day_in_the_past_is_refused(alice: User, school_class: SchoolClass) -> None:
    new = url_of("new_deal", school_class)
    page = client_of(alice).post(new, {"preset": "next", "due_on": "2020-01-01"})
    assert "This day has passed." in text_on(page)
    assert not Assignment.objects.exists()


def test_a_deal_can_change_its_last_day_only(alice: User, dora: Child, deal: Assignment) -> None:
    address = url_of("edit_assignment", deal)
    client, due_on = client_of(alice), deal.school_class.today() + timedelta(days=5)
    assert 'name="rounds"' not in text_on(client.get(address))
    posted = {"due_on": due_on.isoformat(), "hint_steps": "0", "children": [str(dora.pk)]}
    client.post(address, posted)
    before = (deal.rounds, deal.hint_steps, deal.is_for_everyone)
    deal.refresh_from_db()
    assert deal.due_on == due_on
    assert (deal.rounds, deal.hint_steps, deal.is_for_everyone) == before


def test_a_child_idle_for_long_has_not_finished(dora: Child, deal: Assignment) -> None:
    game = playing.continue_or_start(dora, deal)
    assert state_of(dora, deal) == "playing"
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - 2 * one_deal.AWAY_AFTER)
    assert state_of(dora, deal) == "left"


def test_a_game_finished_too_late_is_not_compared(
    dora: Child, emil: Child, deal: Assignment
) -> None:
    DealHand(dora, deal, 1, 0.5).play_out()
    late = DealHand(emil, deal, 2, 0.5)
    closed(deal)
    late.play_out()
    assert [attempt.child for attempt in one_deal.comparison(deal).attempts] == [dora]
    assert (state_of(dora, deal), state_of(emil, deal)) == ("finished", "left")


def test_a_child_who_plays_again_gets_other_cards(dora: Child, deal: Assignment) -> None:
    first = DealHand(dora, deal, 1, 0.5)
    first.play_out()
    again = playing.continue_or_start(dora, deal)
    assert again.pk != first.game_id
    assert not again.has_shared_deal
    assert again.seed != deal.deal_seed
    assert [attempt.game_id for attempt in one_deal.comparison(closed(deal)).attempts] == [
        first.game_id
    ]


def test_a_move_sent_again_after_a_minute_offline_is_made_once(
    dora: Child, emil: Child, deal: Assignment
) -> None:
    hand, other = DealHand(dora, deal, 1, 0), DealHand(emil, deal, 1, 0)
    version, key = hand.outcome.game.version, uuid4()
    for _ in range(2):
        hand.outcome = play.act(
            hand.game_id, dora.player, version=version, key=key, move=Do(DrawClosed())
        )
    other.move(Do(DrawClosed()))
    assert hand.outcome.view.hand == other.outcome.view.hand
    assert entries_of(hand.attempt.game) == entries_of(other.attempt.game)


def test_a_deal_comes_first_in_a_childs_list_until_it_is_played(
    dora: Child, school_class: SchoolClass
) -> None:
    assignment = AssignmentFactory.create(school_class=school_class)
    playing.continue_or_start(dora, assignment)
    deal = one_deal.start(school_class, PRESETS["first"].choice)
    first, second = status.playable_assignments(dora)
    assert (first.assignment, first.button) == (deal, "Play and compare")
    assert second.assignment == assignment
    DealHand(dora, deal, 1, 0.5).play_out()
    assert status.playable_assignments(dora)[-1].button == "Play again"


def test_a_removed_child_is_not_compared(dora: Child, emil: Child, deal: Assignment) -> None:
    for number, child in enumerate((dora, emil)):
        DealHand(child, deal, number, 0.5).play_out()
    Child.objects.filter(pk=emil.pk).update(removed_at=timezone.now() - timedelta(days=1))
    assert [attempt.child for attempt in one_deal.comparison(closed(deal)).attempts] == [dora]


TAG = "HX-PTag"


def finished(deal: Assignment, *children: Child) -> None:
    for number, child in enumerate(children):
        DealHand(child, deal, number, 0.4 + number * 0.3).play_out()


def test_two_taps_on_the_class_page_start_a_deal(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    new = url_of("new_deal", school_class)
    assert new in text_on(alices_client.get(url_of("class", school_class)))
    assert 'name="preset" value="next"' in text_on(alices_client.get(new))
    board = alices_client.post(new, {"preset": "next"}, follow=True)
    assignment = Assignment.objects.get()
    assert board.redirect_chain[-1][0] == url_of("deal", assignment)
    assert (assignment.rounds, assignment.has_questions, assignment.is_one_deal) == (1, False, True)
    assert school_class.spaced_code in text_on(board)
    page = client_of_child(dora).get(reverse("classrooms:me"))
    assert "Play and compare" in text_on(page).partition("More games")[0]


@pytest.mark.django_db(transaction=True)
def test_eight_taps_at_once_start_one_deal(alice: User, school_class: SchoolClass) -> None:
    new = url_of("new_deal", school_class)
    clients = [client_of(alice) for _ in range(8)]

    def tap(number: int) -> str:
        return str(clients[number].post(new, {"preset": "first"}).headers["Location"])

    assert set(at_once(tap, 8)) == {url_of("deal", Assignment.objects.get())}
    assignments.end(Assignment.objects.get())
    assert tap(0) != url_of("deal", Assignment.objects.earliest("created_at"))


def test_the_board_says_who_has_finished_but_not_who_leads(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora)
    playing.continue_or_start(emil, deal)
    page = alices_client.get(url_of("deal", deal))
    assert [
        (state, [drawing.name for drawing in names])
        for state, _, names in page.context["board"].parts
    ] == [
        ("finished", ["Dora"]),
        ("playing", ["Emil"]),
    ]
    assert "1 child is still playing" in text_on(page)
    assert "points" not in text_on(page)


def test_names_are_shown_only_on_request(
    alices_client: Client, deal: Assignment, dora: Child
) -> None:
    finished(deal, dora)
    for name in ("deal", "deal_part"):
        assert "Dora" not in text_on(alices_client.get(url_of(name, deal)))
        assert "Dora" in text_on(alices_client.get(f"{url_of(name, deal)}?names=shown"))
    assert 'href="?names=shown"' in text_on(alices_client.get(url_of("deal", deal)))
    assert (
        "?names=shown"
        in text_on(alices_client.get(f"{url_of('deal', deal)}?names=shown")).split("hx-get")[1]
    )


def test_closing_a_deal_early_asks_first(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora)
    close = f'action="{url_of("close_deal", deal)}"'
    waiting = text_on(alices_client.get(url_of("deal", deal)))
    assert "1 of 2 has finished." in waiting
    assert close not in waiting
    text = text_on(alices_client.get(f"{url_of('deal', deal)}?close=ask"))
    assert "Close it now?" in text
    assert close in text
    finished(deal, emil)
    text_after = text_on(alices_client.get(url_of("deal", deal)))
    assert "2 of 2 have finished." in text_after
    assert close in text_after


def test_an_unchanged_board_is_not_sent_again(
    alices_client: Client, deal: Assignment, dora: Child
) -> None:
    tag = alices_client.get(url_of("deal_part", deal)).headers[TAG]
    assert alices_client.get(url_of("deal_part", deal), headers={TAG: tag}).status_code == 304
    playing.continue_or_start(dora, deal)
    assert alices_client.get(url_of("deal_part", deal), headers={TAG: tag}).status_code == 200


def test_no_cards_are_shown_before_the_deal_is_closed(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora, emil)
    answer = alices_client.get(url_of("deal_talk", deal))
    assert answer.headers["Location"] == url_of("deal", deal)


def test_a_closed_deal_cannot_be_begun(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora)
    alices_client.post(url_of("close_deal", deal))
    client_of_child(emil).post(reverse("classrooms:start", args=[deal.pk]))
    assert not emil.attempts.exists()


def test_a_deal_closed_by_mistake_can_be_reopened_on_its_board(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora)
    alices_client.post(url_of("close_deal", deal))
    assert "Open it again" in text_on(alices_client.get(url_of("deal", deal)))
    answer = alices_client.post(url_of("resume_assignment", deal))
    assert answer.headers["Location"] == url_of("deal", deal)
    client_of_child(emil).post(reverse("classrooms:start", args=[deal.pk]))
    assert emil.attempts.get().game.has_shared_deal


def test_the_discussion_names_nobody(
    alices_client: Client, deal: Assignment, dora: Child, emil: Child
) -> None:
    finished(deal, dora, emil)
    first = alices_client.post(url_of("close_deal", deal), follow=True)
    assert "Both children had these cards." in text_on(first)
    second_step = alices_client.get(url_of("deal_talk", deal), {"turn": "1", "step": "2"})
    row = second_step.context["rows"][0].row
    assert f"Laid by <strong>{row.laid}</strong> of the 2 who could lay it" in text_on(second_step)
    for page in (first, second_step):
        assert "Only the 2 children who finished are compared." in text_on(page)
        for hidden in ("Dora", "Emil", str(deal.deal_seed)):
            assert hidden not in text_on(page)


def test_a_deal_finished_by_one_child_has_nothing_to_compare(
    alices_client: Client, deal: Assignment, dora: Child
) -> None:
    finished(deal, dora)
    page = alices_client.post(url_of("close_deal", deal), follow=True)
    assert "once two children have finished" in text_on(page)


@pytest.mark.parametrize("name", ["deal", "deal_part", "deal_talk"])
def test_an_ordinary_assignment_has_no_board(
    alices_client: Client, school_class: SchoolClass, name: str
) -> None:
    ordinary = AssignmentFactory.create(school_class=school_class)
    assert alices_client.get(url_of(name, ordinary)).status_code == 404


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
    scenes = [talks.position(rows, 1, step).scene for step in range(1, talks.STEPS + 1)]
    own = len(talks.position(rows, 1, 1).row.hand_values)
    in_hand = [sum(card.is_lit for card in scene.hand) for scene in scenes]
    on_table = [
        sum(card.is_lit for island in scene.islands for card in island.cards) for scene in scenes
    ]
    assert in_hand == [0, min(1, own), own, 0]
    assert on_table == [0, 0, 0, own]
    assert len({scene.felt for scene in scenes}) == 1, "the table keeps its size and place"
    assert [talks.position(rows, 1, step).is_open for step in (1, 2, 3, 4)] == [
        False,
        False,
        False,
        True,
    ]


def test_no_child_is_named(alice: User, class_that_missed_rows: SchoolClass) -> None:
    url = url_of("talk", class_that_missed_rows)
    for step in range(1, talks.STEPS + 1):
        page = text_on(client_of(alice).get(f"{url}?step={step}"))
        assert "Dora" not in page
        assert "Emil" not in page
        assert "Bo:" not in page


@pytest.mark.parametrize("query", ["?position=9", "?step=x", "?position=-1&step=99"])
def test_an_address_out_of_range_starts_at_the_beginning(
    alice: User, class_that_missed_rows: SchoolClass, query: str
) -> None:
    page = client_of(alice).get(url_of("talk", class_that_missed_rows) + query)
    assert "Can you see it?" in text_on(page)


def test_without_missed_rows_the_page_explains_itself(alice: User, dora: Child) -> None:
    talk = url_of("talk", dora.school_class)
    nothing_yet = text_on(client_of(alice).get(talk))
    assert "No games from the last 4 weeks have been counted yet." in nothing_yet
    played = {"child": dora, "school_class": dora.school_class, "last_at": timezone.now()}
    ChildDay.objects.create(day=dora.school_class.today(), rounds=1, **played)
    nothing_missed = text_on(client_of(alice).get(talk))
    assert "There are no missed rows from the last 4 weeks to talk about." in nothing_missed
    for page in (nothing_yet, nothing_missed):
        assert "without names" in page


def test_a_row_that_somebody_laid_in_its_game_is_not_talked_about(
    class_that_missed_rows: SchoolClass,
) -> None:
    row = talks.rows_to_discuss(class_that_missed_rows)[0]
    play = Entry.objects.filter(game=row.game_id, kind=EntryKind.ACT).last()
    play.data = {"numbers": [*row.numbers, max(row.numbers) + row.table]}
    play.save(update_fields=("data",))
    assert (row.game_id, row.numbers) not in [
        (other.game_id, other.numbers) for other in talks.rows_to_discuss(class_that_missed_rows)
    ]


def test_the_longest_row_is_shown_and_not_a_part_of_it(class_that_missed_rows: SchoolClass) -> None:
    rows = talks.rows_to_discuss(class_that_missed_rows)
    for number in range(1, len(rows) + 1):
        row, numbers = talks.position(rows, number, 4).row.numbers, rows[number - 1].numbers
        assert set(row) >= set(numbers)
        scene = talks.position(rows, number, 4).scene
        hand = {int(card.face.value) for card in scene.hand if card.face.value.isdigit()}
        step = row[1] - row[0]
        assert not {row[0] - step, row[-1] + step} & hand


def test_the_big_screen_has_no_links_to_other_pages(
    alice: User, class_that_missed_rows: SchoolClass
) -> None:
    page = client_of(alice).get(url_of("talk", class_that_missed_rows), {"screen": "big"})
    assert 'class="tabs"' not in text_on(page)
    assert 'class="way-back"' not in text_on(page)
    assert "step=2&amp;screen=big" in text_on(page)
