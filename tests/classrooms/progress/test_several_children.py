"""At a table of several children, each has the evidence of their own turns."""

import pytest

from classrooms.assignments import table_offers, tables
from classrooms.models import Assignment, Attempt, Child, GameTable, SchoolClass
from classrooms.privacy.erasure import erase_child
from classrooms.progress.evidence import (
    dirty_attempts,
    process_game,
    process_games,
    read_games,
    store_readings,
)
from classrooms.progress.models import Chance, ChildAssignment, GameEvidence, Played, TableDay
from classrooms.progress.rebuild import compare_child, compare_game, rebuild
from classrooms.progress.tasks import look_for_dirty
from classrooms.roster.merges import merge, undo
from games.engine.actions import DrawClosed
from games.models import Entry, Game
from games.play import services as play
from games.play.moves import AskHint, Do
from tests.classrooms.at_tables import at_turn, game_of, move, play_round, play_turn
from tests.classrooms.people import client_of_child, text_on
from tests.classrooms.progress.answering import everything
from tests.factories import AssignmentFactory, ChildFactory, TableFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def for_two(school_class: SchoolClass) -> Assignment:
    return AssignmentFactory.create(school_class=school_class, chairs=2, rounds=2)


@pytest.fixture
def table(dora: Child, emil: Child, for_two: Assignment) -> GameTable:
    return TableFactory.create(children=[dora, emil], assignment=for_two)


def evidence_of(child: Child) -> tuple[list[Played], list[Chance]]:
    by_entry = ("entry", "table", "row")
    return (
        list(Played.objects.filter(child=child).order_by("entry")),
        list(Chance.objects.filter(child=child).order_by(*by_entry)),
    )


def stored_rows(child: Child) -> list[dict[str, object]]:
    return [
        {name: value for name, value in row.items() if name != "id"}
        for model in (Played, Chance, TableDay, ChildAssignment)
        for row in model.objects.filter(child=child).order_by("pk").values()
    ]


def test_each_child_has_the_evidence_of_their_own_turns(
    dora: Child, emil: Child, table: GameTable
) -> None:
    """Dora lays every row that she can, Emil none."""
    play_round(game_of(table), [dora, emil], lays=lambda child: child == dora)
    assert process_game(game_of(table).pk)
    log = Entry.objects.filter(game=game_of(table).pk)
    for number, child in enumerate((dora, emil)):
        (played,), chances = evidence_of(child)
        ended = log.filter(seat=number, text__startswith="discard").count()
        assert played.turns_ended in (ended, ended + 1)  # The last row may leave no card.
        assert played.rounds_ended == 1
        seats = set(log.filter(number__in=[chance.entry for chance in chances]).values_list("seat"))
        assert seats <= {(number,), (1 - number,)}
    assert not any(chance.is_laid for chance in evidence_of(emil)[1])
    finds = [chance for chance in evidence_of(dora)[1] if chance.is_laid]
    own_rows = log.filter(seat=0, kind="act", data__has_key="numbers").values_list("number")
    assert {chance.entry for chance in finds} <= {number for (number,) in own_rows}
    assert sum(played.won for played in Played.objects.all() if played.won) <= 1


def test_all_children_of_a_game_are_counted_once(
    dora: Child, emil: Child, table: GameTable
) -> None:
    play_round(game_of(table), [dora, emil])
    assert dirty_attempts().count() == 2
    assert process_games([game_of(table).pk]) == 2
    assert not dirty_attempts().exists()
    before = everything()
    assert process_games([game_of(table).pk]) == 0
    assert everything() == before


def test_a_shared_game_is_counted_for_each_child(
    dora: Child, emil: Child, table: GameTable
) -> None:
    play_round(game_of(table), [dora, emil])
    look_for_dirty()
    before = stored_rows(emil)
    assert before
    for child in (dora, emil):
        assert compare_child(child) is None
    rebuild(dora)
    assert stored_rows(emil) == before
    assert compare_game(Game.objects.get()) is None


def test_a_reading_is_dropped_if_somebody_has_joined_since(
    dora: Child, emil: Child, table: GameTable
) -> None:
    Attempt.objects.filter(child=emil).delete()
    play_turn(game_of(table), at_turn(game_of(table), [dora, emil]) or dora)
    early = read_games([game_of(table).pk])
    Attempt.objects.create(assignment=table.assignment, child=emil, game=game_of(table))
    assert store_readings(early) == 0
    assert not GameEvidence.objects.exists()


def test_a_bots_play_for_an_absent_child_counts_for_nobody(
    dora: Child, emil: Child, table: GameTable
) -> None:
    """Dora leaves at once. Emil plays the round with a bot in her seat."""
    game = game_of(table)
    tables.get_up_for_leaving_class([dora])
    while play.look(game.pk, emil.player).view.may_act:
        play_turn(game, emil)
    assert Entry.objects.filter(game=game, seat=0, kind="stand in").exists()
    look_for_dirty()
    assert evidence_of(dora) == ([], [])
    assert evidence_of(emil)[0][0].rounds_ended == 1
    assert not TableDay.objects.filter(child=dora).exists()
    for child in (dora, emil):
        assert compare_child(child) is None


