"""Settings for a school. They fail to load if one on which security depends is missing."""

import os
from typing import Any
from urllib.parse import urlsplit

from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from nmbrs_edu.settings.base import *
from nmbrs_edu.settings.base import MIDDLEWARE, SILENCED_SYSTEM_CHECKS, database, env
from nmbrs_edu.settings.reading import address, flag, number, sender, site_names, site_url, word


def _needed(name: str, what: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise ImproperlyConfigured(f"Set {name} in the environment: {what} (see .env.example).")
    return value


def _pictures_key() -> str:
    key = _needed("PICTURES_KEY", "the key that encrypts the children's pictures")
    try:
        Fernet(key)
    except ValueError as problem:
        raise ImproperlyConfigured(f"PICTURES_KEY is no Fernet key: {problem}") from problem
    return key


SECRET_KEY = _needed("SECRET_KEY", "a long random text")
PICTURES_KEY = _pictures_key()
NAMES = site_names(_needed("ALLOWED_HOSTS", "the site's host names, with commas between"))
ALLOWED_HOSTS = [name.host for name in NAMES]
# For links in mails, which are also sent without a request.
SITE_URL = site_url(word("SITE_URL", NAMES[0].origin))
DATABASE_URL = address(
    "DATABASE_URL",
    _needed("DATABASE_URL", "where the database is"),
    *("postgres", "postgresql", "psql", "pgsql", "sqlite"),
)
DATABASES: dict[str, Any] = {"default": database(DATABASE_URL, pool=True)}
BACKUPS_DIR = word("BACKUPS_DIR", "/backups")
DEBUG = False

REDIS_URL = address(
    "REDIS_URL",
    word("REDIS_URL", "redis://redis:6379/0"),
    *("redis", "rediss", "redis+socket", "unix", "sentinel"),
)
CELERY_BROKER_URL = REDIS_URL
CELERY_RESULT_BACKEND = REDIS_URL

GETS_CERTIFICATE = "certificate" in word("COMPOSE_PROFILES", "").split(",")
SECURE_SSL_REDIRECT = flag("SECURE_SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = number("SECURE_HSTS_SECONDS", 31_536_000)
# This binds other sites of the school's domain for a year, so the school decides.
SECURE_HSTS_INCLUDE_SUBDOMAINS = flag("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS
SILENCED_SYSTEM_CHECKS = [*SILENCED_SYSTEM_CHECKS, "security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Otherwise every client would seem to have the proxy's address.
TRUSTED_PROXIES = number("TRUSTED_PROXIES", 1)
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
LANGUAGE_COOKIE_SECURE = True
# The proxy serves styles and scripts, and compresses pages (deploy/nginx.conf).
MIDDLEWARE_REPLACED_BY_PROXY = (
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
)
COUNTING = "nmbrs_edu.metrics.counting.CountingMiddleware"
MIDDLEWARE = [
    COUNTING,
    "nmbrs_edu.middleware.SheddingMiddleware",
    "nmbrs_edu.middleware.HostCookiesMiddleware",
    "classrooms.middleware.PassMiddleware",
    *(name for name in MIDDLEWARE if name not in (COUNTING, *MIDDLEWARE_REPLACED_BY_PROXY)),
]
CSRF_TRUSTED_ORIGINS = [name.origin for name in NAMES if name.host[0] not in ".*"]

EMAIL_CONFIG = env.email_url_config(
    address("EMAIL_URL", word("EMAIL_URL", "consolemail://"), "smtp+tls", *env.EMAIL_SCHEMES)
)
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = sender("DEFAULT_FROM_EMAIL", f"nmbrs <nmbrs@{urlsplit(SITE_URL).hostname}>")
