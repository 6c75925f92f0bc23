"""Tables of the class for the teacher: the live board shows them, and the teacher ends them or
takes children off."""

import re
from datetime import timedelta
from itertools import pairwise
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.accounts.services import TAG
from classrooms.assignments import playing, table_care, table_offers, tables
from classrooms.assignments.presets import title_of
from classrooms.lesson import live, live_sql, live_tables
from classrooms.lesson.live_tables import TableTile
from classrooms.models import Assignment, Chair, Child, GameTable, SchoolClass, User
from classrooms.roster import moves
from games.engine.actions import DrawClosed
from games.engine.round import MATCH_OVER
from games.models import Game, Seat
from games.play import services as play
from games.play.moves import AskHint, Do, Lay
from games.play.presence import LONG_TURN
from games.screen.words import cards_held
from tests.classrooms.at_tables import at_turn, game_of, move, play_round, play_turn
from tests.classrooms.people import client_of_child, text_on, undo_of, url_of
from tests.factories import AssignmentFactory, ChildFactory, TableFactory, TeachingFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(dora: Child, emil: Child) -> GameTable:
    return TableFactory.create(children=[dora, emil])


def board_of(browser: Client, school_class: SchoolClass, query: str = "") -> str:
    return text_on(browser.get(f"{url_of('live', school_class)}{query}"))


def table_tiles(school_class: SchoolClass, *, with_names: bool = True) -> list[TableTile]:
    key, now = school_class.pk, timezone.now()
    tiles = live.child_tiles(school_class, now, with_names=with_names)
    return live_tables.table_tiles(key, now, tiles, with_names=with_names)


def table_url(table: GameTable) -> str:
    return url_of("class_table", table.assignment.school_class, table.pk)


def offered_at(browser: Client, table: GameTable) -> list[GameTable]:
    """The tables to which the children of this table can be moved."""
    return [table_to for table_to, _names in browser.get(table_url(table)).context["tables_to"]]


