"""Certificates are for real achievements, chosen by the teacher."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date, timedelta
from random import Random

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from classrooms.audit import What
from classrooms.checkups.services import give
from classrooms.models import AuditEntry, Child, SchoolClass
from classrooms.progress import words as wording
from classrooms.progress.facts import FactCell, fact_cells
from classrooms.progress.models import Chance, TableDay
from classrooms.progress.rebuild import mark_for_rebuild
from classrooms.progress.rows import RowCounts, TableCell
from classrooms.progress.story import child_story
from classrooms.progress.table_levels import fold_all_tables
from classrooms.progress.tasks import look_for_dirty
from classrooms.reports.certificates import (
    EarnedGoal,
    certificates,
    earned_certificates,
    mastered_tables,
)
from classrooms.reports.paper_words import day_in_words, short_day
from games.coach.questions.check_up_questions import QUESTIONS
from games.coach.questions.recall import FactAnswer, recall_after
from games.coach.statements.table_levels import KnownTable, known_table_after
from games.coach.times_tables import FACTORS
from games.screen.words import product
from tests.classrooms.checkups.answering import take
from tests.classrooms.people import text_on, url_of
from tests.classrooms.progress.answering import answer, rows
from tests.classrooms.progress.oracle import days_with, lower_end, random_days_of_rows, weighted
from tests.classrooms.reports.pdf import NO_FONT, SOME_SCRIPTS, is_named, open_pdf, words
from tests.counts import times
from tests.factories import AttemptFactory, ChanceFactory, ChildFactory

pytestmark = pytest.mark.django_db


def keys(school_class: SchoolClass) -> list[str]:
    return [
        certificate.key for _name, own in earned_certificates(school_class) for certificate in own
    ]


def days_ago(days: int) -> date:
    return timezone.localdate() - timedelta(days=days)


def store_round(child: Child, rows: int, *, ago: int) -> None:
    attempt = AttemptFactory.create(child=child)
    for number in range(rows):
        ChanceFactory.create(attempt=attempt, entry=number, ago=ago)


def find_rows(child: Child, table: int, *, ago: Sequence[int] = (3, 1), each: int = 6) -> None:
    """Store that the child found this many rows of the table on each of these days, and missed
    none."""
    for days in ago:
        rows(child, table, found=each, ago=days)


def answer_all_facts(child: Child, table: int, *, but: Collection[int] = (), ago: int = 1) -> None:
    """Store right answers to every fact of the table on three days, except the facts with these
    factors."""
    for days in (ago + 4, ago + 2, ago):
        at = timezone.now() - timedelta(days=days)
        for other in FACTORS:
            if other not in but:
                answer(child, table, other, at=at)
    look_for_dirty()


def test_a_table_earns_one_if_rows_are_seen_and_all_facts_known(dora: Child, emil: Child) -> None:
    find_rows(dora, 5)
    assert keys(dora.school_class) == []
    answer_all_facts(dora, 5)
    answer_all_facts(emil, 5)
    ((name, (table,)),) = earned_certificates(dora.school_class)
    assert (name, table.key) == ("Dora", f"{dora.pk}-table-5")
    assert table.title == "Knows 2 × 5 to 10 × 5 by heart"
    end = f"By {short_day(table.since)}: "
    assert table.figure == f"{end}12 rows of the 5 times table found without help"


def test_paper_list_and_rows_of_a_table_are_of_the_day_on_which_it_was_earned(dora: Child) -> None:
    find_rows(dora, 5, ago=(9, 7))
    answer_all_facts(dora, 5, ago=3)
    rows(dora, 5, found=8, ago=3)
    rows(dora, 5, found=4, ago=1)
    ((_name, (table,)),) = earned_certificates(dora.school_class)
    (paper,) = certificates(dora.school_class, [table])
    assert (table.since, paper["day"]) == (days_ago(3), day_in_words(days_ago(3)))
    assert ": 20 rows of" in paper["figure"]


def test_no_certificate_over_a_fact_that_was_wrong_lately(dora: Child) -> None:
    """It may be by heart, but stands on the parents' sheet as one that was not right lately."""
    find_rows(dora, 5)
    answer_all_facts(dora, 5, but=(7,))
    for ago in (5, 3, 1):
        answer(dora, 5, 7, hinted=ago == 5, at=timezone.now() - timedelta(days=ago))
    look_for_dirty()
    assert fact_cells([dora], dora.school_class.today())[dora.pk][5, 7].is_mastered
    assert keys(dora.school_class) == []
    answer(dora, 5, 7)
    look_for_dirty()
    assert len(keys(dora.school_class)) == 1


