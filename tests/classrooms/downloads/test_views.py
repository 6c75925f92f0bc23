"""The downloads page is for everybody who teaches the class, and for nobody else."""

import re
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from classrooms.audit import What
from classrooms.classes import services as classes
from classrooms.classes import teachers
from classrooms.credentials import fernet
from classrooms.downloads import services as downloads_services
from classrooms.downloads.models import Download
from classrooms.models import AuditEntry, Child, SchoolClass, User
from classrooms.roster import moves
from classrooms.roster import services as roster
from tests.classrooms.downloads.conftest import Maker
from tests.classrooms.people import client_of, text_on, url_of
from tests.factories import ChildFactory, DownloadFactory, TeachingFactory

pytestmark = pytest.mark.django_db


def file_of(download: Download) -> str:
    return url_of("download", download)


def list_of(school_class: SchoolClass) -> str:
    return url_of("papers", school_class) + "#downloads"


def read(client: Client, school_class: SchoolClass) -> str:
    text = client.get(url_of("downloads", school_class), follow=True).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


def test_a_teacher_requests_sees_the_progress_and_fetches(
    alices_client: Client,
    school_class: SchoolClass,
    dora: Child,
    maker: Maker,
    sent_keys: list[UUID],
    django_capture_on_commit_callbacks: object,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        page = alices_client.post(
            url_of("downloads", school_class), {"kind": "class-tables", "language": "nl"}
        )
    assert page.headers["Location"] == list_of(school_class)
    download = Download.objects.get()
    assert sent_keys == [download.pk]
    assert "as soon as the server has time" in read(alices_client, school_class)
    Download.objects.update(state=Download.State.WORKING, done=3, total=4)
    assert "In progress: 75%" in read(alices_client, school_class)
    Download.objects.update(state=Download.State.WAITING)
    downloads_services.make(download.pk)
    file = alices_client.get(file_of(download))
    assert file.content == b"made"
    assert AuditEntry.objects.get(what=What.EXPORTED).class_id == school_class.pk


def test_a_file_is_an_attachment_and_stays_in_no_cache(
    alices_client: Client, school_class: SchoolClass
) -> None:
    at = timezone.now().replace(month=11, day=20, hour=12)
    download = DownloadFactory.create(school_class=school_class, ready=True, ready_at=at)
    file = alices_client.get(file_of(download))
    assert file["Content-Disposition"] == (
        f'attachment; filename="5b-class-tables-en-{at.year}-11-20.zip"'
    )
    assert file["Content-Type"] == "application/zip"
    assert "no-store" in file["Cache-Control"]
    assert file["X-Content-Type-Options"] == "nosniff"


def test_the_page_polls_only_while_something_is_made(
    alices_client: Client, school_class: SchoolClass
) -> None:
    download = DownloadFactory.create(school_class=school_class, ready=True)
    assert "hx-trigger" not in alices_client.get(list_of(school_class)).content.decode()
    Download.objects.filter(pk=download.pk).update(state=Download.State.WORKING)
    text = alices_client.get(list_of(school_class)).content.decode()
    assert 'hx-trigger="every 1s"' in text
    assert "Look again" in text, "without JavaScript a link does it"
    url = url_of("downloads_part", school_class)
    assert "All downloads are ready." not in text_on(
        alices_client.get(url, headers={"HX-Request": "true"})
    )
    Download.objects.filter(pk=download.pk).update(state=Download.State.READY)
    last = alices_client.get(url, headers={"HX-Request": "true"}).content.decode()
    assert "hx-trigger" not in last
    assert "All downloads are ready." in last


def test_a_co_teacher_fetches_anothers_file_until_taken_off(
    alice: User, school_class: SchoolClass
) -> None:
    bob = TeachingFactory.create(school_class=school_class).user
    download = DownloadFactory.create(school_class=school_class, ready=True, asked_by=alice)
    bobs = client_of(bob)
    assert bobs.get(file_of(download)).status_code == 200
    assert "Requested by alice@example.org" in read(bobs, school_class)
    teachers.remove(school_class, bob.pk, None)
    assert bobs.get(file_of(download)).status_code == 404


def test_a_childs_file_is_missing_once_the_child_is(
    alices_client: Client,
    school_class: SchoolClass,
    dora: Child,
    emil: Child,
    maker_of_child: Maker,
) -> None:
    of_dora, of_emil = (
        DownloadFactory.create(school_class=school_class, child=child, kind="of-child", ready=True)
        for child in (dora, emil)
    )
    alices_client.get(file_of(of_dora))
    assert AuditEntry.objects.get(what=What.EXPORTED).child_id == dora.pk
    roster.remove(dora, None)
    moves.move([emil], ChildFactory.create().school_class, None)
    assert alices_client.get(file_of(of_dora)).status_code == 404
    assert alices_client.get(file_of(of_emil)).status_code == 404
    assert "There is nothing here yet." in read(alices_client, school_class)
    roster.bring_back(dora, None)
    assert alices_client.get(file_of(of_dora)).status_code == 200


@pytest.mark.parametrize("kind", ["cards", "class-tables"])
def test_a_class_file_is_missing_while_a_child_is_elsewhere(
    alices_client: Client, school_class: SchoolClass, dora: Child, emil: Child, kind: str
) -> None:
    download = DownloadFactory.create(
        school_class=school_class, kind=kind, ready=True, children=[dora, emil]
    )
    if kind == "cards":
        download.content = fernet().encrypt(b"a file")
        download.save(update_fields=["content"])
    assert alices_client.get(file_of(download)).status_code == 200
    moves.move([dora], ChildFactory.create().school_class, None)
    assert alices_client.get(file_of(download)).status_code == 404
    assert "There is nothing here yet." in read(alices_client, school_class)
    dora.refresh_from_db()
    moves.move([dora], school_class, None)
    assert alices_client.get(file_of(download)).status_code == 200


def test_nothing_can_be_requested_about_another_classs_child(
    alices_client: Client, school_class: SchoolClass, dora: Child, maker_of_child: Maker
) -> None:
    finn = ChildFactory.create(name="Finn")
    for child in (finn.pk, "", "x"):
        alices_client.post(
            url_of("downloads", school_class), {"kind": "of-child", "child": str(child)}
        )
        assert "Choose what you want to download, and for whom." in read(
            alices_client, school_class
        )
    alices_client.post(url_of("downloads", school_class), {"kind": "nothing"})
    assert not Download.objects.exists()
    alices_client.post(
        url_of("downloads", school_class), {"kind": "of-child", "child": str(dora.pk)}
    )
    assert Download.objects.get().child == dora


def test_a_failed_download_says_so_and_can_be_retried(
    alices_client: Client, school_class: SchoolClass
) -> None:
    failed = DownloadFactory.create(
        school_class=school_class, state=Download.State.FAILED, problem="too long"
    )
    assert "It took too long." in read(alices_client, school_class)
    assert alices_client.get(file_of(failed)).headers["Location"] == list_of(school_class)
    alices_client.post(url_of("download_again", school_class, failed.pk))
    assert Download.objects.get().state == Download.State.WAITING


def test_files_of_an_archived_class_can_still_be_fetched(
    alices_client: Client, school_class: SchoolClass, dora: Child, maker: Maker
) -> None:
    classes.archive(school_class, None)
    alices_client.post(url_of("downloads", school_class), {"kind": "class-tables"})
    download = Download.objects.get()
    downloads_services.make(download.pk)
    assert alices_client.get(file_of(download)).content == b"made"
