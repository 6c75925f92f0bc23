"""Sign-in with Google and Microsoft in a browser. A certified provider on this machine (npm
oidc-provider) plays both. It needs Node and npm, so only the proof runs these tests;
`tests/classrooms/accounts/test_adapters.py` has a provider in the tests' own process."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.classrooms.accounts.signing_in import KEYS
from tests.plugins.servers import free_port
from tests.repository import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.proof]

PROVIDER: Final = "oidc-provider@9.13.3"
SITE: Final = """
import os, sys
import django
django.setup()
from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.management import call_command
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from allauth.account.models import EmailAddress
from classrooms.models import User
settings.MIGRATION_MODULES = dict.fromkeys(app.label for app in apps.get_app_configs())
call_command("migrate", run_syncdb=True, verbosity=0)
bob = User.objects.create_user("bob@school.example", "seven times eight")
EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
server = ThreadedWSGIServer(("127.0.0.1", int(sys.argv[1])), WSGIRequestHandler)
server.set_app(StaticFilesHandler(get_wsgi_application()))
print("ready", flush=True)
server.serve_forever()
"""
PEOPLE: Final[Mapping[str, Mapping[str, Any]]] = {
    "alice": {"email": "alice@school.example"},
    "bob": {"email": "bob@school.example"},
    "carol": {"email": "carol@school.example"},
    "dan": {"email": "dan@elsewhere.example"},
    "eve": {"email": "eve@school.example", "email_verified": False},
    "fay": {"email": "fay@school.example"},
}


@dataclass
class Running:
    """The site and the providers, each in its own process."""

    url: str
    folder: Path
    start_provider: Callable[[], None]
    processes: dict[str, subprocess.Popen[str]] = field(default_factory=dict)

    def end(self, name: str) -> None:
        process = self.processes.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def add_people(self, **people: Any) -> None:
        (self.folder / "people.json").write_text(json.dumps({**PEOPLE, **people}))

    def mails(self) -> str:
        files = sorted((self.folder / "mail").glob("*"), key=lambda file: file.stat().st_mtime)
        return "\n".join(file.read_text() for file in files)


@pytest.fixture(scope="module")
def provider_folder() -> Path:
    """The folder in which oidc-provider is installed."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.fail("There is no npm: install Debian's nodejs and npm.")
    folder = ROOT / "var" / "oidc-provider"
    if not (folder / "node_modules" / "oidc-provider").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}')
        command = [npm, "install", "--no-save", "--no-audit", "--no-fund", PROVIDER]
        subprocess.run(command, cwd=folder, check=True)
    return folder


@pytest.fixture(params=[""], ids=["open"])
def running_site(
    request: pytest.FixtureRequest, provider_folder: Path, tmp_path: Path
) -> Iterator[Running]:
    """A site where anybody may sign up; with a parameter, only people with an address in its
    domains."""
    site, google, microsoft = free_port(), free_port(), free_port()
    url = f"http://localhost:{site}"
    people = tmp_path / "people.json"
    environment = {
        **{key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ},
        **KEYS,
        "DJANGO_SETTINGS_MODULE": "tests.classrooms.accounts.elsewhere_settings",
        "DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3",
        "REDIS_URL": "redis://localhost:1/0",
        "MAIL_FOLDER": str(tmp_path / "mail"),
        "PROVIDER_URL": f"http://localhost:{google}",
        "MICROSOFT_URL": f"http://localhost:{microsoft}",
        "SITE_URL": url,
        "SIGN_UP_DOMAINS": request.param,
    }

    def start_process(name: str, *command: str) -> None:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        site_and_providers.processes[name] = process
        assert any(line.strip() == "ready" for line in iter(process.stdout.readline, ""))

    def start_provider() -> None:
        script = ROOT / "tests" / "browser" / "provider.mjs"
        arguments = [str(script), str(provider_folder), str(people), url]
        start_process("provider", "node", *arguments, str(google), str(microsoft))

    site_and_providers = Running(url, tmp_path, start_provider)
    site_and_providers.add_people()
    try:
        start_provider()
        start_process("site", sys.executable, "-c", SITE, str(site))
        with urlopen(f"http://localhost:{google}/.well-known/openid-configuration") as answer:
            assert json.load(answer)["issuer"] == f"http://localhost:{google}"
        yield site_and_providers
    finally:
        for name in list(site_and_providers.processes):
            site_and_providers.end(name)


@pytest.fixture
def visitor(browser: Browser, running_site: Running) -> Iterator[Callable[[], Page]]:
    """Each call gives the page of another person's browser."""
    contexts: list[BrowserContext] = []

    def open_page() -> Page:
        context = browser.new_context(base_url=running_site.url, locale="en")
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


