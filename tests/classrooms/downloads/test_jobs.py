"""A download from the request to the file, also when workers die."""

from datetime import timedelta
from typing import Any
from unittest import mock

import pypdfium2
import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from classrooms.audit import Page, What
from classrooms.downloads import services as downloads_services
from classrooms.downloads.models import FILE_KEPT_FOR, Download
from classrooms.downloads.services import KINDS, ReportProgress
from classrooms.downloads.tasks import forget_ended, look_for_waiting, make
from classrooms.models import AuditEntry, Child, QrCode, SchoolClass, User
from classrooms.privacy import erasure
from classrooms.reports import downloads as papers
from classrooms.reports import views
from classrooms.roster import merges, moves, services
from classrooms.ui import typesetting
from tests.classrooms.downloads.conftest import Maker
from tests.classrooms.people import client_of
from tests.classrooms.reports.paper.reading import NO_FONT
from tests.factories import ChildFactory, DownloadFactory, TeachingFactory

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
    assert made.ends_at == made.ready_at + FILE_KEPT_FOR == made.ready_at + timedelta(days=7)


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


def test_the_bar_goes_with_the_work(waiting: Download, maker: Maker) -> None:
    seen = []

    def work(download: Download, report_progress: ReportProgress) -> None:
        for done in (0, 1, 2, 4):
            report_progress(done, 4)
            seen.append(again(waiting).percent)

    maker.does = work
    downloads_services.make(waiting.pk)
    assert seen == [0, 0, 0, 100], "the first and the last step, and one each half second between"


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


def test_after_its_week_it_is_gone(waiting: Download) -> None:
    downloads_services.make(waiting.pk)
    ends_at = again(waiting).ends_at
    forget_ended()
    assert downloads_services.forget_ended(ends_at - timedelta(seconds=1)) == 0
    assert downloads_services.forget_ended(ends_at) == 1
    assert not Download.objects.exists()


