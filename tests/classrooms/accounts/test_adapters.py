"""Making an account, and signing in with Google or Microsoft."""

import json
import re
import subprocess
import sys
from typing import Any
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.conf import LazySettings, settings
from django.core import mail
from django.test import Client
from django.urls import reverse

from classrooms.classes import teachers
from classrooms.models import Invitation, User
from tests.classrooms.accounts.signing_in import KEYS
from tests.classrooms.people import client_of, confirmed, text_on, url_of
from tests.counts import queries_of
from tests.factories import PASSWORD, InvitationFactory, TeachingFactory, UserFactory
from tests.repository import ROOT

pytestmark = pytest.mark.django_db

NEW = "seven times eight"
KNOWN = ("confirmed", "not confirmed", "unknown")


@pytest.fixture(params=KNOWN)
def address(request: pytest.FixtureRequest) -> str:
    """An address. A stranger wants to know whether it has an account."""
    if request.param != "unknown":
        user = UserFactory.create(email="alice@example.org")
        if request.param == "confirmed":
            confirmed(user)
    return "alice@example.org"


def sign_up(email: str, password: str = NEW, **fields: str) -> tuple[Client, Any]:
    client = Client()
    fields = {"email": email, "password1": password, **fields}
    return client, client.post(reverse("account_signup"), fields)


def without_tokens(page: str) -> str:
    return re.sub(r'(name="csrfmiddlewaretoken" value|nonce)="[^"]+"', "", page)


# Nobody learns which addresses are known


def test_signing_up_with_a_known_address_answers_the_same(address: str) -> None:
    client, answer = sign_up(address)
    assert answer.headers["Location"] == reverse("classrooms:classes")
    texts = [text_on(client.get(reverse(name))) for name in ("classrooms:classes", "account_email")]
    stranger, _answer = sign_up("else@example.org")
    other = [
        text_on(stranger.get(reverse(name))) for name in ("classrooms:classes", "account_email")
    ]
    other = [page.replace("else@", "alice@").replace("Else", "Alice") for page in other]
    assert [without_tokens(page) for page in texts] == [without_tokens(page) for page in other]


def test_the_account_of_a_known_address_stays_as_it_is() -> None:
    alice = confirmed(UserFactory.create(email="alice@example.org"))
    before = User.objects.filter(pk=alice.pk).values().get()
    thief, _answer = sign_up(alice.email)
    assert User.objects.filter(pk=alice.pk).values().get() == before
    assert int(thief.session["_auth_user_id"]) != alice.pk


def test_the_owner_of_a_known_address_gets_a_mail() -> None:
    confirmed(UserFactory.create(email="alice@example.org"))
    sign_up("alice@example.org")
    (message,) = mail.outbox
    assert message.subject == "You have an account on nmbrs"
    assert "confirm-email" not in message.body


def test_a_new_account_signs_in_again_like_any_other(address: str) -> None:
    """A new password that worked only for unknown addresses would show which addresses are
    known."""
    sign_up(address)
    client = Client()
    client.post(reverse("account_login"), {"login": address, "password": NEW})
    assert client.get(reverse("classrooms:classes")).status_code == 200


def test_new_accounts_never_displace_the_old_one() -> None:
    bob = UserFactory.create(email="bob@example.org")
    UserFactory.create_batch(8, email=bob.email, password="!")
    client = Client()
    client.post(reverse("account_login"), {"login": bob.email, "password": PASSWORD})
    assert int(client.session["_auth_user_id"]) == bob.pk


def test_a_reset_is_one_mail_for_the_confirmed_account() -> None:
    UserFactory.create_batch(3, email="alice@example.org")
    alice = confirmed(UserFactory.create(email="alice@example.org"))
    Client().post(reverse("account_reset_password"), {"email": alice.email})
    (message,) = mail.outbox
    link = re.findall(rf"{re.escape(settings.SITE_URL)}(\S+)", str(message.body))[0]
    form = Client().get(link, follow=True)
    assert form.context["form"].user == alice


def test_a_reset_for_a_known_address_answers_the_same(address: str) -> None:
    page = Client().post(reverse("account_reset_password"), {"email": address}, follow=True)
    unknown = Client().post(
        reverse("account_reset_password"), {"email": "else@example.org"}, follow=True
    )
    assert page.redirect_chain == unknown.redirect_chain
    assert without_tokens(text_on(page)) == without_tokens(text_on(unknown))
    assert [len(message.to) for message in mail.outbox] == [1, 1]


