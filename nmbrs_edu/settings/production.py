"""Settings for a school. They refuse to load if one that security needs is missing."""

from typing import Any
from urllib.parse import urlsplit

from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from nmbrs_edu.settings.base import *
from nmbrs_edu.settings.base import MIDDLEWARE, database, env


def _needed(name: str, what: str) -> str:
    value: str = env.str(name, default="")
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
ALLOWED_HOSTS = [
    host.strip()
    for host in _needed("ALLOWED_HOSTS", "the site's host names, with commas between").split(",")
]
# For links in mail that no request asks for.
SITE_URL = env.str("SITE_URL", default=f"https://{ALLOWED_HOSTS[0].lstrip('.')}")
DATABASES: dict[str, Any] = {
    "default": database(_needed("DATABASE_URL", "where the database is"), pool=True)
}
BACKUPS_DIR = env.str("BACKUPS_DIR", default="/backups")
DEBUG = False

REDIS_URL = env.str("REDIS_URL", default="redis://redis:6379/0")
CELERY_BROKER_URL = REDIS_URL
CELERY_RESULT_BACKEND = REDIS_URL

SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Without it the proxy's address would be everybody's.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=1)
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
LANGUAGE_COOKIE_SECURE = True
# The proxy serves styles and scripts, and compresses pages (deploy/nginx.conf).
DONE_BY_THE_PROXY = (
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
)
COUNTING = "nmbrs_edu.metrics.middleware.CountingMiddleware"
MIDDLEWARE = [
    COUNTING,
    "nmbrs_edu.http.SheddingMiddleware",
    "nmbrs_edu.old_cookies.OldCookiesMiddleware",
    "nmbrs_edu.cookies.HostCookiesMiddleware",
    "classrooms.middleware.PassMiddleware",
    *(layer for layer in MIDDLEWARE if layer not in (COUNTING, *DONE_BY_THE_PROXY)),
]
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if not host.startswith(".")]

EMAIL_CONFIG = env.email("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = env.str(
    "DEFAULT_FROM_EMAIL", default=f"nmbrs <nmbrs@{urlsplit(SITE_URL).hostname}>"
)
