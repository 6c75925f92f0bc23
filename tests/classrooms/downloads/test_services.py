"""Files made on request, and heavy work that waits for its turn."""

from datetime import timedelta
from typing import Any
from unittest import mock

import pypdfium2
import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone, translation

from classrooms.audit import Page, What
from classrooms.downloads import limits, services
from classrooms.downloads.kinds import KINDS, ReportProgress
from classrooms.downloads.limits import WorkKind
from classrooms.downloads.models import FILE_KEPT_FOR, Download, HeavyWork
from classrooms.downloads.tasks import forget_ended, look_for_waiting, make
from classrooms.models import AuditEntry, Child, QrCode, SchoolClass, Teaching, User
from classrooms.privacy import erasure
from classrooms.reports import downloads as papers
from classrooms.reports import views
from classrooms.roster import merges, moves
from classrooms.roster import services as roster
from classrooms.signin.cards import MOST_CARDS_AT_ONCE
from classrooms.ui import processes, typesetting
from tests.classrooms.downloads.conftest import Maker
from tests.classrooms.people import client_of, text_on, url_of
from tests.counts import at_once
from tests.factories import ChildFactory, DownloadFactory, TeachingFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

State = Download.State


@pytest.fixture
def new_download(school_class: SchoolClass, alice: User, dora: Child, maker: Maker) -> Download:
    return services.request_download(school_class, KINDS["class-tables"], alice, "de")


def read_again(download: Download) -> Download:
    return Download.objects.get(pk=download.pk)


def leave_half_way(download: Download, tries: int = 1) -> None:
    """Leave the download as a killed worker does."""
    Download.objects.filter(pk=download.pk).update(
        state=State.WORKING, tries=tries, alive_at=timezone.now() - services.LONGEST_SILENCE
    )


def test_a_requested_file_is_made_and_kept_for_a_week(new_download: Download, maker: Maker) -> None:
    make(str(new_download.pk))
    download = read_again(new_download)
    assert (download.state, bytes(download.content or b""), download.size) == (
        State.READY,
        b"made",
        4,
    )
    assert download.ready_at
    assert (
        download.ends_at
        == download.ready_at + FILE_KEPT_FOR
        == download.ready_at + timedelta(days=7)
    )


def test_a_file_is_made_in_the_language_of_its_download(
    new_download: Download, maker: Maker
) -> None:
    spoken = []
    maker.does = lambda download, report_progress: spoken.append(translation.get_language())
    services.make(new_download.pk)
    assert (spoken, translation.get_language()) == (["de"], "en")


def test_a_second_request_during_the_making_is_the_same(
    new_download: Download, school_class: SchoolClass, alice: User
) -> None:
    kind = KINDS["class-tables"]
    assert services.request_download(school_class, kind, alice, "de") == new_download
    assert services.request_download(school_class, kind, alice, "nl") != new_download
    services.make(new_download.pk)
    assert services.request_download(school_class, kind, alice, "de") != new_download


def test_the_bar_follows_the_progress(new_download: Download, maker: Maker) -> None:
    progress = []

    def work(download: Download, report_progress: ReportProgress) -> None:
        for step in (0, 1, 2, 4):
            report_progress(step, 4)
            progress.append(read_again(new_download).percent)

    maker.does = work
    services.make(new_download.pk)
    assert progress == [0, 0, 0, 100], (
        "the first and the last step, and one each half second between"
    )


def test_a_scan_finds_downloads_whose_message_was_lost(new_download: Download) -> None:
    look_for_waiting()
    assert read_again(new_download).state == State.READY


def test_a_scan_restarts_what_was_left_half_way(new_download: Download, maker: Maker) -> None:
    leave_half_way(new_download)
    look_for_waiting()
    assert (read_again(new_download).state, read_again(new_download).tries) == (State.READY, 2)


def test_a_download_that_kills_its_workers_is_given_up(
    new_download: Download, maker: Maker
) -> None:
    leave_half_way(new_download, tries=services.MOST_TRIES)
    look_for_waiting()
    assert (read_again(new_download).state, maker.made) == (State.FAILED, [])


