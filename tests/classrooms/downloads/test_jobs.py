"""From request to ready, whatever happens to the workers."""

from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.utils import timezone, translation

from classrooms.downloads import services as downloads_services
from classrooms.downloads.models import KEPT, Download
from classrooms.downloads.services import KINDS, ReportProgress
from classrooms.downloads.tasks import forget_ended, look_for_waiting, make
from classrooms.models import Child, SchoolClass, User
from classrooms.privacy import erasure
from classrooms.roster import moves, services
from tests.classrooms.downloads.conftest import Maker
from tests.factories import ChildFactory, DownloadFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

State = Download.State


@pytest.fixture
def waiting(school_class: SchoolClass, alice: User, dora: Child, maker: Maker) -> Download:
    return downloads_services.ask(school_class, KINDS["class-tables"], alice, "de")


def again(download: Download) -> Download:
    return Download.objects.get(pk=download.pk)


def left_half_way(download: Download, tries: int = 1) -> None:
    """Leave the download as a killed worker does."""
    Download.objects.filter(pk=download.pk).update(
        state=State.WORKING, tries=tries, alive_at=timezone.now() - downloads_services.SILENT
    )


def test_what_was_asked_for_is_made_and_kept_for_a_week(waiting: Download, maker: Maker) -> None:
    make(str(waiting.pk))
    made = again(waiting)
    assert (made.state, bytes(made.content or b""), made.size) == (State.READY, b"made", 4)
    assert made.ready_at
    assert made.ends_at == made.ready_at + KEPT == made.ready_at + timedelta(days=7)


def test_the_language_of_the_download_is_spoken_while_it_is_made(
    waiting: Download, maker: Maker
) -> None:
    spoken = []
    maker.does = lambda download, report_progress: spoken.append(translation.get_language())
    downloads_services.make(waiting.pk)
    assert (spoken, translation.get_language()) == (["de"], "en")


def test_asking_twice_while_it_is_made_asks_once(
    waiting: Download, school_class: SchoolClass, alice: User
) -> None:
    kind = KINDS["class-tables"]
    assert downloads_services.ask(school_class, kind, alice, "de") == waiting
    assert downloads_services.ask(school_class, kind, alice, "nl") != waiting
    downloads_services.make(waiting.pk)
    assert downloads_services.ask(school_class, kind, alice, "de") != waiting


def test_a_class_has_so_many_downloads_at_most(
    waiting: Download, school_class: SchoolClass, alice: User
) -> None:
    DownloadFactory.create_batch(
        downloads_services.MOST_OF_A_CLASS - 1, school_class=school_class, ready=True
    )
    with pytest.raises(downloads_services.TooMany):
        downloads_services.ask(school_class, KINDS["class-tables"], alice, "nl")


def test_the_bar_goes_with_the_work(waiting: Download, maker: Maker) -> None:
    seen = []

    def work(download: Download, report_progress: ReportProgress) -> None:
        for done in (0, 1, 2, 4):
            report_progress(done, 4)
            seen.append(again(waiting).percent)

    maker.does = work
    downloads_services.make(waiting.pk)
    assert seen == [0, 0, 0, 100], "the first and the last step, and one each half second between"


def test_a_second_message_makes_nothing_a_second_time(waiting: Download, maker: Maker) -> None:
    for _ in range(2):
        make(str(waiting.pk))
    assert len(maker.made) == 1


def test_what_another_makes_is_left_to_it(waiting: Download, maker: Maker) -> None:
    maker.does = lambda download, report_progress: make(str(waiting.pk))
    downloads_services.make(waiting.pk)
    assert len(maker.made) == 1


def test_a_scan_finds_what_no_message_came_for(waiting: Download) -> None:
    look_for_waiting()
    assert again(waiting).state == State.READY


def test_a_scan_begins_anew_what_was_left_half_way(waiting: Download, maker: Maker) -> None:
    left_half_way(waiting)
    look_for_waiting()
    assert (again(waiting).state, again(waiting).tries) == (State.READY, 2)


def test_what_kills_its_worker_time_after_time_is_given_up(waiting: Download, maker: Maker) -> None:
    left_half_way(waiting, tries=downloads_services.MOST_TRIES)
    look_for_waiting()
    assert (again(waiting).state, maker.made) == (State.FAILED, [])


