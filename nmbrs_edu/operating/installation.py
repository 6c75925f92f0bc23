"""Checks what a school's installation has and lacks, and says what to do. `running.py` checks
whether its parts do their work from minute to minute."""

import shutil
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import StringIO
from smtplib import SMTPException

from celery import current_app
from cryptography import x509
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.core.mail import get_connection
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from classrooms.accounts.mail import sends_mail
from classrooms.credentials import decrypt_pictures
from classrooms.models import Child
from nmbrs_edu.certificates import covers, is_self_signed

FEWEST_KEY_LETTERS = 50
MOST_CLOCK_SECONDS = 5
FEWEST_CERTIFICATE_DAYS = 21
FEWEST_FREE_BYTES = 5 * 10**9
LOCAL_KEY = "only-for-this-machine"
TIMEOUT_SECONDS = 5
REDIS = "Redis"
WORKERS = {
    "celery": "worker",
    settings.LONG_QUEUE: "worker-long",
    settings.MAIL_QUEUE: "worker-mail",
}
"""Maps each queue to the service that takes its tasks."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check. If it has no next step, all is well."""

    subject: str
    state: str
    next_step: str = ""

    @property
    def is_fine(self) -> bool:
        return not self.next_step


def check_keys(secret: str, pictures: str) -> Finding:
    """Check that both keys are set, and that SECRET_KEY is long and not publicly known."""
    subject = _("Keys")
    if secret.startswith(LOCAL_KEY) or len(secret) < FEWEST_KEY_LETTERS:
        return Finding(
            subject,
            _("SECRET_KEY is too short or publicly known."),
            _("Put a long random text into .env. The command to make one is in .env.example."),
        )
    if not pictures:
        return Finding(
            subject,
            _("PICTURES_KEY is missing."),
            _("Put a key into .env. The command to make one is in .env.example."),
        )
    return Finding(
        subject, _("SECRET_KEY and PICTURES_KEY are set. Keep a copy of .env elsewhere.")
    )


def check_pictures_key() -> list[Finding]:
    child = Child.objects.order_by("pk").first()
    if child is None:
        return []
    try:
        decrypt_pictures(child.pictures_encrypted)
    except InvalidToken:
        return [
            Finding(
                _("Pictures"),
                _("PICTURES_KEY does not open the children’s pictures: nobody can sign in."),
                _("Put the previous PICTURES_KEY into .env. If it is lost, read docs/running.md."),
            )
        ]
    return [Finding(_("Pictures"), _("PICTURES_KEY opens the children’s pictures."))]


def check_host_names(names: list[str]) -> Finding:
    if not names or "*" in names or any(name.endswith(".example") for name in names):
        return Finding(
            _("Names"),
            _("The site does not know its own host names."),
            _("Put them into .env as ALLOWED_HOSTS, separated by commas."),
        )
    return Finding(_("Names"), _("The site answers to %(names)s.") % {"names": ", ".join(names)})


def check_mail() -> Finding:
    """Check that the mail server answers. Sends no mail."""
    if not sends_mail():
        return Finding(
            _("Mail"),
            _("E-mails are only printed here, not sent."),
            _("Put the address of the school’s mail server into .env as EMAIL_URL."),
        )
    try:
        server = get_connection()
        server.open()
        server.close()
    except SMTPException as problem:
        text = _("The mail server rejects mail from this site: %(problem)s.") % {
            "problem": type(problem).__name__
        }
    except OSError as problem:
        text = _("%(server)s does not answer: %(problem)s.") % {
            "server": f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}",
            "problem": problem.strerror or problem,
        }
    else:
        return Finding(_("Mail"), _("The mail server responds."))
    return Finding(
        _("Mail"),
        text,
        _("Compare EMAIL_URL in .env with the mail provider’s details: name, port, password."),
    )