def test_a_file_is_deleted_with_any_child_in_it(
    waiting: Download, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    downloads_services.make(waiting.pk)
    gus = ChildFactory.create(school_class=school_class, name="Gus")
    erasure.erase_child(gus)
    assert Download.objects.filter(pk=waiting.pk).exists(), "Gus came after it was made"
    moves.move([dora], ChildFactory.create().school_class)
    erasure.erase_child(dora)
    assert not Download.objects.exists()


def test_a_download_is_deleted_with_a_child_added_while_it_was_made(
    waiting: Download, school_class: SchoolClass, maker: Maker, dora: Child
) -> None:
    def does(download: Download, report_progress: ReportProgress) -> None:
        services.add_children(school_class, ["Gus"])

    maker.does = does
    assert downloads_services.make(waiting.pk)
    assert {child.name for child in waiting.children.all()} == {"Dora", "Gus"}
    erasure.erase_child(school_class.children.get(name="Gus"))
    assert not Download.objects.exists()


def test_a_child_erased_meanwhile_is_in_no_file(
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


def test_a_file_is_deleted_with_its_class_or_a_merged_child(
    waiting: Download, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    of_another = DownloadFactory.create(ready=True)
    downloads_services.make(waiting.pk)
    merges.merge(emil, dora)
    erasure.finish_merges(timezone.now() + erasure.MERGE_KEPT_FOR)
    assert list(Download.objects.all()) == [of_another]
    DownloadFactory.create(school_class=school_class, ready=True)
    erasure.erase_class(school_class)
    assert list(Download.objects.all()) == [of_another]


# Cards, letters and certificates of many children, made by a worker


@pytest.fixture
def client(alice: User) -> Client:
    return client_of(alice)


def ask(client: Client, school_class: SchoolClass, kind: str) -> Download:
    client.post(reverse("classrooms:downloads", args=[school_class.pk]), {"kind": kind})
    return Download.objects.get(kind=kind)


def fetch(client: Client, download: Download) -> bytes:
    url = reverse("classrooms:download", args=[download.school_class_id, download.pk])
    answer = client.get(url)
    assert answer["Cache-Control"] == "no-store, private"
    return answer.content


def words(pdf: bytes) -> str:
    pages = pypdfium2.PdfDocument(pdf)
    return "".join(page.get_textpage().get_text_range() for page in pages)


@pytest.mark.parametrize("kind", ["cards", "letters"])
class TestCardsAndLetters:
    def test_they_are_those_of_every_child(
        self, client: Client, school_class: SchoolClass, dora: Child, emil: Child, kind: str
    ) -> None:
        download = ask(client, school_class, kind)
        assert downloads_services.make(download.pk)
        text = words(fetch(client, download))
        assert all(word in text for word in ("Dora", "Emil", "testserver"))
        assert school_class.spaced_code in text

    def test_the_database_alone_does_not_show_what_a_child_signs_in_with(
        self, client: Client, school_class: SchoolClass, dora: Child, kind: str
    ) -> None:
        download = ask(client, school_class, kind)
        downloads_services.make(download.pk)
        download.refresh_from_db()
        assert not bytes(download.content or b"").startswith(b"%PDF")
        assert fetch(client, download).startswith(b"%PDF")
        assert download.size == len(fetch(client, download))

    def test_who_fetches_them_has_looked_and_who_asked_has_not_yet(
        self, client: Client, school_class: SchoolClass, dora: Child, emil: Child, kind: str
    ) -> None:
        ChildFactory.create(name="Finn")
        download = ask(client, school_class, kind)
        downloads_services.make(download.pk)
        assert not AuditEntry.objects.filter(what=What.LOOKED).exists()
        colleague = TeachingFactory.create(school_class=school_class, role="co-teacher").user
        fetch(client_of(colleague), download)
        looks = AuditEntry.objects.filter(user=colleague, page=Page(kind), is_part=True)
        assert {look.child_id for look in looks} == {dora.pk, emil.pk}
        assert AuditEntry.objects.filter(user=colleague, what=What.EXPORTED).exists()
        assert AuditEntry.objects.filter(user=colleague, page=Page(kind)).exists()

    def test_made_twice_they_open_the_same_door(
        self, client: Client, school_class: SchoolClass, dora: Child, kind: str
    ) -> None:
        downloads_services.make(ask(client, school_class, kind).pk)
        first = QrCode.objects.get().token_hash
        Download.objects.all().delete()
        downloads_services.make(ask(client, school_class, kind).pk)
        assert QrCode.objects.get().token_hash == first

    def test_a_letter_that_no_font_has_stops_nobodys_paper(
        self, client: Client, school_class: SchoolClass, dora: Child, kind: str
    ) -> None:
        ChildFactory.create(name=NO_FONT, school_class=school_class)
        download = ask(client, school_class, kind)
        assert downloads_services.make(download.pk)
        text = words(fetch(client, download))
        assert "Dora" in text
        assert "Ot□to" in text


class TestCertificates:
    @pytest.fixture
    def many(self, dora: Child, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
        """More than are printed without a worker."""
        earned = [mock.Mock(key=f"{dora.pk}-{n}", child=dora) for n in range(41)]
        for each in (views, papers):
            monkeypatch.setattr(each, "earned_certificates", lambda *_: [("Dora", earned)])
        return earned

    def test_many_are_made_by_a_worker_and_only_those_chosen(
        self,
        client: Client,
        school_class: SchoolClass,
        many: list[Any],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        url = reverse("classrooms:certificates", args=[school_class.pk])
        answer = client.post(url, {"certificate": [one.key for one in many], "language": "de"})
        there = reverse("classrooms:papers", args=[school_class.pk])
        assert answer.headers["Location"] == f"{there}#downloads"
        download = Download.objects.get()
        assert (download.kind, download.language) == ("certificates", "de")
        download.options["keys"].remove(many[0].key)
        download.save()
        chosen: list[Any] = []

        def certificates(_: SchoolClass, all_: list[Any]) -> list[Any]:
            chosen.extend(all_)
            return []

        monkeypatch.setattr(papers, "certificates", certificates)
        monkeypatch.setattr(papers.paper, "certificates_pdf", lambda *_: b"made")
        assert downloads_services.make(download.pk)
        assert chosen == many[1:]

    def test_they_are_asked_for_where_they_are_chosen(
        self, client: Client, school_class: SchoolClass, dora: Child
    ) -> None:
        url = reverse("classrooms:downloads", args=[school_class.pk])
        assert 'value="certificates"' not in client.get(url, follow=True).text
        client.post(url, {"kind": "certificates"})
        assert not Download.objects.exists()
        assert "certificates" in KINDS


class TestTooLarge:
    def test_a_pdf_that_needs_too_much_memory_is_reported(
        self,
        client: Client,
        school_class: SchoolClass,
        dora: Child,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(typesetting, "MEMORY", 80 * 1024 * 1024)
        download = ask(client, school_class, "letters")
        assert not downloads_services.make(download.pk)
        download.refresh_from_db()
        assert (download.state, download.problem) == ("failed", "too large")
