"""What holds for the whole tree: imports, templates, headers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from scripts.templates import BANNED, wrong_templates
from tests.documents import text_of
from tests.servers import ROOT
from tests.sources import modules


def test_imports_run_one_way() -> None:
    linter = Path(sys.executable).parent / "lint-imports"
    linted = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert linted.returncode == 0, linted.stdout
    assert "ignore_imports" not in text_of("pyproject.toml")


def test_no_template_has_what_the_content_policy_forbids() -> None:
    assert wrong_templates() == []
    assert len(BANNED) > 5


def test_no_string_to_translate_hides_in_an_f_string() -> None:
    """Where xgettext does not find it, and no language has it."""
    hidden = [
        f"{path}:{call.lineno}"
        for path in modules("games", "classrooms", "nmbrs_edu")
        for shown in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(shown, ast.JoinedStr)
        for call in ast.walk(shown)
        if isinstance(call, ast.Call) and "gettext" in ast.unparse(call.func)
        if any(isinstance(said, ast.Constant) for said in call.args)
    ]
    assert hidden == []


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/accounts/login/", "/nowhere/"])
def test_the_content_policy_lets_nothing_in_from_elsewhere(address: str) -> None:
    policy = Client().get(address)["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_no_page_is_kept_by_the_browser() -> None:
    assert "no-store" in Client().get("/")["Cache-Control"]


class TestAFormWhoseTokenDoesNotFit:
    """Someone signed in in another tab while the page lay open."""

    @pytest.fixture
    def strict(self, db: None) -> Client:
        client = Client(enforce_csrf_checks=True)
        client.get("/")
        return client

    def test_the_page_with_the_form_is_one_tap_away(self, strict: Client) -> None:
        answer = strict.post(
            "/play/", {"code": "x"}, headers={"Referer": "http://testserver/here/"}
        )
        assert answer.status_code == 403
        assert 'href="http://testserver/here/"' in answer.text

    def test_nobody_is_led_to_another_site(self, strict: Client) -> None:
        answer = strict.post("/play/", {"code": "x"}, headers={"Referer": "http://evil.example/"})
        assert "evil.example" not in answer.text

    def test_a_page_that_swaps_is_loaded_anew(self, strict: Client) -> None:
        answer = strict.post("/play/", {"code": "x"}, headers={"HX-Request": "true"})
        assert answer.headers["HX-Refresh"] == "true"


@pytest.mark.django_db
def test_whoever_signs_up_very_often_is_told_so_in_plain_words() -> None:
    client = Client()
    answers = [client.post("/accounts/signup/") for _ in range(130)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert "Wait a minute" in answers[-1].text