@pytest.mark.parametrize(
    "against",
    ["few rows", "rows long ago", "a fact not asked", "a wrong last answer", "a check-up"],
)
def test_no_certificate_while_one_condition_fails(dora: Child, against: str) -> None:
    find_rows(
        dora,
        2,
        ago=(100, 98) if against == "rows long ago" else (3, 1),
        each=4 if against == "few rows" else 6,
    )
    answer_all_facts(dora, 2, but=(7,) if against == "a fact not asked" else ())
    if against == "a wrong last answer":
        answer(dora, 2, 7, right=False)
    if against == "a check-up":
        take(dora, give(dora.school_class, [2]), wrong=QUESTIONS)
    look_for_dirty()
    assert keys(dora.school_class) == []


HISTORIES = times(400, 10_000)


def random_answers_to(table: int, random: Random) -> list[FactAnswer]:
    """Answers to all facts of a table on three days, by a child who knows it apart from a slip."""
    slips = random.choice([0.0, 0.002, 0.02])
    return [
        FactAnswer(
            (table, other),
            random.random() >= slips,
            day,
            has_help=random.random() < slips,
            net_ms=9000 if random.random() < slips else random.choice([2000, 5000]),
        )
        for day in (44, 49, 54)
        for other in FACTORS
        if random.random() >= slips
    ]


def test_a_table_needs_both_rows_and_facts_in_any_history(dora: Child) -> None:
    outcomes = Counter[bool]()
    for seed in range(HISTORIES):
        random = Random(seed)
        days, history = random_days_of_rows(random), random_answers_to(7, random)
        today = max(days[-1].day, 54) + random.choice([0, 0, 5, 100])
        known_table, recall = KnownTable(), recall_after(history)
        for day in days:
            known_table = known_table_after(known_table, day)
        rows = RowCounts(
            at_once=sum(day.at_once for day in days),
            later=sum(day.later for day in days),
            missed=sum(day.others for day in days),
        )
        level, since = known_table.level(today), timezone.localdate()
        table = TableCell(dora.pk, 7, rows, level, rows.chances, since=since, known=known_table)
        facts = {
            factors: FactCell(
                dora.pk,
                factors,
                recall.level(factors, today),
                0.0,
                since,
                recalled=fact.times_asked,
                derived=0,
                hinted=0,
                guessed=0,
                since=None,
                last_at=timezone.now(),
            )
            for factors, fact in recall.facts.items()
        }
        own = mastered_tables({7: table}, facts)
        outcomes[bool(own)] += 1
        if own:
            assert rows.chances >= 10
            assert len(days) >= 2
            assert sum(day.chances for day in days if day.day > today - 28) >= 3
            weight, at_any_time, _at_once = weighted(days)
            assert lower_end(at_any_time, weight) >= 0.65 or at_any_time >= 0.85 * weight
            for other in FACTORS:
                answers = [answer for answer in history if answer.factors == (7, other)]
                assert len(answers) == 3
                assert answers[-1].is_right_alone
                assert days_with(answers, 6)[0] >= 2
    assert min(outcomes[True], outcomes[False]) > HISTORIES / 100, outcomes


def test_finds_with_a_hint_or_after_tries_earn_nothing(dora: Child) -> None:
    for ago in (7, 5, 3, 1):
        at = timezone.now() - timedelta(days=ago)
        for table, counts in ((4, {"hinted": 4}), (5, {"tried": 4}), (10, {"joker": 4})):
            TableDay.objects.create(
                child=dora,
                school_class=dora.school_class,
                table=table,
                day=dora.school_class.today() - timedelta(days=ago),
                last_at=at,
                **counts,
            )
    fold_all_tables([dora.pk])
    assert earned_certificates(dora.school_class) == []