def test_a_child_who_comes_back_has_their_own_turns_counted(
    dora: Child, emil: Child, table: GameTable
) -> None:
    """Emil lays nothing, otherwise his round could be over before Dora has a turn."""
    game = game_of(table)
    tables.get_up_for_leaving_class([dora])
    if play.look(game.pk, emil.player).view.may_act:
        play_turn(game, emil, lays=False)
    tables.sit(dora, table.assignment_id)
    play_round(game, [dora, emil], lays=lambda child: child == dora)
    look_for_dirty()
    ((played,), _chances) = evidence_of(dora)
    own = Entry.objects.filter(game=game, seat=0, kind="act", text__startswith="discard").count()
    assert played.turns_ended in (own, own + 1)


def test_moves_of_a_bot_are_no_evidence_for_the_late_child(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    """A bot plays in Finn's later seat until Dora and Emil have had some turns each."""
    finn = ChildFactory.create(name="Finn", school_class=school_class)
    for_three = AssignmentFactory.create(school_class=school_class, chairs=3, rounds=1)
    tables.sit(dora, for_three.pk)
    table = tables.sit(emil, for_three.pk)
    assert isinstance(table, GameTable)
    game = tables.begin(emil)
    of_bot = Entry.objects.filter(game=game, seat=2)
    while not of_bot.filter(data__has_key="laid").exists():
        child = at_turn(game, [dora, emil])
        assert child
        play_turn(game, child, lays=False)
    assert tables.sit(finn, for_three.pk, table.pk) == game
    before = play.watch(game.pk, finn.player).outcome.view.scores[2]
    last_of_bot = Entry.objects.filter(game=game).count()
    play_round(game, [dora, emil, finn], lays=lambda child: child == finn)
    look_for_dirty()
    ((played,), chances) = evidence_of(finn)
    after = play.watch(game.pk, finn.player).outcome.view.scores[2]
    assert before > for_three.ruleset.start
    assert (played.points, played.won) == (after - before, None)
    assert played.rounds_ended == 1
    ends = of_bot.filter(number__gt=last_of_bot, text__startswith="discard").count()
    assert played.turns_ended in (ends, ends + 1)
    assert all(chance.entry > last_of_bot for chance in chances)
    for child in (dora, emil, finn):
        assert compare_child(child) is None
    assert compare_game(Game.objects.get(pk=game.pk)) is None


def test_a_hint_belongs_to_the_child_who_asks(dora: Child, emil: Child, table: GameTable) -> None:
    child = at_turn(game_of(table), [dora, emil])
    other = emil if child == dora else dora
    move(game_of(table), child, AskHint())
    play_turn(game_of(table), child)
    play_turn(game_of(table), other)
    process_game(game_of(table).pk)
    hints = {played.child_id: played.hints_asked for played in Played.objects.all()}
    assert hints == {child.pk: 1, other.pk: 0}


def test_erasing_a_classmate_changes_nothing_for_the_others(
    dora: Child, emil: Child, table: GameTable
) -> None:
    play_round(game_of(table), [dora, emil])
    look_for_dirty()
    before = stored_rows(emil)
    erase_child(dora, None)
    assert stored_rows(emil) == before
    assert compare_child(emil) is None
    log = Entry.objects.filter(game=game_of(table).pk)
    assert log.count() == Game.objects.get().version


def test_others_play_on_after_an_erasure(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    three = [dora, emil, ChildFactory.create(name="Finn", school_class=school_class)]
    game = game_of(TableFactory.create(children=three))
    for _ in range(4):
        child = at_turn(game, three)
        assert child
        play_turn(game, child, lays=False)
    leaver = at_turn(game, three)
    others = [child for child in three if child != leaver]
    move(game, leaver, Do(DrawClosed()))
    erase_child(leaver, None)
    pages = [text_on(client_of_child(child).get(f"/games/{game.pk}/")) for child in others]
    assert not any(leaver.name in page for page in pages)
    play_round(game, others)
    process_game(game.pk)
    assert compare_game(Game.objects.get(pk=game.pk)) is None
    assert all(compare_child(child) is None for child in others)
    assert set(Played.objects.values_list("child", flat=True)) == {child.pk for child in others}


def test_a_merge_moves_games_at_tables_and_back(
    dora: Child, emil: Child, table: GameTable, school_class: SchoolClass
) -> None:
    play_round(game_of(table), [dora, emil])
    look_for_dirty()
    finn = ChildFactory.create(school_class=school_class, name="Finn")
    before = [stored_rows(child) for child in (dora, emil)]
    record = merge(dora, finn, None)
    assert Attempt.objects.filter(child=finn, game=game_of(table)).exists()
    assert game_of(table).seats.get(number=0).name == "Finn"
    assert table_offers.offers(finn, [table.assignment])[table.assignment_id].is_own
    undo(record, None)
    assert [stored_rows(child) for child in (dora, emil)] == before
    assert game_of(table).seats.get(number=0).name == "Dora"


def test_two_entries_at_one_table_can_be_merged(dora: Child, emil: Child, table: GameTable) -> None:
    play_round(game_of(table), [dora, emil])
    look_for_dirty()
    record = merge(dora, emil, None)
    assert set(Attempt.objects.values_list("child", flat=True)) == {dora.pk, emil.pk}
    look_for_dirty()
    assert compare_child(emil) is None
    undo(record, None)
    assert compare_child(dora) is None
