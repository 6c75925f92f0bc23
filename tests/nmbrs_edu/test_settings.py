"""A school's settings refuse to start without the values that keep it safe."""

import json
import subprocess
import sys
from typing import Final

import pytest
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from nmbrs_edu.settings import reading
from nmbrs_edu.static import school_conf
from tests.counts import for_each
from tests.repository import ROOT

HSTS: Final = "SECURE_HSTS_INCLUDE_SUBDOMAINS"
PRELOAD: Final = "SECURE_HSTS_PRELOAD"
ASKED: Final = (
    "SITE_URL", "CSRF_TRUSTED_ORIGINS", "ALLOWED_HOSTS", HSTS, PRELOAD, "DEFAULT_FROM_EMAIL",
    "SECRET_KEY", "SIGN_UP_DOMAINS",
    "SOCIALACCOUNT_PROVIDERS",
)  # fmt: skip
ADDRESSES: Final = ("DATABASE_URL", "REDIS_URL", "EMAIL_URL")
WHOLE = {
    "SECRET_KEY": "a long and random text: 0123456789 abcdefghij ABCDEFGHIJ",
    "PICTURES_KEY": Fernet.generate_key().decode(),
    "ALLOWED_HOSTS": "school.example",
    "DATABASE_URL": "postgres://nobody@localhost/none",
}
READ: Final = """
import importlib, json, os, sys
asked, *environments = json.load(sys.stdin)
for environment in environments:
    os.environ.clear()
    os.environ.update(environment)
    for name in [name for name in sys.modules if name.startswith("nmbrs_edu.settings")]:
        del sys.modules[name]
    try:
        read = importlib.import_module("nmbrs_edu.settings.production")
        print(json.dumps({name: str(getattr(read, name)) for name in asked}))
    except Exception as problem:
        print(json.dumps({"refused": str(problem)}))
"""
"""Code that reads the settings in each environment. A process for each would take long."""


def read(*environments: dict[str, str]) -> list[dict[str, str]]:
    """The values of the settings that tests ask for, or the reason for the refusal."""
    process = subprocess.run(
        [sys.executable, "-c", READ],
        cwd=ROOT,
        input=json.dumps([ASKED, *environments]),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in process.stdout.splitlines()]


def check(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.production", **environment},
        capture_output=True,
        text=True,
    )


def test_a_missing_or_wrong_setting_is_refused_and_named() -> None:
    refused = {
        **{f"Set {name} in the environment": {name: ""} for name in WHOLE},
        "PICTURES_KEY is no Fernet key": {"PICTURES_KEY": "too short"},
        "TRIAL_LANGUAGES: 'xx' is not in locale/languages.toml": {"TRIAL_LANGUAGES": "fr, xx"},
    }
    answers = read(*({**WHOLE, **differing} for differing in refused.values()))
    for sentence, answer in zip(refused, answers, strict=True):
        assert sentence in answer["refused"]


@pytest.mark.parametrize("sign", ["/", "?", "#", " "])
@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("DATABASE_URL", "postgres://nmbrs:{}@postgres:5432/nmbrs"),
        ("REDIS_URL", "redis://:{}@redis:6379/0"),
        ("EMAIL_URL", "smtp+tls://user:{}@mail.school.example:587"),
    ],
)
def test_an_address_broken_by_its_password_is_not_shown(name: str, url: str, sign: str) -> None:
    for password in (f"zq{sign}xv", f"77{sign}xv=", f"{sign}zqxv"):
        with pytest.raises(ImproperlyConfigured) as refused:
            reading.address(name, url.format(password))
        sentence = str(refused.value)
        assert sentence.startswith(f"{name} cannot be read")
        assert "%2F" in sentence
        assert not any(part in sentence for part in ("zq", "xv", "77"))
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
def test_a_complete_address_is_kept(url: str) -> None:
    assert reading.address("X", f' "{url}" ') == url