def test_achievements_of_long_ago_are_not_ticked(alices_client: Client, dora: Child) -> None:
    find_rows(dora, 5, ago=range(70, 0, -2))
    answer_all_facts(dora, 5, ago=60)
    answer_all_facts(dora, 5, ago=1)
    find_rows(dora, 2)
    answer_all_facts(dora, 2)
    ((_name, own),) = earned_certificates(dora.school_class)
    assert [(each.table, each.since > days_ago(28)) for each in own] == [(2, True), (5, False)]
    url = url_of("certificates", dora.school_class)
    pages = [text_on(alices_client.get(url + query)) for query in ("", "?tick=none")]
    assert [page.count(" checked>") for page in pages] == [1, 0]


@pytest.mark.parametrize("language", ["en", "nl", "de", "sv"])
def test_a_certificate_states_the_achievement_in_each_language(
    alices_client: Client, player: Child, language: str
) -> None:
    find_rows(player, 5, ago=(4, 2))
    answer_all_facts(player, 5)
    query = {"certificate": keys(player.school_class), "language": language}
    document = open_pdf(alices_client.post(url_of("certificates", player.school_class), query))
    text = words(document)
    with translation.override(language):
        for part in (wording.table_name(5), product(10, 5), "Dora", "5B"):
            assert part in text
    assert len(document) == 1
    assert AuditEntry.objects.get(what=What.EXPORTED).child_id == player.pk


def test_each_child_has_a_page_whatever_their_name(
    alices_client: Client, school_class: SchoolClass
) -> None:
    school_class.name = "Groep 5 🦊"
    school_class.save()
    for name in (*SOME_SCRIPTS, NO_FONT):
        child = ChildFactory.create(name=name, school_class=school_class)
        find_rows(child, 7)
        answer_all_facts(child, 7)
    chosen = keys(school_class)
    document = open_pdf(
        alices_client.post(url_of("certificates", school_class), {"certificate": chosen})
    )
    text = words(document)
    assert len(document) == len(chosen)
    assert "Groep 5 🦊" in text
    assert [name for name in SOME_SCRIPTS if not is_named(name, text)] == []
    assert text.count("□ is a letter for which there is no font") == 1
    assert f"letters and signs of {NO_FONT}." in text_on(
        alices_client.get(url_of("certificates", school_class))
    )


def test_a_personal_best_is_better_than_a_round_before(dora: Child, emil: Child) -> None:
    for rows_found, ago in ((2, 9), (4, 7), (3, 5), (4, 3)):
        store_round(dora, rows_found, ago=ago)
    store_round(emil, 6, ago=1)
    ((name, (best,)),) = earned_certificates(dora.school_class)
    assert (name, best.title) == ("Dora", "Personal best: 4 rows laid or extended in one round")
    assert best.figure.endswith("Previous best: 2")
    assert best.since == days_ago(7)


def test_the_childs_page_and_the_certificate_date_a_best_alike(dora: Child) -> None:
    for rows_found, ago in ((2, 9), (4, 7), (4, 3)):
        store_round(dora, rows_found, ago=ago)
    ((_name, (best,)),) = earned_certificates(dora.school_class)
    of_page = child_story(dora).bests.round
    assert best.since == of_page.day == days_ago(7)


def test_a_best_has_the_same_date_everywhere(alices_client: Client, dora: Child) -> None:
    """The day on which this many rows were first found, not a later one."""
    for rows_found, ago in ((2, 50), (4, 40), (4, 3)):
        store_round(dora, rows_found, ago=ago)
    rows(dora, 5, found=4, ago=40)
    school_class, day = dora.school_class, short_day(days_ago(40))
    child = [school_class.pk, dora.pk]
    page = " ".join(text_on(alices_client.get(reverse("classrooms:progress", args=child))).split())
    assert f"4 rows laid or extended in one round, {day}" in page
    query = {"certificate": [f"{dora.pk}-best-4"], "language": "en"}
    certificate = words(open_pdf(alices_client.post(url_of("certificates", school_class), query)))
    assert "4 rows laid or extended in one round" in certificate
    assert day in certificate
    assert (
        short_day(days_ago(3)) not in certificate + page.split("Personal bests")[1].split("</p>")[0]
    )


