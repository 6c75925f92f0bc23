"""Settings for the tests: as on a developer's machine, but faster and stricter."""

from nmbrs_edu.settings.local import *
from nmbrs_edu.settings.local import DATABASES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
INSTALLED_APPS = [*INSTALLED_APPS, "zeal"]
MIDDLEWARE = ["zeal.middleware.zeal_middleware", *MIDDLEWARE]
ZEAL_RAISE = True
# allauth reads these settings one by one to confirm an address and to list an adult's sessions.
ZEAL_ALLOWLIST = [
    {"model": "account.EmailAddress", "field": None},
    {"model": "classrooms.User", "field": "get()"},
    {"model": "sessions.Session", "field": "get()"},
]
PROGRESS_SCAN_SECONDS = 1.0
# So that a scan counts a turn immediately.
PROGRESS_IDLE_SECONDS = 0.0
HINT_WAIT_SECONDS = 0.0
COUNT_SECONDS = 0.0
PUT_DOWN_PAUSE_MS = 0
SECOND_TAP_MS = 0

# The tables come from the models, in a tenth of the time. `make check` tests whether the migrations
# make the same tables, and the tests of migrations run them.
DATABASES["default"]["TEST"] = {"MIGRATE": False}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, because threads must share the database: one in memory is of a single thread.
    DATABASES["default"]["TEST"]["NAME"] = f"{DATABASES['default']['NAME']}.test"