@pytest.mark.parametrize("url", ["mysql://u:zq@db/n", "postgresql+psycopg://u:zq@db/n"])
def test_an_address_of_another_kind_is_named_and_not_shown(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="X must begin with postgres://") as refused:
        reading.address("X", url, "postgres", "postgresql")
    assert "zq" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        *("nmbrs.a.nl", "https://nmbrs.a.nl/", "\u200bhttps://nmbrs.a.nl", '"nmbrs.a.nl"'),
        "HTTPS://NMBRS.A.nl",
    ],
)
def test_the_sites_own_address_is_accepted_in_any_usual_form(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("SITE_URL", text)
    assert reading.site_url(reading.word("SITE_URL", "")) == "https://nmbrs.a.nl"


@pytest.mark.parametrize(
    "text",
    [
        *("https:/a.nl", "https://", "ftp://a.nl", "https://a.nl:port", "*.a.nl"),
        *("https://a.nl/nmbrs", "a.nl/nmbrs/", "https://a.nl?x"),
    ],
)
def test_a_site_without_a_valid_address_is_refused(text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="Set SITE_URL"):
        reading.site_url(text)


@pytest.mark.parametrize("text", ["europe/amsterdam", "Europe/Amsterdam", "'EUROPE/AMSTERDAM'"])
def test_a_time_zone_is_accepted_in_any_capitals(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("TIME_ZONE", text)
    assert reading.zone("TIME_ZONE", "Europe/Oslo") == "Europe/Amsterdam"


def test_mail_domains_are_accepted_in_any_usual_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "SIGN_UP_DOMAINS", "@a.nl; *.B.nl https://c.nl/,d.nl https://*.e.nl,f.nl:443"
    )
    assert reading.domains("SIGN_UP_DOMAINS") == ["a.nl", "b.nl", "c.nl", "d.nl", "e.nl", "f.nl"]


@pytest.mark.parametrize("text", ["info@a.nl", "a.nl,b", "a.nl:port", "mailto:a@a.nl", "a..nl"])
def test_an_invalid_mail_domain_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SIGN_UP_DOMAINS", text)
    with pytest.raises(ImproperlyConfigured, match="what follows the @"):
        reading.domains("SIGN_UP_DOMAINS")


@pytest.mark.parametrize("around", ["", "'"])
@pytest.mark.parametrize(
    "text",
    [
        *("a@a.nl", "The school <a@a.nl>", 'School "A" <a@a.nl>', '"Our school" <a@a.nl>'),
        *('"St. Jan, Zoë" <a@a.nl>', "School (A) <a@a.nl>"),
    ],
)
def test_a_sender_may_have_a_name(monkeypatch: pytest.MonkeyPatch, text: str, around: str) -> None:
    monkeypatch.setenv("DEFAULT_FROM_EMAIL", f"{around}{text}{around}")
    assert reading.sender("DEFAULT_FROM_EMAIL", "") == text


def test_a_sender_may_have_curly_quotation_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEFAULT_FROM_EMAIL", "“Our school” <a@a.nl>")
    assert reading.sender("DEFAULT_FROM_EMAIL", "") == '"Our school" <a@a.nl>'


@pytest.mark.parametrize(
    "text", ['Our "school <a@a.nl>', "A, B <a@a.nl>", '"A <a@a.nl>" b', "<a@a.nl", 'a"b@a.nl']
)
def test_an_impossible_sender_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("DEFAULT_FROM_EMAIL", text)
    with pytest.raises(ImproperlyConfigured, match="DEFAULT_FROM_EMAIL cannot be read"):
        reading.sender("DEFAULT_FROM_EMAIL", "")


def test_an_address_may_begin_with_capitals() -> None:
    assert reading.address("X", "POSTGRES://u:Pw@db/n", "postgres") == "postgres://u:Pw@db/n"


def test_keys_and_domains_are_accepted_in_any_usual_form() -> None:
    key = "$" + "k" * 60
    domains = {"SIGN_UP_DOMAINS": "@a.nl; B.nl", "ALLOWED_HOSTS": "*", "SITE_URL": "a.nl"}
    of_key, of_domains, without_address = read(
        {**WHOLE, "SECRET_KEY": key}, {**WHOLE, **domains}, {**WHOLE, "ALLOWED_HOSTS": "*"}
    )
    assert of_key["SECRET_KEY"] == key
    assert of_domains["SIGN_UP_DOMAINS"] == "['a.nl', 'b.nl']"
    assert "SITE_URL" in without_address["refused"]


def test_the_command_line_shows_a_refused_setting_without_a_traceback() -> None:
    url = "postgres://nmbrs:zq/xv@postgres:5432/nmbrs"
    process = check({**WHOLE, "DATABASE_URL": url})
    assert process.returncode != 0
    assert process.stderr.startswith("DATABASE_URL cannot be read")
    assert "zq" not in process.stdout + process.stderr
    for name, answer in zip(
        ADDRESSES, read(*({**WHOLE, name: url} for name in ADDRESSES)), strict=True
    ):
        assert answer["refused"].startswith(f"{name} cannot be read")
        assert "zq" not in answer["refused"]


@for_each(
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
        ("[::1]:8443, a.nl", ["[::1]", "a.nl"], "https://[::1]:8443"),
        (
            "https://schule-münchen.de/",
            ["xn--schule-mnchen-3ob.de"],
            "https://xn--schule-mnchen-3ob.de",
        ),
        ("nmbrs.a.nl\u200b,\ufeffb.nl", ["nmbrs.a.nl", "b.nl"], "https://nmbrs.a.nl"),
    ]
)
def test_names_are_accepted_in_any_usual_form(text: str, hosts: list[str], origin: str) -> None:
    names = reading.site_names(text)
    assert [name.host for name in names] == hosts
    assert names[0].origin == origin


