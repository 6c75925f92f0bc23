"""The report of a class: who needs what next, the assignments, the map over as many pages as it
takes."""

import pypdfium2
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation
from django.utils.text import capfirst
from django.utils.translation import gettext

from classrooms.audit import What
from classrooms.models import Assignment, AuditEntry, Child, SchoolClass, User
from classrooms.progress import words as wording
from classrooms.progress.rebuild import mark_for_rebuild
from classrooms.reports.paper import class_paper
from tests.classrooms.people import acts, client_of
from tests.classrooms.progress.answering import played as played_on
from tests.classrooms.progress.answering import rows
from tests.classrooms.reports.paper.reading import NO_FONT, SCRIPTS, is_named, opened, words
from tests.factories import ChildFactory, UserFactory

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "nl", "de", "sv")


def report(alice: User, school_class: SchoolClass, **asked: str) -> pypdfium2.PdfDocument:
    url = reverse("classrooms:class_report", args=[school_class.pk])
    return opened(client_of(alice).get(url, asked))


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_who_needs_what_and_who_has_not_played_in_each_language(
    alice: User, played: Child, emil: Child, assignment: Assignment, language: str
) -> None:
    text = words(report(alice, played.school_class, language=language))
    with translation.override(language):
        assert f"{capfirst(wording.table_name(7))} Dora" in text
        assert f"{gettext('Never played')}: Emil" in text
        for part in ("What each child needs next", "Assignments", "The class"):
            assert gettext(part) in text
        assert f"2 {gettext('not started')}" in text


def test_every_child_who_has_not_played_is_listed_once(
    alice: User, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    """A child that is away for weeks is among those whose play is unusual."""
    ChildFactory.create(school_class=school_class, name="Finn")
    gus = ChildFactory.create(school_class=school_class, name="Gus")
    played_on(dora, turns=20, ago=20)
    played_on(emil, turns=20, ago=8)
    for ago in (2, 1):
        played_on(gus, turns=20, ago=ago)
    notes = words(report(alice, school_class)).partition("Unusual play: ")[2]
    odd, _, away = notes.partition(" Have not played for a week: ")
    week, _, never = away.partition(" Never played: ")
    assert odd == "Dora (not played for 20 days)"
    assert week.startswith("Emil (last on ")
    assert "Dora" not in away.partition("Assignments")[0]
    assert never.startswith("Finn Assignments")


def test_who_is_stuck_is_named(alice: User, school_class: SchoolClass, dora: Child) -> None:
    rows(dora, 8, found=3, missed=27)
    played_on(dora, turns=20)
    stuck = "Stuck: Dora (8 times table)"
    assert stuck in words(report(alice, school_class))


def test_thirty_children_go_over_pages_that_all_have_the_heading(
    alice: User, school_class: SchoolClass, thirty: list[Child]
) -> None:
    document = report(alice, school_class)
    pages = [words(document, number) for number in range(len(document))]
    of_map = [page for page in pages if any(f"{child.name} " in page for child in thirty[5:])]
    assert all("all" in page.split() for page in of_map[1:])
    assert all(child.name in " ".join(of_map) for child in thirty)
    assert [f"{n} of {len(pages)}" in page for n, page in enumerate(pages, start=1)] == [
        True
    ] * len(pages)


def test_the_period_is_the_one_that_was_chosen(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    rows(dora, 7, found=3, missed=2, ago=60)
    played_on(dora, turns=4, ago=60)
    assert "last 4 weeks" in words(report(alice, school_class))
    assert "3 of 5" in words(report(alice, school_class, period="all"))


def test_a_class_without_children_or_play_has_a_page_that_says_so(
    alice: User, school_class: SchoolClass
) -> None:
    assert "There are no children" in words(report(alice, school_class))
    ChildFactory.create(school_class=school_class)
    assert "Nothing has been counted yet" in words(report(alice, school_class))


def test_names_of_all_scripts_and_lengths_are_set(alice: User, school_class: SchoolClass) -> None:
    school_class.name = "Groep 5 🦊"
    school_class.save()
    for name in (*SCRIPTS, NO_FONT):
        child = ChildFactory.create(name=name, school_class=school_class)
        rows(child, 7, found=1, missed=4)
        played_on(child, turns=4)
    text = words(report(alice, school_class))
    assert [name for name in SCRIPTS if not is_named(name, text)] == []
    assert "Groep 5 🦊" in text
    assert "Ot□to" in text
    assert text.count("□ is a letter for which there is no font") == 1


def test_a_class_whose_name_is_one_sign_without_a_font_has_a_report(
    alice: User, school_class: SchoolClass
) -> None:
    school_class.name = "\U0010fffd"
    school_class.save()
    assert words(report(alice, school_class)).startswith("□")


def test_it_asks_the_database_as_often_for_thirty_children_as_for_one(
    school_class: SchoolClass, dora: Child, assignment: Assignment
) -> None:
    rows(dora, 7, found=1, missed=4)
    played_on(dora, turns=4)
    before = _queries(school_class)
    for child in ChildFactory.create_batch(29, school_class=school_class):
        rows(child, 7, found=1, missed=4)
    assert _queries(school_class) == before


def _queries(school_class: SchoolClass) -> int:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        class_paper(school_class, "month")
    return len(asked)


def test_who_took_it_is_written_down_and_a_foreign_teacher_finds_nothing(
    alice: User, school_class: SchoolClass
) -> None:
    report(alice, school_class)
    entry = AuditEntry.objects.get(what=What.EXPORTED)
    assert (entry.user, entry.class_id, entry.child_id) == (alice, school_class.pk, None)
    url = reverse("classrooms:class_report", args=[school_class.pk])
    assert client_of(UserFactory.create()).get(url).status_code == 404
    assert acts().count() == 1


def test_it_says_that_figures_are_counted_again(alice: User, played: Child) -> None:
    assert wording.rebuilding() not in words(report(alice, played.school_class), 0)
    mark_for_rebuild([played.pk])
    assert wording.rebuilding() in words(report(alice, played.school_class), 0)
