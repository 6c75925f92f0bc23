"""The live board shows who plays, is stuck or is done, and its polls are cheap."""

import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from time_machine import Traveller

from classrooms.assignments.playing import start_guided_round
from classrooms.checkups.models import CheckUp, ChildCheckUp
from classrooms.lesson import hands, live, live_sql, live_tables
from classrooms.models import (
    Assignment,
    AuditEntry,
    Child,
    ChildSession,
    SchoolClass,
    Teaching,
    User,
)
from classrooms.progress.given_steps import NextStep
from classrooms.progress.models import TableDay
from classrooms.questions.models import Sitting
from classrooms.signin.sessions import IDLE_SESSION_ENDS
from games.engine.cards import card_text
from games.models import Entry, Game
from games.play import services as play
from games.play.moves import Lay
from games.screen import board
from tests.classrooms.lesson.deals import lay
from tests.classrooms.people import client_of, client_of_child, text_on, url_of
from tests.classrooms.progress.playing import begin, begin_with_a_row
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChildFactory,
    TeachingFactory,
    UserFactory,
)
from tests.games.players import FINN, act, new_game, new_table
from tests.games.staged import stage

pytestmark = pytest.mark.django_db
TAG = "HX-PTag"


def make_game(child: Child, **game: Any) -> Game:
    """Seat the child at a game with these fields, last moved this many minutes ago."""
    attempt = AttemptFactory.create(
        child=child, assignment=AssignmentFactory.create(school_class=child.school_class)
    )
    minutes = game.pop("minutes_ago", 0)
    moved_at = timezone.now() - timedelta(minutes=minutes)
    Game.objects.filter(pk=attempt.game_id).update(moved_at=moved_at, **game)
    return Game.objects.get(pk=attempt.game_id)


def log(game: Game, *kinds: str) -> None:
    """Add these entries of the child to the game's log."""
    for kind in kinds:
        game.version += 1
        Entry.objects.create(game=game, number=game.version, kind=kind, seat=0)
    game.save(update_fields=("version",))


def states(user: User, school_class: SchoolClass) -> dict[str, str]:
    page = client_of(user).get(url_of("live", school_class))
    return {tile.child_name: tile.state for tile in page.context["seen"]}


def test_children_who_need_help_come_first(alice: User, school_class: SchoolClass) -> None:
    children = {
        name: ChildFactory.create(school_class=school_class, name=name)
        for name in ("Ada", "Ben", "Cas", "Dora", "Emil", "Fay")
    }
    make_game(children["Ada"])
    make_game(children["Ben"], finished_at=timezone.now())
    client_of_child(children["Ben"])
    make_game(children["Fay"], finished_at=timezone.now())
    log(make_game(children["Cas"]), "refused", "refused", "refused")
    make_game(children["Dora"], minutes_ago=3)
    make_game(children["Emil"], minutes_ago=600)
    tiles = states(alice, school_class)
    assert tiles == {
        "Cas": "stuck",
        "Dora": "pausing",
        "Ada": "playing",
        "Ben": "done",
        "Emil": "away",
        "Fay": "away",
    }
    assert list(tiles)[:2] == ["Cas", "Dora"]


