"""What Google and Microsoft may answer: a provider in a process of the tests' own signs tokens as
they do, right ones and wrong ones. `tests/browser/test_providers.py` does the same with a certified
provider and a browser."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.servers import ROOT

SCRIPT = """
import json, os, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
answer = {}

class Provider(BaseHTTPRequestHandler):
    def log_message(self, *_all): pass
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        answer["posted"] = {key: each[0] for key, each in parse_qs(body).items()}
        self.say(answer["token"])
    def do_GET(self):
        self.say(answer["me"])
    def say(self, what):
        status, body = what
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

http = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
threading.Thread(target=http.serve_forever, daemon=True).start()
HERE = f"http://127.0.0.1:{http.server_port}"
os.environ["PROVIDER_URL"] = HERE

import django
django.setup()
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.test import Client, override_settings
from allauth.account.models import EmailAddress
from classrooms.models import User
settings.MIGRATION_MODULES = dict.fromkeys(app.label for app in apps.get_app_configs())
call_command("migrate", run_syncdb=True, verbosity=0)

def google(who, email, **more):
    now = int(time.time())
    claims = {"iss": HERE, "aud": "id-of-google", "azp": "id-of-google", "sub": who, "iat": now,
              "exp": now + 3600, "email": email, "email_verified": True, "hd": "school.example"}
    token = jwt.encode({**claims, **more}, KEY, algorithm="RS256", headers={"kid": "one"})
    return 200, {"access_token": "a", "token_type": "Bearer", "expires_in": 3599,
                 "scope": "openid email", "id_token": token}

def microsoft(oid, name, **more):
    answer["token"] = 200, {"access_token": "b", "token_type": "Bearer", "expires_in": 3599}
    answer["me"] = 200, {"id": oid, "displayName": "N", "mail": name, "userPrincipalName": name,
                         **more}

def leave_for(client, provider):
    to = client.post(f"/accounts/{provider}/login/")["Location"]
    return {key: each[0] for key, each in parse_qs(urlsplit(to).query).items()}

def come_back(client, provider, **more):
    asked = leave_for(client, provider)
    query = {"code": "c", "state": asked["state"], **more}
    return client.get(f"/accounts/{provider}/login/callback/", query, follow=True)

def said(answer):
    who = answer.wsgi_request.user
    chain = getattr(answer, "redirect_chain", ())
    return [answer.status_code, chain[-1][0] if chain else "", str(who.pk or ""), answer.text]

told = {}
"""
STEPS = """
asked = leave_for(Client(), "google")
told["asked"] = asked
answer["token"] = google("g-1", "alice@school.example")
told["alice"] = said(come_back(Client(), "google"))
told["posted"] = answer["posted"]
answer["token"] = google("g-1", "alice.b@school.example")
told["changed"] = said(come_back(Client(), "google"))
for name, wrong in {
    "audience": {"aud": "another"}, "issuer": {"iss": "https://evil.example"},
    "expired": {"exp": int(time.time()) - 60},
}.items():
    answer["token"] = google("g-2", "eve@school.example", **wrong)
    told[name] = said(come_back(Client(), "google"))
answer["token"] = google("g-3", "gus@school.example", jti="once")
told["first use"] = said(come_back(Client(), "google"))[:3]
told["second use"] = said(come_back(Client(), "google"))
for name, wrong in {
    "error of its own": (500, {}), "no JSON": (200, b"<html>"), "no token": (200, {}),
    "refused": (400, {"error": "invalid_grant"}), "no id_token": (200, {"access_token": "a"}),
    "no JWT": (200, {"access_token": "a", "id_token": "a.b.c"}),
}.items():
    answer["token"], answer["me"] = wrong, (401, {})
    told[name] = said(come_back(Client(), "google"))
