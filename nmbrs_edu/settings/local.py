"""Settings for a developer's machine: `make run`, `make test`. Nothing here is secret."""

from nmbrs_edu.settings.base import *
from nmbrs_edu.settings.base import BASE_DIR, database, env

if (BASE_DIR / ".env").exists():
    env.read_env(BASE_DIR / ".env")

DATA_DIR = env.path("DATA_DIR", default=str(BASE_DIR / "var"))
BACKUPS_DIR = env.str("BACKUPS_DIR", default=f"{DATA_DIR}/backups")

SECRET_KEY = env.str("SECRET_KEY", default="only-for-this-machine-and-never-for-a-school")
PICTURES_KEY = env.str("PICTURES_KEY", default="bm1icnMtbG9jYWwta2V5LW5vdC1mb3ItYS1zY2hvb2w=")
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = ["*"]
SITE_URL = env.str("SITE_URL", default=f"http://localhost:{env.str('PORT', default='') or 8000}")
DEFAULT_FROM_EMAIL = "nmbrs <nmbrs@school.example>"
DATABASES = {
    "default": database(env.str("DATABASE_URL", default=f"sqlite:///{DATA_DIR}/db.sqlite3"))
}

REDIS_URL = env.str("REDIS_URL", default=f"redis+socket://{DATA_DIR}/valkey.sock?virtual_host=0")
CELERY_BROKER_URL = REDIS_URL
CELERY_RESULT_BACKEND = REDIS_URL
EMAIL_BACKEND = env.str("EMAIL_BACKEND", default="django.core.mail.backends.console.EmailBackend")
# Passkeys need https, except on localhost.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