def test_the_board_says_whether_a_child_who_has_finished_has_another_game(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    for child in (dora, emil):
        make_game(child, finished_at=timezone.now())
        client_of_child(child)
    Assignment.objects.update(is_for_everyone=False)
    more = AssignmentFactory.create(school_class=school_class, is_for_everyone=False)
    tag = poll(client_of(alice), school_class).headers[TAG]
    more.children.add(dora)
    assert tile_of(alice, dora).text == "another game is waiting"
    assert tile_of(alice, emil).text == "nothing left to play"
    AssignmentFactory.create(school_class=school_class)
    assert poll(client_of(alice), school_class, tag).status_code == 200
    assert tile_of(alice, emil).text == "another game is waiting"


def test_a_child_in_a_guided_round_plays(alice: User, dora: Child) -> None:
    round_1 = start_guided_round(dora, "simplified", 1)
    tile = tile_of(alice, dora)
    assert (tile.state, tile.game) == ("playing", "guided round")
    assert live_tables.table_of(Child.objects.get(pk=dora.pk))
    start_guided_round(dora, "simplified", 2)
    assert not Game.objects.filter(pk=round_1.pk).exists()
    assert states(alice, dora.school_class) == {"Dora": "playing"}


def test_a_child_stuck_for_long_counts_as_away(alice: User, dora: Child) -> None:
    log(make_game(dora), "refused", "refused", "refused")
    for minutes, state in ((6, "stuck"), (20, "away")):
        Game.objects.update(moved_at=timezone.now() - timedelta(minutes=minutes))
        assert states(alice, dora.school_class) == {"Dora": state}


def test_a_legal_play_ends_being_stuck(alice: User, dora: Child) -> None:
    game = make_game(dora)
    log(game, "refused", "refused", "refused", "hint")
    assert states(alice, dora.school_class) == {"Dora": "stuck"}
    log(game, "act")
    assert states(alice, dora.school_class) == {"Dora": "playing"}
    log(game, "refused", "refused")
    assert states(alice, dora.school_class) == {"Dora": "playing"}


def test_a_child_who_continues_an_older_game_is_shown_at_it(alice: User, dora: Child) -> None:
    old = make_game(dora, minutes_ago=300)
    make_game(dora, minutes_ago=200)
    Child.objects.filter(pk=dora.pk).update(last_game=old)
    Game.objects.filter(pk=old.pk).update(moved_at=timezone.now())
    assert states(alice, dora.school_class) == {"Dora": "playing"}


def poll(client: Client, school_class: SchoolClass, tag: str = "", **query: str) -> Any:
    headers = {"HX-Request": "true"} | ({TAG: tag} if tag else {})
    return client.get(url_of("live_part", school_class), query, headers=headers)


def test_an_unchanged_poll_is_a_304_with_one_query(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    make_game(dora)
    client = client_of(alice)
    tag = client.get(url_of("live", school_class)).headers[TAG]
    with CaptureQueriesContext(connection) as captured:
        answer = poll(client, school_class, tag)
    assert (answer.status_code, answer.content, answer.headers[TAG]) == (304, b"", tag)
    assert len(captured) == 1


def test_a_move_a_pause_and_a_new_child_change_the_board(
    clock: Traveller, alice: User, school_class: SchoolClass, dora: Child
) -> None:
    # At the start of an hour: a new quarter of one changes the tag as well.
    moment = timezone.now().replace(minute=0, second=1)
    clock.move_to(moment)
    game, client = make_game(dora), client_of(alice)
    tags = [poll(client, school_class).headers[TAG]]

    def changed() -> bool:
        answer = poll(client, school_class, tags[-1])
        tags.append(answer.headers[TAG])
        return bool(answer.status_code == 200)

    assert not changed()
    log(game, "refused")
    assert changed()
    for minutes, has_changed in ((3, True), (4, False), (6, True), (7, False), (16, True)):
        clock.move_to(moment + timedelta(minutes=minutes))
        assert changed() is has_changed
    ChildFactory.create(school_class=school_class)
    assert changed()


def test_a_request_for_the_part_alone_is_logged(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    client = client_of(alice)
    for tag in ("", "made up"):
        assert "Dora" in text_on(poll(client, school_class, tag))
    entry = AuditEntry.objects.get(what="looked")
    assert (entry.user, entry.page, entry.class_id) == (alice, "live", school_class.pk)


def test_a_tag_is_valid_for_its_session_only(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    bob = UserFactory.create()
    Teaching.objects.create(school_class=school_class, user=bob, role=Teaching.Role.CO_TEACHER)
    tag = poll(client_of(alice), school_class).headers[TAG]
    assert poll(client_of(bob), school_class, tag).status_code == 200
    assert poll(client_of(UserFactory.create()), school_class, tag).status_code == 404


def test_a_former_teacher_is_shown_nothing_new(school_class: SchoolClass, dora: Child) -> None:
    bob = UserFactory.create()
    teaching = TeachingFactory.create(school_class=school_class, user=bob)
    game, client = make_game(dora), client_of(bob)
    tag = poll(client, school_class).headers[TAG]
    teaching.delete()
    log(game, "refused")
    assert poll(client, school_class, tag).status_code == 404


def test_a_teacher_signed_out_meanwhile_is_sent_to_sign_in(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    client = client_of(alice)
    tag = poll(client, school_class).headers[TAG]
    client.logout()
    answer = poll(client, school_class, tag)
    assert answer.headers["HX-Redirect"] == reverse("account_login")
    assert "Dora" not in text_on(answer)


def test_the_big_screen_shows_no_names(alice: User, school_class: SchoolClass, dora: Child) -> None:
    make_game(dora)
    client = client_of(alice)
    page = client.get(url_of("live", school_class), {"screen": "big"})
    part = poll(client, school_class, screen="big")
    day = {"child": dora, "school_class": school_class, "day": school_class.today()}
    TableDay.objects.create(**day, table=7, at_once=3, hinted=1, last_at=timezone.now())
    later = text_on(poll(client, school_class, screen="big"))
    assert "Together 4 new or longer rows this week." in later
    assert "Dora" not in later
    for text in (text_on(page), text_on(part)):
        assert "Who will lay the first row this week?" in text
        assert "Dora" not in text


def test_without_children_the_page_says_what_to_do(alice: User, school_class: SchoolClass) -> None:
    page = text_on(client_of(alice).get(url_of("live", school_class)))
    assert url_of("children", school_class) in page


def tile_of(user: User, child: Child) -> live.ChildTile:
    page = client_of(user).get(url_of("live", child.school_class))
    own: live.ChildTile = next(tile for tile in page.context["seen"] if tile.child == child.pk)
    return own


def words_and_figures(user: User, child: Child) -> tuple[str, str]:
    tile = tile_of(user, child)
    return tile.text, tile.figures


def test_a_tile_names_the_game_as_the_teacher_gave_it(alice: User, dora: Child) -> None:
    assignment = AssignmentFactory.create(
        school_class=dora.school_class, is_for_everyone=False, **NextStep(10).choice.columns
    )
    Child.objects.filter(pk=dora.pk).update(last_game=begin(dora, assignment, seed=1).game)
    assert tile_of(alice, dora).game == "2 and 10 times tables"
    address = url_of("live_table", dora)
    assert client_of(alice).get(address).context["table"].title == "2 and 10 times tables"


def test_a_tile_shows_rows_and_hints_of_this_day(
    clock: Traveller, alice: User, dora: Child
) -> None:
    hand = begin_with_a_row(dora, AssignmentFactory.create(school_class=dora.school_class))
    Child.objects.filter(pk=dora.pk).update(last_game=hand.attempt.game)
    hand.draw()
    assert words_and_figures(alice, dora) == (
        "",
        "round 1 of 3 · today: 0 rows",
    )
    hand.hint()
    assert words_and_figures(alice, dora) == (
        "is looking at a hint",
        "round 1 of 3 · today: 0 rows · 1 hint",
    )
    assert hand.lay()
    assert words_and_figures(alice, dora)[1].endswith("· today: 1 row · 1 hint")
    hand.take_back()
    assert words_and_figures(alice, dora)[1].endswith("· today: 0 rows · 1 hint")
    clock.shift(timedelta(days=1))
    assert hand.lay()
    assert words_and_figures(alice, dora)[1].endswith("· today: 1 row")


def test_hints_without_a_row_mean_stuck_and_the_tile_says_so(alice: User, dora: Child) -> None:
    log(make_game(dora), "hint", "hint", "hint")
    tile = tile_of(alice, dora)
    assert (tile.state, tile.text) == ("stuck", "3 hints, no row yet")


def test_a_child_who_answers_a_short_question_is_not_pausing(alice: User, dora: Child) -> None:
    game = make_game(dora, minutes_ago=4, phase="round over")
    sitting = Sitting.objects.create(
        game=game, round=1, child=dora, questions=[], asked_at=timezone.now()
    )
    tile = tile_of(alice, dora)
    assert (tile.state, tile.text) == ("answering", "is answering short questions")
    sitting.asked_at = sitting.created_at = timezone.now() - timedelta(minutes=3)
    sitting.save()
    assert tile_of(alice, dora).state == "pausing"


def test_an_answer_changes_the_board(alice: User, school_class: SchoolClass, dora: Child) -> None:
    game, client = make_game(dora, phase="round over"), client_of(alice)
    sitting = Sitting.objects.create(game=game, round=1, child=dora, questions=[])
    tag = poll(client, school_class).headers[TAG]
    Sitting.objects.filter(pk=sitting.pk).update(done=1)
    assert poll(client, school_class, tag).status_code == 200


def test_a_changed_poll_takes_at_most_six_queries(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    game, client = make_game(dora), client_of(alice)
    for child in ChildFactory.create_batch(29, school_class=school_class):
        log(make_game(child), *["act", "hint", "refused"] * 8)
    tag = poll(client, school_class).headers[TAG]
    log(game, "refused")
    with CaptureQueriesContext(connection) as captured:
        answer = poll(client, school_class, tag)
    assert answer.status_code == 200
    assert text_on(answer).count('<li class="live-child ') == 30
    assert len(captured) <= 6


def test_names_can_be_hidden(alice: User, school_class: SchoolClass, dora: Child) -> None:
    for child in (dora, ChildFactory.create(school_class=school_class)):
        make_game(child)
    client = client_of(alice)
    page = client.get(url_of("live", school_class), {"names": "hidden"})
    part = poll(client, school_class, names="hidden")
    for text in (text_on(page), text_on(part)):
        assert sorted(re.findall(r">\s*(Child \d)\s*</a>", text)) == ["Child 1", "Child 2"]
        assert "Dora" not in text
    assert "?names=hidden" in text_on(page).split('hx-get="')[1].split('"')[0]


def test_a_tile_without_a_name_leads_to_a_table_without_one(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    make_game(dora)
    client = client_of(alice)
    part = text_on(poll(client, school_class, names="hidden"))
    address = part.split('class="live-name" href="')[1].split('"')[0]
    table = client.get(address)
    assert table.context["table"]
    assert "Dora" not in text_on(table)[text_on(table).index("<main") :]
    assert "Dora" not in text_on(table).split("</title>")[0]


def test_a_tile_leads_to_the_childs_table_as_the_child_sees_it(alice: User, dora: Child) -> None:
    hand = begin_with_a_row(dora, AssignmentFactory.create(school_class=dora.school_class))
    Child.objects.filter(pk=dora.pk).update(last_game=hand.attempt.game)
    url = url_of("live_table", dora)
    client = client_of(alice)
    board = text_on(client.get(url_of("live", dora.school_class)))
    assert f'href="{url}"' in board
    page = client.get(url)
    cards = page.context["table"].scene.hand
    assert [card.face.card for card in cards] == [
        card_text(card) for card in sorted(hand.look().view.hand)
    ]
    assert 'name="move"' not in text_on(page)
    assert AuditEntry.objects.get(page="table").child_id == dora.pk


def test_every_open_card_lies_on_the_childs_table(alice: User, dora: Child) -> None:
    game = new_table(dora.player, FINN, market=3, piles=2)
    Child.objects.filter(pk=dora.pk).update(last_game=game)
    page = client_of(alice).get(url_of("live_table", dora))
    view = play.watch(game.pk, dora.player).outcome.view
    scene = page.context["table"].scene
    assert view.open_top is not None
    assert {face.card for face in (scene.open_card, *scene.market)} == {
        card_text(card) for card in (view.open_top, *view.market)
    }


def test_the_teacher_reads_why_the_childs_last_try_was_refused(alice: User, dora: Child) -> None:
    """The reason is shown until the child does something else."""
    hand = begin_with_a_row(dora, AssignmentFactory.create(school_class=dora.school_class))
    Child.objects.filter(pk=dora.pk).update(last_game=hand.attempt.game)
    url = url_of("live_table", dora)

    def scene_text() -> str:
        return str(client_of(alice).get(url).context["table"].scene.text)

    hand.draw()
    to_do = scene_text()
    hand.try_wrongly()
    refused = board.board(hand.look())
    assert hand.look().result.refusal
    assert scene_text() == refused.speech.notice.text != to_do
    hand.hint()
    assert scene_text() != refused.speech.notice.text


def test_a_stuck_child_is_shown_with_a_row(alice: User, dora: Child) -> None:
    """The row is close to the last try, and the question does not reveal it. The class never sees
    the row."""
    game = new_game(dora.player, tables=(3, 5, 10))
    stage(game, "9 12 15 20 30 40 43")
    Child.objects.filter(pk=dora.pk).update(last_game=game)
    url = url_of("live_table", dora)

    def table() -> live_tables.LiveTable:
        stuck = client_of(alice).get(url).context["table"]
        assert isinstance(stuck, live_tables.LiveTable)
        return stuck

    assert table().tries == []
    states = []
    for cards in ((20, 43), (9, 12, 43)):
        notice = board.board(act(game, Lay(cards), dora.player)).speech.notice
        states.append(notice.text)
    stuck = table()
    assert stuck.tries == [("20 and 43", states[0]), ("9, 12 and 43", states[1])]
    assert stuck.scene.text == states[1]
    assert [face.number for face in stuck.row] == ["9", "12", "15"]
    assert stuck.question == "Which number comes after 12, in jumps of 3?"
    page = text_on(client_of(alice).get(url))
    assert escape(states[0]) in page
    assert stuck.question in page
    hidden = text_on(client_of(alice).get(url, {"names": "hidden"}))
    assert escape(states[0]) not in hidden
    assert stuck.question not in hidden
    act(game, Lay((9, 12, 15)), dora.player)
    assert table().tries == []


@pytest.mark.parametrize(
    ("hand", "line", "phase", "question"),
    [
        ("4 8 12 43", "", "play", "Which number comes after 4, in jumps of 4?"),
        ("3 43", "10-20-30", "play", "Which card can you spare, and why?"),
        ("3 43", "10-20-30", "draw", "Which card would help you most, and why?"),
        ("40 43", "10-20-30", "play", "Which number comes after 30, in jumps of 10?"),
        ("10 43", "20-30-40", "play", "Which number comes before 20, in jumps of 10?"),
        ("20 45 50 43", "10-a=20-30", "play", "Where does a joker lie in place of the 20?"),
        ("1 9 4 43", "", "play", "Which of your cards are square numbers?"),
    ],
)
def test_the_question_is_about_a_row_that_can_be_laid(
    dora: Child, hand: str, line: str, phase: str, question: str
) -> None:
    game = new_game(dora.player, tables=(4, 5, 10), families=("squares",))
    stage(game, hand, *([line] if line else []), phase=phase)  # type: ignore[arg-type]
    dora.last_game = game
    table = live_tables.table_of(dora)
    assert table.question == question


def test_a_child_in_the_hand_for_everybody_is_shown_in_it(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    """Their own game, which waits meanwhile, is not shown."""
    Child.objects.filter(pk=dora.pk).update(last_game=make_game(dora, minutes_ago=7))
    before = live.board_version(school_class.pk, timezone.now())
    hands.show_next_hand(school_class, [3], None)
    school_class.refresh_from_db()
    game = hands.join_hand(Child.objects.get(pk=dora.pk))
    assert live.board_version(school_class.pk, timezone.now()) != before
    (tile,) = live.child_tiles(school_class, timezone.now())
    assert (tile.state, tile.text) == ("playing", "is looking at the hand")
    table = live_tables.table_of(Child.objects.get(pk=dora.pk))
    assert table.scene.hand == board.board(play.watch(game.pk, dora.player).outcome).hand.cards


def test_the_board_calls_nobody_idle_between_two_hands(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    """Dora only looks; the game in which she does is deleted when the rows are shown."""
    client_of_child(dora)
    teacher = client_of(alice)
    hands.show_next_hand(school_class, [3], None)
    dora.refresh_from_db()
    hands.join_hand(dora)
    school_class.refresh_from_db()
    hand = hands.current_hand(school_class)
    assert hand
    hands.show_rows(school_class, hand.pk)
    between = poll(teacher, school_class)
    assert "not playing" not in text_on(between)
    hands.end(school_class)
    after = poll(teacher, school_class, between.headers[TAG])
    assert "not playing" in text_on(after)


def test_pauses_begin_anew_when_the_class_has_looked_at_hands(
    school_class: SchoolClass, dora: Child
) -> None:
    """This holds for children who laid a row, only looked, or did not come to the last hand."""
    client_of_child(dora)
    Child.objects.filter(pk=dora.pk).update(last_game=make_game(dora, minutes_ago=7))
    hands.show_next_hand(school_class, [3], None)
    school_class.refresh_from_db()
    game = hands.join_hand(Child.objects.get(pk=dora.pk))
    assert game
    lay(dora, game)
    (tile,) = live.child_tiles(school_class, timezone.now())
    assert tile.text == "has laid a row"
    hands.show_next_hand(school_class, [3], hands.current_hand(school_class).pk)
    (tile,) = live.child_tiles(school_class, timezone.now())
    assert tile.state == "pausing", "not at the hand at which the class looks"
    hands.end(school_class)
    version = live.board_version(school_class.pk, timezone.now())
    (tile,) = live.child_tiles(school_class, timezone.now())
    assert (tile.state, tile.text) == ("playing", "")
    later = timezone.now() + live_sql.PAUSES[0]
    assert live.board_version(school_class.pk, later) != version
    (tile,) = live.child_tiles(school_class, later)
    assert tile.state == "pausing"


def test_a_child_whose_device_was_off_pauses_on_after_a_hand(
    clock: Traveller, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    """Dora's page has shown the hand, in which she did nothing; Emil left his device before."""
    client = client_of_child(dora)
    client_of_child(emil)
    for child in (dora, emil):
        Child.objects.filter(pk=child.pk).update(last_game=make_game(child))
    clock.shift(timedelta(minutes=6))
    hands.show_next_hand(school_class, [3], None)
    client.get(reverse("classrooms:childs_hand"))
    hands.end(school_class)
    tiles = live.child_tiles(school_class, timezone.now())
    found = {tile.child_name: (tile.state, tile.text) for tile in tiles}
    assert found == {"Dora": ("playing", ""), "Emil": ("pausing", "over 5 min")}


def test_children_who_do_not_play_are_in_lists_by_whether_they_are_signed_in(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    make_game(dora)
    ChildFactory.create(school_class=school_class, name="Gina")
    tag = poll(client_of(alice), school_class).headers[TAG]
    client_of_child(emil)
    answer = poll(client_of(alice), school_class, tag)
    assert answer.status_code == 200, "a child who signs in is news"
    assert text_on(answer).count('<li class="live-child ') == 1
    not_playing, not_signed_in = text_on(answer).split("live-aways")[1:]
    assert "Signed in, not playing" in not_playing
    assert "Emil" in not_playing
    assert "Not signed in" in not_signed_in
    assert "Gina" in not_signed_in
    assert "live-aways" not in text_on(poll(client_of(alice), school_class, names="hidden"))
    ChildSession.objects.update(seen_at=timezone.now() - IDLE_SESSION_ENDS)
    assert states(alice, school_class)["Emil"] == "away"


def test_a_child_keeps_the_number_that_hides_their_name(
    school_class: SchoolClass, dora: Child
) -> None:
    make_game(dora)
    for child in ChildFactory.create_batch(3, school_class=school_class):
        make_game(child)

    def numbers() -> dict[UUID, int]:
        tiles = live.child_tiles(school_class, timezone.now(), with_names=False)
        return {tile.child: tile.number for tile in tiles}

    before = numbers()
    log(Game.objects.get(attempt__child=dora), "refused", "refused", "refused")
    assert numbers() == before
    assert sorted(before.values()) == [1, 2, 3, 4]


def test_a_child_who_never_opened_a_game_has_no_table(alice: User, dora: Child) -> None:
    url = url_of("live_table", dora)
    assert "There is no game at this table now." in text_on(client_of(alice).get(url))


def test_a_child_in_a_check_up_is_shown_with_their_progress(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    check_up = CheckUp.objects.create(
        school_class=school_class, number=0, tables=[3], opens_on=school_class.today()
    )
    first = poll(client_of(alice), school_class)
    own = ChildCheckUp.objects.create(
        check_up=check_up, child=dora, questions=[[3, 4], [3, 5]], timed=False, done=1
    )
    assert poll(client_of(alice), school_class)[TAG] != first[TAG]
    page = client_of(alice).get(url_of("live", school_class))
    assert states(alice, school_class) == {"Dora": "answering", "Emil": "away"}
    assert "is doing a check-up" in text_on(page)
    assert "1 question answered" in text_on(page)
    table = url_of("live_table", school_class, dora.pk)
    assert "This child is doing a check-up now." in text_on(client_of(alice).get(table))
    long_ago = timezone.now() - timedelta(minutes=3)
    ChildCheckUp.objects.filter(pk=own.pk).update(asked_at=long_ago)
    assert states(alice, school_class) == {"Dora": "away", "Emil": "away"}


def test_the_board_says_that_the_screens_show_one_hand(alice: User, dora: Child) -> None:
    """A child's game waits behind the hand and says nothing about their screen."""
    make_game(dora)
    school_class, client = dora.school_class, client_of(alice)
    live_page = url_of("live", school_class)
    table = url_of("live_table", school_class, dora.pk)
    hand = url_of("hand", school_class)
    assert "The screen says" in client.get(table).content.decode()
    client.post(hand, {"tables": ["3", "4"]})
    for page in (live_page, table):
        text = client.get(page).content.decode()
        assert "screens show one hand now" in text
        assert "The screen says" not in text
    client.post(hand, {"do": "end"})
    assert "screens show one hand now" not in client.get(live_page).content.decode()
