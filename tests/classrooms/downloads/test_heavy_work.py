"""Expensive work is limited per teacher, and large files are made by a worker."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.downloads import services
from classrooms.downloads.models import Download, HeavyWork
from classrooms.downloads.tasks import forget_ended
from classrooms.models import Child, SchoolClass, Teaching, User
from classrooms.signin.cards import MOST_AT_ONCE
from classrooms.ui import processes, typesetting
from tests.classrooms.people import client_of
from tests.factories import ChildFactory, TeachingFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

WorkKind = services.WorkKind
LIMITS = {
    WorkKind.PAPER: ((3, services.MINUTE), (5, services.DAY)),
    WorkKind.EXPORT: ((2, services.MINUTE),),
    WorkKind.IMPORT: ((2, services.MINUTE),),
    WorkKind.JOB: ((2, services.MINUTE),),
}


@pytest.fixture
def low_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "LIMITS", LIMITS)


def often(user: User, kind: HeavyWork.Kind, count: int, ago: timedelta = timedelta()) -> None:
    at = timezone.now() - ago
    HeavyWork.objects.bulk_create(HeavyWork(user=user, kind=kind, at=at) for _ in range(count))


def address(name: str, school_class: SchoolClass) -> str:
    return reverse(f"classrooms:{name}", args=[school_class.pk])


@pytest.mark.parametrize("kind", list(WorkKind))
def test_a_teacher_may_do_so_much_in_a_minute_and_in_a_day(
    alice: User, kind: HeavyWork.Kind
) -> None:
    for most, window in services.LIMITS[kind]:
        HeavyWork.objects.all().delete()
        often(alice, kind, most - 1, ago=window - timedelta(seconds=30))
        services.take(alice, kind)
        with pytest.raises(services.TooOften) as problem:
            services.take(alice, kind)
        assert 0 < problem.value.seconds <= 31
        assert HeavyWork.objects.count() == most, "what is refused does not count"


def test_what_no_window_reaches_is_forgotten(alice: User) -> None:
    often(alice, WorkKind.PAPER, 2, ago=services.DAY)
    often(alice, WorkKind.PAPER, 1)
    forget_ended()
    assert HeavyWork.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_at_the_same_time_no_more_is_taken_than_one_after_another(
    alice: User, low_limits: None
) -> None:
    def take(_: int) -> bool:
        try:
            services.take(alice, WorkKind.PAPER)
        except services.TooOften:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(take, range(24))) == 3


class TestPages:
    @pytest.fixture
    def client(self, alice: User, dora: Child, low_limits: None) -> Client:
        return client_of(alice)

    @pytest.mark.parametrize("name", ["cards_pdf", "letters_pdf", "class_report"])
    def test_who_prints_too_often_is_asked_to_wait(
        self, client: Client, alice: User, school_class: SchoolClass, name: str
    ) -> None:
        assert client.get(address(name, school_class)).status_code == 200
        often(alice, WorkKind.PAPER, 2)
        answer = client.get(address(name, school_class))
        assert (answer.status_code, 0 < int(answer["Retry-After"]) <= 61) == (429, True)

    def test_who_imports_too_often_is_asked_to_wait_and_nobody_is_added(
        self, client: Client, school_class: SchoolClass
    ) -> None:
        for _ in range(2):
            file = SimpleUploadedFile("names.csv", b"Emma")
            client.post(address("upload_children", school_class), {"file": file})
        answer = client.post(address("children", school_class), {"names": "Emma"})
        assert answer.status_code == 429
        assert [child.name for child in school_class.children.all()] == ["Dora"]
        assert client.get(address("children", school_class)).status_code == 200

    def test_while_others_print_a_paper_is_not_waited_for_long(
        self, client: Client, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(processes, "WAIT_SECONDS", 0.01)
        with typesetting.TURNS.one():
            answer = client.get(address("cards_pdf", school_class))
        assert (answer.status_code, "Retry-After" in answer) == (503, True)
        assert client.get(address("cards_pdf", school_class)).status_code == 200

    def test_two_threads_at_most_are_busy_with_papers(
        self, client: Client, school_class: SchoolClass
    ) -> None:
        """One sets and one waits: the others of the process are for the children."""
        taken = [typesetting.TURNS._queue.acquire(blocking=False) for _ in range(3)]
        try:
            assert taken == [True, True, False]
            assert client.get(address("cards_pdf", school_class)).status_code == 503
        finally:
            for _ in range(2):
                typesetting.TURNS._queue.release()

    def test_a_paper_that_needs_too_much_is_given_up(
        self, client: Client, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(typesetting, "MEMORY", 80 * 1024 * 1024)
        assert client.get(address("letters_pdf", school_class)).status_code == 503


@pytest.mark.parametrize("name", ["cards", "letters"])
class TestOfManyChildren:
    @pytest.fixture
    def client(self, alice: User, school_class: SchoolClass) -> Client:
        ChildFactory.create_batch(MOST_AT_ONCE + 1, school_class=school_class)
        return client_of(alice)

    def test_no_web_process_makes_the_pdf(
        self,
        client: Client,
        school_class: SchoolClass,
        name: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(processes, "run", None)
        answer = client.get(address(f"{name}_pdf", school_class))
        assert answer.headers["Location"] == address("papers", school_class)

    def test_one_tap_has_it_made(
        self, client: Client, school_class: SchoolClass, name: str
    ) -> None:
        page = client.get(address(name, school_class)).text
        assert f'name="kind" value="{name}"' in page
        assert f"{name}.pdf" not in page
        client.post(address("downloads", school_class), {"kind": name})
        assert Download.objects.get().kind == name


def test_a_web_process_does_not_grow_by_what_it_prints(
    alice: User, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten papers for forty children kept 190 MB in it."""
    # Else papers are set in the process of the tests (`tests.cheaply`).
    monkeypatch.setattr(typesetting, "MEMORY", typesetting.MEMORY + 1)
    client = client_of(alice)
    client.get(address("letters_pdf", school_class))
    before = memory()
    for _ in range(4):
        Child.objects.all().delete()
        ChildFactory.create_batch(MOST_AT_ONCE, school_class=school_class)
        answer = client.get(address("letters_pdf", school_class))
        assert answer.content.startswith(b"%PDF")
    assert memory() - before < 40_000_000


def memory() -> int:
    """Resident memory of this process, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_a_teacher_has_three_downloads_under_way_at_most_in_all_classes(alice: User) -> None:
    classes = [
        TeachingFactory.create(user=alice, role=Teaching.Role.OWNER).school_class for _ in range(4)
    ]
    client = client_of(alice)
    for school_class in classes:
        ChildFactory.create(school_class=school_class)
        client.post(address("downloads", school_class), {"kind": "class-tables"})
    assert Download.objects.count() == 3
    answer = client.get(address("papers", classes[3]))
    assert "3 downloads under way" in answer.text
    Download.objects.filter(school_class=classes[0]).update(state=Download.State.READY)
    client.post(address("downloads", classes[3]), {"kind": "class-tables"})
    assert Download.objects.count() == 4


def test_who_has_files_made_all_day_is_stopped_some_time(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    often(alice, WorkKind.JOB, 100, ago=timedelta(hours=2))
    answer = client_of(alice).post(
        address("downloads", school_class), {"kind": "class-tables"}, follow=True
    )
    assert "too many downloads" in answer.text
    assert not Download.objects.exists()