def test_a_round_over_midnight_is_one_round(dora: Child) -> None:
    store_round(dora, 3, ago=5)
    store_round(dora, 4, ago=2)
    late = Chance.objects.filter(day=days_ago(2)).order_by("entry")[:2]
    Chance.objects.filter(pk__in=list(late.values_list("pk", flat=True))).update(day=days_ago(3))
    ((_name, (best,)),) = earned_certificates(dora.school_class)
    assert best.title == "Personal best: 4 rows laid or extended in one round"
    assert best.since == days_ago(2)


@pytest.mark.usefixtures("emil")
def test_a_weeks_goal_says_how_many_rows_were_laid_and_until_when(dora: Child) -> None:
    today = dora.school_class.today()
    last_week = today.weekday() + 7
    for ago, count in ((last_week + 7, 20), (last_week, 30), (last_week - 2, 25), (0, 40)):
        rows(dora, 5, found=count, ago=ago)
    name, (goal,) = next(
        group for group in earned_certificates(dora.school_class) if group[1][0].child is None
    )
    assert (name, goal.title) == ("5B", "Goal of 50 rows reached: 55 laid or extended together")
    assert goal.since == today - timedelta(days=last_week - 6)
    assert goal.figure.endswith(f"counted up to {short_day(goal.since)}")


def test_a_goal_reached_on_monday_names_its_week() -> None:
    monday = date(2026, 11, 30)
    goal = EarnedGoal(None, monday, monday, rows=60, target=50)
    assert goal.figure == "In the week from 30 November"


def test_a_goal_is_printed_and_logged_as_the_classs(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    rows(dora, 5, found=60)
    key = next(key for key in keys(school_class) if "goal" in key)
    text = words(
        open_pdf(alices_client.post(url_of("certificates", school_class), {"certificate": [key]}))
    )
    assert "Goal of 50 rows reached: 60 laid or extended together" in text
    entry = AuditEntry.objects.get(what=What.EXPORTED)
    assert (entry.child_id, entry.class_id) == (None, school_class.pk)


def test_a_childs_page_leads_to_their_certificates(alices_client: Client, player: Child) -> None:
    page = text_on(alices_client.get(url_of("progress", player)))
    own = f"{url_of('certificates', player.school_class)}?child={player.pk}"
    assert own in page
    other = ChildFactory.create(school_class=player.school_class, name="Emil")
    store_round(other, 1, ago=2)
    store_round(other, 2, ago=1)
    assert any(name == "Emil" for name, _own in earned_certificates(player.school_class))
    assert "Emil" not in text_on(alices_client.get(own))
    ChildFactory.create(school_class=player.school_class, name="Finn")
    ChildFactory.create(name="Finn")  # in another class
    without = alices_client.get(url_of("certificates", player.school_class)).context["without"]
    assert [child.name for child in without if child.name in ("Emil", "Finn")] == ["Finn"]
    for strange in (ChildFactory.create().pk, "nobody"):
        assert (
            alices_client.get(
                f"{url_of('certificates', player.school_class)}?child={strange}"
            ).status_code
            == 404
        )


def test_an_unearned_certificate_is_not_printed(alices_client: Client, player: Child) -> None:
    query = {"certificate": [f"{player.pk}-table-4"]}
    answer = alices_client.post(url_of("certificates", player.school_class), query)
    assert "Choose at least one" in text_on(answer)


def test_while_counting_again_only_levels_earn_a_certificate(
    alices_client: Client, school_class: SchoolClass, player: Child
) -> None:
    store_round(player, 3, ago=5)
    store_round(player, 4, ago=2)
    find_rows(player, 4, each=60)
    answer_all_facts(player, 4)
    everything = keys(school_class)
    assert {key.split("-")[0] for key in everything if "goal" in key} == {"class"}
    assert f"{player.pk}-best-4" in everything
    assert wording.rebuilding() not in text_on(
        alices_client.get(url_of("certificates", school_class))
    )
    mark_for_rebuild([player.pk])
    assert keys(school_class) == [f"{player.pk}-table-4"]
    papers = url_of("papers", school_class)
    for url in (url_of("certificates", school_class), papers):
        assert wording.rebuilding() in text_on(alices_client.get(url))
