"""`make school` asks three questions, writes an .env with which the site starts, and makes the
first operator."""

import io
import sys
from pathlib import Path

import environ
import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.test import Client

from classrooms.models import User
from nmbrs_edu import school
from nmbrs_edu.settings.reading import address
from tests.counts import for_each
from tests.repository import ROOT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".env.example").write_bytes((ROOT / ".env.example").read_bytes())
    return tmp_path


def answer(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))


def settings_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The contents of .env, as a program reads it."""
    values: dict[str, str] = {}
    monkeypatch.setattr(environ.Env, "ENVIRON", values)
    environ.Env.read_env(folder / ".env")
    return values


@for_each(
    [
        ("", "one name"),
        ("nmbrs", "not a full name"),
        ("our school.nl", "one name"),
        ("a.school.nl, b.school.nl", "one name"),
        ("our_school.nl", "not a full name"),
        ("-school.nl", "one name"),
        ("192.0.2.7", "not a number"),
        ("nmbrs.school.nl:8443", "without :8443"),
        ("nmbrs.school.local", "inside only"),
        ("localhost", "not a full name"),
        ("*.school.nl", "not the name"),
    ]
)
def test_a_wrong_name_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(school.WrongAnswer, match=sentence):
        school.site_name(text)


@for_each(
    [
        ("nmbrs.school.nl", "nmbrs.school.nl"),
        (" https://Nmbrs.School.nl/play/ ", "nmbrs.school.nl"),
        ("nmbrs.schülerhaus.de", "nmbrs.xn--schlerhaus-ceb.de"),
    ]
)
def test_a_name_is_accepted_in_any_usual_form(text: str, name: str) -> None:
    assert school.site_name(text) == name


def test_a_school_with_a_certificate_may_have_an_internal_name() -> None:
    assert school.site_name("nmbrs.school.lan", has_certificate=True) == "nmbrs.school.lan"


@for_each(["anna", "anna@school", "anna@@school.nl", "", "anna school.nl"])
def test_a_wrong_mail_address_gets_a_sentence(text: str) -> None:
    with pytest.raises(school.WrongAnswer, match="mail address"):
        school.mail_address(text)


@for_each(
    [
        ("mail.school.nl", "smtp+tls://mail.school.nl:587"),
        ("mail.school.nl:25", "smtp://mail.school.nl:25"),
        ("smtp+ssl://mail.school.nl", "smtp+ssl://mail.school.nl:465"),
        ("a@b.nl:p@s/s$:w@mail.b.nl:465", "smtp+ssl://a%40b.nl:p%40s%2Fs%24%3Aw@mail.b.nl:465"),
        ("none", "consolemail://"),
        ("", "consolemail://"),
    ]
)
def test_a_mail_server_is_accepted_with_any_password(text: str, url: str) -> None:
    assert school.mail_server(text) == url
    assert address("EMAIL_URL", url) == url
    assert "$" not in url  # compose would replace it


@for_each(["a mail server", "mail", "mail.school.nl:99999", "mail.school.nl:smtp", "imap://a.nl"])
def test_a_wrong_mail_server_gets_a_sentence(text: str) -> None:
    with pytest.raises(school.WrongAnswer, match=r"\.$"):
        school.mail_server(text)


def test_wrong_answers_are_asked_again_and_everything_is_made(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(
        monkeypatch, "nmbrs", "nmbrs.school.nl", "?", "Anna@school.nl", "x", "a@b.nl:p@mail.b.nl"
    )
    assert school.main(folder) == 0
    assert "nmbrs is not a full name" in capsys.readouterr().out
    assert (folder / ".env").stat().st_mode & 0o777 == 0o600
    values = settings_in(folder, monkeypatch)
    assert values["ALLOWED_HOSTS"] == "nmbrs.school.nl"
    assert values["FIRST_OPERATOR"] == "anna@school.nl"
    assert values["DEFAULT_FROM_EMAIL"] == "a@b.nl"
    assert values["POSTGRES_PASSWORD"] in values["DATABASE_URL"]
    assert (values["CERTIFICATES"], values["COMPOSE_PROFILES"]) == ("school", "certificate")
    assert min(len(values["SECRET_KEY"]), len(values["PICTURES_KEY"])) > 40


def test_a_schools_own_certificates_are_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = folder / "deploy" / "certificates"
    own.mkdir(parents=True)
    (own / "site.crt").touch()
    answer(monkeypatch, "nmbrs.school.lan", "anna@school.nl", "none")
    with pytest.raises(SystemExit, match=r"no site\.key"):
        school.main(folder)
    (own / "site.key").touch()
    school.main(folder)
    values = settings_in(folder, monkeypatch)
    assert not {"CERTIFICATES", "COMPOSE_PROFILES"} & values.keys()


def test_giving_up_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "nmbrs.school.nl", "anna@school.nl")
    with pytest.raises(SystemExit, match="nothing was written"):
        school.main(folder)
    assert [path.name for path in folder.iterdir()] == [".env.example"]


@pytest.mark.django_db
def test_the_first_operator_is_made_once_with_a_password(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / ".env").write_text("as it was")
    monkeypatch.setenv("FIRST_OPERATOR", "anna@school.nl")
    monkeypatch.setattr(school, "remaining_steps", list)

    def run_school() -> str:
        assert school.main(folder) == 0
        return capsys.readouterr().out.split()[-1].removeprefix(settings.SITE_URL)

    client = Client()
    form = client.get(run_school(), follow=True)
    path = form.request["PATH_INFO"]
    chosen = "the green kettle sings 7"
    client.post(path, {"password1": chosen, "password2": chosen})
    [operator] = User.objects.all()
    assert operator.is_superuser
    assert operator.check_password(chosen)
    assert run_school() == "/"
    monkeypatch.setenv("FIRST_OPERATOR", "bob@school.nl")
    assert run_school() == "/"
    assert User.objects.count() == 1
    assert (folder / ".env").read_text() == "as it was"


@pytest.mark.django_db
def test_a_corrected_address_of_the_first_operator_is_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FIRST_OPERATOR", "anna@scool.nl")
    mistyped = school.first_operator()
    monkeypatch.setenv("FIRST_OPERATOR", "Anna@school.nl")
    corrected = school.first_operator()
    assert school.first_operator().startswith("choose the password of anna@school.nl at\n")
    assert EmailAddress.objects.get().email == User.objects.get().email == "anna@school.nl"
    for answer, leads_on in ((mistyped, False), (corrected, True)):
        form = Client().get(answer.split()[-1].removeprefix(settings.SITE_URL), follow=True)
        assert ("password1" in form.content.decode()) is leads_on