def test_the_board_shows_who_sits_together_and_whose_turn_it_is(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    child = at_turn(game_of(table), [dora, emil])
    page = board_of(alices_client, school_class)
    assert 'aria-label="Table: Dora, Emil"' in page
    assert f"{child.name}’s turn" in page


def test_the_board_lists_a_child_at_a_table_once(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    ChildFactory.create(name="Fay", school_class=school_class)

    def listed() -> list[str]:
        return re.findall(r">\s*(Dora|Emil|Fay)\s*</a>", board_of(alices_client, school_class))

    assert sorted(listed()) == ["Dora", "Emil", "Fay"]
    playing.continue_or_start(dora, AssignmentFactory.create(school_class=school_class))
    assert sorted(listed()) == ["Dora", "Emil", "Fay"]


def test_the_tile_of_a_table_says_which_child_is_stuck(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    child = at_turn(game_of(table), [dora, emil])
    assert child
    move(game_of(table), child, Do(DrawClosed()))
    hand = play.look(game_of(table).pk, child.player).view.hand
    for _ in range(live.STUCK_AFTER_REFUSALS):
        move(game_of(table), child, Lay(hand[:2]))
    page = board_of(alices_client, school_class)
    assert f"{child.name}</a> ({live.STUCK_AFTER_REFUSALS} moves refused)" in page


def test_the_page_of_a_table_is_sent_again_only_if_it_has_changed(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    part = url_of("class_table_part", school_class, table.pk)
    tag = alices_client.get(table_url(table)).headers[TAG]
    assert alices_client.get(part, headers={TAG: tag}).status_code == 304
    play_turn(game_of(table), at_turn(game_of(table), [dora, emil]) or dora)
    changed = alices_client.get(part, headers={TAG: tag})
    assert "’s turn." in text_on(changed)
    assert "<h1" not in text_on(changed)
    table_care.end(table)
    ended = alices_client.get(part, headers={TAG: changed.headers[TAG]})
    assert "This table has been ended." in text_on(ended)


def test_children_read_how_long_the_bridge_of_an_ended_table_is(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    together = AssignmentFactory.create(school_class=school_class, chairs=2, together="right")
    table = TableFactory.create(children=[dora, emil], assignment=together)
    view = play.look(game_of(table).pk, dora.player).view
    table_care.end(table)
    page = client_of_child(dora).get(reverse("games:page", args=[game_of(table).pk]), follow=True)
    assert f"Together: 0 of {view.goal} points." in text_on(page)


def test_a_child_who_waits_for_their_turn_is_not_pausing(
    school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    child = at_turn(game_of(table), [dora, emil])
    before = timezone.now() - live_sql.PAUSES[0] - timedelta(seconds=1)
    Game.objects.update(moved_at=before)
    tiles = {tile.child: tile for tile in live.child_tiles(school_class, timezone.now())}
    for player in (dora, emil):
        assert (tiles[player.pk].state == "pausing") == (player == child)
        assert (tiles[player.pk].text == "somebody else’s turn") == (player != child)


def test_the_board_says_for_whom_a_bot_plays(
    school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    def shown() -> dict[str, tuple[str, str]]:
        tiles = live.child_tiles(school_class, timezone.now())
        return {tile.child_name: (tile.state, tile.text) for tile in tiles}

    before = live.board_version(school_class.pk, timezone.now())
    tables.get_up_for_leaving_class([dora])
    assert live.board_version(school_class.pk, timezone.now()) != before
    assert shown()["Dora"] == ("away", "a bot plays for them")
    assert shown()["Emil"][0] == "playing"
    tables.sit(dora, table.assignment_id)
    at_turn(game_of(table), [dora])
    assert shown()["Dora"][0] == "playing"


def test_the_board_says_who_is_away(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    child = at_turn(game_of(table), [dora, emil])
    before = timezone.now() - timedelta(minutes=1)
    Seat.objects.filter(game=game_of(table), player=child.player).update(here_until=before)
    page = board_of(alices_client, school_class)
    assert f"waits for {child.name}, who is away" in page
    assert re.findall(r">(\w+)</a> \(away\)", page) == [child.name]
    assert '<span class="tag">away</span>' in text_on(alices_client.get(table_url(table)))


def test_the_board_says_whose_turn_lasts_long(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    """Hints do not extend the turn."""
    child = at_turn(game_of(table), [dora, emil])
    now = timezone.now()
    before = live.board_version(school_class.pk, now)
    Game.objects.update(waits_since=now - LONG_TURN)
    assert live.board_version(school_class.pk, now) != before
    move(game_of(table), child, AskHint())
    assert f"{child.name}’s turn for over 2 min" in board_of(alices_client, school_class)


def test_a_table_that_all_have_left_is_not_on_the_board(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    title = title_of(table.assignment)
    tables.get_up_for_leaving_class([dora])
    (tile,) = table_tiles(school_class)
    assert (tile.names, tile.title) == (["Dora", "Emil"], title)
    tables.get_up_for_leaving_class([emil])
    assert table_tiles(school_class) == []


def test_a_waiting_table_is_on_the_board(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    tables.sit(dora, AssignmentFactory.create(school_class=school_class, chairs=3).pk)
    assert "waits for more children" in board_of(alices_client, school_class)
    Chair.objects.update(seen_at=timezone.now() - 2 * table_offers.SEEN_FOR)
    assert "waits for more children" not in board_of(alices_client, school_class)


def test_a_waiting_table_names_only_the_children_who_sit_at_it(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    table = tables.sit(dora, AssignmentFactory.create(school_class=school_class, chairs=3).pk)
    assert isinstance(table, GameTable)
    Chair.objects.create(table=table, child=emil)
    (tile,) = table_tiles(school_class)
    assert tile.names == ["Dora"]
    assert alices_client.get(table_url(table)).context["children"] == [
        (dora, None, False),
        (emil, "has not come yet", False),
    ]


def test_a_board_with_hidden_names_shows_none_at_its_tables(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    text = board_of(alices_client, school_class, "?names=hidden")
    assert "live-table" in text
    text += text_on(alices_client.get(f"{table_url(table)}?names=hidden"))
    of_child = url_of("live_table", school_class, dora.pk)
    text += text_on(alices_client.get(f"{of_child}?names=hidden"))
    assert [name for name in ("Dora", "Emil") if name in text] == []


def test_the_board_changes_when_children_sit_down_move_or_leave(
    school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    now = timezone.now()

    def mark() -> str:
        return live.board_version(school_class.pk, now)

    assignment = AssignmentFactory.create(school_class=school_class, chairs=2)
    marks = [mark()]
    for act in (
        lambda: tables.sit(dora, assignment.pk),
        lambda: tables.sit(emil, assignment.pk),
        lambda: tables.get_up(dora),
        lambda: table_care.end(GameTable.objects.get()),
    ):
        act()
        marks.append(mark())
    assert all(before != after for before, after in pairwise(marks))


def test_the_page_of_a_table_says_what_each_child_holds_and_has(
    alices_client: Client, dora: Child, emil: Child, table: GameTable
) -> None:
    child = at_turn(game_of(table), [dora, emil])
    assert child
    play_turn(game_of(table), child)
    children = alices_client.get(table_url(table)).context["children"]
    figures_of = {player: figures for player, figures, _away in children}
    for player in (dora, emil):
        view = play.watch(game_of(table).pk, player.player).outcome.view
        holds = cards_held(view.hand_sizes[view.seat], view.ruleset)
        assert figures_of[player] == f"{holds} · {view.scores[view.seat]} points"
        assert figures_of[player] in text_on(alices_client.get(table_url(table)))
    assert "points" not in text_on(alices_client.get(f"{table_url(table)}?names=hidden"))


def test_looking_at_a_table_makes_no_child_present(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    tables.get_up_for_leaving_class([dora])
    before = Game.objects.get(pk=game_of(table).pk).version
    alices_client.get(url_of("live_table", school_class, dora.pk))
    assert Seat.objects.get(game=game_of(table), player=dora.player).away_since
    assert Game.objects.get(pk=game_of(table).pk).version == before


def test_an_ended_table_sends_its_children_to_their_own_page(
    alices_client: Client, dora: Child, emil: Child, table: GameTable
) -> None:
    game = reverse("games:page", args=[game_of(table).pk])
    assert alices_client.post(table_url(table), {"do": "end"}).status_code == 302
    for child in (dora, emil):
        answer = client_of_child(child).get(game)
        assert answer.headers["Location"] == reverse("classrooms:me")
        assert not table_offers.offers(child, [table.assignment])[table.assignment_id].is_own


def test_ending_a_table_can_be_undone_whatever_happened_since(
    alices_client: Client, dora: Child, emil: Child, table: GameTable
) -> None:
    other = TableFactory.create(
        children=ChildFactory.create_batch(2, school_class=dora.school_class)
    )
    for _turn in range(2):
        at_turn_now = at_turn(game_of(table), [dora, emil])
        before = game_of(table).entries.count()
        board = alices_client.post(table_url(table), {"do": "end"}, follow=True)
        undo = undo_of(board)
        table_care.end(other)
        alices_client.post(undo)
        assert game_of(table).entries.count() == before
        for child in sorted((dora, emil), key=lambda child: child != at_turn_now):
            assert table_offers.offers(child, [table.assignment])[table.assignment_id].is_own
            assert tables.sit(child, table.assignment_id) == game_of(table)
            play.look(game_of(table).pk, child.player)
        play_turn(game_of(table), at_turn_now, lays=False)


def test_taking_a_child_off_leaves_the_others_their_game(
    alices_client: Client, dora: Child, emil: Child, table: GameTable
) -> None:
    alices_client.post(table_url(table), {"do": "take-off", "child": dora.pk})
    assert not Chair.objects.filter(child=dora).exists()
    assert Seat.objects.get(game=game_of(table), player=dora.player).away_since
    assert at_turn(game_of(table), [emil]) == emil
    play_turn(game_of(table), emil, lays=False)
    assert at_turn(game_of(table), [emil]) == emil


def test_taking_a_child_off_can_be_undone(
    alices_client: Client, dora: Child, table: GameTable
) -> None:
    board = alices_client.post(table_url(table), {"do": "take-off", "child": dora.pk}, follow=True)
    undo = undo_of(board)
    taken_off = client_of_child(dora)
    page = taken_off.get(reverse("games:page", args=[game_of(table).pk]), follow=True)
    assert [message.message for message in page.context["messages"]] == [
        "Your teacher asks you to choose another game. Here are your games."
    ]
    poll = page.context["poll"]
    assert taken_off.get(poll).status_code == 204
    alices_client.post(undo)
    assert text_on(taken_off.get(poll)) == "go on"
    assert taken_off.get(page.request["PATH_INFO"]).context["first"].offer.is_own
    assert tables.sit(dora, table.assignment_id) == game_of(table)


def test_taking_a_child_off_affects_no_other_child(
    alices_client: Client, alice: User, school_class: SchoolClass
) -> None:
    other_class = TeachingFactory.create(user=alice).school_class
    for act in (
        lambda child, table: alices_client.post(
            table_url(table), {"do": "take-off", "child": child.pk}
        ),
        lambda child, table: alices_client.post(table_url(table), {"do": "end"}),
        lambda child, _table: moves.move([child], other_class, alice),
    ):
        dora, emil = ChildFactory.create_batch(2, school_class=school_class)
        table = TableFactory.create(children=[dora, emil])
        act(dora, table)
        dora.refresh_from_db()
        game, client = game_of(table), client_of_child(dora)
        page = reverse("games:page", args=[game.pk])
        post = {"seen": game.version, "key": uuid4(), "move": "draw-closed", "sign": "thank-you"}
        before = rows_of(game)
        for answer in (client.get(page), client.post(f"{page}act", post)):
            assert answer.headers["Location"] == reverse("classrooms:me")
        client.post(f"{page}act", post, headers={"hx-request": "true"})
        assert rows_of(game) == before
        stranger = client_of_child(ChildFactory.create())
        assert stranger.get(page).status_code == 404


def rows_of(game: Game) -> list[object]:
    return [list(Seat.objects.filter(game=game).values()), game.entries.count()]


def test_a_child_who_has_left_the_class_is_not_seated_again(
    alices_client: Client, dora: Child, table: GameTable
) -> None:
    board = alices_client.post(table_url(table), {"do": "take-off", "child": dora.pk}, follow=True)
    undo = undo_of(board)
    alices_client.post(url_of("remove_child", dora))
    assert "can no longer be undone" in text_on(alices_client.post(undo, follow=True))
    assert not table.chairs_taken.filter(child=dora).exists()


def test_a_child_can_be_moved_to_a_waiting_table(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    """Emil sits with Dora; the teacher keeps a chair for him where Finn waits."""
    assignment = AssignmentFactory.create(school_class=school_class, chairs=2)
    emil, finn = (ChildFactory.create(school_class=school_class, name=n) for n in ("Emil", "Finn"))
    table = TableFactory.create(children=[dora, emil], assignment=assignment)
    other = tables.sit(finn, assignment.pk)
    assert isinstance(other, GameTable)
    assert "Finn" in text_on(alices_client.get(table_url(table)))
    alices_client.post(table_url(table), {"do": "take-off", "child": emil.pk, "to": other.pk})
    assert table_offers.offers(emil, [assignment])[assignment.pk].table == other.pk
    game = tables.sit(emil, assignment.pk, other.pk)
    assert isinstance(game, Game)
    assert {seat.name for seat in game.seats.all()} == {"Emil", "Finn"}


def test_a_moved_child_sits_at_the_other_table(
    alices_client: Client, school_class: SchoolClass
) -> None:
    for_three = AssignmentFactory.create(school_class=school_class, chairs=3)
    AssignmentFactory.create_batch(3, school_class=school_class)
    emil, finn, *others = ChildFactory.create_batch(4, school_class=school_class)
    table = TableFactory.create(children=[emil, *others], assignment=for_three)
    other = tables.sit(finn, for_three.pk)
    assert isinstance(other, GameTable)
    alices_client.post(table_url(table), {"do": "take-off", "child": emil.pk, "to": other.pk})
    waits = client_of_child(finn).get(reverse("classrooms:table"))
    assert waits.context["others"] == [emil]
    own = client_of_child(emil).get(reverse("games:page", args=[game_of(table).pk]), follow=True)
    assert own.context["first"].offer == table_offers.Offer(other.pk, [finn], is_own=True)
    states = {tile.child: tile.state for tile in live.child_tiles(school_class, timezone.now())}
    assert states[emil.pk] == states[finn.pk] == "playing"


def test_a_child_can_be_moved_into_the_seat_of_a_bot(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    """Dora and Emil play with a bot. The teacher moves Finn there, and then back."""
    for_three = AssignmentFactory.create(school_class=school_class, chairs=3)
    finn, *others = ChildFactory.create_batch(3, school_class=school_class)
    tables.sit(dora, for_three.pk)
    tables.sit(emil, for_three.pk)
    to = tables.begin(emil)
    table = TableFactory.create(children=[finn, *others], assignment=for_three)
    data = {"do": "take-off", "child": finn.pk, "to": GameTable.objects.get(game=to).pk}
    board = alices_client.post(table_url(table), data, follow=True)
    undo = undo_of(board)
    assert to.seats.get(player=finn.player).away_since
    own = client_of_child(finn).get(reverse("games:page", args=[game_of(table).pk]), follow=True)
    assert own.context["first"].offer.is_own
    alices_client.post(undo)
    assert tables.sit(finn, for_three.pk) == game_of(table)
    alices_client.post(table_url(table), data)
    assert tables.sit(finn, for_three.pk) == to
    assert at_turn(to, [dora, emil, finn])


def test_children_can_be_moved_to_a_new_table(
    alices_client: Client, school_class: SchoolClass
) -> None:
    assignment = AssignmentFactory.create(school_class=school_class, chairs=4)
    dora, emil, finn, gus = ChildFactory.create_batch(4, school_class=school_class)
    table = TableFactory.create(children=[dora, emil, finn, gus], assignment=assignment)
    data = {"do": "take-off", "child": finn.pk, "to": "new"}
    undo = undo_of(alices_client.post(table_url(table), data, follow=True))
    (new,) = offered_at(alices_client, table)
    alices_client.post(table_url(table), {"do": "take-off", "child": gus.pk, "to": new.pk})
    assert tables.begin(gus)
    assert at_turn(game_of(GameTable.objects.get(pk=new.pk)), [finn, gus])
    alices_client.post(undo)
    assert tables.sit(finn, assignment.pk) == game_of(table)


def test_a_table_is_shown_at_once_but_nobodys_hand(
    alices_client: Client, dora: Child, emil: Child, table: GameTable
) -> None:
    child = at_turn(game_of(table), [dora, emil])
    assert child
    for _turn in range(6):
        if child := at_turn(game_of(table), [dora, emil]):
            play_turn(game_of(table), child)
    for query in ("", "?names=hidden"):
        scene = alices_client.get(f"{table_url(table)}{query}").context["scene"]
        assert scene.open_card
        assert scene.hand == ()


def test_the_page_of_a_table_shows_its_round_bridge_and_turns_left(
    alices_client: Client, table: GameTable
) -> None:
    text = text_on(alices_client.get(table_url(table)))
    assert "round 1 of" in text
    assert "bridge:" not in text
    table.assignment.together = "right"
    table.assignment.save()
    together = TableFactory.create(
        children=ChildFactory.create_batch(2, school_class=table.assignment.school_class),
        assignment=table.assignment,
    )
    text = text_on(alices_client.get(table_url(together)))
    assert re.search(r"round 1 of \d · bridge: 0 of \d+ · \d+ turns left", text)


def test_the_board_shows_a_finished_child_with_the_points_of_their_table(
    school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    """It no longer does after the teacher has ended the next table of the same children."""
    game = game_of(table)
    play_round(game, [dora, emil])
    scores = play.look(game.pk, dora.player).view.scores
    Game.objects.filter(pk=game.pk).update(phase=MATCH_OVER, finished_at=timezone.now())
    (tile,) = table_tiles(school_class)
    names = [seat.name for seat in game.seats.order_by("number")]
    assert tile.figures == " · ".join(f"{n} {s}" for n, s in zip(names, scores, strict=True))
    (hidden,) = table_tiles(school_class, with_names=False)
    assert not any(name in hidden.figures for name in names)
    table_care.end(TableFactory.create(children=[dora, emil]))
    tiles = live.child_tiles(school_class, timezone.now())
    assert {tile.child_name: tile.state for tile in tiles} == {"Dora": "away", "Emil": "away"}


def test_a_chair_is_kept_for_an_absent_child(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    tables.get_up(emil)
    other = tables.sit(ChildFactory.create(school_class=school_class), table.assignment_id)
    assert isinstance(other, GameTable)
    table_care.take_off(emil, table, other.pk)
    assert emil not in table_offers.waiting_at(other, timezone.now())
    assert other.chairs_taken.filter(child=emil).exists()


def test_a_child_who_comes_late_takes_the_kept_chair_from_a_bot(
    emil: Child, table: GameTable
) -> None:
    tables.get_up(emil)
    finn = ChildFactory.create(school_class=emil.school_class)
    other = tables.sit(finn, table.assignment_id)
    assert isinstance(other, GameTable)
    table_care.take_off(emil, table, other.pk)
    game = tables.begin(finn)
    seat = game.seats.get(player=emil.player)
    assert seat.away_since
    assert tables.sit(emil, table.assignment_id) == game
    assert at_turn(game, [emil, finn])
    seat.refresh_from_db()
    assert seat.away_since is None


def test_only_other_waiting_tables_are_offered(
    alices_client: Client, school_class: SchoolClass
) -> None:
    for_two = AssignmentFactory.create(school_class=school_class, chairs=2)
    *pairs, finn = ChildFactory.create_batch(5, school_class=school_class)
    table, _plays = (
        TableFactory.create(children=pair, assignment=for_two) for pair in (pairs[:2], pairs[2:])
    )
    waits = tables.sit(finn, for_two.pk)
    assert isinstance(waits, GameTable)
    assert offered_at(alices_client, table) == [waits]
    assert offered_at(alices_client, waits) == []
    table_care.end(waits)
    assert offered_at(alices_client, table) == []


def test_a_kept_chair_is_not_free_for_others(
    alices_client: Client, school_class: SchoolClass, dora: Child, assignment: Assignment
) -> None:
    for_two = AssignmentFactory.create(school_class=school_class, chairs=2)
    emil, finn, gus = (ChildFactory.create(school_class=school_class) for _ in "abc")
    table = TableFactory.create(children=[dora, emil], assignment=for_two)
    other = tables.sit(finn, for_two.pk)
    assert isinstance(other, GameTable)
    table_care.take_off(emil, table, other.pk)
    with pytest.raises(tables.ChairTaken):
        tables.sit(gus, for_two.pk, other.pk)
    with pytest.raises(tables.ChairTaken):
        table_care.take_off(dora, table, other.pk)


def test_a_child_of_another_class_cannot_be_taken_off(
    alices_client: Client, table: GameTable
) -> None:
    stranger = ChildFactory.create()
    answer = alices_client.post(table_url(table), {"do": "take-off", "child": stranger.pk})
    assert answer.status_code == 404
    assert table.chairs_taken.count() == 2


def test_children_who_leave_the_class_leave_their_tables(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, table: GameTable
) -> None:
    keys = [school_class.pk, dora.pk]
    alices_client.post(reverse("classrooms:remove_child", args=keys))
    assert table_offers.offers(emil, [table.assignment])[table.assignment_id].others == []
    (tile,) = table_tiles(school_class)
    assert tile.names == ["Emil"]
    assert Seat.objects.get(game=game_of(table), player=dora.player).away_since
    assert at_turn(game_of(table), [emil]) == emil
    alices_client.post(reverse("classrooms:bring_child_back", args=keys))
    assert tables.sit(dora, table.assignment_id) == game_of(table)