def test_a_wrong_password_at_a_known_address_costs_the_same(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    encode = mock.Mock(return_value="md5$a$b")
    monkeypatch.setattr("django.contrib.auth.hashers.MD5PasswordHasher.encode", encode)
    posted = {"login": address, "password": "a wrong one"}
    answer = Client().post(reverse("account_login"), posted)
    assert "not correct" in text_on(answer)
    assert encode.call_count == 2


def test_adding_a_known_address_answers_the_same(address: str) -> None:
    bob = client_of(confirmed(UserFactory.create(email="bob@example.org")))
    url = reverse("account_email")
    answer = bob.post(url, {"action_add": "", "email": address})
    assert answer.headers["Location"] == url
    assert EmailAddress.objects.filter(email=address, verified=False).exists()


def test_a_site_without_a_mail_server_says_that_no_mail_was_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bob = client_of(confirmed(UserFactory.create(email="bob@example.org")))
    pages = []
    for is_sent in (True, False):
        monkeypatch.setattr("classrooms.accounts.mail.sends_mail", lambda is_sent=is_sent: is_sent)
        posted = {"action_add": "", "email": f"{is_sent}@example.org"}
        pages.append(text_on(bob.post(reverse("account_email"), posted, follow=True)))
    assert ["Confirmation email sent" in page for page in pages] == [True, False]
    assert ["This site sends no e-mails" in page for page in pages] == [False, True]


def test_a_stranger_cannot_claim_my_address() -> None:
    sign_up("alice@example.org", "the password of a thief")
    thiefs = User.objects.get()
    alice, _answer = sign_up("alice@example.org")
    (message,) = mail.outbox  # The thief's; for some minutes the address gets no other.
    (link,) = re.findall(r"/accounts/confirm-email/\S+", str(message.body))
    alice.post(link)
    assert EmailAddress.objects.get(verified=True).user != thiefs
    client = Client()
    client.post(reverse("account_login"), {"login": "alice@example.org", "password": NEW})
    assert int(client.session["_auth_user_id"]) != thiefs.pk


def test_the_link_alone_gives_nobody_my_address() -> None:
    """The mail about a thief's account comes to me. If I open its link, that does not help the
    thief."""
    sign_up("alice@example.org", "the password of a thief")
    link = _confirm_link_of(User.objects.get())
    answer = Client().post(link)
    assert answer.headers["Location"].startswith(reverse("account_login"))
    assert not EmailAddress.objects.filter(verified=True).exists()


def test_mail_to_known_and_unknown_addresses_has_one_limit(settings: LazySettings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"reset_password": "1/5m/key"}
    confirmed(UserFactory.create(email="alice@example.org"))
    for email in ("alice@example.org", "ALICE@example.org", "no@example.org", "no@example.org"):
        Client().post(reverse("account_reset_password"), {"email": email})
    assert [message.to for message in mail.outbox] == [["alice@example.org"], ["no@example.org"]]


# The choice who may sign up


def test_a_closed_site_takes_no_sign_ups(settings: LazySettings, client: Client) -> None:
    settings.SIGN_UP = "closed"
    sign_up("alice@example.org")
    assert not User.objects.exists()
    assert reverse("account_signup") not in text_on(client.get(reverse("account_login")))


def test_only_an_open_invitation_lets_invited_people_sign_up(settings: LazySettings) -> None:
    settings.SIGN_UP = "invited"
    invitation = InvitationFactory.create()
    link = reverse("classrooms:invitation", args=[teachers.token(invitation)])
    for leads_to in ("", "/classes/", "/invitations/x:y:z/", "https://evil.example/"):
        sign_up("alice@example.org", next=leads_to)
        assert not User.objects.filter(email="alice@example.org").exists()
    page = Client().get(link)
    assert f"{reverse('account_signup')}?next=" in text_on(page)
    _client, answer = sign_up("alice@example.org", next=link)
    assert answer.headers["Location"] == link
    assert User.objects.filter(email="alice@example.org").exists()


def test_a_used_invitation_lets_nobody_in(settings: LazySettings) -> None:
    settings.SIGN_UP = "invited"
    invitation = InvitationFactory.create()
    link = reverse("classrooms:invitation", args=[teachers.token(invitation)])
    Invitation.objects.all().delete()
    sign_up("alice@example.org", next=link)
    assert not User.objects.filter(email="alice@example.org").exists()


def test_an_unknown_choice_of_sign_up_does_not_start() -> None:
    process = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.local", "SIGN_UP": "shut"},
        capture_output=True,
        text=True,
    )
    assert "SIGN_UP is open, invited or closed" in process.stderr


# Domains


