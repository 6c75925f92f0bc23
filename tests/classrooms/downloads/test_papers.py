"""Cards, letters and certificates of many children, made by a worker."""

from typing import Any
from unittest import mock

import pypdfium2
import pytest
from django.test import Client
from django.urls import reverse

from classrooms.audit import Page, What
from classrooms.downloads import services
from classrooms.downloads.models import Download
from classrooms.downloads.services import KINDS
from classrooms.models import AuditEntry, Child, QrCode, SchoolClass, User
from classrooms.reports import downloads as papers
from classrooms.reports import views
from classrooms.ui import typesetting
from tests.classrooms.people import client_of
from tests.classrooms.reports.paper.reading import NO_FONT
from tests.factories import ChildFactory, TeachingFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


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
        assert services.make(download.pk)
        text = words(fetch(client, download))
        assert all(word in text for word in ("Dora", "Emil", "testserver"))
        assert school_class.spaced_code in text

    def test_the_database_alone_does_not_show_what_a_child_signs_in_with(
        self, client: Client, school_class: SchoolClass, dora: Child, kind: str
    ) -> None:
        download = ask(client, school_class, kind)
        services.make(download.pk)
        download.refresh_from_db()
        assert not bytes(download.content or b"").startswith(b"%PDF")
        assert fetch(client, download).startswith(b"%PDF")
        assert download.size == len(fetch(client, download))

    def test_who_fetches_them_has_looked_and_who_asked_has_not_yet(
        self, client: Client, school_class: SchoolClass, dora: Child, emil: Child, kind: str
    ) -> None:
        ChildFactory.create(name="Finn")
        download = ask(client, school_class, kind)
        services.make(download.pk)
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
        services.make(ask(client, school_class, kind).pk)
        first = QrCode.objects.get().token_hash
        Download.objects.all().delete()
        services.make(ask(client, school_class, kind).pk)
        assert QrCode.objects.get().token_hash == first

    def test_a_letter_that_no_font_has_stops_nobodys_paper(
        self, client: Client, school_class: SchoolClass, dora: Child, kind: str
    ) -> None:
        ChildFactory.create(name=NO_FONT, school_class=school_class)
        download = ask(client, school_class, kind)
        assert services.make(download.pk)
        text = words(fetch(client, download))
        assert "Dora" in text
        assert "Ot□to" in text


class TestCertificates:
    @pytest.fixture
    def many(self, dora: Child, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
        """More than are printed without a worker."""
        earned = [mock.Mock(key=f"{dora.pk}-{n}", child=dora) for n in range(41)]
        for each in (views, papers):
            monkeypatch.setattr(each, "earned", lambda *_: [("Dora", earned)])
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
        assert answer.headers["Location"] == reverse("classrooms:downloads", args=[school_class.pk])
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
        assert services.make(download.pk)
        assert chosen == many[1:]

    def test_they_are_asked_for_where_they_are_chosen(
        self, client: Client, school_class: SchoolClass, dora: Child
    ) -> None:
        url = reverse("classrooms:downloads", args=[school_class.pk])
        assert 'value="certificates"' not in client.get(url).text
        client.post(url, {"kind": "certificates"})
        assert not Download.objects.exists()
        assert "certificates" in KINDS


class TestTooLarge:
    def test_reports_of_more_children_than_fit_in_one_file_are_not_begun(
        self, client: Client, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The papers of 500 children took 3.3 GB."""
        ChildFactory.create_batch(papers.MOST_REPORTS + 1, school_class=school_class)
        monkeypatch.setattr(papers, "child_paper", None)
        download = ask(client, school_class, "child-reports")
        assert not services.make(download.pk)
        download.refresh_from_db()
        assert (download.state, download.problem) == ("failed", "too large")

    def test_a_pdf_that_needs_too_much_memory_is_reported(
        self,
        client: Client,
        school_class: SchoolClass,
        dora: Child,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(typesetting, "MEMORY", 80 * 1024 * 1024)
        download = ask(client, school_class, "letters")
        assert not services.make(download.pk)
        download.refresh_from_db()
        assert (download.state, download.problem) == ("failed", "too large")
