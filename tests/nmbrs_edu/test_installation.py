"""An admin reads on one page what the installation lacks, and what to do about it."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from nmbrs_edu.operating import installation
from nmbrs_edu.operating.installation import Condition

NOW = datetime(2026, 11, 24, tzinfo=UTC)
NOWHERE = "127.0.0.1:9"


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[str]:
    """A server that shows a certificate which ends in 10 days."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "school.example")])
    today = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - timedelta(days=80))
        .not_valid_after(today + timedelta(days=10, hours=1))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    path = tmp_path / "site.pem"
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(pem))
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


def test_the_keys_of_a_developers_machine_are_no_keys() -> None:
    assert not installation.keys("only-for-this-machine-and-never-for-a-school", "key").fine
    assert not installation.keys("short", "key").fine
    assert not installation.keys("long" * 20, "").fine
    assert installation.keys("long" * 20, "key").fine


def test_the_site_needs_names_of_its_own() -> None:
    assert not installation.host_names(["*"]).fine
    assert not installation.host_names(["nmbrs.school.example"]).fine
    assert installation.host_names(["nmbrs.our-school.nl"]).fine


@pytest.mark.parametrize(("days", "fine"), [(60, True), (21, True), (20, False), (-1, False)])
def test_a_certificate_is_to_be_renewed_in_time(days: int, fine: bool) -> None:
    assert installation.certificate_days(NOW + timedelta(days=days), NOW).fine is fine


def test_the_certificate_is_the_one_that_the_proxy_shows(proxy: str) -> None:
    assert installation.certificate(proxy, "school.example").found == "It expires in 10 days."


def test_a_proxy_that_does_not_answer_shows_none() -> None:
    shown = installation.certificate(NOWHERE, "school.example")
    assert "deploy/certificates" in shown.next_step


@pytest.mark.parametrize(("seconds", "fine"), [(0, True), (-5, True), (6, False), (-86400, False)])
def test_clocks_agree_within_seconds(seconds: int, fine: bool) -> None:
    theirs = NOW + timedelta(seconds=seconds)
    assert installation.clock("Redis's clock", theirs, NOW).fine is fine


def test_mail_that_is_printed_reaches_nobody(settings: LazySettings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert "EMAIL_URL" in installation.mail().next_step


def test_a_mail_server_that_is_away_is_found(settings: LazySettings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    assert not installation.mail().fine


def test_tables_of_an_older_release_are_found() -> None:
    assert "migrate" in installation.tables(2).next_step
    assert installation.tables(0).fine


def test_a_database_of_other_rules_of_sorting_is_named() -> None:
    changed = installation.changed_sorting(["nmbrs", "template1"])
    assert not changed.fine
    assert "nmbrs, template1" in changed.found
    assert installation.changed_sorting([]).fine


@pytest.mark.django_db
def test_the_sorting_of_the_tests_database_is_as_it_was() -> None:
    assert all(item.fine for item in installation.sorting())


def test_a_full_disk_is_found() -> None:
    assert not installation.disk(10**9).fine
    assert installation.disk(10**11).fine


@pytest.mark.django_db
def test_the_databases_clock_is_compared() -> None:
    assert [item.fine for item in installation.database() if "clock" in item.subject] == [True]


def test_a_worker_that_is_there_answers_and_redis_has_the_time(worker: Any) -> None:
    assert [item.fine for item in installation.redis()] == [True]
    assert installation.worker("celery", "worker", 10).fine


@pytest.mark.django_db
def test_without_a_worker_the_page_says_how_to_start_it() -> None:
    assert "restart worker-long" in installation.worker("nobody", "worker-long", 0.1).next_step


def test_redis_that_is_away_is_one_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    away = installation.current_app.connection_for_write("redis://127.0.0.1:9/0")
    monkeypatch.setattr(installation.current_app, "connection_for_write", lambda: away)
    assert [(item.subject, item.fine) for item in installation.redis()] == [("Redis", False)]


def found(monkeypatch: pytest.MonkeyPatch, *conditions: Condition) -> str:
    monkeypatch.setattr(
        "nmbrs_edu.management.commands.check_installation.look", lambda **_: [*conditions]
    )
    out = StringIO()
    call_command("check_installation", stdout=out)
    return out.getvalue()


def test_the_page_ends_well_when_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = found(monkeypatch, Condition("Disk", "90 GB are free."))
    assert "fine     Disk: 90 GB are free." in shown
    assert "Everything is fine." in shown


def test_the_command_fails_when_something_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="To do: 1"):
        found(monkeypatch, Condition("Disk", "It is full.", "Make room."))


def test_what_is_missing_has_its_next_step_below() -> None:
    assert installation.page([Condition("Disk", "It is full.", "Make room.")]).splitlines() == [
        "MISSING  Disk: It is full.",
        "         Next: Make room.",
    ]