@pytest.fixture
def one_school(settings: LazySettings) -> None:
    settings.SIGN_UP_DOMAINS = ["school.example"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


@pytest.mark.usefixtures("one_school")
@pytest.mark.parametrize(
    "email",
    [
        "alice@example.org",
        "alice@evil.school.example",
        "alice@school.example.org",
        "alice@notschool.example",
        '"a@school.example"@example.org',
    ],
)
def test_an_address_of_another_domain_is_refused(email: str) -> None:
    _client, answer = sign_up(email)
    assert answer.context["form"].errors
    assert not User.objects.exists()


@pytest.mark.usefixtures("one_school")
@pytest.mark.parametrize("email", ["alice@school.example", "Alice@School.Example"])
def test_an_address_of_the_school_gets_in_when_it_is_confirmed(email: str) -> None:
    client, _answer = sign_up(email)
    assert client.get(reverse("classrooms:classes")).status_code == 302
    client.post(_confirm_link_of(User.objects.get()))
    client.post(reverse("account_login"), {"login": email, "password": NEW})
    assert client.get(reverse("classrooms:classes")).status_code == 200


def test_a_new_account_sends_no_mail_to_anybody() -> None:
    client, _answer = sign_up("nobody@example.org")
    mail.outbox.clear()
    school_class = TeachingFactory.create(user=User.objects.get()).school_class
    client.post(url_of("invite", school_class), {"email": "victim@example.org"})
    assert mail.outbox == []


def test_a_known_address_costs_the_same_work() -> None:
    """The queries take most of the time; their numbers may differ by two."""
    confirmed(UserFactory.create(email="alice@example.org"))
    counts = []
    for email in ("alice@example.org", "else@example.org"):
        counts.append(queries_of(sign_up, email))
    assert abs(counts[0] - counts[1]) <= 1


def _confirm_link_of(user: User) -> str:
    from allauth.account.models import EmailConfirmationHMAC

    key = EmailConfirmationHMAC(EmailAddress.objects.get(user=user)).key
    return reverse("account_confirm_email", args=[key])


# Google and Microsoft are offered if the environment has their keys


SIGN_IN_ANSWERS = """
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
RETURNING_USER = """
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
PROOF_AT_PROVIDER = """
import html, re
from tests.classrooms.people import time_passes, url_of

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
def printed_lines(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The lines that a site with the keys prints, by script."""
    folder = tmp_path_factory.mktemp("elsewhere")
    environment = {
        "DJANGO_SETTINGS_MODULE": "nmbrs_edu.settings.test",
        "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
        "REDIS_URL": "redis://localhost:1/0",
    }
    process = subprocess.run(
        [
            sys.executable,
            "-c",
            "print('---')".join(
                (
                    SIGN_IN_ANSWERS + SWITCHED_ON,
                    RETURNING_USER,
                    PROOF_AT_PROVIDER,
                    CLOSED,
                    SECOND_STEP,
                )
            ),
        ],
        cwd=ROOT,
        env={**environment, **KEYS},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    return [part.splitlines() for part in process.stdout.split("---\n")]


def test_keys_switch_providers_on_and_the_policy_allows_them(
    printed_lines: list[list[str]],
) -> None:
    names, policy, *rest = printed_lines[0]
    assert names == "True True"
    assert "https://accounts.google.com" in policy.partition("form-action")[2].split(";")[0]
    google, to_google, microsoft, to_microsoft, cancelled, error = rest
    assert (google, microsoft, cancelled, error) == ("200", "200", "200", "401")
    assert to_google.startswith("https://accounts.google.com/")
    assert "id-of-google" in to_google
    assert to_microsoft.startswith("https://login.microsoftonline.com/organizations/")


def test_a_returning_user_gets_no_second_account(printed_lines: list[list[str]]) -> None:
    """allauth's provider for tests takes the place of Google."""
    to, email, listed, on_account_page, again, is_taken, accounts = printed_lines[1]
    assert (to, again, email) == ("/classes/", "/classes/", "alice@example.org")
    assert (listed, on_account_page) == ("True", "True")
    assert is_taken == "/accounts/login/ 200 True"
    assert accounts == "2"


def test_without_a_password_one_proves_oneself_at_the_provider(
    printed_lines: list[list[str]],
) -> None:
    """Another account at the provider is refused. With the right one, the post goes on."""
    assert printed_lines[2] == ["False", "True"]


def test_a_provider_does_not_open_a_closed_site(printed_lines: list[list[str]]) -> None:
    closed, invited, another_domain, own_domain = printed_lines[3]
    assert (closed, invited) == ("True", "True")
    assert another_domain == "/accounts/elsewhere/signup/"
    assert own_domain == "/classes/"


def test_a_provider_does_not_replace_the_second_step(printed_lines: list[list[str]]) -> None:
    assert printed_lines[4] == ["/accounts/two-steps/authenticate/", "302"]


# What Google and Microsoft may answer


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
NOT_CONFIRMED = "The other site did not confirm who you are."
TAKEN = "There is already an account with this address."


@pytest.fixture(scope="module")
def answers_by_step(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The site's answer in each step: status, last address, account, page."""
    folder = tmp_path_factory.mktemp("providers")
    environment = {
        "DJANGO_SETTINGS_MODULE": "tests.classrooms.accounts.elsewhere_settings",
        "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
        "REDIS_URL": "redis://localhost:1/0",
        "MAIL_FOLDER": str(folder / "mail"),
    }
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT + STEPS],
        cwd=ROOT,
        env={**environment, **KEYS},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    result: dict[str, Any] = json.loads(process.stdout.partition("RESULT")[2])
    return result


def test_the_site_asks_by_code_with_state_and_pkce(answers_by_step: dict[str, Any]) -> None:
    request, posted = answers_by_step["asked"], answers_by_step["posted"]
    assert request["response_type"] == "code"
    assert set(request["scope"].split()) == {"openid", "email"}
    assert request["code_challenge_method"] == "S256"
    assert len(request["state"]) >= 16
    assert posted["code_verifier"]
    assert posted["redirect_uri"].endswith("/accounts/google/login/callback/")


def test_another_address_at_the_provider_is_the_same_person(
    answers_by_step: dict[str, Any],
) -> None:
    first, again = answers_by_step["alice"], answers_by_step["changed"]
    assert first[:2] == again[:2] == [200, "/classes/"]
    assert first[2] == again[2] != ""


@pytest.mark.parametrize(
    "name",
    [
        "audience",
        "issuer",
        "expired",
        "second use",
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
def test_a_wrong_answer_of_a_provider_signs_nobody_in_and_has_a_sentence(
    answers_by_step: dict[str, Any], name: str
) -> None:
    assert answers_by_step["first use"][1] == "/classes/"
    status, _address, who, page = answers_by_step[name]
    assert (status, who) == (401, "")
    assert NOT_CONFIRMED in page


def test_after_cancelling_a_page_says_that_nothing_has_changed(
    answers_by_step: dict[str, Any],
) -> None:
    status, address, who, page = answers_by_step["cancelled"]
    assert (status, who) == (200, "")
    assert address == "/accounts/elsewhere/login/cancelled/"
    assert "You cancelled. Nothing has changed." in page


def test_no_refused_token_made_an_account(answers_by_step: dict[str, Any]) -> None:
    assert answers_by_step["users"] == 2  # Alice, and Gus with the token that was used once


def test_nobody_gets_an_account_by_its_address(answers_by_step: dict[str, Any]) -> None:
    """A confirmed address asks for the password. An unconfirmed one makes another account, which
    never gets the address."""
    for name in ("taken", "taken in the own tenant"):
        status, address, who, page = answers_by_step[name]
        assert (status, address, who) == (200, "/accounts/login/", ""), name
        assert TAKEN in page, name
    for name in ("taken, not verified", "taken at Microsoft"):
        assert answers_by_step[name][2] not in ("", answers_by_step["bob"]), name
    assert answers_by_step["confirmed for"] == [answers_by_step["bob"]]


def test_two_linked_providers_sign_in_the_same_person(answers_by_step: dict[str, Any]) -> None:
    assert answers_by_step["bob by Google"][1:] == ["/classes/", answers_by_step["bob"]]
    assert answers_by_step["bob by Microsoft"][1:] == ["/classes/", answers_by_step["bob"]]
    page = answers_by_step["connected to another"][3]
    assert answers_by_step["connected to another"][2] != answers_by_step["bob"]
    assert "already" in page


def test_a_refused_address_is_answered_with_the_allowed_domains(
    answers_by_step: dict[str, Any],
) -> None:
    assert answers_by_step["another domain"][1:3] == ["/accounts/elsewhere/signup/", ""]
    status, _address, who, page = answers_by_step["another domain, posted"]
    assert (status, who) == (200, "")
    assert "it ends in school.example" in page
    assert answers_by_step["own domain"][1] == "/classes/"


def test_microsoft_confirms_addresses_of_its_own_tenant_only(
    answers_by_step: dict[str, Any],
) -> None:
    _status, address, who, _page = answers_by_step["own domain at Microsoft"]
    assert (address, who) == ("/accounts/confirm-email/", "")
    assert answers_by_step["own tenant"][1] == "/classes/"
