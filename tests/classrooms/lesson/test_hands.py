"""A hand for everybody: the same cards for all, nothing revealed before the rows are shown, and
found rows are evidence."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from typing import Any
from unittest.mock import Mock
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import Traveller

from classrooms import bounds
from classrooms.assignments import services as assignments
from classrooms.lesson import hands, live, pause
from classrooms.locks import Changed
from classrooms.models import Assignment, Attempt, Child, SchoolClass, User
from classrooms.progress.evidence import process_game
from classrooms.progress.models import Chance, Played, TableDay
from games.coach.begun_rounds import begin_round, rows_to_find
from games.coach.rows import plain_plays
from games.engine.actions import End
from games.models import Entry, Game
from games.play import services
from games.play.moves import Choose, Do, TakeBack
from games.screen import replay
from tests.classrooms.lesson.deals import lay
from tests.classrooms.people import client_of, client_of_child, text_on, url_of
from tests.classrooms.progress.answering import rows
from tests.classrooms.progress.playing import begin_with_a_row
from tests.counts import times
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChildFactory,
    SchoolClassFactory,
)
from tests.games.players import act

pytestmark = pytest.mark.django_db
CHILDREN = times(8, 30)
MINE = "/me/hand/"


@pytest.fixture(autouse=True)
def _same_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "randbits", Random(1).getrandbits)


def show_hand(school_class: SchoolClass, *tables: int) -> Assignment:
    """The next hand that the class is shown."""
    school_class.refresh_from_db()
    before = hands.current_hand(school_class)
    hands.show_next_hand(school_class, tables or (3, 4), before.pk if before else None)
    school_class.refresh_from_db()
    hand = hands.current_hand(school_class)
    assert hand
    return hand


def rows_shown(hand: Assignment) -> list[hands.FoundRow]:
    hands.show_rows(hand.school_class, hand.pk)
    hand.refresh_from_db()
    return hands.found_rows(hand)


def come_to_hand(child: Child) -> Game:
    game = hands.join_hand(child)
    assert game
    return game


def test_a_whole_class_looks_at_one_hand(clock: Traveller, school_class: SchoolClass) -> None:
    """Everyone has the same cards. A child who was away returns to their laid cards, and a late
    child joins. Only rows that were not taken back are counted."""
    children = [ChildFactory.create(school_class=school_class) for _ in range(CHILDREN)]
    *most, late = children
    hand = show_hand(school_class)
    games = {child: come_to_hand(child) for child in most}
    views = [services.look(game.pk, child.player).view for child, game in games.items()]
    assert len({(view.hand, view.table, view.to_act, view.phase) for view in views}) == 1
    clock.shift(timedelta(seconds=40))
    row = {lay(child, games[child]) for child in most[::2]}
    lay(most[1], games[most[1]])
    act(games[most[1]], TakeBack(), most[1].player)
    clock.shift(timedelta(seconds=20))
    assert come_to_hand(most[0]) == games[most[0]]
    assert services.look(come_to_hand(late).pk, late.player).view.hand == views[0].hand
    assert hands.tally_of(hand) == hands.HandTally(CHILDREN, CHILDREN, len(most[::2]))
    first, *others = rows_shown(hand)
    assert ({first.numbers}, first.count) == (row, len(most[::2]))
    assert not any(other.count for other in others)


def test_all_rows_are_shown_even_if_nobody_found_them(school_class: SchoolClass) -> None:
    dora, emil = (ChildFactory.create(school_class=school_class) for _ in range(2))
    hand = show_hand(school_class, 2, 5, 10)
    hand_round = hand.turn.begun
    lay(dora, come_to_hand(dora))
    come_to_hand(emil)
    all_rows = rows_shown(hand)
    assert [row.numbers for row in all_rows] == rows_to_find(hand_round.state.position(0))
    assert sum(row.count for row in all_rows) == 1


def test_a_row_that_nobody_found_says_how_many_were_there(
    clock: Traveller, school_class: SchoolClass, dora: Child, emil: Child, alice: User
) -> None:
    """Children who have just come count too, although their games are deleted."""
    url = url_of("hand", school_class)
    texts = []
    for here in ([dora], [dora, emil], []):
        clock.shift(timedelta(seconds=1))
        hand = show_hand(school_class)
        for child in here:
            come_to_hand(child)
        hands.show_rows(school_class, hand.pk)
        texts.append(" ".join(text_on(client_of(alice).get(url)).split()))
    alone, both, none = texts
    assert "1 of 2 was there." in alone
    assert "nobody found it" in both
    assert "No child was there." in none
    assert "they did not find it" in alone
    assert "were there" not in both
    assert "found it" not in none


def test_showing_the_rows_ends_everybodys_turn(
    clock: Traveller, school_class: SchoolClass, dora: Child
) -> None:
    AttemptFactory.create(
        child=dora, assignment=AssignmentFactory.create(school_class=school_class)
    )
    hand = show_hand(school_class)
    game = come_to_hand(dora)
    clock.shift(timedelta(minutes=1))
    rows_shown(hand)
    play = next(iter(plain_plays(hand.turn.begun.state.position(0))))
    late = services.act(
        game.pk, dora.player, version=game.version, key=uuid4(), move=Choose(str(play))
    )
    assert late.result.is_stale
    assert not late.view.may_act
    assert hands.found_rows(hand)[0].count == 0
    last = Entry.objects.filter(game=game, seat=0).latest("number")
    moments = replay.moments_of_turn(game, last.number)
    assert replay.scenes(moments, game, game.seats.all(), dora.player)[-1].text == (
        "The hand was over."
    )
    late_too = ChildFactory.create(school_class=school_class)
    assert hands.join_hand(late_too) is None
    assert not Attempt.objects.filter(child=late_too).exists()


def test_found_and_missed_rows_are_evidence(
    clock: Traveller, school_class: SchoolClass, dora: Child
) -> None:
    """A child who has never begun another game misses nothing, nor one who had too little time."""
    emil, new, just_come = (ChildFactory.create(school_class=school_class) for _ in range(3))
    AttemptFactory.create(
        child=emil, assignment=AssignmentFactory.create(school_class=school_class)
    )
    hand = show_hand(school_class, 3)
    games = [come_to_hand(dora), come_to_hand(emil), come_to_hand(new)]
    clock.shift(hands.TIME_TO_LOOK)
    lay(dora, games[0])
    act(come_to_hand(just_come), Choose("7"), just_come.player)
    clock.shift(timedelta(seconds=5))
    rows_shown(hand)
    for game in Game.objects.filter(attempt__assignment=hand):
        process_game(game.pk)
    of_three = Chance.objects.filter(table=3)
    assert {(chance.child, chance.outcome) for chance in of_three} == {
        (dora, "at once"),
        (emil, "missed"),
    }
    assert {chance.assignment for chance in of_three} == {hand}
    assert set(Played.objects.values_list("child", "turns_ended")) == {(dora.pk, 1), (emil.pk, 1)}
    for child in (new, just_come):
        assert not Attempt.objects.filter(child=child).exists()
        assert not Game.objects.filter(seats__player=child.player).exists()


def test_a_hand_that_no_child_answers_counts_for_nobody(
    clock: Traveller, school_class: SchoolClass, dora: Child
) -> None:
    """The class may only look at the big screen while its pages are open."""
    hand = show_hand(school_class, 3)
    come_to_hand(dora)
    clock.shift(timedelta(minutes=5))
    rows_shown(hand)
    for game in Game.objects.all():
        process_game(game.pk)
    assert not Chance.objects.exists()
    assert hands.tally_of(hand).present == 1


def test_nothing_is_missed_in_a_hand_whose_rows_were_not_shown(
    clock: Traveller, school_class: SchoolClass, dora: Child
) -> None:
    emil, finn = (ChildFactory.create(school_class=school_class) for _ in range(2))
    show_hand(school_class, 3)
    games = [come_to_hand(child) for child in (dora, emil, finn)]
    lay(dora, games[0])
    act(games[2], Choose("7"), finn.player)
    clock.shift(timedelta(minutes=10))
    hands.end(school_class)
    for game in Game.objects.all():
        process_game(game.pk)
    assert {(chance.child, chance.outcome) for chance in Chance.objects.all()} == {
        (dora, "at once")
    }
    assert not Attempt.objects.filter(child=emil).exists()


def test_a_late_childs_row_is_kept(school_class: SchoolClass, dora: Child) -> None:
    hand = show_hand(school_class)
    game = come_to_hand(dora)
    lay(dora, game)
    assert rows_shown(hand)[0].count == 1
    assert Attempt.objects.get(child=dora).game == game


@pytest.mark.django_db(transaction=True)
def test_a_stored_row_is_not_deleted_when_the_hand_is_closed(
    monkeypatch: pytest.MonkeyPatch, school_class: SchoolClass, dora: Child
) -> None:
    """The row is laid at the moment at which the rows are shown."""
    hand, game, new_rows = show_hand(school_class), come_to_hand(dora), list[tuple[int, ...]]()
    lock_rows = QuerySet.select_for_update

    def lay_on_own_connection() -> None:
        new_rows.append(lay(dora, game))
        connection.close()

    def lay_first(rows: Any, **options: Any) -> Any:
        if rows.model is Game and not new_rows:
            with ThreadPoolExecutor(1) as pool:
                pool.submit(lay_on_own_connection).result(timeout=60)
        return lock_rows(rows, **options)

    monkeypatch.setattr(QuerySet, "select_for_update", lay_first)
    hands.show_rows(school_class, hand.pk)
    hand.refresh_from_db()
    assert [row.count for row in hands.found_rows(hand) if row.numbers in new_rows] == [1]


def test_hands_come_from_missed_rows_easiest_first(
    school_class: SchoolClass, dora: Child, alice: User
) -> None:
    played = begin_with_a_row(
        dora,
        AssignmentFactory.create(
            school_class=school_class, options={"tables": [2, 3, 4], "offers": False}
        ),
    )
    for _ in range(2):
        played.play_round(lays=False)
    process_game(played.attempt.game_id)
    missed = Chance.objects.filter(outcome="missed", table__gt=1)
    tables = sorted({*missed.values_list("table", flat=True)})[:2]
    in_misses = {tuple(numbers) for numbers in missed.values_list("numbers", flat=True)}
    client_of(alice).post(url_of("hand", school_class), {"tables": tables})
    school_class.refresh_from_db()
    hand = hands.current_hand(school_class)
    easiest: list[tuple[int, ...]] = []
    for _ in range(3):
        wanted = tuple(hand.one_turn["row"])
        assert not wanted or wanted in in_misses
        if wanted:
            rows = rows_to_find(hand.turn.begun.state.position(0))
            assert any({*wanted} <= {*row} for row in rows)
            assert wanted not in easiest
            easiest.append(wanted)
        rows_shown(hand)
        hand = show_hand(school_class, *tables)
    assert easiest


def test_a_hand_has_rows_of_the_chosen_tables_only(
    monkeypatch: pytest.MonkeyPatch, school_class: SchoolClass, dora: Child
) -> None:
    """A missed row that needs a row of another table is not shown."""
    tables = [2, 3, 4]
    options = {"tables": tables, "offers": False}
    given = AssignmentFactory.create(school_class=school_class, options=options)
    played = begin_with_a_row(dora, given)
    played.play_round(lays=False)
    process_game(played.attempt.game_id)
    beside_a_seven = begin_round(tables, [1, 8, 13, 19, 23, 31], [(7, 14, 21)])
    from_game = Mock(return_value=beside_a_seven)
    monkeypatch.setattr(hands, "round_from_game", from_game)
    hand = show_hand(school_class, *tables)
    assert from_game.called
    assert hand.options == {"tables": tables}


def test_the_tables_with_the_smallest_shares_in_the_line_of_the_class_are_proposed(
    school_class: SchoolClass, dora: Child, alice: User
) -> None:
    """A row found with a hint counts as on the map. A few rows are no share, as the page says."""
    for table, found, missed in ((2, 60, 9), (4, 20, 5), (7, 30, 6), (8, 1, 4)):
        rows(dora, table, found=found, missed=missed)
    assert hands.proposed_tables(school_class) == [4, 7]
    assert "fewer than 12 possible rows" in text_on(
        client_of(alice).get(url_of("hand", school_class))
    )
    TableDay.objects.filter(table=2).update(hinted=30)
    assert hands.proposed_tables(school_class) == [2, 4]


def test_a_class_without_misses_gets_invented_hands(school_class: SchoolClass) -> None:
    assert hands.proposed_tables(school_class) == []
    for number in range(1, 6):
        hand = show_hand(school_class, 7)
        assert hand.one_turn
        assert hand.one_turn["number"] == number
        assert hand.options == {"tables": [7]}
        position = hand.turn.begun.state.position(0)
        assert rows_to_find(position)
        assert bool(position.table.lines) == (number >= hands.FIRST_CONTINUED_HAND)


def test_a_second_tap_does_nothing(school_class: SchoolClass) -> None:
    hand = show_hand(school_class)
    hands.show_next_hand(school_class, [5], None)
    hands.show_rows(school_class, uuid4())
    hand.refresh_from_db()
    assert Assignment.all_objects.get() == hand
    assert hand.ended_at is None


def test_a_class_has_a_limited_number_of_hands_a_day(
    monkeypatch: pytest.MonkeyPatch, school_class: SchoolClass
) -> None:
    monkeypatch.setattr(bounds, "MOST_HANDS", 1)
    hand = show_hand(school_class)
    with pytest.raises(bounds.LimitReached):
        hands.show_next_hand(school_class, [5], hand.pk)


def test_a_hand_is_on_no_list_of_assignments(
    school_class: SchoolClass, dora: Child, alice: User
) -> None:
    hand = show_hand(school_class)
    game = come_to_hand(dora)
    lay(dora, game)
    rows_shown(hand)
    process_game(game.pk)
    assert not school_class.assignments.exists()
    for name in ("assignments", "class", "live"):
        page = client_of(alice).get(url_of(name, school_class))
        assert (page.status_code, str(hand.pk) in text_on(page)) == (200, False)
    page = client_of(alice).get(url_of("progress", school_class, dora.pk))
    assert page.status_code == 200


def test_a_teacher_starts_with_two_taps_and_goes_on(
    school_class: SchoolClass, dora: Child, alice: User
) -> None:
    client = client_of(alice)
    url = url_of("hand", school_class)
    assert url in text_on(client.get(url_of("class", school_class)))
    begin = client.get(url)
    tables = begin.context["form"].initial["tables"]
    open_ = client.post(url, {"tables": tables}, follow=True)
    lay(dora, come_to_hand(dora))
    hand_id = str(open_.context["hand"].pk)
    rows = client.post(url, {"do": "show", "seen": hand_id}, follow=True)
    assert rows.context["rows"][0][0].count == 1
    assert "Dora" not in text_on(rows)
    row = set(map(str, rows.context["rows"][0][0].numbers))
    assert row & {card.face.number for card in rows.context["scene"].hand if card.is_lit}
    following = client.post(url, {"tables": tables, "seen": hand_id}, follow=True)
    assert following.context["hand"].one_turn["number"] == 2
    ended = client.post(url, {"do": "end"}, follow=True)
    assert "back where they were" in text_on(ended)
    assert "Dora" not in text_on(ended)  # The big screen is still on.
    assert "hand" not in client.get(url).context


def test_without_a_table_nothing_starts(school_class: SchoolClass, alice: User) -> None:
    page = client_of(alice).post(url_of("hand", school_class), {})
    assert (page.status_code, page.context["form"].is_valid()) == (200, False)
    assert not Assignment.all_objects.exists()


def answers(client: Client, *urls: str) -> str:
    """Texts and headers of these answers together."""
    pages = [client.get(url, follow=True) for url in urls]
    return " ".join(f"{text_on(answer)} {dict(answer.headers)}" for answer in pages)


def test_before_the_rows_are_shown_only_their_number_is_revealed(
    school_class: SchoolClass, dora: Child, alice: User
) -> None:
    emil = ChildFactory.create(school_class=school_class, name="Emil")
    hand = show_hand(school_class)
    assert hand.one_turn
    row = lay(dora, come_to_hand(dora))
    url = url_of("hand", school_class)
    teacher = client_of(alice)
    part = url_of("hand_part", school_class)
    texts = answers(teacher, url, f"{part}?seen={hands.hand_version(hand)}")
    assert "<strong>1</strong> has a row" in texts
    pupil = answers(client_of_child(emil), MINE, "/me/", f"{MINE}changed/")
    for secret in (hand.one_turn["round"]["deck"], "found-row", ", ".join(map(str, row)), "Dora"):
        assert secret not in texts
        assert secret not in pupil
    for number in row:
        assert f'data-numbers="{number}' not in pupil


def test_a_poll_answers_only_when_something_is_new(
    school_class: SchoolClass, dora: Child, alice: User
) -> None:
    hand = show_hand(school_class)
    url = url_of("hand_part", school_class)
    part = f"{url}?seen={hands.hand_version(hand)}"
    client = client_of(alice)
    first = client.get(part)
    tag = {"hx-ptag": first.headers["HX-PTag"]}
    assert client.get(part, headers=tag).status_code == 304
    lay(dora, come_to_hand(dora))
    assert client.get(part, headers=tag).status_code == 200
    rows_shown(hand)
    for _ in range(2):
        moved = client.get(part, headers=tag)
        assert moved.headers["HX-Redirect"] == url_of("hand", school_class)
        hands.end(school_class)


def test_a_second_window_goes_on_with_the_class(school_class: SchoolClass, alice: User) -> None:
    """From a hand to its rows, to the next hand, and to the form after the last one."""
    client, url = client_of(alice), url_of("hand", school_class)
    hand = show_hand(school_class)
    steps = (
        lambda: hands.show_rows(school_class, hand.pk),
        lambda: hands.show_next_hand(school_class, [3, 4], hand.pk),
        lambda: hands.end(school_class),
    )
    for step in steps:
        poll = text_on(client.get(url)).split('hx-get="')[1].split('"')[0]
        assert "HX-Redirect" not in client.get(poll).headers
        step()
        assert client.get(poll).headers["HX-Redirect"] == url


def poll_of(page: Any) -> str:
    return (
        text_on(page).partition('id="poll" data-from="')[2].partition('"')[0].replace("&amp;", "&")
    )


def test_a_childs_page_goes_on_with_the_class(school_class: SchoolClass, dora: Child) -> None:
    client = client_of_child(dora)
    at_home = poll_of(client.get("/me/"))
    assert client.get(at_home).status_code == 204
    hand = show_hand(school_class)
    assert client.get(at_home).status_code == 204, "the poll of the pause calls them"
    page = client.get(MINE, follow=True)
    assert page.context["board"].has_one_turn
    poll = poll_of(page)
    assert client.get(poll).status_code == 204
    rows_shown(hand)
    assert text_on(client.get(poll)) == "go on"
    page = client.get(MINE, follow=True)
    poll = poll_of(page)
    assert client.get(poll).status_code == 204
    show_hand(school_class)
    assert text_on(client.get(poll)) == "go on"
    page = client.get(MINE, follow=True)
    hands.end(school_class)
    assert text_on(client.get(poll_of(page))) == "go on"
    assert client.get(MINE)["Location"] == "/me/"


def test_a_page_is_called_once_to_each_hand_and_never_to_its_rows(
    monkeypatch: pytest.MonkeyPatch, school_class: SchoolClass, dora: Child
) -> None:
    monkeypatch.setattr(pause, "READ_SECONDS", 0)
    client, poll = client_of_child(dora), pause.poll_of(school_class)
    assert text_on(client.get(poll)) == ""
    hand = show_hand(school_class)
    assert text_on(client.get(poll)) == str(hand.pk)
    assert 'data-hand=""' in text_on(client.get("/me/"))
    come_to_hand(dora)
    assert f'data-hand="{hand.pk}"' in text_on(client.get("/me/"))
    rows_shown(hand)
    assert text_on(client.get(poll)) == ""
    following = show_hand(school_class)
    assert text_on(client.get(poll)) == str(following.pk)
    assert 'data-hand=""' in text_on(client.get("/me/"))
    hands.end(school_class)
    assert text_on(client.get(poll)) == ""


@pytest.mark.parametrize(
    ("over", "state"),
    [({}, "playing"), ({"phase": "round over"}, "here"), ({"finished_at": timezone.now()}, "done")],
)
def test_after_the_hands_a_child_is_back_in_the_round_that_they_played(
    clock: Traveller, school_class: SchoolClass, dora: Child, over: dict[str, Any], state: str
) -> None:
    """Live shows them where they are, also if the class has looked at hands for long."""
    played = begin_with_a_row(dora, AssignmentFactory.create(school_class=school_class))
    game = Game.objects.get(pk=played.attempt.game_id)
    dora.last_game = game
    dora.save()
    show_hand(school_class)
    come_to_hand(dora)
    if over:
        Game.objects.filter(pk=game.pk).update(**over)
    clock.shift(hands.HANDS_DURATION + timedelta(minutes=5))
    hands.end(school_class)
    page = "/me/" if over else reverse("games:page", args=[game.pk])
    assert client_of_child(dora).get(MINE)["Location"] == page
    (tile,) = live.child_tiles(school_class, timezone.now())
    assert tile.state == state


def test_after_the_hands_no_child_is_back_in_a_game_that_has_ended(
    school_class: SchoolClass, dora: Child
) -> None:
    """Nor does Live show her there."""
    played = begin_with_a_row(dora, AssignmentFactory.create(school_class=school_class))
    Child.objects.filter(pk=dora.pk).update(last_game=played.attempt.game_id)
    assignments.end(played.attempt.assignment)
    show_hand(school_class)
    hands.end(school_class)
    assert client_of_child(dora).get(MINE)["Location"] == "/me/"
    (tile,) = live.child_tiles(school_class, timezone.now())
    assert tile.state == "here"


def test_a_late_child_waits_for_the_next_hand(school_class: SchoolClass, dora: Child) -> None:
    rows_shown(show_hand(school_class))
    client = client_of_child(dora)
    page = client.get(MINE)
    assert page.status_code == 200
    assert client.get(poll_of(page)).status_code == 204
    show_hand(school_class)
    assert text_on(client.get(poll_of(page))) == "go on"


@pytest.mark.parametrize("shows", [False, True])
def test_a_child_who_has_just_come_to_a_closed_hand_goes_on_with_the_class(
    school_class: SchoolClass, dora: Child, *, shows: bool
) -> None:
    """Their game is deleted while they look at it."""
    hand = show_hand(school_class)
    page, client = reverse("games:page", args=[come_to_hand(dora).pk]), client_of_child(dora)
    if shows:
        rows_shown(hand)
    else:
        hands.end(school_class)
    assert client.get(page)["Location"] == MINE
    posted = client.post(page.rstrip("/") + "/act", headers={"HX-Request": "true"})
    assert posted["HX-Redirect"] == MINE


def test_a_playing_child_is_called_at_their_next_move(
    school_class: SchoolClass, dora: Child
) -> None:
    played = begin_with_a_row(dora, AssignmentFactory.create(school_class=school_class))
    client = client_of_child(dora)
    page = reverse("games:page", args=[played.attempt.game_id])
    assert f'href="{MINE}"' not in text_on(client.get(page))
    show_hand(school_class)
    version = Game.objects.get(pk=played.attempt.game_id).version
    post = {"seen": version, "key": uuid4(), "move": "draw-closed"}
    answer = client.post(f"{page}act", post, headers={"hx-request": "true"})
    assert f'href="{MINE}"' in text_on(answer)
    assert f'href="{MINE}"' in text_on(client.get("/me/"))
    hands.end(school_class)
    assert f'href="{MINE}"' not in text_on(client.get(page))


def test_a_forgotten_lesson_ends_by_itself(
    clock: Traveller, school_class: SchoolClass, dora: Child
) -> None:
    show_hand(school_class)
    game = come_to_hand(dora)
    clock.shift(hands.HANDS_DURATION)
    with pytest.raises(Changed):
        hands.join_hand(dora)
    assert f'href="{MINE}"' not in text_on(client_of_child(dora).get("/me/"))
    again = show_hand(school_class)
    assert again.one_turn
    assert again.one_turn["number"] == 1
    assert not Game.objects.filter(pk=game.pk).exists()


def test_other_classes_see_nothing_of_a_hand(school_class: SchoolClass) -> None:
    show_hand(school_class)
    stranger = ChildFactory.create(school_class=SchoolClassFactory.create())
    with pytest.raises(Changed):
        hands.join_hand(stranger)


def test_a_child_who_ends_their_turn_early_finds_no_more_rows(
    school_class: SchoolClass, dora: Child
) -> None:
    """A child whose turn is over before the rows are shown does not see the rows either."""
    show_hand(school_class)
    game = come_to_hand(dora)
    over = act(game, Do(End()), dora.player)
    assert not over.view.may_act
    page = client_of_child(dora).get(MINE, follow=True)
    assert page.context["board"].over.missed is None
    assert "Back to my games" not in text_on(page).split("<main")[1]
    assert client_of_child(dora).get(f"/games/{game.pk}/record/").status_code == 404