@pytest.mark.parametrize("text", ["", " ", '""'])
def test_an_empty_setting_has_its_default(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("WEEKLY_MAIL_HOUR", text)
    monkeypatch.setenv("TIME_ZONE", text)
    assert reading.number("WEEKLY_MAIL_HOUR", 12) == 12
    assert reading.word("TIME_ZONE", "Europe/Oslo") == "Europe/Oslo"
    assert reading.flag("TIME_ZONE", default=True)


def test_an_unreadable_number_or_choice_is_named() -> None:
    wrong = {
        "BACKUP_HOUR": "2 # at night",
        "WEEKLY_MAIL_DAY": "friday",
        "WEEKLY_MAIL_HOUR": "24",
        "TRUSTED_PROXIES": "-1",
        "BACKUP_DAYS": "0",
        HSTS: "perhaps",
        "SECURE_SSL_REDIRECT": "ja",
        "COUNT_SECONDS": "ten",
        "TIME_ZONE": "W. Europe Standard Time",
        "DEFAULT_FROM_EMAIL": "nmbrs",
    }
    answers = read(*({**WHOLE, name: text} for name, text in wrong.items()))
    for name, answer in zip(wrong, answers, strict=True):
        assert name in answer.get("refused", ""), name


def test_the_settings_follow_the_names_of_the_site() -> None:
    plain, at_a_port, bound = read(
        WHOLE, {**WHOLE, "ALLOWED_HOSTS": "nmbrs.a.nl:8443"}, {**WHOLE, HSTS: "true"}
    )
    assert at_a_port["SITE_URL"] == "https://nmbrs.a.nl:8443"
    assert at_a_port["CSRF_TRUSTED_ORIGINS"] == "['https://nmbrs.a.nl:8443']"
    assert at_a_port["ALLOWED_HOSTS"] == "['nmbrs.a.nl']"
    assert plain["DEFAULT_FROM_EMAIL"] == "nmbrs <nmbrs@school.example>"
    # Other sites of the domain are bound to https only if a school asks for it.
    for settings, below in ((plain, False), (bound, True)):
        assert settings[HSTS] == settings[PRELOAD] == str(below)
        conf = school_conf(["a.nl"], with_subdomains=below)
        assert ("includeSubDomains" in conf) == below


def test_microsofts_addresses_count_in_the_schools_own_tenant_only() -> None:
    keys = {**WHOLE, "MICROSOFT_CLIENT_ID": "id", "MICROSOFT_CLIENT_SECRET": "secret"}
    domains = {**keys, "SIGN_UP_DOMAINS": "school.example"}
    own, of_all, unsaid, no_domains = read(
        {**domains, "MICROSOFT_TENANT": "0b6f7a2e-5a0c-4c5b-9a43-0f6d3f1f2f11"},
        {**domains, "MICROSOFT_TENANT": "common"},
        domains,
        {**keys, "MICROSOFT_TENANT": "0b6f7a2e-5a0c-4c5b-9a43-0f6d3f1f2f11"},
    )
    assert "'verified_email': ['school.example']" in own["SOCIALACCOUNT_PROVIDERS"]
    for others in (of_all, unsaid, no_domains):
        assert "'verified_email': []" in others["SOCIALACCOUNT_PROVIDERS"]