def go_to(page: Page, provider: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_role("button", name=f"Continue with {provider}").click()


def sign_in_there(page: Page, person: str) -> None:
    """Fill in the provider's forms: identity and consent."""
    page.locator("input[name=login]").fill(person)
    page.locator("input[name=password]").fill("any")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()


def check_arrival(page: Page, running_site: Running, path: str = "/classes/") -> None:
    page.wait_for_url(f"{running_site.url}{path}**")


def address_of(page: Page) -> str:
    """The address of the account that is signed in."""
    page.goto("/account/")
    return page.locator("main").inner_text()


@pytest.mark.parametrize("provider", ["Google", "Microsoft"])
def test_a_teacher_signs_up_and_comes_back_as_the_same_person(
    provider: str, running_site: Running, visitor: Any
) -> None:
    page = visitor()
    go_to(page, provider)
    sign_in_there(page, "alice")
    check_arrival(page, running_site)
    assert "alice@school.example" in address_of(page)
    page.goto("/classes/new/")
    page.locator("input[name=name]").fill("5B")
    page.locator("main form button[type=submit]").click()
    running_site.add_people(alice={"email": "alice.b@school.example"})
    other = visitor()
    go_to(other, provider)
    sign_in_there(other, "alice")
    check_arrival(other, running_site)
    expect(other.get_by_role("link", name="5B").first).to_be_visible()
    assert "alice@school.example" in address_of(other)


def test_linking_asks_for_the_password_of_the_site(running_site: Running, visitor: Any) -> None:
    page = visitor()
    go_to(page, "Google")
    sign_in_there(page, "bob")
    check_arrival(page, running_site, "/accounts/login/")
    expect(page.get_by_text("There is already an account with this address.")).to_be_visible()
    page.locator("input[name=login]").fill("bob@school.example")
    page.locator("input[name=password]").fill("seven times eight")
    page.locator("main form button[type=submit]").first.click()
    check_arrival(page, running_site)
    for provider in ("Google", "Microsoft"):
        page.goto("/accounts/elsewhere/")
        page.get_by_role("button", name=f"Continue with {provider}").click()
        if provider == "Microsoft":  # Google already has their consent.
            sign_in_there(page, "bob")
        check_arrival(page, running_site, "/accounts/elsewhere/")
    expect(page.get_by_role("link", name="Remove")).to_have_count(2)
    for provider in ("Google", "Microsoft"):
        other = visitor()
        go_to(other, provider)
        sign_in_there(other, "bob")
        check_arrival(other, running_site)
        assert "bob@school.example" in address_of(other)


def test_an_address_that_nobody_confirmed_takes_over_no_account(
    running_site: Running, visitor: Any
) -> None:
    """Microsoft does not say whether an address is confirmed. The site makes another account, and
    the owner of the address gets a mail."""
    page = visitor()
    go_to(page, "Microsoft")
    sign_in_there(page, "bob")
    check_arrival(page, running_site)
    page.goto("/accounts/elsewhere/")
    expect(page.get_by_role("link", name="Remove")).to_have_count(1)
    page.goto("/account/")
    expect(page.get_by_text("not yet confirmed")).to_be_visible()


def test_a_failed_provider_signs_nobody_in(running_site: Running, visitor: Any) -> None:
    page = visitor()
    requests: list[str] = []
    page.on("request", lambda r: requests.append(r.url) if "/login/callback/" in r.url else None)
    go_to(page, "Google")
    sign_in_there(page, "carol")
    check_arrival(page, running_site)
    (used,) = requests
    refused = "The other site did not confirm who you are."
    stranger = visitor()
    for url in (used, "/accounts/google/login/callback/?code=x&state=wrong"):
        stranger.goto(url)
        expect(stranger.get_by_text(refused)).to_be_visible()
    page.goto(used)
    expect(page.get_by_text(refused)).to_be_visible()

    late = visitor()
    running_site.add_people(away=True)
    go_to(late, "Google")
    sign_in_there(late, "fay")
    expect(late.get_by_text(refused)).to_be_visible()
    running_site.end("provider")
    running_site.add_people()
    running_site.start_provider()
    go_to(late, "Google")
    sign_in_there(late, "fay")
    check_arrival(late, running_site)


@pytest.mark.parametrize("running_site", ["school.example"], indirect=True, ids=["domain"])
def test_only_addresses_of_the_domain_get_in(running_site: Running, visitor: Any) -> None:
    for provider in ("Google", "Microsoft"):
        page = visitor()
        go_to(page, provider)
        sign_in_there(page, "dan")
        check_arrival(page, running_site, "/accounts/elsewhere/signup/")
        page.locator("main form button[type=submit]").click()
        expect(page.get_by_text("it ends in school.example")).to_be_visible()
    page = visitor()
    go_to(page, "Google")
    sign_in_there(page, "carol")
    check_arrival(page, running_site)
    for provider, person in (("Google", "eve"), ("Microsoft", "fay")):
        page = visitor()
        go_to(page, provider)
        sign_in_there(page, person)
        check_arrival(page, running_site, "/accounts/confirm-email/")
        assert f"To: {PEOPLE[person]['email']}" in running_site.mails()
