"""The operator reads in plain words how the site runs, what the installation lacks, and what to
do."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from games.models import Game
from nmbrs_edu.models import (
    BACKUP,
    BEAT,
    CHECKED_BACKUP,
    Upkeep,
    queue_part,
    record_failure,
    record_success,
)
from nmbrs_edu.operating import installation, running
from nmbrs_edu.operating.installation import Finding
from tests.factories import AttemptFactory, ChildFactory

pytestmark = pytest.mark.django_db

NOW = timezone.now()
QUEUES = ("celery", "long", "mail")
EMPTY: running.QueueLengths = dict.fromkeys(QUEUES, 0)
AWAY: running.QueueLengths = dict.fromkeys(QUEUES)


def parts() -> dict[str, Upkeep]:
    return {upkeep.part: upkeep for upkeep in Upkeep.objects.all()}


def all_answer(minutes: int = 1) -> None:
    for part in (BEAT, *(queue_part(queue) for queue in QUEUES)):
        record_success(part, NOW - timedelta(minutes=minutes))


def behind(minutes: int, settings: LazySettings) -> None:
    settings.PROGRESS_IDLE_SECONDS = 0
    game = AttemptFactory.create().game_id
    Game.objects.filter(pk=game).update(moved_at=NOW - timedelta(minutes=minutes))


def reports(lengths: running.QueueLengths = EMPTY) -> Finding:
    return running.check_reports(NOW, parts(), lengths)


def test_reports_without_a_delay_are_fine(settings: LazySettings) -> None:
    behind(4, settings)
    assert reports().is_fine


@pytest.mark.parametrize(
    ("silent", "lengths", "why", "service"),
    [
        (queue_part("celery"), EMPTY, "the worker does not answer", "worker"),
        (BEAT, EMPTY, "beat does not answer", "beat"),
        (BEAT, AWAY, "Redis does not answer", "redis"),
        (None, EMPTY, "the worker cannot keep up", "worker"),
    ],
)
def test_delayed_reports_say_by_how_much_and_why(
    silent: str | None,
    lengths: running.QueueLengths,
    why: str,
    service: str,
    settings: LazySettings,
) -> None:
    behind(40, settings)
    all_answer()
    if silent:
        record_success(silent, NOW - timedelta(hours=1))
    finding = reports(lengths)
    assert finding.state == f"They are 40 minutes behind: {why}."
    assert finding.next_step.startswith(f"Run docker compose restart {service};")


def test_a_worker_with_a_recent_task_answers_whatever_waits() -> None:
    all_answer()
    finding = running.check_queue("celery", NOW, parts(), {**EMPTY, "celery": 3})
    assert (finding.state, finding.is_fine) == ("It responds. 3 tasks waiting.", True)


def test_a_worker_without_a_recent_task_does_not_answer() -> None:
    all_answer(minutes=30)
    finding = running.check_queue("mail", NOW, parts(), AWAY)
    expected = "The last answer was 30 minutes ago. The number of waiting tasks is unknown."
    assert finding.state == expected
    assert "restart worker-mail" in finding.next_step


def test_a_worker_of_long_jobs_may_be_busy_for_a_while() -> None:
    all_answer(minutes=15)
    assert running.check_queue("long", NOW, parts(), EMPTY).is_fine
    assert not running.check_queue("celery", NOW, parts(), EMPTY).is_fine


def test_without_beat_the_next_step_is_to_start_it() -> None:
    assert running.check_beat(NOW, parts()).state == "It has not answered yet."
    all_answer(minutes=6)
    assert "restart beat" in running.check_beat(NOW, parts()).next_step


def test_a_failed_backup_is_shown_beside_the_newest() -> None:
    record_success(BACKUP, NOW - timedelta(hours=20))
    record_failure(BACKUP, "OSError", NOW)
    finding = running.check_backup(NOW, parts())
    assert finding.state == "Newest backup: 20 hours old. The last try failed."
    assert not finding.is_fine


def test_a_backup_that_could_not_be_restored_is_shown() -> None:
    assert not running.check_backup_test(NOW, parts()).is_fine
    record_success(CHECKED_BACKUP, NOW - timedelta(days=3))
    assert running.check_backup_test(NOW, parts()).is_fine
    record_success(CHECKED_BACKUP, NOW - timedelta(days=10))
    assert not running.check_backup_test(NOW, parts()).is_fine
    record_failure(CHECKED_BACKUP, "Incomplete", NOW)
    finding = running.check_backup_test(NOW, parts())
    assert finding.state == "The newest backup could not be restored."
    assert "check-backup" in finding.next_step


def test_a_key_that_does_not_open_the_pictures_is_noticed(settings: LazySettings) -> None:
    assert installation.check_pictures_key() == []
    ChildFactory.create()
    assert [finding.is_fine for finding in installation.check_pictures_key()] == [True]
    settings.PICTURES_KEY = Fernet.generate_key().decode()
    assert [finding.is_fine for finding in installation.check_pictures_key()] == [False]


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the checks of proxy, mail server and disk."""
    monkeypatch.setattr(
        installation, "check_surroundings", lambda proxy: [Finding("Disk", "90 GB.")]
    )


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "State of the site"),
        ("nl", "Toestand van de site"),
        ("de", "Zustand der Website"),
        ("sv", "Webbplatsens tillstånd"),
    ],
)
def test_the_page_is_in_the_operators_language(
    admin_client: Client, outside: None, language: str, heading: str
) -> None:
    for path in ("/admin/", "/admin/state/"):
        text = admin_client.get(path, headers={"Accept-Language": language}).content.decode()
        assert heading in text
    if language != "en":
        assert "It has not answered yet." not in text


