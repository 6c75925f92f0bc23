"""A school's settings refuse to start without what keeps it safe."""

import subprocess
import sys

import pytest
from cryptography.fernet import Fernet

from tests.servers import ROOT

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


def test_mail_comes_from_the_name_of_the_site() -> None:
    shown = subprocess.run(
        [
            sys.executable,
            "-c",
            "from nmbrs_edu.settings import production; print(production.DEFAULT_FROM_EMAIL)",
        ],
        cwd=ROOT,
        env=WHOLE,
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.strip() == "nmbrs <nmbrs@school.example>"
