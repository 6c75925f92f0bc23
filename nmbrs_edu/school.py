"""`make school`: asks three questions and writes .env. Once the site runs, it creates the account
of the first operator and prints what is left to do. It never does anything twice.

Without make: run `docker compose run --rm school`, `docker compose up -d`, and the first one again.
"""

import base64
import os
import re
import secrets
import sys
import time
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

from nmbrs_edu.settings.reading import site_names

if TYPE_CHECKING:
    from nmbrs_edu.operating.installation import Finding

PRIVATE_SUFFIXES: Final = ("local", "lan", "internal", "intranet", "home", "localdomain", "example")
"""The last labels of host names that only computers inside the school can look up."""
HOST_LABEL: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
MAIL_SERVER: Final = re.compile(
    r"(?:(?P<scheme>smtp(?:\+tls|\+ssl)?)://)?(?:(?P<user>[^:]+):(?P<password>.*)@)?"
    r"(?P<host>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(?P<port>\d{1,5}))?/?",
    re.IGNORECASE,
)
NO_ANSWERS: Final = ("", "none", "no", "-")
CERTIFICATE_SECONDS: Final = 120
PAUSE_SECONDS: Final = 5
WORKER_SECONDS: Final = 60


class WrongAnswer(Exception):
    """An answer that cannot be used. The message is a sentence for the person who gave it."""


def site_name(text: str, *, has_certificate: bool = False) -> str:
    """The name under which browsers reach the site, as somebody typed it. Raises `WrongAnswer`."""
    try:
        names = site_names(text)
    except ImproperlyConfigured:
        raise WrongAnswer("Write one name, such as nmbrs.our-school.nl.") from None
    if len(names) > 1:
        raise WrongAnswer("Write one name. Others can be added to ALLOWED_HOSTS in .env later.")
    try:
        host = names[0].host.encode("idna").decode()
    except UnicodeError:
        raise WrongAnswer(f"{names[0].host} is not the name of a site.") from None
    if _is_address(host):
        raise WrongAnswer("Write a name, not a number: no certificate is given for a number.")
    if names[0].port:
        raise WrongAnswer(
            f"Write the name without {names[0].port}: the site uses the ports 80 and 443."
        )
    labels = host.split(".")
    if len(labels) < 2 or not all(HOST_LABEL.fullmatch(label) for label in labels):
        raise WrongAnswer(f"{host} is not a full name, such as nmbrs.our-school.nl.")
    if labels[-1] in PRIVATE_SUFFIXES and not has_certificate:
        raise WrongAnswer(
            f"{host} is a name for inside only, so no authority gives it a certificate. Write a"
            " name of the internet, or first put your own site.crt and site.key into"
            " deploy/certificates."
        )
    return host


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def mail_address(text: str) -> str:
    """The mail address that somebody typed, in small letters. Raises `WrongAnswer`."""
    try:
        validate_email(text)
    except ValidationError:
        raise WrongAnswer("Write a mail address, such as anna@our-school.nl.") from None
    return text.lower()


def mail_server(text: str) -> str:
    """The value of EMAIL_URL for a server typed as user:password@host:port. Raises
    `WrongAnswer`."""
    if text.lower() in NO_ANSWERS:
        return "consolemail://"
    match = MAIL_SERVER.fullmatch(text)
    if not match or "." not in match["host"]:
        raise WrongAnswer(
            "Write the mail server as user:password@mail.our-school.nl:587, without user: and"
            " password@ if it needs none, or write: none."
        )
    scheme = (match["scheme"] or "").lower()
    port = int(match["port"] or (465 if scheme == "smtp+ssl" else 587))
    if not 0 < port < 65536:
        raise WrongAnswer(f"There is no port {port}. Most mail servers use 587 or 465.")
    usual = {25: "smtp", 465: "smtp+ssl"}.get(port, "smtp+tls")
    person = ""
    if match["user"]:
        person = f"{quote(match['user'], safe='')}:{quote(match['password'], safe='')}@"
    return f"{scheme or usual}://{person}{match['host'].lower()}:{port}"


def sender(server: str, host: str) -> str:
    """The sender of mails: the account at the mail server if it is an address, or nmbrs@ this
    host."""
    user = urlsplit(server).username or ""
    return user.replace("%40", "@") if "%40" in user else f"nmbrs@{host}"


def settings_for(host: str, admin: str, server: str, *, has_certificate: bool) -> dict[str, str]:
    """The values of .env for this school. Keys and passwords are new each time."""
    password = secrets.token_hex(24)
    values = {
        "SECRET_KEY": secrets.token_urlsafe(60),
        "PICTURES_KEY": base64.urlsafe_b64encode(os.urandom(32)).decode(),
        "ALLOWED_HOSTS": host,
        "FIRST_OPERATOR": admin,
        "POSTGRES_PASSWORD": password,
        "DATABASE_URL": f"postgres://nmbrs:{password}@postgres:5432/nmbrs",
        "EMAIL_URL": server,
        "DEFAULT_FROM_EMAIL": sender(server, host),
    }
    if not has_certificate:
        values |= {"CERTIFICATES": "school", "COMPOSE_PROFILES": "certificate"}
    return values