def test_a_superseded_attempt_writes_nothing(new_download: Download, maker: Maker) -> None:
    """The attempt was silent until another one started. The file of that one is kept."""

    def work(download: Download, report_progress: ReportProgress) -> None:
        if len(maker.made) == 1:
            leave_half_way(new_download)
            maker.content = b"of the other"
            make(str(new_download.pk))
            maker.content = b"of the first"

    maker.does = work
    services.make(new_download.pk)
    assert bytes(read_again(new_download).content or b"") == b"of the other"


def test_deleting_a_download_ends_its_making(new_download: Download, maker: Maker) -> None:
    after = []

    def work(download: Download, report_progress: ReportProgress) -> None:
        new_download.delete()
        report_progress(0, 2)
        after.append("went on")

    maker.does = work
    assert not services.make(new_download.pk)
    assert after == []


@pytest.mark.parametrize(
    ("problem", "sentence"), [(ZeroDivisionError, "error"), (SoftTimeLimitExceeded, "too long")]
)
def test_a_failure_is_reported_and_can_be_retried(
    new_download: Download, alice: User, maker: Maker, problem: type[Exception], sentence: str
) -> None:
    def work(download: Download, report_progress: ReportProgress) -> None:
        raise problem

    maker.does = work
    make(str(new_download.pk))
    assert (read_again(new_download).state, read_again(new_download).problem) == (
        State.FAILED,
        sentence,
    )
    maker.does = None
    look_for_waiting()
    assert read_again(new_download).state == State.FAILED, "not by itself"
    assert services.retry(new_download, alice)
    look_for_waiting()
    assert (read_again(new_download).state, read_again(new_download).problem) == (State.READY, "")


def test_a_file_is_gone_after_its_week(new_download: Download) -> None:
    services.make(new_download.pk)
    ends_at = read_again(new_download).ends_at
    forget_ended()
    assert services.delete_expired(ends_at - timedelta(seconds=1)) == 0
    assert services.delete_expired(ends_at) == 1
    assert not Download.objects.exists()


