"""What a school's installation has, what it lacks, and what to do about each."""

import shutil
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import StringIO

from celery import current_app
from cryptography import x509
from django.conf import settings
from django.core.mail import get_connection
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

FEWEST_KEY_LETTERS = 50
MOST_CLOCK_SECONDS = 5
FEWEST_CERTIFICATE_DAYS = 21
FEWEST_FREE_BYTES = 5 * 10**9
LOCAL_KEY = "only-for-this-machine"
TIMEOUT_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Condition:
    """What one look at the installation found; without a next step all is well."""

    subject: str
    found: str
    next_step: str = ""

    @property
    def fine(self) -> bool:
        return not self.next_step


def keys(secret: str, pictures: str) -> Condition:
    """Whether the secrets are the school's own."""
    if secret.startswith(LOCAL_KEY) or len(secret) < FEWEST_KEY_LETTERS:
        return Condition(
            "Keys",
            "SECRET_KEY is short or known to everybody.",
            "Put a long random text into .env; .env.example has the command that makes one.",
        )
    if not pictures:
        return Condition(
            "Keys",
            "PICTURES_KEY is missing.",
            "Put one into .env; .env.example has the command that makes one.",
        )
    return Condition("Keys", "SECRET_KEY and PICTURES_KEY are set. Keep a copy of .env elsewhere.")


def host_names(names: list[str]) -> Condition:
    """Whether the site knows its own names."""
    if not names or "*" in names or any(name.endswith(".example") for name in names):
        return Condition(
            "Names",
            "The site does not know the names under which it is reached.",
            "Put them into .env as ALLOWED_HOSTS, with commas between.",
        )
    return Condition("Names", f"The site answers as {', '.join(names)}.")


def mail() -> Condition:
    """Whether mail leaves the site; none is sent."""
    if "smtp" not in settings.EMAIL_BACKEND:
        return Condition(
            "Mail",
            "Mail is printed and sent to nobody.",
            "Put the address of the school's mail server into .env as EMAIL_URL.",
        )
    try:
        server = get_connection()
        server.open()
        server.close()
    except OSError as problem:
        return Condition(
            "Mail",
            f"The mail server does not take mail from us: {type(problem).__name__}.",
            "Compare EMAIL_URL in .env with what the mail provider says: name, port, password.",
        )
    return Condition("Mail", "The mail server answers.")


def certificate_days(ends: datetime, now: datetime) -> Condition:
    """Whether the certificate is good for a while."""
    days = (ends - now).days
    if days < FEWEST_CERTIFICATE_DAYS:
        found = f"It ends in {days} days." if days >= 0 else "It has ended."
        return Condition(
            "Certificate",
            found,
            "Put the new one into deploy/certificates, then: docker compose restart proxy",
        )
    return Condition("Certificate", f"It is good for {days} more days.")


def certificate(address: str, name: str) -> Condition:
    """The certificate that the proxy at `address` shows to who asks for `name`."""
    host, _, port = address.partition(":")
    # Its dates are to be read even where it has ended or is the school's own.
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with (
            socket.create_connection((host, int(port or 443)), TIMEOUT_SECONDS) as plain,
            context.wrap_socket(plain, server_hostname=name.lstrip(".")) as secured,
        ):
            shown = secured.getpeercert(binary_form=True)
    except OSError:
        shown = None
    if shown is None:
        return Condition(
            "Certificate",
            f"The proxy ({address}) shows none.",
            "Put site.crt and site.key into deploy/certificates, then: docker compose up -d proxy",
        )
    ends = x509.load_der_x509_certificate(shown).not_valid_after_utc
    return certificate_days(ends, datetime.now(UTC))


def clock(subject: str, theirs: datetime, ours: datetime) -> Condition:
    """Whether two clocks agree."""
    apart = abs((theirs - ours).total_seconds())
    if apart > MOST_CLOCK_SECONDS:
        return Condition(
            subject,
            f"It is {apart:.0f} seconds away from the site's clock.",
            "Have the machine set its clock by the network: timedatectl set-ntp true",
        )
    return Condition(subject, "It agrees with the site's clock.")


def database() -> list[Condition]:
    """The database, its tables and its clock."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT CURRENT_TIMESTAMP")
            theirs = cursor.fetchone()[0]
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return [
            Condition(
                "Database",
                "It does not answer.",
                "Compare DATABASE_URL and POSTGRES_PASSWORD in .env; then read: "
                "docker compose logs postgres",
            )
        ]
    findings = [tables(len(waiting))]
    if isinstance(theirs, datetime):
        findings.append(clock("Database's clock", theirs, timezone.now()))
    return findings


def tables(waiting: int) -> Condition:
    """Whether the database has the tables of this release."""
    if waiting:
        return Condition(
            "Database",
            f"It answers, but {waiting} steps to this release are missing.",
            "docker compose run --rm migrate",
        )
    return Condition("Database", "It answers and has the tables of this release.")


def redis() -> list[Condition]:
    """Redis and its clock."""
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, timeout=TIMEOUT_SECONDS)
            seconds, parts = broker.default_channel.client.time()
    except (OperationalError, RedisError, OSError):
        return [
            Condition(
                "Redis",
                "It does not answer. Children can play, reports wait.",
                "docker compose up -d redis, then compare REDIS_URL in .env",
            )
        ]
    theirs = datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=parts)
    return [clock("Redis's clock", theirs, timezone.now())]


def worker(queue: str, service: str, timeout: float) -> Condition:
    """Whether a worker takes tasks from the queue and answers."""
    subject = f"Worker ({queue})"
    try:
        call_command("check_worker", queue=queue, timeout=timeout, stdout=StringIO())
    except CommandError:
        return Condition(
            subject,
            f"No answer within {timeout:.0f} seconds.",
            f"docker compose restart {service}; then read: docker compose logs {service}",
        )
    return Condition(subject, "It answers.")


def disk(free: int) -> Condition:
    """Whether the machine has room."""
    found = f"{free / 10**9:.0f} GB are free."
    if free < FEWEST_FREE_BYTES:
        return Condition("Disk", found, "Make room: docker image prune; or get a larger disk.")
    return Condition("Disk", found)


def look(*, proxy: str, timeout: float) -> list[Condition]:
    """Everything, in the order in which an admin should mend it."""
    names = list(settings.ALLOWED_HOSTS)
    own_name = next((name for name in names if name != "*"), "localhost")
    findings = [keys(settings.SECRET_KEY, settings.PICTURES_KEY), host_names(names)]
    findings += database()
    broker = redis()
    findings += broker
    if all(finding.subject != "Redis" for finding in broker):
        findings += [worker("celery", "worker", timeout)]
        findings += [worker(settings.LONG_QUEUE, "worker-long", timeout)]
    return [
        *findings,
        certificate(proxy, own_name),
        mail(),
        disk(shutil.disk_usage(settings.BASE_DIR).free),
    ]


def page(findings: list[Condition]) -> str:
    """The findings as one page of text."""
    lines = []
    for finding in findings:
        mark = "fine   " if finding.fine else "MISSING"
        lines.append(f"{mark}  {finding.subject}: {finding.found}")
        if not finding.fine:
            lines.append(f"         Next: {finding.next_step}")
    return "\n".join(lines)