answer["token"] = google("g-4", "eve@school.example")
told["cancelled"] = said(come_back(Client(), "google", error="access_denied", code=""))
told["error"] = said(come_back(Client(), "google", error="server_error", code=""))
told["wrong state"] = said(come_back(Client(), "google", state="another"))
eve, state = Client(), leave_for(Client(), "google")["state"]
told["state of another"] = said(eve.get("/accounts/google/login/callback/",
                                        {"code": "c", "state": state}))
told["users"] = User.objects.count()

bob = User.objects.create_user("bob@school.example", "seven times eight")
EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
told["bob"] = str(bob.pk)
answer["token"] = google("g-5", "bob@school.example")
told["taken"] = said(come_back(Client(), "google"))
answer["token"] = google("g-6", "bob@school.example", email_verified=False)
told["taken, not verified"] = said(come_back(Client(), "google"))
microsoft("m-1", "bob@school.example")
told["taken at Microsoft"] = said(come_back(Client(), "microsoft"))
told["confirmed for"] = [str(each.user_id) for each in
    EmailAddress.objects.filter(email="bob@school.example", verified=True)]

signed_in = Client()
signed_in.force_login(bob)
for provider in ("google", "microsoft"):
    answer["token"] = google("g-7", "robert@school.example")
    if provider == "microsoft":
        microsoft("m-2", "robert@school.example")
    to = signed_in.post(f"/accounts/{provider}/login/?process=connect")["Location"]
    state = parse_qs(urlsplit(to).query)["state"][0]
    signed_in.get(f"/accounts/{provider}/login/callback/", {"code": "c", "state": state})
answer["token"] = google("g-7", "robert@school.example")
told["bob by Google"] = said(come_back(Client(), "google"))[:3]
microsoft("m-2", "robert@school.example")
told["bob by Microsoft"] = said(come_back(Client(), "microsoft"))[:3]
told["taken account"] = []
other = Client()
other.force_login(User.objects.create_user("carl@school.example", "seven times eight"))
answer["token"] = google("g-7", "robert@school.example")
to = other.post("/accounts/google/login/?process=connect")["Location"]
state = parse_qs(urlsplit(to).query)["state"][0]
told["connected to another"] = said(
    other.get("/accounts/google/login/callback/", {"code": "c", "state": state}, follow=True))

with override_settings(SIGN_UP_DOMAINS=["school.example"],
                       ACCOUNT_EMAIL_VERIFICATION="mandatory"):
    answer["token"] = google("g-8", "dan@elsewhere.example")
    visitor = Client()
    told["another domain"] = said(come_back(visitor, "google"))
    posted = visitor.post("/accounts/elsewhere/signup/", {"email": "dan@elsewhere.example"})
    told["another domain, posted"] = said(posted)
    answer["token"] = google("g-9", "dan@school.example")
    told["own domain"] = said(come_back(Client(), "google"))[:3]
    microsoft("m-3", "fay@school.example")
    told["own domain at Microsoft"] = said(come_back(Client(), "microsoft"))
    settings.SOCIALACCOUNT_PROVIDERS["microsoft"]["APPS"][0]["settings"]["verified_email"] = [
        "school.example"]
    microsoft("m-4", "gus.b@school.example")
    told["own tenant"] = said(come_back(Client(), "microsoft"))[:3]
    microsoft("m-5", "bob@school.example")
    told["taken in the own tenant"] = said(come_back(Client(), "microsoft"))

http.shutdown()
http.server_close()
told["away"] = said(come_back(Client(), "google"))
print("RESULT" + json.dumps(told))
"""
KEYS = {
    "GOOGLE_CLIENT_ID": "id-of-google",
    "GOOGLE_CLIENT_SECRET": "secret",
    "MICROSOFT_CLIENT_ID": "id-of-microsoft",
    "MICROSOFT_CLIENT_SECRET": "secret",
}
NOT_CONFIRMED = "The other site did not confirm who you are."
TAKEN = "There is already an account with this address."


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the site said in each step: status, last address, account, page."""
    folder = tmp_path_factory.mktemp("providers")
    environment = {
        "DJANGO_SETTINGS_MODULE": "tests.classrooms.accounts.elsewhere_settings",
        "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
        "REDIS_URL": "redis://localhost:1/0",
        "MAIL_FOLDER": str(folder / "mail"),
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + STEPS],
        cwd=ROOT,
        env={**environment, **KEYS},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout.partition("RESULT")[2])
    return result


