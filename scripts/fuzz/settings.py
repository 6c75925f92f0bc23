"""Settings for `make fuzz`: the site answers as at a school, without the checks of other tests."""

from nmbrs_edu.settings.test import *
from nmbrs_edu.settings.test import INSTALLED_APPS, MIDDLEWARE

INSTALLED_APPS = [app for app in INSTALLED_APPS if app != "zeal"]
MIDDLEWARE = [layer for layer in MIDDLEWARE if not layer.startswith("zeal.")]
WHITENOISE_AUTOREFRESH = False
TRUSTED_PROXIES = 1
ALLAUTH_TRUSTED_PROXY_COUNT = 1
LOGGING = {"version": 1, "disable_existing_loggers": True, "root": {"level": "CRITICAL"}}
