"""The reports of a child and of a class, on paper."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pypdfium2
import pytest
from django.db.models import F
from django.utils import timezone, translation
from django.utils.text import capfirst
from django.utils.translation import gettext

from classrooms.audit import What
from classrooms.downloads import services as downloads
from classrooms.downloads.kinds import KINDS
from classrooms.downloads.models import Download
from classrooms.models import Assignment, AuditEntry, Child, SchoolClass, User
from classrooms.progress import words as wording
from classrooms.progress.child_page import child_page
from classrooms.progress.models import TableDay
from classrooms.progress.rebuild import mark_for_rebuild
from classrooms.progress.table_levels import fold_all_tables
from classrooms.progress.tasks import look_for_dirty
from classrooms.questions.models import Check
from classrooms.reports.child_paper import child_paper
from classrooms.reports.class_paper import class_paper
from classrooms.reports.downloads import make_child_reports
from classrooms.reports.paper_words import PaperData, day_in_words, short_day
from games.coach.times_tables import fact_of
from games.screen.words import product
from tests.classrooms.people import client_of, text_on, url_of
from tests.classrooms.progress.answering import answer, rows
from tests.classrooms.progress.answering import play_day as played_on
from tests.classrooms.progress.oracle import random_answers, random_days_of_rows
from tests.classrooms.reports.pdf import (
    A4,
    NO_FONT,
    SCRIPTS,
    is_named,
    open_pdf,
    words,
)
from tests.counts import queries_of, times
from tests.factories import ChildFactory, UserFactory

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "nl", "de", "sv")
FEW = "Asked only once or twice, too early to say"


def report(alice: User, child: Child, language: str = "") -> pypdfium2.PdfDocument:
    return open_pdf(client_of(alice).get(url_of("child_report", child), {"language": language}))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_says_in_each_language_what_the_child_can_do(
    alice: User, player: Child, language: str
) -> None:
    document = report(alice, player, language)
    text = words(document)
    with translation.override(language):
        assert gettext("In the card game") in text
        assert gettext("Not right the last time") in text
        fact = product(6, 8)
    for part in ("Dora", "5B", fact):
        assert part in text
    assert len(document) == 1
    assert all(round(size) in A4 for size in document[0].get_size())


def test_the_report_is_in_the_classs_language_unless_another_is_chosen(
    alice: User, player: Child
) -> None:
    SchoolClass.objects.update(language="sv")
    with translation.override("sv"):
        title = gettext("Multiplication facts")
    assert title in words(report(alice, player))
    assert title in words(report(alice, player, "xx"))


def test_the_page_of_papers_asks_for_a_language_and_offers_its_own_first(
    alice: User, player: Child
) -> None:
    SchoolClass.objects.update(language="sv")
    page = client_of(alice).get(url_of("papers", player.school_class))
    form = text_on(page).partition('id="child-report"')[2].partition("</form>")[0]
    assert f'formaction="{url_of("child_report", player)}"' in form
    assert 'name="language"' in form
    assert '<option value="en" selected>' in form
    for_teacher = text_on(page).partition('id="class-report"')[2].partition("</form>")[0]
    assert '<option value="en" selected>' in for_teacher


def test_what_was_found_long_ago_is_not_what_the_child_can_do(alice: User, dora: Child) -> None:
    for ago in (33, 31):
        rows(dora, 5, found=5, ago=ago)
    others = "Other times tables: in the last 4 weeks no row, or only rows with a joker."
    text = words(report(alice, dora))
    assert others in text
    assert "5 times table" not in text
    rows(dora, 3, found=3, missed=1, ago=3)
    rows(dora, 2, found=2, ago=3)
    assert (
        "Not certain yet, may be chance: 2 times table (2 of 2), 3 times table (3 of 4) "
    ) in words(report(alice, dora))


def test_a_table_that_the_child_found_better_before_has_its_figure(
    alice: User, dora: Child
) -> None:
    for ago in (20, 18):
        rows(dora, 2, found=9, ago=ago)
    rows(dora, 2, found=0, missed=6, ago=1)
    assert "may be chance: 2 times table (18 of 24) Other times tables:" in words(
        report(alice, dora)
    )


def test_figures_are_explained_before_the_first(alice: User, dora: Child) -> None:
    rows(dora, 4, found=5, missed=3)
    for ago in (20, 1):
        answer(dora, 5, 3, at=timezone.now() - timedelta(days=ago))
    look_for_dirty()
    text = words(report(alice, dora))
    game, _, facts = text.partition("Multiplication facts")
    assert "Rows laid with a joker are not counted. Not certain yet, may be chance: " in game
    since = day_in_words(dora.school_class.today() - timedelta(days=20))
    assert facts.startswith(" How to read it: (3 of 4) means asked 4 times, right without a hint")
    assert f"Counted since {since}." in facts
    assert f"{product(5, 3)} counts as {product(3, 5)}. {FEW}: {product(3, 5)} (2 of 2)" in facts


def test_rows_found_with_help_are_not_found_without(alice: User, dora: Child) -> None:
    rows(dora, 4, found=6, missed=4)
    TableDay.objects.update(hinted=F("missed") - 2, tried=1, missed=1)
    assert "4 times table (6 of 10)" in words(report(alice, dora))


def test_the_report_names_every_fact_with_what_its_answers_prove(alice: User, dora: Child) -> None:
    for ago in (5, 3, 1):
        for other in range(2, 11):
            answer(dora, 5, other, at=timezone.now() - timedelta(days=ago), right=other < 10)
    answer(dora, 3, 3)
    answer(dora, 2, 3, net_ms=9000)
    answer(dora, 2, 2, right=False)
    for right in (False, True, True):
        answer(dora, 7, 8, right=right)
    for ago in (40, 35, 30):
        answer(dora, 2, 4, at=timezone.now() - timedelta(days=ago))
    look_for_dirty()
    text = words(report(alice, dora))
    always = ", ".join(f"{product(min(5, by), max(5, by))} (3 of 3)" for by in range(2, 10))
    assert (
        f"Right the last three times: {always} "
        f"Right the last time, but not the last three times: {product(7, 8)} (2 of 3) "
        f"Not right the last time: {product(5, 10)} (0 of 3) "
        f"{FEW}: {product(2, 2)} (0 of 1), {product(2, 3)} (1 of 1), "
        f"{product(3, 3)} (1 of 1) Not asked in the last four weeks: {product(2, 4)} (3 of 3) "
    ) in text
    assert "Facts that are not on this sheet have not been asked yet." in text


# Each sentence follows from the evidence


def store_evidence(random: Random, child: Child) -> None:
    """Store random rows and answers of a child."""
    today, now = child.school_class.today(), timezone.now()
    for table in random.sample(range(2, 13), random.choice([0, 3, 6])):
        days, ago = random_days_of_rows(random), random.choice([0, 3, 30])
        for day in days:
            back = timedelta(days=days[-1].day - day.day + ago)
            hinted = random.randint(0, day.others)
            TableDay.objects.create(
                child=child,
                school_class=child.school_class,
                table=table,
                day=today - back,
                last_at=now - back,
                at_once=day.at_once,
                later=day.later,
                hinted=hinted,
                tried=(day.others - hinted) // 2,
                missed=(day.others - hinted + 1) // 2,
                joker=random.choice([0, 2]),
            )
    for low in range(2, random.choice([2, 4, 10])):
        answers, ago = random_answers(random), random.choice([0, 0, 5, 40])
        for one_answer in answers:
            answer(
                child,
                low,
                random.choice([5, 5, 6]),
                right=one_answer.is_right,
                net_ms=one_answer.net_ms,
                hinted=one_answer.has_help,
                at=now - timedelta(days=answers[-1].day - one_answer.day + ago),
            )


def check_tables(child: Child, paper: PaperData) -> Iterator[str]:
    """Check what a sheet says of the card game against the days of rows. Returns the groups."""
    since = child.school_class.today() - timedelta(days=27)
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for day in TableDay.objects.filter(child=child, day__gte=since):
        found = day.at_once + day.later
        counts[f"{day.table} times table"][True] += found
        counts[f"{day.table} times table"][False] += day.hinted + day.tried + day.missed
    figures = {
        name: f"{of_table[True]} of {of_table.total()}"
        for name, of_table in counts.items()
        if of_table.total()
    }
    tables = [each for _, of_group in paper["groups"] for each in of_group]
    assert len(tables) == len(figures)
    assert {name: " ".join(figure.split()) for name, figure in tables} == figures
    signs = {f"{cell.table} times table": cell.sign for cell in child_page(child).tables}
    for group, of_group in paper["groups"]:
        yield group
        is_few = group.startswith("Not certain")
        assert all((counts[name].total() < 3 or not signs[name]) == is_few for name, _ in of_group)


def check_facts(child: Child, paper: PaperData) -> Iterator[str]:
    """Check what a sheet says of facts against the answers. Returns the groups."""
    right: dict[str, list[bool]] = defaultdict(list)
    last_at = {}
    for check in Check.objects.filter(child=child).order_by("answered_at", "pk"):
        assert check.first is not None
        assert check.second is not None
        name = wording.fact_name(fact_of(check.first, check.second))
        right[name].append(check.right and check.how != "hinted")
        last_at[name] = check.answered_at
    named = [name for _, facts in paper["facts"]["groups"] for name, _ in facts]
    assert sorted(named) == sorted(right)
    for group, facts in paper["facts"]["groups"]:
        yield group
        shares = [sum(right[name]) / len(right[name]) for name, _ in facts]
        assert shares == sorted(shares)
        for name, figure in facts:
            assert figure.split() == [str(sum(right[name])), "of", str(len(right[name]))]
            if last_at[name] < timezone.now() - timedelta(weeks=4):
                assert group == "Not asked in the last four weeks"
                continue
            assert (len(right[name]) < 3) == (group == FEW)
            assert right[name][-1] or group in ("Not right the last time", FEW)
            assert all(right[name][-3:]) == (group == "Right the last three times") or group == FEW


def test_each_sentence_of_a_sheet_follows_from_the_evidence() -> None:
    sentences: Counter[str] = Counter()
    for seed in range(times(40, 300)):
        random = Random(seed)
        child = ChildFactory.create()
        store_evidence(random, child)
        fold_all_tables([child.pk])
        look_for_dirty()
        paper = child_paper(child)
        if not paper["nothing"]:
            sentences.update(check_tables(child, paper["game"]))
            sentences.update(check_facts(child, paper))
    assert len(sentences) == 7, sentences


def test_a_fact_is_in_the_group_that_its_own_answers_give(alice: User, dora: Child) -> None:
    answer(dora, 3, 9)
    text = words(report(alice, dora))
    assert f"{FEW}: {product(3, 9)} (1 of 1)" in text
    for fact, right in (((3, 10), (0, 0, 1)), ((3, 8), (0, 1, 1))):
        for each in right:
            answer(dora, *fact, right=bool(each))
    lowest_first = f"{product(3, 10)} (1 of 3), {product(3, 8)} (2 of 3)"
    text = words(report(alice, dora))
    assert f"Right the last time, but not the last three times: {lowest_first}" in text
    assert f"{FEW}: {product(3, 9)} (1 of 1)" in text
    answer(dora, 3, 8, right=False)
    text = words(report(alice, dora))
    assert f"Not right the last time: {product(3, 8)} (2 of 4)" in text
    assert f"but not the last three times: {product(3, 10)} (1 of 3)" in text


def test_a_sheet_with_all_facts_has_one_page(alice: User, dora: Child) -> None:
    for low in range(2, 11):
        for high in range(low, 11):
            for right in (False, low < 5, low < 3):
                answer(dora, low, high, right=right)
    document = report(alice, dora, "de")
    with translation.override("de"):
        assert f"{product(10, 10)} (0 von 3)" in words(document)
    assert len(document) == 1


def test_the_report_says_when_the_child_last_played(alice: User, dora: Child) -> None:
    rows(dora, 5, found=4, ago=9)
    for ago in (9, 3):
        played_on(dora, turns=20, ago=ago)
    day = short_day(dora.school_class.today() - timedelta(days=3))
    assert f"last played on {day}" in words(report(alice, dora))


def test_the_page_of_a_child_who_has_not_played_says_so(alice: User, dora: Child) -> None:
    document = report(alice, dora)
    assert words(document).startswith("Report for Dora 5B · Times tables")
    assert "There is nothing to report on Dora yet" in words(document)
    assert len(document) == 1


def test_all_tables_and_facts_up_to_twelve_fit_on_one_sheet(alice: User, dora: Child) -> None:
    for table in range(1, 14):
        for ago in (3, 2, 1):
            rows(dora, table, found=4, missed=table % 3, ago=ago)
    for low in (2, 7, 12):
        for _ in range(3):
            answer(dora, low, 12)
    assert len(report(alice, dora, "de")) <= 2


@pytest.mark.parametrize("name", SCRIPTS[-3:])
def test_names_of_all_scripts_and_lengths_can_be_printed(
    alice: User, school_class: SchoolClass, name: str
) -> None:
    child = ChildFactory.create(name=name, school_class=school_class)
    rows(child, 7, found=1, missed=4)
    document = report(alice, child)
    assert is_named(name, words(document))
    assert len(document) == 1


def test_a_foreign_teacher_and_an_erased_child_find_nothing(alice: User, player: Child) -> None:
    url = url_of("child_report", player)
    assert client_of(UserFactory.create()).get(url).status_code == 404
    player.delete()
    assert client_of(alice).get(url).status_code == 404
    assert not AuditEntry.objects.filter(what=What.EXPORTED).exists()


def test_page_and_report_say_that_figures_are_being_counted_again(
    alice: User, player: Child, emil: Child
) -> None:
    page = url_of("progress", player)
    assert wording.rebuilding() not in text_on(client_of(alice).get(page))
    assert wording.rebuilding() not in words(report(alice, player))
    mark_for_rebuild([player.pk, emil.pk])
    assert wording.rebuilding() in text_on(client_of(alice).get(page))
    assert wording.rebuilding() in words(report(alice, player))
    his = words(report(alice, emil))
    assert wording.rebuilding() in his
    assert "has not ended a round yet" not in his


@pytest.mark.parametrize(
    ("name", "begins"), [("Åsa Öberg", "%C3%A5sa-%C3%B6berg-"), ("*", "nmbrs-")]
)
def test_the_file_name_begins_with_the_childs_name(
    alice: User, school_class: SchoolClass, name: str, begins: str
) -> None:
    child = ChildFactory.create(name=name, school_class=school_class)
    header = client_of(alice).get(url_of("child_report", child)).headers["Content-Disposition"]
    assert header.startswith("inline; filename")
    assert f"{begins}report.pdf" in header


# The reports of all children in one file, made by a worker


@pytest.fixture
def download(school_class: SchoolClass, alice: User) -> Download:
    return downloads.request_download(school_class, KINDS["child-reports"], alice, "en")


def test_each_child_has_a_page_and_counts_alone(download: Download, thirty: list[Child]) -> None:
    assert downloads.make(download.pk)
    download.refresh_from_db()
    document = pypdfium2.PdfDocument(bytes(download.content or b""))
    fronts = [words(document, number) for number in range(len(document))]
    for child, front in zip(sorted(thirty, key=lambda child: child.name), fronts, strict=True):
        assert front.startswith(f"Report for {child.name}")
        assert f"{child.name} · " in front
        assert not front.endswith(f"of {len(document)}")


def test_the_bar_advances_child_by_child(download: Download, dora: Child, emil: Child) -> None:
    reported = []
    make_child_reports(download, lambda done, total: reported.append((done, total)))
    assert reported == [(0, 3), (1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("is_erased", [False, True])
def test_a_child_who_is_erased_or_has_not_played_has_no_page_beside_others(
    download: Download, dora: Child, emil: Child, is_erased: bool
) -> None:
    rows(dora, 4, found=3)
    if is_erased:
        rows(emil, 4, found=3)
        emil.delete()
    text = words(pypdfium2.PdfDocument(make_child_reports(download, lambda done, total: None)))
    assert "Dora" in text
    assert "Emil" not in text


def test_a_class_without_children_has_a_file_that_says_so(download: Download) -> None:
    text = words(pypdfium2.PdfDocument(make_child_reports(download, lambda done, total: None)))
    assert "There are no children" in text


# The report of a class


def class_report(alice: User, school_class: SchoolClass, **query: str) -> pypdfium2.PdfDocument:
    return open_pdf(client_of(alice).get(url_of("class_report", school_class), query))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_class_report_says_who_needs_what_in_each_language(
    alice: User, player: Child, emil: Child, assignment: Assignment, language: str
) -> None:
    text = words(class_report(alice, player.school_class, language=language))
    with translation.override(language):
        assert f"{capfirst(wording.table_name(7))} Dora" in text
        assert f"{gettext('Never played')}: Emil" in text
        for part in ("Who needs what next", "Assignments", "The class"):
            assert gettext(part) in text
        assert f"2 {gettext('not started')}" in text


def test_every_child_who_has_not_played_is_listed_once(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    """A child who has been away for weeks is listed under unusual play."""
    ChildFactory.create(school_class=school_class, name="Finn")
    gus = ChildFactory.create(school_class=school_class, name="Gus")
    played_on(dora, turns=20, ago=20)
    played_on(emil, turns=20, ago=8)
    for ago in (2, 1):
        played_on(gus, turns=20, ago=ago)
    notes = words(class_report(alice, school_class)).partition("Unusual play: ")[2]
    odd, _, away = notes.partition(" Have not played for a week: ")
    week, _, never = away.partition(" Never played: ")
    assert odd == "Dora (not played for 20 days)"
    assert week.startswith("Emil (last on ")
    assert "Dora" not in away.partition("Assignments")[0]
    assert never.startswith("Finn Assignments")


def test_stuck_children_are_named(alice: User, school_class: SchoolClass, dora: Child) -> None:
    rows(dora, 8, found=3, missed=27)
    played_on(dora, turns=20)
    stuck = "Finds fewer than half: Dora (8 times table)"
    assert stuck in words(class_report(alice, school_class))


def test_every_page_of_thirty_children_has_the_heading(
    alice: User, school_class: SchoolClass, thirty: list[Child]
) -> None:
    document = class_report(alice, school_class)
    pages = [words(document, number) for number in range(len(document))]
    of_map = [page for page in pages if any(f"{child.name} " in page for child in thirty[5:])]
    assert all("Child 2 3 4" in page for page in of_map[1:])
    assert all(child.name in " ".join(of_map) for child in thirty)
    assert [f"{n} of {len(pages)}" in page for n, page in enumerate(pages, start=1)] == [
        True
    ] * len(pages)


def test_the_class_report_has_the_chosen_period(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    rows(dora, 7, found=3, missed=2, ago=60)
    played_on(dora, turns=4, ago=60)
    assert "last 4 weeks" in words(class_report(alice, school_class))
    assert "3 of 5" in words(class_report(alice, school_class, period="all"))


def test_a_class_without_children_or_play_has_a_page(
    alice: User, school_class: SchoolClass
) -> None:
    assert "There are no children" in words(class_report(alice, school_class))
    ChildFactory.create(school_class=school_class)
    assert "once a child has finished a round" in words(class_report(alice, school_class))


def test_names_of_all_scripts_can_be_printed_in_a_table(
    alice: User, school_class: SchoolClass
) -> None:
    school_class.name = "Groep 5 🦊"
    school_class.save()
    for name in (*SCRIPTS, NO_FONT):
        child = ChildFactory.create(name=name, school_class=school_class)
        rows(child, 7, found=1, missed=4)
        played_on(child, turns=4)
    text = words(class_report(alice, school_class))
    assert [name for name in SCRIPTS if not is_named(name, text)] == []
    assert "Groep 5 🦊" in text
    assert "Ot□to" in text
    assert text.count("□ is a letter for which there is no font") == 1


def test_a_class_name_without_a_font_has_a_report(alice: User, school_class: SchoolClass) -> None:
    school_class.name = "\U0010fffd"
    school_class.save()
    assert words(class_report(alice, school_class)).startswith("□")


def test_thirty_children_need_as_many_queries_as_one(
    school_class: SchoolClass, dora: Child, assignment: Assignment
) -> None:
    rows(dora, 7, found=1, missed=4)
    played_on(dora, turns=4)
    before = _queries(school_class)
    for child in ChildFactory.create_batch(29, school_class=school_class):
        rows(child, 7, found=1, missed=4)
    assert _queries(school_class) == before


def _queries(school_class: SchoolClass) -> int:
    return queries_of(class_paper, school_class, "month")


def test_the_class_report_says_that_figures_are_being_counted_again(
    alice: User, player: Child
) -> None:
    assert wording.rebuilding() not in words(class_report(alice, player.school_class), 0)
    mark_for_rebuild([player.pk])
    assert wording.rebuilding() in words(class_report(alice, player.school_class), 0)
