"""Everything about a class as tables: their content, and their agreement with the reports."""

import csv
import io
import re
import zipfile
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Final

import pytest
from django.utils import timezone
from django.utils.translation import override
from openpyxl import load_workbook

from classrooms.assignments import services as assignments
from classrooms.assignments.presets import PRESETS
from classrooms.lesson import one_deal
from classrooms.models import Assignment, Child, SchoolClass
from classrooms.progress.class_figures import figures_of
from classrooms.progress.class_report import class_report
from classrooms.progress.models import Chance, FactMastery, TableDay
from classrooms.progress.tasks import look_for_dirty
from classrooms.reports import downloads
from classrooms.reports.downloads import COLUMNS, WORKBOOK
from classrooms.reports.sheets import SHEETS
from classrooms.roster import moves
from classrooms.roster import services as roster
from games.coach.mastery import (
    ROW_PARAMETERS,
    Ability,
    Day,
    Knowledge,
    ability_after,
    chance,
    difficulty,
    knowledge_after,
)
from games.engine.text.game_text import read_game
from games.engine.text.record import replay
from games.models import Game
from games.play.log import snapshot_of
from tests.classrooms.lesson.deals import DealHand
from tests.classrooms.people import all_of
from tests.classrooms.progress.answering import answer, rows
from tests.classrooms.progress.playing import Hand, begin, begin_with_a_row
from tests.counts import queries_of
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChanceFactory,
    ChildFactory,
    DownloadFactory,
    GroupFactory,
)
from tests.repository import text_of

pytestmark = pytest.mark.django_db
Table = list[dict[str, str]]


def made_archive(school_class: SchoolClass) -> zipfile.ZipFile:
    download = DownloadFactory.create(school_class=school_class)
    return zipfile.ZipFile(io.BytesIO(downloads.make(download, lambda done, total: None)))


def table(archive: zipfile.ZipFile, name: str) -> Table:
    text = archive.read(f"{name}.csv").decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture
def busy_assignment(dora: Child, emil: Child, assignment: Assignment) -> Assignment:
    """Dora has finished a match of one round, is in the middle of another, and has answered
    questions. Emil has ended a turn."""
    short = AssignmentFactory.create(
        school_class=dora.school_class,
        options={"tables": [2, 3, 4, 5, 6], "offers": False},
        rounds=1,
    )
    begin_with_a_row(dora, short).play_round()
    Hand(begin(dora, assignment, seed=6)).play_turn(lays=False)
    Hand(begin(emil, assignment, seed=7)).play_turn(lays=False)
    answer(dora, 6, 7, assignment=short)
    answer(dora, 7, 6, right=False, net_ms=None, at=datetime(2026, 11, 20, 23, 30, tzinfo=UTC))
    look_for_dirty()
    return short


def test_every_sheet_is_there_and_explains_its_columns(
    school_class: SchoolClass, busy_assignment: Assignment
) -> None:
    archive = made_archive(school_class)
    files = {name for name in archive.namelist() if name.endswith(".csv")}
    assert files == {"columns.csv", *(sheet.file for sheet in SHEETS)}
    listed = {(row["file"], row["column"]): row["type"] for row in table(archive, "columns")}
    assert list(listed) == [(s.file, column.name) for s in SHEETS for column in s.columns]
    assert listed["answers.csv", "right"] == "1 (yes) or 0 (no)"
    assert listed["answers.csv", "answered_at"].startswith("time in UTC")
    assert listed["answers.csv", "day"] == "day"
    for sheet in SHEETS:
        first = archive.read(sheet.file).decode("utf-8-sig").splitlines()[0]
        assert first.split(",") == [column.name for column in sheet.columns]


def test_columns_are_explained_in_the_readers_language(school_class: SchoolClass) -> None:
    with override("nl"):
        lines = made_archive(school_class).read("columns.csv").decode("utf-8-sig").splitlines()
    assert lines[0] == "bestand,kolom,soort,betekenis"
    types = {line.split(",")[2] for line in lines[1:]}
    assert {"tekst", "getal", "getallen", "decimaal getal", "dag", "1 (ja) of 0 (nee)"} <= types


