"""Google and Microsoft are offered once the environment has their keys."""

import subprocess
import sys

import pytest

from tests.servers import ROOT

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
from django.apps import apps
from django.core.management import call_command
from django.test import Client
from allauth.account.models import EmailAddress
from classrooms.models import User
settings.MIGRATION_MODULES = dict.fromkeys(app.label for app in apps.get_app_configs())
call_command("migrate", run_syncdb=True, verbosity=0)
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
EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
other = come_back(Client(), 2, "bob@example.org")
print(other.redirect_chain[-1][0], other.status_code, "There is already an account" in other.text)
print(User.objects.count())
"""
SHOWS_AGAIN = """
import html, re
from tests.classrooms.people import time_passes

def again(client, number):
    asked = {"action_add": "", "email": "new@example.org"}
    page = client.get(client.post("/accounts/email/", asked)["Location"]).text
    url, = re.findall('action="(/accounts/dummy/[^"]+)"', page)
    to = client.post(html.unescape(url))["Location"]
    return client.post(to, {"id": number, "email": "alice@example.org", "email_verified": "on"},
                       follow=True)

time_passes(alice, minutes=20, seen=True)
again(alice, 7)
print(EmailAddress.objects.filter(email="new@example.org").exists())
again(alice, 1)
print(EmailAddress.objects.filter(email="new@example.org").exists())
"""
SECOND_STEP = """
from allauth.mfa.models import Authenticator
owner = User.objects.get(pk=alice.session["_auth_user_id"])
Authenticator.objects.create(user=owner, type="totp", data={})
visitor = Client()
print(come_back(visitor, 1, "alice@example.org").redirect_chain[-1][0])
print(visitor.get("/classes/").status_code)
"""
CLOSED = """
from django.test import override_settings
for how in ("closed", "invited"):
    with override_settings(SIGN_UP=how):
        other = come_back(Client(), 8, "new@example.com")
        print("need an invitation" in other.text)
with override_settings(SIGN_UP_DOMAINS=["school.example"]):
    other = come_back(Client(), 9, "new@example.com")
    print(other.redirect_chain[-1][0])
    other = come_back(Client(), 9, "new@school.example")
    print(other.redirect_chain[-1][0])
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The lines that a site with the keys prints, by script."""
    folder = tmp_path_factory.mktemp("elsewhere")
    environment = {
        "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.test",
        "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
        "REDIS_URL": "redis://localhost:1/0",
    }
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "print('---')".join((ASKS + SWITCHED_ON, COMES_BACK, SHOWS_AGAIN, CLOSED, SECOND_STEP)),
        ],
        cwd=ROOT,
        env={**environment, **KEYS},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [part.splitlines() for part in done.stdout.split("---\n")]


def test_keys_switch_providers_on_and_the_policy_allows_them(
    printed: list[list[str]],
) -> None:
    shown, policy, *rest = printed[0]
    assert shown == "True True"
    assert "https://accounts.google.com" in policy.partition("form-action")[2].split(";")[0]
    google, to_google, microsoft, to_microsoft, cancelled, error = rest
    assert (google, microsoft, cancelled, error) == ("200", "200", "200", "401")
    assert to_google.startswith("https://accounts.google.com/")
    assert "id-of-google" in to_google
    assert to_microsoft.startswith("https://login.microsoftonline.com/organizations/")


def test_who_comes_back_from_elsewhere_has_an_account_and_gets_nobody_elses(
    printed: list[list[str]],
) -> None:
    """With allauth's own provider for tests in the place of Google."""
    to, email, listed, on_account_page, again, taken, accounts = printed[1]
    assert (to, again, email) == ("/classes/", "/classes/", "alice@example.org")
    assert (listed, on_account_page) == ("True", "True")
    assert taken == "/accounts/login/ 200 True"
    assert accounts == "2"


def test_who_has_no_password_shows_again_who_they_are_where_they_sign_in(
    printed: list[list[str]],
) -> None:
    """With another account of theirs they do not; then with their own, and the post goes on."""
    assert printed[2] == ["False", "True"]


def test_signing_in_elsewhere_is_no_way_round_a_closed_site(printed: list[list[str]]) -> None:
    closed, invited, another_domain, own_domain = printed[3]
    assert (closed, invited) == ("True", "True")
    assert another_domain == "/accounts/elsewhere/signup/"
    assert own_domain == "/classes/"


def test_signing_in_elsewhere_goes_through_the_second_step(printed: list[list[str]]) -> None:
    assert printed[4] == ["/accounts/two-steps/authenticate/", "302"]
