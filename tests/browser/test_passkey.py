"""A passkey in a real browser, with a key that Chromium plays."""

import re
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from playwright.sync_api import Page, expect

from tests.factories import PASSWORD, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def plug_in_key(page: Page) -> None:
    """A key on which a finger always lies."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
            }
        },
    )


def ending(end: str) -> re.Pattern[str]:
    return re.compile(re.escape(end) + "$")


def test_a_passkey_is_added_and_then_signs_in_alone(
    pages: Callable[[], Page], screenshot: Callable[[Page, str], None]
) -> None:
    alice = UserFactory.create(email="alice@example.org")
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    page = pages()
    errors: list[str] = []
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    plug_in_key(page)

    page.goto("/accounts/login/")
    screenshot(page, "account-login")
    page.locator("input[name=login]").fill(alice.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form:has(input[name=login]) button[type=submit]").click()
    page.goto("/accounts/two-steps/webauthn/add/")
    screenshot(page, "account-key")
    page.locator("#passkey-button").click()
    expect(page).to_have_url(ending("/two-steps/recovery-codes/"))
    screenshot(page, "account-codes")

    page.locator(".top form button[type=submit]").click()
    expect(page).to_have_url(ending("/"))
    page.goto("/accounts/login/")
    page.locator("#passkey-button").click()
    expect(page).to_have_url(ending("/classes/"))
    assert errors == []