def test_a_try_that_was_taken_over_writes_nothing(waiting: Download, maker: Maker) -> None:
    """It was silent until another try started; the other's file is kept."""

    def work(download: Download, report_progress: ReportProgress) -> None:
        if len(maker.made) == 1:
            left_half_way(waiting)
            maker.content = b"of the other"
            make(str(waiting.pk))
            maker.content = b"of the first"

    maker.does = work
    downloads_services.make(waiting.pk)
    assert bytes(again(waiting).content or b"") == b"of the other"


def test_who_deletes_it_ends_its_making(waiting: Download, maker: Maker) -> None:
    after = []

    def work(download: Download, report_progress: ReportProgress) -> None:
        waiting.delete()
        report_progress(0, 2)
        after.append("went on")

    maker.does = work
    assert not downloads_services.make(waiting.pk)
    assert after == []


@pytest.mark.parametrize(
    ("problem", "shown"), [(ZeroDivisionError, "error"), (SoftTimeLimitExceeded, "too long")]
)
def test_a_failure_is_reported_and_can_be_retried(
    waiting: Download, alice: User, maker: Maker, problem: type[Exception], shown: str
) -> None:
    def work(download: Download, report_progress: ReportProgress) -> None:
        raise problem

    maker.does = work
    make(str(waiting.pk))
    assert (again(waiting).state, again(waiting).problem) == (State.FAILED, shown)
    maker.does = None
    look_for_waiting()
    assert again(waiting).state == State.FAILED, "not by itself"
    assert downloads_services.ask_again(waiting, alice)
    look_for_waiting()
    assert (again(waiting).state, again(waiting).problem) == (State.READY, "")


def test_what_is_too_large_is_not_kept(
    waiting: Download, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads_services, "MOST_BYTES", 3)
    downloads_services.make(waiting.pk)
    assert (again(waiting).problem, again(waiting).content) == ("too large", None)


def test_after_its_week_it_is_gone(waiting: Download) -> None:
    downloads_services.make(waiting.pk)
    ends_at = again(waiting).ends_at
    forget_ended()
    assert downloads_services.forget_ended(ends_at - timedelta(seconds=1)) == 0
    assert downloads_services.forget_ended(ends_at) == 1
    assert not Download.objects.exists()


def test_a_file_goes_with_any_child_that_is_in_it(
    waiting: Download, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    downloads_services.make(waiting.pk)
    gus = ChildFactory.create(school_class=school_class, name="Gus")
    erasure.erase_child(gus)
    assert Download.objects.filter(pk=waiting.pk).exists(), "Gus came after it was made"
    moves.move([dora], ChildFactory.create().school_class)
    erasure.erase_child(dora)
    assert not Download.objects.exists()


def test_a_file_goes_with_a_child_that_was_added_while_it_was_made(
    waiting: Download, school_class: SchoolClass, maker: Maker, dora: Child
) -> None:
    def does(download: Download, report_progress: ReportProgress) -> None:
        services.add_children(school_class, ["Gus"])

    maker.does = does
    assert downloads_services.make(waiting.pk)
    assert {child.name for child in waiting.children.all()} == {"Dora", "Gus"}
    erasure.erase_child(school_class.children.get(name="Gus"))
    assert not Download.objects.exists()


def test_a_child_that_is_erased_meanwhile_is_in_no_file(
    waiting: Download, maker: Maker, dora: Child
) -> None:
    maker.does = lambda download, report_progress: erasure.erase_child(dora)
    assert not downloads_services.make(waiting.pk)
    assert not Download.objects.exists()


def test_a_file_is_made_again_where_a_child_came_and_was_erased_meanwhile(
    waiting: Download, school_class: SchoolClass, maker: Maker
) -> None:
    def come_and_go(download: Download, report_progress: ReportProgress) -> None:
        erasure.erase_child(ChildFactory.create(school_class=school_class, name="Finn"))

    maker.does = come_and_go
    assert not downloads_services.make(waiting.pk)
    assert (again(waiting).state, again(waiting).content) == (State.WAITING, None)
    maker.does = None
    look_for_waiting()
    assert again(waiting).state == State.READY


def test_a_file_goes_with_its_class_and_with_a_child_that_is_merged(
    waiting: Download, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    of_another = DownloadFactory.create(ready=True)
    downloads_services.make(waiting.pk)
    moves.merge(emil, dora)
    erasure.finish_merges(timezone.now() + erasure.MERGE_KEPT_FOR)
    assert list(Download.objects.all()) == [of_another]
    DownloadFactory.create(school_class=school_class, ready=True)
    erasure.erase_class(school_class)
    assert list(Download.objects.all()) == [of_another]
