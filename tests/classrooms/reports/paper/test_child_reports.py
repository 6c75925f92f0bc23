"""The reports of all children in one file, made by a worker: a step a child."""

import pypdfium2
import pytest

from classrooms.downloads import services
from classrooms.downloads.models import Download
from classrooms.downloads.services import KINDS
from classrooms.models import Child, SchoolClass, User
from classrooms.reports.downloads import make_child_reports
from tests.classrooms.reports.paper.reading import NO_FONT, SCRIPTS, is_named, words
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def download(school_class: SchoolClass, alice: User) -> Download:
    return services.ask(school_class, KINDS["child-reports"], alice, "en")


def test_each_child_begins_on_a_sheet_of_its_own_and_is_counted_by_itself(
    download: Download, thirty: list[Child]
) -> None:
    assert services.make(download.pk)
    download.refresh_from_db()
    document = pypdfium2.PdfDocument(bytes(download.content or b""))
    fronts = [words(document, number) for number in range(0, len(document), 2)]
    assert (len(fronts), len(document)) == (30, 59)
    for child, front in zip(sorted(thirty, key=lambda one: one.name), fronts, strict=True):
        assert front.startswith(child.name)
        assert f"{child.name} · " in front
        assert not front.endswith(f"of {len(document)}")


def test_the_bar_goes_child_by_child(download: Download, dora: Child, emil: Child) -> None:
    reported = []
    make_child_reports(download, lambda done, total: reported.append((done, total)))
    assert reported == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_it_has_no_child_that_was_erased_before(
    download: Download, dora: Child, emil: Child
) -> None:
    emil.delete()
    made = words(pypdfium2.PdfDocument(make_child_reports(download, lambda done, total: None)))
    assert "Dora" in made
    assert "Emil" not in made


def test_a_class_without_children_has_a_file_that_says_so(download: Download) -> None:
    made = words(pypdfium2.PdfDocument(make_child_reports(download, lambda done, total: None)))
    assert "There are no children" in made


def test_names_of_all_scripts_are_set_and_one_without_a_font_stops_none(
    download: Download, school_class: SchoolClass
) -> None:
    for name in (*SCRIPTS, NO_FONT):
        ChildFactory.create(name=name, school_class=school_class)
    text = words(pypdfium2.PdfDocument(make_child_reports(download, lambda done, total: None)))
    assert [name for name in SCRIPTS if not is_named(name, text)] == []
    assert text.count("□ is a letter for which there is no font") == 1