def test_the_tables_say_the_same_of_each_child_as_the_report(
    school_class: SchoolClass, busy_assignment: Assignment
) -> None:
    archive = made_archive(school_class)
    chances, now = table(archive, "chances"), table(archive, "tables_now")
    report = class_report(figures_of(school_class))
    assert any(line.total.chances for line in report.lines)
    for line in report.lines:
        outcomes = Counter(row["outcome"] for row in chances if row["child"] == str(line.child.pk))
        assert outcomes["at once"] + outcomes["later"] == line.total.found
        assert outcomes["missed"] == line.total.missed
        assert outcomes.total() - outcomes["with a joker"] == line.total.chances
        standing = [row for row in now if row["child"] == str(line.child.pk)]
        assert sum(int(row["found"]) for row in standing) == line.total.found
        days = [row for row in table(archive, "days") if row["child"] == str(line.child.pk)]
        assert sum(int(row["rounds"]) for row in days) == line.rounds


def test_cells_have_the_format_of_their_type(
    school_class: SchoolClass, dora: Child, busy_assignment: Assignment
) -> None:
    with timezone.override("Europe/Amsterdam"):
        archive = made_archive(school_class)
    wrong, right = sorted(table(archive, "answers"), key=lambda row: row["right"])
    assert (wrong["right"], wrong["net_ms"], wrong["how"]) == ("0", "", "guessed")
    assert wrong["answered_at"] == "2026-11-20T23:30:00+00:00"
    assert wrong["day"] == "2026-11-21", "by the clock of the class"
    assert (right["first"], right["second"], right["answer"]) == ("6", "7", "42")
    assert (right["child"], right["assignment"]) == (str(dora.pk), str(busy_assignment.pk))
    (assigned,) = (
        row for row in table(archive, "assignments") if row["assignment"] == str(busy_assignment.pk)
    )
    assert (assigned["tables"], assigned["rounds"], assigned["for_all"]) == ("2 3 4 5 6", "1", "1")
    row = table(archive, "chances")[0]
    chance = Chance.objects.filter(child=dora).order_by("at", "pk")[0]
    assert row["numbers"] == " ".join(str(number) for number in chance.numbers)
    assert row["entries"] == " ".join(str(entry) for entry in chance.entries)
    (fact,) = table(archive, "facts_now")
    assert (fact["low"], fact["high"], fact["level"], fact["evidence"]) == (
        "6",
        "7",
        "too few",
        "2",
    )


def test_since_is_empty_if_the_level_was_not_the_last(
    school_class: SchoolClass, dora: Child
) -> None:
    now = timezone.now()
    for ago in (2, 1):
        rows(dora, 5, found=6, ago=100 + ago)
        rows(dora, 4, found=6, ago=ago)
    wrong = [answer(dora, 6, 9, right=False, at=now - timedelta(days=19)) for _ in range(3)]
    for ago in (19, 10, 1):
        answer(dora, 7, 8, right=ago < 19, at=now - timedelta(days=ago))
        for _ in range(3):
            easy = answer(dora, 2, 5, at=now - timedelta(days=ago))
    look_for_dirty()
    archive = made_archive(school_class)
    assert [(row["table"], row["level"], row["since"]) for row in table(archive, "tables_now")] == [
        ("4", "secure", str(dora.school_class.today() - timedelta(days=1))),
        ("5", "learning", ""),
    ]
    facts = [(row["low"], row["level"], row["since"]) for row in table(archive, "facts_now")]
    assert facts == [
        ("2", "fluent", str(easy.day)),
        ("6", "learning", str(wrong[0].day)),
        ("7", "learning", ""),
    ]
    assert FactMastery.objects.get(low=7).reached == "fluent"


def test_since_is_set_for_a_table_that_needs_refreshing(
    school_class: SchoolClass, dora: Child
) -> None:
    """The table was no longer secure then, before it needed refreshing."""
    for ago, found, missed in ((12, 6, 0), (11, 6, 0), (9, 0, 5), (7, 0, 5)):
        rows(dora, 5, found=found, missed=missed, ago=ago)
    (of_table,) = table(made_archive(school_class), "tables_now")
    assert of_table["level"] == "needs refreshing"
    assert of_table["since"] == str(dora.school_class.today() - timedelta(days=9))


def test_only_tables_now_puts_rows_above_12_with_those_of_no_table(
    school_class: SchoolClass, dora: Child
) -> None:
    for of_table, count in ((0, 2), (4, 3), (15, 1)):
        rows(dora, of_table, found=count)
    archive = made_archive(school_class)
    days = {row["table"]: row["found"] for row in table(archive, "table_days")}
    assert days == {"0": "2", "4": "3", "15": "1"}
    other, four = table(archive, "tables_now")
    assert (other["table"], other["found"], four["table"], four["found"]) == ("0", "3", "4", "3")
    assert (other["level"], other["since"], other["late_share"]) == ("", "", "")
    assert (four["level"], four["late_share"]) == ("learning", "1.0")