def test_the_page_begins_with_what_to_do(admin_client: Client, outside: None) -> None:
    text = admin_client.get("/admin/state/").content.decode()
    to_do, _, fine = text.partition("<h2>Fine</h2>")
    assert "docker compose restart beat" in to_do
    assert "90 GB." in fine
    assert "90 GB." not in to_do


def test_no_name_of_a_child_is_on_the_page(
    admin_client: Client, outside: None, settings: LazySettings
) -> None:
    behind(40, settings)
    dora = ChildFactory.create(name="Dora")
    text = admin_client.get("/admin/state/").content.decode()
    assert dora.name not in text
    assert dora.school_class.code not in text


THAT_DAY = datetime(2026, 11, 24, tzinfo=UTC)


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[str]:
    """A server with a certificate that ends in 10 days."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "school.example")])
    today = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - timedelta(days=80))
        .not_valid_after(today + timedelta(days=10, hours=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName("school.example")]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    path = tmp_path / "site.pem"
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        answering = Thread(target=_answer_once, args=(listening, context))
        answering.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        answering.join()


def _answer_once(listening: socket.socket, context: ssl.SSLContext) -> None:
    client, _ = listening.accept()
    with context.wrap_socket(client, server_side=True) as secured:
        secured.recv(1)


def test_the_keys_of_a_developers_machine_are_not_accepted() -> None:
    assert not installation.check_keys(
        "only-for-this-machine-and-never-for-a-school", "key"
    ).is_fine
    assert not installation.check_keys("short", "key").is_fine
    assert not installation.check_keys("long" * 20, "").is_fine
    assert installation.check_keys("long" * 20, "key").is_fine


def test_the_site_needs_names_of_its_own() -> None:
    assert not installation.check_host_names(["*"]).is_fine
    assert not installation.check_host_names(["nmbrs.school.example"]).is_fine
    assert installation.check_host_names(["nmbrs.our-school.nl"]).is_fine


@pytest.mark.parametrize(("days", "fine"), [(60, True), (21, True), (20, False), (-1, False)])
def test_a_certificate_has_to_be_renewed_in_time(days: int, fine: bool) -> None:
    assert installation.check_expiry(THAT_DAY + timedelta(days=days), THAT_DAY).is_fine is fine


def test_the_certificate_is_the_one_that_the_proxy_shows(proxy: str) -> None:
    assert installation.check_certificate(proxy, "school.example").state == "It expires in 10 days."


def test_a_certificate_for_another_name_is_noticed(proxy: str) -> None:
    assert "not for b.example" in installation.check_certificate(proxy, "b.example").state


def test_an_unreachable_mail_server_is_noticed(settings: LazySettings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    finding = installation.check_mail()
    assert not finding.is_fine
    assert finding.state == "127.0.0.1:9 does not answer: Connection refused."


def test_a_database_with_other_sorting_rules_is_named() -> None:
    finding = installation.sorting_finding(["nmbrs", "template1"])
    assert not finding.is_fine
    assert "nmbrs, template1" in finding.state
    assert installation.sorting_finding([]).is_fine


def test_a_running_worker_answers_and_redis_has_the_time(worker: Any) -> None:
    assert [item.is_fine for item in installation.check_redis()] == [True]
    assert installation.check_worker("celery", "worker", 10).is_fine


def test_an_unreachable_redis_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    away = installation.current_app.connection_for_write("redis://127.0.0.1:9/0")
    monkeypatch.setattr(installation.current_app, "connection_for_write", lambda: away)
    assert [(item.subject, item.is_fine) for item in installation.check_redis()] == [
        ("Redis", False)
    ]


def test_what_is_to_do_has_its_next_step_below() -> None:
    assert installation.report([Finding("Disk", "It is full.", "Make room.")]).splitlines() == [
        "TO DO  Disk: It is full.",
        "       Next: Make room.",
    ]
