"""A school's settings refuse to start without what keeps it safe."""

import subprocess
import sys

import pytest
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from nmbrs_edu.settings import reading
from nmbrs_edu.static import school_conf
from tests.servers import ROOT

HSTS = "SECURE_HSTS_INCLUDE_SUBDOMAINS"
WHOLE = {
    "SECRET_KEY": "a long and random text: 0123456789 abcdefghij ABCDEFGHIJ",
    "PICTURES_KEY": Fernet.generate_key().decode(),
    "ALLOWED_HOSTS": "school.example",
    "DATABASE_URL": "postgres://nobody@localhost/none",
}


def check(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.production", **environment},
        capture_output=True,
        text=True,
    )


def test_a_whole_environment_passes_the_deploy_check_without_a_warning() -> None:
    done = check(WHOLE)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.parametrize("missing", sorted(WHOLE))
def test_without_it_production_does_not_start(missing: str) -> None:
    done = check({name: value for name, value in WHOLE.items() if name != missing})
    assert done.returncode != 0
    assert f"Set {missing} in the environment" in done.stderr.splitlines()[-1]


def test_a_key_that_encrypts_nothing_is_refused() -> None:
    done = check({**WHOLE, "PICTURES_KEY": "too short"})
    assert done.returncode != 0
    assert "PICTURES_KEY is no Fernet key" in done.stderr


def test_a_trial_of_a_language_that_there_is_not_is_refused() -> None:
    done = check({**WHOLE, "TRIAL_LANGUAGES": "fr, xx"})
    assert done.returncode != 0
    assert "TRIAL_LANGUAGES: 'xx' is not in locale/languages.toml" in done.stderr


@pytest.mark.parametrize("sign", ["/", "?", "#", " "])
@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("DATABASE_URL", "postgres://nmbrs:{}@postgres:5432/nmbrs"),
        ("REDIS_URL", "redis://:{}@redis:6379/0"),
        ("EMAIL_URL", "smtp+tls://user:{}@mail.school.example:587"),
    ],
)
def test_an_address_that_its_password_breaks_is_named_and_not_shown(
    name: str, url: str, sign: str
) -> None:
    for password in (f"zq{sign}xv", f"77{sign}xv=", f"{sign}zqxv"):
        with pytest.raises(ImproperlyConfigured) as refused:
            reading.address(name, url.format(password))
        said = str(refused.value)
        assert said.startswith(f"{name} cannot be read")
        assert "%2F" in said
        assert not any(part in said for part in ("zq", "xv", "77"))
        assert refused.value.__suppress_context__


@pytest.mark.parametrize(
    "url",
    [
        "postgres://nmbrs:p%2Fss+w%23rd%3D@postgres:5432/nmbrs",
        "postgres://nmbrs:pass@[::1]:5432/nmbrs?sslmode=require",
        "redis://redis:6379/0",
        "consolemail://",
        "smtp+tls://user@school.example:pass@mail.school.example:587",
    ],
)
def test_an_address_that_is_whole_is_read_as_it_is(url: str) -> None:
    assert reading.address("X", f' "{url}" ') == url


@pytest.mark.parametrize("url", ["", "postgres", "nmbrs:pass@postgres/nmbrs", "postgres:/a@b/c"])
def test_what_is_no_address_is_named(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^X cannot be read"):
        reading.address("X", url)


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL", "EMAIL_URL"])
def test_the_command_line_says_so_without_a_traceback(name: str) -> None:
    done = check({**WHOLE, name: "postgres://nmbrs:zq/xv@postgres:5432/nmbrs"})
    assert done.returncode != 0
    assert done.stderr.startswith(f"{name} cannot be read")
    assert "zq" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("text", "hosts", "origin"),
    [
        ("nmbrs.a.nl", ["nmbrs.a.nl"], "https://nmbrs.a.nl"),
        ("https://nmbrs.a.nl/", ["nmbrs.a.nl"], "https://nmbrs.a.nl"),
        ("http://NMBRS.a.nl:80/play/", ["nmbrs.a.nl"], "https://nmbrs.a.nl"),
        ("nmbrs.a.nl:8443, b.nl", ["nmbrs.a.nl", "b.nl"], "https://nmbrs.a.nl:8443"),
        ("nmbrs.a.nl b.nl;c.nl,", ["nmbrs.a.nl", "b.nl", "c.nl"], "https://nmbrs.a.nl"),
        ("['nmbrs.a.nl', \"b.nl\"]", ["nmbrs.a.nl", "b.nl"], "https://nmbrs.a.nl"),
        ("“nmbrs.a.nl”", ["nmbrs.a.nl"], "https://nmbrs.a.nl"),
        ("*.a.nl", [".a.nl"], "https://a.nl"),
        ("10.0.0.5:8443", ["10.0.0.5"], "https://10.0.0.5:8443"),
    ],
)
def test_names_are_read_as_people_write_them(text: str, hosts: list[str], origin: str) -> None:
    names = reading.site_names(text)
    assert [name.host for name in names] == hosts
    assert names[0].origin == origin


@pytest.mark.parametrize("text", [",", "''", "teacher@a.nl", "a.nl:port", "a.nl|b.nl"])
def test_names_that_cannot_be_read_are_named(text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="ALLOWED_HOSTS"):
        reading.site_names(text)


def shown(expression: str, environment: dict[str, str]) -> str:
    code = f"from nmbrs_edu.settings import production; print({expression})"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**WHOLE, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def test_the_port_of_the_site_is_in_links_and_forms_may_come_from_it() -> None:
    at = {"ALLOWED_HOSTS": "nmbrs.a.nl:8443"}
    assert shown("production.SITE_URL", at) == "https://nmbrs.a.nl:8443"
    assert shown("production.CSRF_TRUSTED_ORIGINS", at) == "['https://nmbrs.a.nl:8443']"
    assert shown("production.ALLOWED_HOSTS", at) == "['nmbrs.a.nl']"


@pytest.mark.parametrize(("chosen", "below"), [({}, "False"), ({HSTS: "true"}, "True")])
def test_other_sites_of_the_domain_are_bound_to_https_only_where_a_school_says_so(
    chosen: dict[str, str], below: str
) -> None:
    assert shown(f"production.{HSTS}", chosen) == below
    assert shown("production.SECURE_HSTS_PRELOAD", chosen) == below
    conf = school_conf(["a.nl"], with_subdomains=below == "True")
    assert ("includeSubDomains" in conf) == (below == "True")


def test_mail_comes_from_the_name_of_the_site() -> None:
    assert shown("production.DEFAULT_FROM_EMAIL", {}) == "nmbrs <nmbrs@school.example>"