def test_a_chance_has_the_points_and_the_winner_of_its_round(
    school_class: SchoolClass, dora: Child, busy_assignment: Assignment, assignment: Assignment
) -> None:
    """These are of the round that Dora has finished, not of the one that she is playing."""
    begin_with_a_row(dora, assignment).play_turn()
    look_for_dirty()
    game = Game.objects.get(finished_at__isnull=False)
    (winner,) = game.round_winners
    score = snapshot_of(game, seats=2).state.scores[0] - game.ruleset.start
    won = str(int(winner == 0))
    by_match: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
    for row in table(made_archive(school_class), "chances"):
        by_match[row["match"] == str(game.pk)].add((row["points"], row["won"]))
    assert by_match == {True: {(str(score), won)}, False: {("", "")}}


def test_a_chances_prediction_uses_only_earlier_days(
    school_class: SchoolClass, dora: Child
) -> None:
    """All chances of a table on a day have the same prediction. Days in another class count too."""
    first, other = rows_on(dora, 7, [0, 0, 0], ago=5), ChildFactory.create().school_class
    middling = chance(Knowledge(), Ability(), difficulty((7,), ROW_PARAMETERS), ROW_PARAMETERS, 0)
    assert predicted(school_class) == [f"{middling:.3f}"] * 3
    rows_on(dora, 7, [1, 0], ago=2)
    ability = ability_after(
        Ability(), [(difficulty((7,), ROW_PARAMETERS), Day(first, 3, 0))], ROW_PARAMETERS
    )
    knowledge = knowledge_after(Knowledge(), Day(first, 3, 0))
    low = chance(knowledge, ability, difficulty((7,), ROW_PARAMETERS), ROW_PARAMETERS, first + 3)
    assert low < middling
    assert predicted(school_class) == [f"{middling:.3f}"] * 3 + [f"{low:.3f}"] * 2
    TableDay.objects.filter(day=date.fromordinal(first)).update(school_class=other)
    Chance.objects.filter(day=date.fromordinal(first)).update(school_class=other)
    assert predicted(school_class) == [f"{low:.3f}"] * 2
    Chance.objects.update(outcome=Chance.Outcome.WITH_JOKER)
    assert predicted(school_class) == ["", ""]


def predicted(school_class: SchoolClass) -> list[str]:
    return [row["predicted"] for row in table(made_archive(school_class), "chances")]


def rows_on(child: Child, of_table: int, counts: list[int], *, ago: int) -> int:
    """Make and count chances of a table on one day, each found at once or missed. Return the number
    of the day."""
    attempt = AttemptFactory.create(child=child)
    for number, is_found in enumerate(counts, start=1):
        outcome = Chance.Outcome.AT_ONCE if is_found else Chance.Outcome.MISSED
        ChanceFactory.create(
            attempt=attempt, entry=number, ago=ago, table=of_table, outcome=outcome
        )
    rows(child, of_table, found=sum(counts), missed=len(counts) - sum(counts), ago=ago)
    return (child.school_class.today() - timedelta(days=ago)).toordinal()


def test_only_a_finished_match_is_exported_as_text(
    school_class: SchoolClass, busy_assignment: Assignment
) -> None:
    archive = made_archive(school_class)
    over = Game.objects.get(finished_at__isnull=False)
    assert [name for name in archive.namelist() if "/" in name] == [f"matches/{over.pk}.txt"]
    record = read_game(archive.read(f"matches/{over.pk}.txt").decode())
    assert replay(record.setting, record.entries).phase == "match over"
    matches = {row["match"]: row["record"] for row in table(archive, "matches")}
    assert len(matches) == 3
    assert {match for match, record in matches.items() if record} == {str(over.pk)}


def test_the_tables_contain_nothing_from_elsewhere(
    school_class: SchoolClass, dora: Child, emil: Child, busy_assignment: Assignment
) -> None:
    other = ChildFactory.create(name="Finn").school_class
    moves.move([emil], other, None)
    assert [row["name"] for row in table(made_archive(school_class), "children")] == ["Dora"]
    assert str(emil.pk) not in everything(made_archive(school_class))
    new = made_archive(other)
    assert str(emil.pk) in everything(new)
    assert table(new, "rounds") == table(new, "chances") == table(new, "days") == []
    roster.remove(dora, None)
    assert table(made_archive(school_class), "children") == []