def test_the_site_asks_by_code_with_state_and_pkce(told: dict[str, Any]) -> None:
    asked, posted = told["asked"], told["posted"]
    assert asked["response_type"] == "code"
    assert set(asked["scope"].split()) == {"openid", "email"}
    assert asked["code_challenge_method"] == "S256"
    assert len(asked["state"]) >= 16
    assert posted["code_verifier"]
    assert posted["redirect_uri"].endswith("/accounts/google/login/callback/")


def test_another_address_at_the_provider_is_the_same_person(told: dict[str, Any]) -> None:
    first, again = told["alice"], told["changed"]
    assert first[:2] == again[:2] == [200, "/classes/"]
    assert first[2] == again[2] != ""


@pytest.mark.parametrize("name", ["audience", "issuer", "expired", "second use"])
def test_a_token_that_is_not_for_here_and_now_signs_nobody_in(
    told: dict[str, Any], name: str
) -> None:
    assert told["first use"][1] == "/classes/"
    status, _address, who, page = told[name]
    assert (status, who) == (401, "")
    assert NOT_CONFIRMED in page


@pytest.mark.parametrize(
    "name",
    [
        "error of its own",
        "no JSON",
        "no token",
        "refused",
        "no id_token",
        "no JWT",
        "error",
        "wrong state",
        "state of another",
        "away",
    ],
)
def test_what_a_provider_may_get_wrong_has_a_sentence(told: dict[str, Any], name: str) -> None:
    status, _address, who, page = told[name]
    assert (status, who) == (401, "")
    assert NOT_CONFIRMED in page


def test_who_cancels_is_told_that_nothing_has_changed(told: dict[str, Any]) -> None:
    status, address, who, page = told["cancelled"]
    assert (status, who) == (200, "")
    assert address == "/accounts/elsewhere/login/cancelled/"
    assert "You cancelled. Nothing has changed." in page


def test_none_of_these_made_an_account(told: dict[str, Any]) -> None:
    assert told["users"] == 2  # Alice, and Gus with the token that was used once


def test_nobody_gets_an_account_by_its_address(told: dict[str, Any]) -> None:
    """A confirmed address asks for the password; one that is not confirmed makes another account,
    which never gets the address."""
    for name in ("taken", "taken in the own tenant"):
        status, address, who, page = told[name]
        assert (status, address, who) == (200, "/accounts/login/", ""), name
        assert TAKEN in page, name
    for name in ("taken, not verified", "taken at Microsoft"):
        assert told[name][2] not in ("", told["bob"]), name
    assert told["confirmed for"] == [told["bob"]]


def test_one_person_signs_in_with_both_once_they_have_linked_them(told: dict[str, Any]) -> None:
    assert told["bob by Google"][1:] == ["/classes/", told["bob"]]
    assert told["bob by Microsoft"][1:] == ["/classes/", told["bob"]]
    page = told["connected to another"][3]
    assert told["connected to another"][2] != told["bob"]
    assert "already" in page


def test_an_address_of_another_domain_is_refused_with_the_domains(told: dict[str, Any]) -> None:
    assert told["another domain"][1:3] == ["/accounts/elsewhere/signup/", ""]
    status, _address, who, page = told["another domain, posted"]
    assert (status, who) == (200, "")
    assert "it ends in school.example" in page
    assert told["own domain"][1] == "/classes/"


def test_microsoft_confirms_addresses_only_in_the_schools_own_tenant(told: dict[str, Any]) -> None:
    _status, address, who, _page = told["own domain at Microsoft"]
    assert (address, who) == ("/accounts/confirm-email/", "")
    assert told["own tenant"][1] == "/classes/"