def check_expiry(ends_at: datetime, now: datetime) -> Finding:
    days = (ends_at - now).days
    subject = pgettext("of a server", "Certificate")
    if days < FEWEST_CERTIFICATE_DAYS:
        text = (
            ngettext("It expires in %(count)d day.", "It expires in %(count)d days.", days)
            if days >= 0
            else _("It has expired.")
        )
        return Finding(subject, text % {"count": days}, replacement_advice())
    text = ngettext(
        "It is valid for %(count)d more day.", "It is valid for %(count)d more days.", days
    )
    return Finding(subject, text % {"count": days})


def check_certificate(address: str, name: str) -> Finding:
    """Check the certificate that the proxy at `address` shows for `name`."""
    host, _colon, port = address.partition(":")
    # Nothing is verified, because an expired or self-signed certificate must be read too.
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with (
            socket.create_connection((host, int(port or 443)), TIMEOUT_SECONDS) as plain,
            context.wrap_socket(plain, server_hostname=name.lstrip(".")) as secured,
        ):
            data = secured.getpeercert(binary_form=True)
    except OSError:
        data = None
    if data is None:
        return Finding(
            pgettext("of a server", "Certificate"),
            _("The proxy (%(address)s) has no certificate.") % {"address": address},
            _("Put site.crt and site.key into deploy/certificates, then run: %(command)s")
            % {"command": "docker compose up -d proxy"},
        )
    certificate = x509.load_der_x509_certificate(data)
    if settings.GETS_CERTIFICATE and is_self_signed(certificate):
        return Finding(
            pgettext("of a server", "Certificate"),
            _("The site has not received one yet, so browsers warn against it."),
            retry_advice(),
        )
    if not covers(certificate, name):
        return Finding(
            pgettext("of a server", "Certificate"),
            _("It is not for %(name)s, so browsers warn against it.") % {"name": name},
            replacement_advice(),
        )
    return check_expiry(certificate.not_valid_after_utc, datetime.now(UTC))


def replacement_advice() -> str:
    """How the site gets another certificate."""
    if settings.GETS_CERTIFICATE:
        return retry_advice()
    return _("Put the new one into deploy/certificates, then run: %(command)s") % {
        "command": "docker compose restart proxy"
    }


def retry_advice() -> str:
    """What to do if the authority has not issued a certificate."""
    return _(
        "Ports 80 and 443 of the site’s name must lead to this machine. Read %(other)s; then run"
        " %(command)s"
    ) % {
        "other": "docker compose logs certificate",
        "command": "docker compose restart certificate",
    }


def compare_clocks(subject: str, theirs: datetime, ours: datetime) -> Finding:
    difference = abs((theirs - ours).total_seconds())
    if difference > MOST_CLOCK_SECONDS:
        return Finding(
            subject,
            _("It differs from the site’s clock by %(seconds)d seconds.") % {"seconds": difference},
            _("Have the machine set its clock from the network: %(command)s")
            % {"command": "timedatectl set-ntp true"},
        )
    return Finding(subject, _("It agrees with the site’s clock."))


def check_database() -> list[Finding]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT CURRENT_TIMESTAMP")
            theirs = cursor.fetchone()[0]
        executor = MigrationExecutor(connection)
        steps = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return [
            Finding(
                _("Database"),
                _("It does not answer."),
                _("Compare DATABASE_URL and POSTGRES_PASSWORD in .env; then read: %(command)s")
                % {"command": "docker compose logs postgres"},
            )
        ]
    findings = [check_tables(len(steps)), *check_sorting()]
    if isinstance(theirs, datetime):
        findings.append(compare_clocks(_("Database clock"), theirs, timezone.now()))
    return findings