def test_a_file_is_deleted_with_any_child_in_it(
    new_download: Download, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    services.make(new_download.pk)
    gus = ChildFactory.create(school_class=school_class, name="Gus")
    erasure.erase_child(gus, None)
    assert Download.objects.filter(pk=new_download.pk).exists(), "Gus came after it was made"
    moves.move([dora], ChildFactory.create().school_class, None)
    erasure.erase_child(dora, None)
    assert not Download.objects.exists()


def test_a_download_is_deleted_with_a_child_added_meanwhile(
    new_download: Download, school_class: SchoolClass, maker: Maker, dora: Child
) -> None:
    def add_gus(download: Download, report_progress: ReportProgress) -> None:
        roster.add_children(school_class, ["Gus"], None)

    maker.does = add_gus
    assert services.make(new_download.pk)
    assert {child.name for child in new_download.children.all()} == {"Dora", "Gus"}
    erasure.erase_child(school_class.children.get(name="Gus"), None)
    assert not Download.objects.exists()


def test_a_child_erased_meanwhile_is_in_no_file(
    new_download: Download, maker: Maker, dora: Child
) -> None:
    maker.does = lambda download, report_progress: erasure.erase_child(dora, None)
    assert not services.make(new_download.pk)
    assert not Download.objects.exists()


def test_a_file_is_made_again_if_a_child_came_and_went(
    new_download: Download, school_class: SchoolClass, maker: Maker
) -> None:
    def come_and_go(download: Download, report_progress: ReportProgress) -> None:
        erasure.erase_child(ChildFactory.create(school_class=school_class, name="Finn"), None)

    maker.does = come_and_go
    assert not services.make(new_download.pk)
    assert (read_again(new_download).state, read_again(new_download).content) == (
        State.WAITING,
        None,
    )
    maker.does = None
    look_for_waiting()
    assert read_again(new_download).state == State.READY


def test_a_file_goes_with_its_class_and_with_a_merged_child(
    new_download: Download, school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    of_another = DownloadFactory.create(ready=True)
    services.make(new_download.pk)
    merges.merge(emil, dora, None)
    erasure.finish_merges(timezone.now() + erasure.MERGE_KEPT_FOR)
    assert list(Download.objects.all()) == [of_another]
    DownloadFactory.create(school_class=school_class, ready=True)
    erasure.erase_class(school_class, None)
    assert list(Download.objects.all()) == [of_another]


# Cards, letters and certificates for many children, made by a worker


def request_download(client: Client, school_class: SchoolClass, kind: str) -> Download:
    client.post(url_of("downloads", school_class), {"kind": kind})
    return Download.objects.get(kind=kind)


def fetch(client: Client, download: Download) -> bytes:
    answer = client.get(url_of("download", download))
    assert answer["Cache-Control"] == "no-store, private"
    return answer.content


def words(pdf: bytes) -> str:
    pages = pypdfium2.PdfDocument(pdf)
    return "".join(page.get_textpage().get_text_range() for page in pages)


# Cards and letters

each_kind = pytest.mark.parametrize("kind", ["cards", "letters"])


@each_kind
def test_cards_and_letters_are_those_of_every_child(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, kind: str
) -> None:
    download = request_download(alices_client, school_class, kind)
    assert services.make(download.pk)
    text = words(fetch(alices_client, download))
    assert all(word in text for word in ("Dora", "Emil", "testserver"))
    assert school_class.spaced_code in text


@each_kind
def test_letters_are_in_the_chosen_language_which_their_title_says(
    alices_client: Client, school_class: SchoolClass, dora: Child, kind: str
) -> None:
    alices_client.post(url_of("downloads", school_class), {"kind": kind, "language": "de"})
    download = Download.objects.get()
    assert services.make(download.pk)
    chosen = kind == "letters"
    assert ("Klassencode" in words(fetch(alices_client, download))) == chosen
    page = text_on(alices_client.get(url_of("papers", school_class)))
    assert ("(PDF) · German" in page) == chosen
    for address in (kind, f"{kind}_pdf"):
        answer = alices_client.get(url_of(address, school_class), {"language": "de"})
        text = words(answer.content) if address.endswith("pdf") else text_on(answer)
        assert "Klassencode" in text


@each_kind
def test_the_database_alone_does_not_show_how_a_child_signs_in(
    alices_client: Client, school_class: SchoolClass, dora: Child, kind: str
) -> None:
    download = request_download(alices_client, school_class, kind)
    services.make(download.pk)
    download.refresh_from_db()
    assert not bytes(download.content or b"").startswith(b"%PDF")
    assert fetch(alices_client, download).startswith(b"%PDF")
    assert download.size == len(fetch(alices_client, download))


@each_kind
def test_fetching_is_a_look_and_requesting_is_not_yet(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, kind: str
) -> None:
    ChildFactory.create(name="Finn")
    download = request_download(alices_client, school_class, kind)
    services.make(download.pk)
    assert not AuditEntry.objects.filter(what=What.LOOKED).exists()
    colleague = TeachingFactory.create(school_class=school_class, role="co-teacher").user
    fetch(client_of(colleague), download)
    looks = AuditEntry.objects.filter(user=colleague, page=Page(kind), is_part=True)
    assert {look.child_id for look in looks} == {dora.pk, emil.pk}
    assert AuditEntry.objects.filter(user=colleague, what=What.EXPORTED).exists()
    assert AuditEntry.objects.filter(user=colleague, page=Page(kind)).exists()


@each_kind
def test_cards_made_twice_open_the_same_door(
    alices_client: Client, school_class: SchoolClass, dora: Child, kind: str
) -> None:
    services.make(request_download(alices_client, school_class, kind).pk)
    first = QrCode.objects.get().token_hash
    Download.objects.all().delete()
    services.make(request_download(alices_client, school_class, kind).pk)
    assert QrCode.objects.get().token_hash == first


# Certificates


@pytest.fixture
def many(dora: Child, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """More certificates than are printed without a worker."""
    earned = [mock.Mock(key=f"{dora.pk}-{n}", child=dora) for n in range(41)]
    for module in (views, papers):
        monkeypatch.setattr(module, "earned_certificates", lambda *_: [("Dora", earned)])
    return earned


def test_a_worker_makes_many_and_only_the_chosen_ones(
    alices_client: Client,
    school_class: SchoolClass,
    many: list[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = url_of("certificates", school_class)
    answer = alices_client.post(
        url, {"certificate": [certificate.key for certificate in many], "language": "de"}
    )
    there = url_of("papers", school_class)
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
    monkeypatch.setattr(papers, "certificates_pdf", lambda *_: b"made")
    assert services.make(download.pk)
    assert chosen == many[1:]


def test_certificates_are_requested_where_they_are_chosen(
    alices_client: Client, school_class: SchoolClass, dora: Child
) -> None:
    url = url_of("downloads", school_class)
    assert 'value="certificates"' not in text_on(alices_client.get(url, follow=True))
    alices_client.post(url, {"kind": "certificates"})
    assert not Download.objects.exists()
    assert "certificates" in KINDS


# Papers that are too large


def test_a_pdf_that_needs_too_much_memory_is_reported(
    alices_client: Client,
    school_class: SchoolClass,
    dora: Child,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(typesetting, "MEMORY", 80 * 1024 * 1024)
    download = request_download(alices_client, school_class, "letters")
    assert not services.make(download.pk)
    download.refresh_from_db()
    assert (download.state, download.problem) == ("failed", "too large")


# Heavy work


LIMITS = {
    WorkKind.PAPER: ((3, limits.MINUTE), (5, limits.DAY)),
    WorkKind.EXPORT: ((2, limits.MINUTE),),
    WorkKind.IMPORT: ((2, limits.MINUTE),),
    WorkKind.JOB: ((2, limits.MINUTE),),
}


@pytest.fixture
def low_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIMITS", LIMITS)


def store_work(user: User, kind: HeavyWork.Kind, count: int, ago: timedelta = timedelta()) -> None:
    at = timezone.now() - ago
    HeavyWork.objects.bulk_create(HeavyWork(user=user, kind=kind, at=at) for _ in range(count))


@pytest.mark.parametrize("kind", list(WorkKind))
def test_a_teachers_work_in_a_minute_and_a_day_is_limited(
    alice: User, kind: HeavyWork.Kind
) -> None:
    for most, window in limits.LIMITS[kind]:
        HeavyWork.objects.all().delete()
        store_work(alice, kind, most - 1, ago=window - timedelta(seconds=30))
        limits.count_work(alice, kind)
        with pytest.raises(limits.TooOften) as problem:
            limits.count_work(alice, kind)
        assert 0 < problem.value.seconds <= 31
        assert HeavyWork.objects.count() == most, "what is refused does not count"


def test_work_outside_every_window_is_forgotten(alice: User) -> None:
    store_work(alice, WorkKind.PAPER, 2, ago=limits.DAY)
    store_work(alice, WorkKind.PAPER, 1)
    forget_ended()
    assert HeavyWork.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_simultaneous_requests_get_no_more_than_successive_ones(
    alice: User, low_limits: None
) -> None:
    def take(_: int) -> bool:
        try:
            limits.count_work(alice, WorkKind.PAPER)
        except limits.TooOften:
            return False
        return True

    assert sum(at_once(take, 12)) == 3


# Papers on a page


@pytest.fixture
def limited_client(alice: User, dora: Child, low_limits: None) -> Client:
    return client_of(alice)


@pytest.mark.parametrize("name", ["cards_pdf", "letters_pdf", "class_report"])
def test_a_teacher_who_prints_too_often_is_asked_to_wait(
    limited_client: Client, alice: User, school_class: SchoolClass, name: str
) -> None:
    assert limited_client.get(url_of(name, school_class)).status_code == 200
    store_work(alice, WorkKind.PAPER, 2)
    answer = limited_client.get(url_of(name, school_class))
    assert (answer.status_code, 0 < int(answer["Retry-After"]) <= 61) == (429, True)


def test_a_teacher_who_imports_too_often_waits_and_adds_nobody(
    limited_client: Client, school_class: SchoolClass
) -> None:
    for _ in range(2):
        file = SimpleUploadedFile("names.csv", b"Emma")
        limited_client.post(url_of("upload_children", school_class), {"file": file})
    answer = limited_client.post(url_of("children", school_class), {"names": "Emma"})
    assert answer.status_code == 429
    assert [child.name for child in school_class.children.all()] == ["Dora"]
    assert limited_client.get(url_of("children", school_class)).status_code == 200


def test_a_paper_does_not_wait_long_for_others(
    limited_client: Client, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "WAIT_SECONDS", 0.01)
    with typesetting.TURNS.turn(0):
        answer = limited_client.get(url_of("cards_pdf", school_class))
    assert (answer.status_code, "Retry-After" in answer) == (503, True)
    assert limited_client.get(url_of("cards_pdf", school_class)).status_code == 200


def test_a_paper_that_needs_too_much_is_given_up(
    limited_client: Client, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typesetting, "MEMORY", 80 * 1024 * 1024)
    assert limited_client.get(url_of("letters_pdf", school_class)).status_code == 503


# Papers for many children


@pytest.fixture
def client_of_many(alice: User, school_class: SchoolClass) -> Client:
    ChildFactory.create_batch(MOST_CARDS_AT_ONCE + 1, school_class=school_class)
    return client_of(alice)


@pytest.mark.parametrize("name", ["cards", "letters"])
def test_no_web_process_makes_the_pdf(
    client_of_many: Client, school_class: SchoolClass, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "run", None)
    answer = client_of_many.get(url_of(f"{name}_pdf", school_class))
    assert answer.headers["Location"] == url_of("papers", school_class)


@pytest.mark.parametrize("name", ["cards", "letters"])
def test_one_tap_starts_the_making(
    client_of_many: Client, school_class: SchoolClass, name: str
) -> None:
    page = text_on(client_of_many.get(url_of(name, school_class)))
    assert f'name="kind" value="{name}"' in page
    assert f"{name}.pdf" not in page
    client_of_many.post(url_of("downloads", school_class), {"kind": name})
    assert Download.objects.get().kind == name


def test_a_web_process_does_not_grow_by_what_it_prints(
    alice: User, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, ten papers for forty children left 190 MB in the process."""
    # With the usual limit, tests typeset in their own process (`tests.plugins.faster`).
    monkeypatch.setattr(typesetting, "MEMORY", typesetting.MEMORY + 1)
    client = client_of(alice)
    client.get(url_of("letters_pdf", school_class))
    before = memory()
    for _ in range(4):
        Child.objects.all().delete()
        ChildFactory.create_batch(MOST_CARDS_AT_ONCE, school_class=school_class)
        answer = client.get(url_of("letters_pdf", school_class))
        assert answer.content.startswith(b"%PDF")
    assert memory() - before < 40_000_000


def memory() -> int:
    """The resident memory of this process, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_a_teacher_has_at_most_three_downloads_under_way(alice: User) -> None:
    classes = [
        TeachingFactory.create(user=alice, role=Teaching.Role.OWNER).school_class for _ in range(4)
    ]
    client = client_of(alice)
    for school_class in classes:
        ChildFactory.create(school_class=school_class)
        client.post(url_of("downloads", school_class), {"kind": "class-tables"})
    assert Download.objects.count() == 3
    answer = client.get(url_of("papers", classes[3]))
    assert "3 downloads under way" in text_on(answer)
    Download.objects.filter(school_class=classes[0]).update(state=Download.State.READY)
    client.post(url_of("downloads", classes[3]), {"kind": "class-tables"})
    assert Download.objects.count() == 4


def test_a_teacher_who_requests_files_all_day_is_stopped(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    store_work(alice, WorkKind.JOB, 100, ago=timedelta(hours=2))
    answer = client_of(alice).post(
        url_of("downloads", school_class), {"kind": "class-tables"}, follow=True
    )
    assert "too many downloads" in text_on(answer)
    assert not Download.objects.exists()