def everything(archive: zipfile.ZipFile) -> str:
    book = zipfile.ZipFile(io.BytesIO(archive.read(WORKBOOK)))
    files = (archive.read(name) for name in archive.namelist() if name != WORKBOOK)
    return b"".join((*files, *map(book.read, book.namelist()))).decode()


def test_the_workbook_has_the_same_tables(school_class: SchoolClass, dora: Child) -> None:
    archive = made_archive(school_class)
    book = load_workbook(io.BytesIO(archive.read(WORKBOOK)))
    assert [f"{name}.csv" for name in book.sheetnames] == [COLUMNS, *(s.file for s in SHEETS)]
    (name,) = (i for i, cell in enumerate(next(book["children"].values)) if cell == "name")
    assert [row[name] for row in book["children"].values] == ["name", "Dora"]


def test_no_cell_is_taken_for_a_formula(school_class: SchoolClass, dora: Child) -> None:
    Child.objects.filter(pk=dora.pk).update(name="=1+1")
    assert [row["name"] for row in table(made_archive(school_class), "children")] == ["'=1+1"]


def test_each_child_of_an_assignment_is_listed_once(
    school_class: SchoolClass, dora: Child, emil: Child, assignment: Assignment
) -> None:
    assignment.is_for_everyone = False
    assignment.save()
    assignment.children.add(dora)
    assignment.groups.add(GroupFactory.create(school_class=school_class, children=[dora, emil]))
    reported = {
        (row["assignment"], row["child"]) for row in table(made_archive(school_class), "assigned")
    }
    assert reported == {(str(assignment.pk), str(child.pk)) for child in (dora, emil)}
    assert len(table(made_archive(school_class), "assigned")) == 2


def test_the_bar_advances_step_by_step_to_its_end(
    school_class: SchoolClass, busy_assignment: Assignment
) -> None:
    reported: list[tuple[int, int]] = []
    download = DownloadFactory.create(school_class=school_class)
    downloads.make(download, lambda step, total: reported.append((step, total)))
    total = reported[0][1]
    assert reported == [(step, total) for step in range(total + 1)]


def test_more_matches_need_queries_only_for_their_records(
    school_class: SchoolClass, dora: Child, assignment: Assignment
) -> None:
    def queries() -> int:
        return queries_of(made_archive, school_class)

    Hand(begin(dora, assignment, seed=1)).play_turn()
    look_for_dirty()
    before = queries()
    for seed in range(2, 6):
        Hand(begin(dora, assignment, seed=seed)).play_turn()
    look_for_dirty()
    assert queries() == before


# No download has the deck of a deal that other children of the class can still play


def decks(child: Child) -> int:
    return sum(act["kind"] == "deal" for act in all_of(child)["games.Action"])


def test_the_deck_of_a_deal_is_in_a_file_once_the_deal_is_closed(
    school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    deal = one_deal.start(school_class, PRESETS["next"].choice)
    hand = DealHand(dora, deal, 1, 0.5)
    hand.play_out()
    assert hand.attempt.game.finished_at
    archive = made_archive(school_class)
    assert not [name for name in archive.namelist() if name.startswith("matches/")]
    (match,) = table(archive, "matches")
    assert (bool(match["finished_at"]), match["record"]) == (True, "")
    assert decks(dora) == 0
    assignments.end(deal)
    archive = made_archive(school_class)
    (match,) = table(archive, "matches")
    assert match["record"] in archive.namelist()
    assert decks(dora) == 1


# docs/exports.md lists every file and every column


DOCUMENT: Final = text_of("docs/exports.md")


def test_the_document_lists_all_files_and_columns() -> None:
    """The document promises that columns stay, so it must change with them."""
    contents = [
        (sheet.file, sheet.about, [(column.name, column.type) for column in sheet.columns])
        for sheet in SHEETS
    ]
    listed = re.findall(r"^\| `(\w+\.csv)` \| (.+?) \| (.+) \|$", DOCUMENT, re.M)
    assert [
        (file, about, re.findall(r"`(\w+)` ([a-z/]+)", columns)) for file, about, columns in listed
    ] == contents