def check_sorting() -> list[Finding]:
    """Check that the operating system still sorts texts as it did when the databases were made. If
    a new image sorts them otherwise, indexes miss rows, and no database can be made from a
    template."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT datname FROM pg_database WHERE datallowconn"
            " AND datcollversion <> pg_database_collation_actual_version(oid) ORDER BY datname"
        )
        return [sorting_finding([name for (name,) in cursor.fetchall()])]


def sorting_finding(names: list[str]) -> Finding:
    """The result if the databases with these names were made with other sorting rules."""
    subject = _("Sorting in the database")
    if not names:
        return Finding(subject, _("It is as it was when the database was made."))
    text = _("The server’s system sorts texts otherwise than when these were made: %(names)s.")
    return Finding(
        subject,
        text % {"names": ", ".join(names)},
        _("Make a backup, then do what docs/upgrading.md says under Sorting."),
    )


def check_tables(count: int) -> Finding:
    """Check that `count`, the number of migrations still to run, is 0."""
    if count:
        text = ngettext(
            "It responds, but %(count)d update step for this release has not been run.",
            "It responds, but %(count)d update steps for this release have not been run.",
            count,
        )
        return Finding(_("Database"), text % {"count": count}, "docker compose run --rm migrate")
    return Finding(_("Database"), _("It responds, and its tables match this release."))


def check_redis() -> list[Finding]:
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, timeout=TIMEOUT_SECONDS)
            seconds, parts = broker.default_channel.client.time()
    except (OperationalError, RedisError, OSError):
        return [
            Finding(
                REDIS,
                _("It does not answer. Children can play, but reports wait."),
                _("Run %(command)s, then check REDIS_URL in .env")
                % {"command": "docker compose up -d redis"},
            )
        ]
    theirs = datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=parts)
    return [compare_clocks(_("Redis clock"), theirs, timezone.now())]


def check_worker(queue: str, service: str, timeout: float) -> Finding:
    subject = worker_subject(queue)
    try:
        call_command("check_worker", queue=queue, timeout=timeout, stdout=StringIO())
    except CommandError:
        return Finding(
            subject,
            _("No answer within %(seconds)d seconds.") % {"seconds": timeout},
            restart_advice(service),
        )
    return Finding(subject, _("It responds."))


def worker_subject(queue: str) -> str:
    return _("Worker (%(queue)s)") % {"queue": queue}


def restart_advice(service: str) -> str:
    """What to do about a service that does not answer."""
    return _("Run %(command)s; then read %(other)s") % {
        "command": f"docker compose restart {service}",
        "other": f"docker compose logs {service}",
    }


def check_disk(free: int) -> Finding:
    text = _("%(number)d GB are free.") % {"number": round(free / 10**9)}
    if free < FEWEST_FREE_BYTES:
        return Finding(
            _("Disk"),
            text,
            _("Free up some space (%(command)s), or get a larger disk.")
            % {"command": "docker image prune"},
        )
    return Finding(_("Disk"), text)


def check_all(*, proxy: str, timeout: float) -> list[Finding]:
    """All checks, in the order in which an operator should act on them."""
    redis = check_redis()
    findings = [*check_site(), *redis]
    if all(finding.subject != REDIS for finding in redis):
        findings += [check_worker(queue, service, timeout) for queue, service in WORKERS.items()]
    return [*findings, *check_surroundings(proxy)]


def check_site() -> list[Finding]:
    findings = [
        check_keys(settings.SECRET_KEY, settings.PICTURES_KEY),
        check_host_names(list(settings.ALLOWED_HOSTS)),
        *check_database(),
    ]
    try:
        return [*findings, *check_pictures_key()]
    except DatabaseError:
        return findings


def check_surroundings(proxy: str) -> list[Finding]:
    """Check what the site needs around it: certificate, mail and disk."""
    names = [name for name in settings.ALLOWED_HOSTS if name != "*"]
    return [
        check_certificate(proxy, names[0] if names else "localhost"),
        check_mail(),
        check_disk(shutil.disk_usage(settings.BASE_DIR).free),
    ]


def report(findings: list[Finding]) -> str:
    """The findings as text, with a line or two for each."""
    marks = {True: _("fine"), False: _("TO DO")}
    width = max(len(mark) for mark in marks.values())
    lines = []
    for finding in findings:
        mark = marks[finding.is_fine].ljust(width)
        lines.append(f"{mark}  {finding.subject}: {finding.state}")
        if not finding.is_fine:
            lines.append(" " * (width + 2) + _("Next: %(step)s") % {"step": finding.next_step})
    return "\n".join(lines)