def fill_in(example: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        line = re.compile(rf"^#?{name}=.*$", re.MULTILINE)
        example, count = line.subn(f"{name}={value}", example, count=1)
        if not count:
            raise ValueError(f".env.example has no {name}.")
    return example


def ask(question: str, parse: Callable[[str], str]) -> str:
    while True:
        print(question, end=" ", flush=True)
        answer = sys.stdin.readline()
        if not answer:
            raise SystemExit("\nNot all was answered, so nothing was written.")
        try:
            return parse(answer.strip())
        except WrongAnswer as problem:
            print(f"  {problem}")


def _has_certificate(folder: Path) -> bool:
    """Whether the school has put its own certificate into the folder. Exits if there is only the
    certificate or only its key."""
    pair = ("site.crt", "site.key")
    absent = [name for name in pair if not (folder / name).exists()]
    if len(absent) == 1:
        raise SystemExit(
            f"deploy/certificates has no {absent[0]}. Put it there, or empty the folder; then"
            " run this again."
        )
    return not absent


def write_settings(folder: Path) -> None:
    """Ask the three questions, then write .env. Nothing is written unless all are answered."""
    has_certificate = _has_certificate(folder / "deploy" / "certificates")
    host = ask(
        "The name of the site, such as nmbrs.our-school.nl:",
        lambda text: site_name(text, has_certificate=has_certificate),
    )
    admin = ask("Your mail address, with which you will sign in:", mail_address)
    server = ask("The mail server, as user:password@mail.our-school.nl:587, or none:", mail_server)
    example = (folder / ".env.example").read_text(encoding="utf-8")
    values = settings_for(host, admin, server, has_certificate=has_certificate)
    part = folder / ".env.part"
    part.touch(mode=0o600)
    part.write_text(fill_in(example, values), encoding="utf-8")
    owner = folder.stat()
    os.chown(part, owner.st_uid, owner.st_gid)
    part.replace(folder / ".env")
    print("Written: .env, with the keys of the site. Show it to nobody.")


def first_operator() -> str:
    """Create the account of the first operator if there is none, or another one if FIRST_OPERATOR
    was corrected before anybody signed in. Return what the operator does first, and at which
    address."""
    from allauth.account.forms import default_token_generator
    from allauth.account.utils import user_pk_to_url_str
    from django.conf import settings
    from django.urls import reverse

    from classrooms.models import User

    operators = User.objects.filter(is_superuser=True).order_by("pk")
    operator = operators.first()
    if operator and (operator.has_usable_password() or len(operators) > 1):
        return f"sign in at\n{settings.SITE_URL}/"
    address = os.environ.get("FIRST_OPERATOR", "").lower()
    if operator and not operator.last_login and address not in ("", operator.email):
        operator.delete()
        operator = None
    operator = operator or User.objects.create_superuser(address)
    key = f"{user_pk_to_url_str(operator)}-{default_token_generator.make_token(operator)}"
    uid, _, token = key.partition("-")
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})
    return f"choose the password of {operator.email} at\n{settings.SITE_URL}{path}"


def remaining_steps() -> "list[Finding]":
    """What the installation still lacks. Waits a short time for the certificate."""
    from django.conf import settings

    from nmbrs_edu.operating import installation

    deadline = time.monotonic() + CERTIFICATE_SECONDS
    while time.monotonic() < deadline:
        if installation.check_certificate(settings.PROXY, settings.ALLOWED_HOSTS[0]).is_fine:
            break
        time.sleep(PAUSE_SECONDS)
    findings = installation.check_all(proxy=settings.PROXY, timeout=WORKER_SECONDS)
    return [finding for finding in findings if not finding.is_fine]


def main(folder: Path) -> int:
    if not (folder / ".env").exists():
        write_settings(folder)
        print("`make school` now starts everything. Without make, next: docker compose up -d;")
        print("then this command again.")
        return 0
    import django
    from django.db import DatabaseError

    django.setup()
    from nmbrs_edu.operating.installation import report

    try:
        next_step = first_operator()
    except DatabaseError:
        print("There is an .env, so nothing is asked. Next: docker compose up -d")
        return 0
    print("Looking whether everything works; this takes a minute or two …", flush=True)
    if steps := remaining_steps():
        print(report(steps))
    else:
        print("Everything works.")
    print(f"Keep a copy of .env elsewhere. Then {next_step}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
