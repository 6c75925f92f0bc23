"""Google and Microsoft are there as soon as the environment has their keys."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent.parent
KEYS = {
    "GOOGLE_CLIENT_ID": "id-of-google",
    "GOOGLE_CLIENT_SECRET": "secret",
    "MICROSOFT_CLIENT_ID": "id-of-microsoft",
    "MICROSOFT_CLIENT_SECRET": "secret",
}
ASKS = """
import django
from django.conf import settings
settings.INSTALLED_APPS.append("allauth.socialaccount.providers.dummy")
django.setup()
from django.core.management import call_command
from django.test import Client
from classrooms.models import User
call_command("migrate", verbosity=0)
"""
SWITCHED_ON = """
page = Client().get("/accounts/login/")
print("Google" in page.text, "Microsoft" in page.text)
print(page["Content-Security-Policy"])
for provider in ("google", "microsoft"):
    print(Client().get(f"/accounts/{provider}/login/").status_code)
    print(Client().post(f"/accounts/{provider}/login/")["Location"])
print(Client().get("/accounts/elsewhere/login/cancelled/").status_code)
print(Client().get("/accounts/elsewhere/login/error/").status_code)
"""
COMES_BACK = """
def come_back(client, number, email):
    to = client.post("/accounts/dummy/login/")["Location"]
    return client.post(to, {"id": number, "email": email, "email_verified": "on"}, follow=True)

alice = Client()
print(come_back(alice, 1, "alice@example.org").redirect_chain[-1][0])
print(User.objects.get().email)
print("Remove" in alice.get("/accounts/elsewhere/").text)
print("See the accounts" in alice.get("/account/").text)
print(come_back(Client(), 1, "alice@example.org").redirect_chain[-1][0])
bob = User.objects.create_user("bob@example.org", "seven times eight")
other = come_back(Client(), 2, "bob@example.org")
print(other.redirect_chain[-1][0], other.status_code, "Make an account" in other.text)
print(User.objects.count())
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """What a site with the keys prints, of each of the two."""
    folder = tmp_path_factory.mktemp("elsewhere")
    environment = {
        "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.test",
        "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
        "REDIS_URL": "redis://localhost:1/0",
    }
    done = subprocess.run(
        [sys.executable, "-c", f"{ASKS}{SWITCHED_ON}print('---'){COMES_BACK}"],
        cwd=ROOT,
        env={**environment, **KEYS},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [part.splitlines() for part in done.stdout.split("---\n")]


def test_keys_alone_switch_them_on_and_the_content_policy_lets_the_form_lead_there(
    told: list[list[str]],
) -> None:
    shown, policy, *rest = told[0]
    assert shown == "True True"
    assert "https://accounts.google.com" in policy.partition("form-action")[2].split(";")[0]
    google, to_google, microsoft, to_microsoft, cancelled, error = rest
    assert (google, microsoft, cancelled, error) == ("200", "200", "200", "401")
    assert to_google.startswith("https://accounts.google.com/")
    assert "id-of-google" in to_google
    assert to_microsoft.startswith("https://login.microsoftonline.com/organizations/")


def test_who_comes_back_from_elsewhere_has_an_account_and_gets_nobody_elses(
    told: list[list[str]],
) -> None:
    """With allauth's own provider for tests in the place of Google."""
    to, email, listed, on_account_page, again, taken, accounts = told[1]
    assert (to, again, email) == ("/classes/", "/classes/", "alice@example.org")
    assert (listed, on_account_page) == ("True", "True")
    assert taken == "/accounts/elsewhere/signup/ 200 True"
    assert accounts == "2"
