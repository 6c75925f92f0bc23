"""The settings of the tests, with Google and Microsoft configured by the environment: their
addresses are those of a provider on this machine (PROVIDER_URL, and MICROSOFT_URL if that is
another)."""

import os

from nmbrs_edu.settings.test import *
from nmbrs_edu.settings.test import CONTENT_SECURITY_POLICY, SOCIALACCOUNT_PROVIDERS

GOOGLE = os.environ["PROVIDER_URL"]
MICROSOFT = os.environ.get("MICROSOFT_URL", GOOGLE)
SOCIALACCOUNT_PROVIDERS["google"] |= {
    "AUTHORIZE_URL": f"{GOOGLE}/auth",
    "ACCESS_TOKEN_URL": f"{GOOGLE}/token",
    "IDENTITY_URL": f"{GOOGLE}/me",
    "CERTS_URL": f"{GOOGLE}/jwks",
    "ID_TOKEN_ISSUER": GOOGLE,
}
SOCIALACCOUNT_PROVIDERS["microsoft"]["APPS"][0]["settings"] |= {
    "login_url": MICROSOFT,
    "graph_url": MICROSOFT,
}
CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"] += [GOOGLE, MICROSOFT]
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = os.environ["MAIL_FOLDER"]
ZEAL_RAISE = False
