"""Settings that all environments share. URLs and secrets come from environment variables."""

import os
from pathlib import Path
from typing import Any

import environ
import structlog
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Exchange, Queue

from nmbrs_edu.settings.languages import offered_languages
from nmbrs_edu.settings.reading import domains, number, seconds, word, words, zone

BASE_DIR = Path(__file__).resolve().parent.parent.parent
env = environ.Env()

INSTALLED_APPS = [
    "nmbrs_edu.apps.SiteConfig",
    "nmbrs_edu.apps.OperatorAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "django_structlog",
    "template_partials",
    "games",
    "classrooms",
    "classrooms.questions",
    "classrooms.checkups",
    "classrooms.progress",
    "classrooms.downloads",
    "classrooms.lti",
]

MIDDLEWARE = [
    # Around each response: counts, room on the stack, static files, compression, marks.
    "nmbrs_edu.metrics.counting.CountingMiddleware",
    "nmbrs_edu.middleware.RoomOnStackMiddleware",
    "nmbrs_edu.middleware.NoIndexMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "nmbrs_edu.middleware.HeadMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "nmbrs_edu.middleware.UncompressedMiddleware",
    "nmbrs_edu.middleware.MarkMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    # Whether the body may be read.
    "classrooms.http.LargestBodyMiddleware",
    "nmbrs_edu.middleware.ReadableMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    # Who sends the request, and what they may do.
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "classrooms.accounts.known_devices.KnownDeviceMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "nmbrs_edu.logs.RequestMiddleware",
    "classrooms.middleware.ChildMiddleware",
    "classrooms.middleware.ArchivedMiddleware",
    "classrooms.middleware.RefusedMiddleware",
    "classrooms.accounts.sessions.AdultSessionMiddleware",
    "classrooms.middleware.LookAroundMiddleware",
]

ROOT_URLCONF = "nmbrs_edu.urls"
WSGI_APPLICATION = "nmbrs_edu.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["template_partials.templatetags.partials"],
        },
    },
]

# Databases. SQLite: a writer waits for the lock when its transaction begins (IMMEDIATE), because
# otherwise most concurrent moves fail; WAL lets readers read during a write.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}


# PostgreSQL: a statement is prepared when a connection sends it for the fifth time. Planning is
# most of what the statements of a move or a poll cost (docs/scale.md).
POSTGRESQL_OPTIONS = {"server_side_binding": True, "prepare_threshold": 5}
POOL = {"min_size": 1, "max_size": 12, "timeout": 10}


def database(url: str, *, pool: bool = False) -> dict[str, Any]:
    settings: dict[str, Any] = env.db_url_config(url)
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        settings["OPTIONS"] = dict(SQLITE_OPTIONS)
    else:
        options = {**POSTGRESQL_OPTIONS, "pool": POOL} if pool else POSTGRESQL_OPTIONS
        settings["OPTIONS"] = {**settings.get("OPTIONS", {}), **options}
    return settings


# The cache keeps the limits that all processes share. No page or move of a child reads it.
CACHES = {"default": {"BACKEND": "classrooms.accounts.shared_store.SharedStore"}}

# People
AUTH_USER_MODEL = "classrooms.User"
AUTHENTICATION_BACKENDS = [
    "classrooms.accounts.backends.ByAddress",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
] + [{"NAME": "classrooms.accounts.validators.GuessableWordsValidator"}]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "classrooms:classes"
LOGOUT_REDIRECT_URL = "classrooms:home"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_FORMS = {
    "login": "classrooms.accounts.forms.SignInForm",
    "signup": "classrooms.accounts.services.SignUpForm",
    "change_password": "classrooms.accounts.forms.CountedChangePasswordForm",  # nosec B105
    "reset_password": "classrooms.accounts.forms.SpacedResetPasswordForm",  # nosec B105
}
SOCIALACCOUNT_FORMS = {"signup": "classrooms.accounts.services.SignUpElsewhereForm"}
SOCIALACCOUNT_ADAPTER = "classrooms.accounts.adapters.ElsewhereAdapter"

# Who may make an account: everybody (open), people who were invited to a class (invited), or nobody
# (closed). If domains are named, only people with an address of one of them.
SIGN_UP = word("SIGN_UP", "open").lower()
if SIGN_UP not in ("open", "invited", "closed"):
    raise ImproperlyConfigured("SIGN_UP is open, invited or closed (see .env.example).")
SIGN_UP_DOMAINS = domains("SIGN_UP_DOMAINS")
# With domains, an address must be confirmed first, because anybody can type one. Without domains a
# teacher begins at once, but no mail goes to others in their name before the address is confirmed.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if SIGN_UP_DOMAINS else "optional"
# Signing up with a known address looks the same as with a new one: it makes another account, which
# can never confirm the address. So addresses are not unique, and Django's check is silenced.
ACCOUNT_PREVENT_ENUMERATION = "strict"
SILENCED_SYSTEM_CHECKS = ["auth.W004"]
# An address without an account gets a mail too, so that the time gives nothing away. Both mails
# count towards the limit of the address.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_LOGOUT_ON_GET = False
# Schools share computers: closing the browser signs everybody out.
ACCOUNT_SESSION_REMEMBER = False
# Each act that gives access needs a proof of identity, valid for 15 minutes.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
# Wrong passwords and codes are counted in classrooms.tries, not here: with limits by network
# address, one pupil could lock out all teachers of a school. The limits here are for acts that cost
# a hash or concern one person only (docs/signing-in.md).
ACCOUNT_RATE_LIMITS = {
    "login": "",
    "login_failed": "",
    "signup": "60/m/ip",
    "reset_password": "",  # nosec B105
    "reset_password_from_key": "",  # nosec B105
    "reauthenticate": "20/m/user",
    "change_password": "10/m/user",  # nosec B105
    "manage_email": "10/m/user,30/d/user",
    "confirm_email": "1/3m/key",
}
MFA_RATE_LIMITS = {"webauthn_login": ""}
MFA_FORMS = {
    "authenticate": "classrooms.accounts.limits.SignInForm",
    "reauthenticate": "classrooms.accounts.limits.CodeAgainForm",
    "add_webauthn": "classrooms.accounts.passkeys.AddPasskeyForm",
    "authenticate_webauthn": "classrooms.accounts.passkeys.AuthenticatePasskeyForm",
    "login_webauthn": "classrooms.accounts.passkeys.LoginPasskeyForm",
    "reauthenticate_webauthn": "classrooms.accounts.passkeys.ReauthenticatePasskeyForm",
}
# The number of proxies in front of the site. Each adds the address it sees to X-Forwarded-For.
TRUSTED_PROXIES = number("TRUSTED_PROXIES", 0)

MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
ACCOUNT_ADAPTER = "classrooms.accounts.adapters.AccountAdapter"
MFA_ADAPTER = "classrooms.accounts.adapters.MfaAdapter"
MFA_TOTP_TOLERANCE = 1

# Signing in with Google or Microsoft is offered if the environment has the keys.
SOCIALACCOUNT_PROVIDERS: dict[str, Any] = {}
SIGN_IN_PAGES_ELSEWHERE: list[str] = []
"""Pages to which the content policy lets a sign-in form lead."""
if env.str("GOOGLE_CLIENT_ID", default=""):
    INSTALLED_APPS.append("allauth.socialaccount.providers.google")
    SIGN_IN_PAGES_ELSEWHERE.append("https://accounts.google.com")
    SOCIALACCOUNT_PROVIDERS["google"] = {
        "APPS": [
            {"client_id": env.str("GOOGLE_CLIENT_ID"), "secret": env.str("GOOGLE_CLIENT_SECRET")}
        ],
        "SCOPE": ["openid", "email"],
        "OAUTH_PKCE_ENABLED": True,
    }
if env.str("MICROSOFT_CLIENT_ID", default=""):
    SHARED_TENANTS = ("organizations", "common", "consumers")
    MICROSOFT_TENANT = word("MICROSOFT_TENANT", "organizations")
    INSTALLED_APPS.append("allauth.socialaccount.providers.microsoft")
    SIGN_IN_PAGES_ELSEWHERE.append("https://login.microsoftonline.com")
    SOCIALACCOUNT_PROVIDERS["microsoft"] = {
        "APPS": [
            {
                "client_id": env.str("MICROSOFT_CLIENT_ID"),
                "secret": env.str("MICROSOFT_CLIENT_SECRET"),
                "settings": {
                    "tenant": MICROSOFT_TENANT,
                    # Microsoft does not say that an address is confirmed, and the admins of any
                    # tenant can write any address. In the school's own tenant they are trusted
                    # with those of its own domains.
                    "verified_email": (
                        SIGN_UP_DOMAINS if MICROSOFT_TENANT not in SHARED_TENANTS else []
                    ),
                },
            }
        ],
        "OAUTH_PKCE_ENABLED": True,
    }

# Sessions and cookies. Sessions are in the database, so that children can play without Redis.
SESSION_ENGINE = "django.contrib.sessions.backends.db"
# These sessions are adults'; children have sessions of their own. The first two limits end an idle
# session (polls of an open page do not count), the third any session.
ADULT_IDLE_MINUTES = 60
OPERATOR_IDLE_MINUTES = 15
ADULT_SESSION_HOURS = 12
SESSION_COOKIE_AGE = ADULT_SESSION_HOURS * 3600
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "nmbrs_edu.views.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF, *SIGN_IN_PAGES_ELSEWHERE],
    },
}

# Language and time
LANGUAGE_CODE = "en"
try:
    LANGUAGES = offered_languages([code.lower() for code in words("TRIAL_LANGUAGES")])
except ValueError as error:
    raise ImproperlyConfigured(f"TRIAL_LANGUAGES: {error} (see .env.example).") from error
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = zone("TIME_ZONE", "Europe/Amsterdam")

# Forms: five fields for each of 500 children of a class, and the other fields of a page.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 3_000

# Files
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = BASE_DIR / "staticfiles"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "nmbrs_edu.static.SmallStaticFilesStorage"},
}

# Celery. If Redis does not answer, the web gives up sending a task at once (classrooms.publishing).
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 60
CELERY_TASK_SOFT_TIME_LIMIT = 50
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Otherwise anyone who can write to Redis could stop the workers with one message.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 120,
    "socket_timeout": 5,
    "socket_connect_timeout": 5,
    "retry_on_timeout": False,
}
CELERY_TIMEZONE = TIME_ZONE
# Long tasks, mail and requests to other servers have their own queues and workers, so that no
# child's progress waits for them. A worker that is started without a queue takes tasks from all.
# Riddles come last in their queue (9; others have 0), because any child may ask for one.
LONG_QUEUE = "long"
MAIL_QUEUE = "mail"
QUEUES = ("celery", LONG_QUEUE, MAIL_QUEUE)
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in QUEUES]
CELERY_TASK_ROUTES = {
    "classrooms.downloads.make": {"queue": LONG_QUEUE},
    "classrooms.lti.send_grades_of": {"queue": MAIL_QUEUE},
    "classrooms.downloads.look_for_waiting": {"queue": LONG_QUEUE},
    "classrooms.make_riddle": {"queue": LONG_QUEUE, "priority": 9},
    "classrooms.read_source": {"queue": LONG_QUEUE},
    "classrooms.progress.compare_a_sample": {"queue": LONG_QUEUE},
    "classrooms.progress.rebuild_marked": {"queue": LONG_QUEUE},
    "classrooms.progress.look_for_weekly_mails": {"queue": MAIL_QUEUE},
    "classrooms.progress.send_weekly_mail": {"queue": MAIL_QUEUE},
}
PUBLISH_TIMEOUT_SECONDS = 0.1
PUBLISH_SILENT_SECONDS = 30
PROGRESS_SCAN_SECONDS = seconds("PROGRESS_SCAN_SECONDS", 30.0)
# A round in which nobody has moved for this long is counted as far as it was played.
PROGRESS_IDLE_SECONDS = seconds("PROGRESS_IDLE_SECONDS", 300.0)
CELERY_BEAT_SCHEDULER = "nmbrs_edu.operating.beat:LockedScheduler"
_SCAN = (PROGRESS_SCAN_SECONDS, max(PROGRESS_SCAN_SECONDS, 5))
_HOURLY = (3600.0, 3600)
_TIMETABLE: dict[str, tuple[float | crontab, float | None]] = {
    # A player who sends nothing for a minute is away. With the wait for this task and the bot's
    # work, a turn moves on within 90 seconds.
    "games.move_tables_on": (10.0, 10),
    "classrooms.repeat_weekly": _HOURLY,
    "classrooms.make_riddles": (crontab(minute=10), 3600),
    "classrooms.look_for_sources": (crontab(minute=20), 3600),
    "classrooms.progress.look_for_dirty": _SCAN,
    "classrooms.progress.rebuild_marked": _SCAN,
    "classrooms.downloads.look_for_waiting": _SCAN,
    "classrooms.downloads.forget_ended": _HOURLY,
    "classrooms.progress.look_for_weekly_mails": (crontab(minute="*/15"), 900),
    "classrooms.progress.compare_a_sample": (crontab(hour=3, minute=45), None),
    "classrooms.erase_removed": (crontab(hour=3, minute=30), None),
    "classrooms.progress.keep_or_purge": (crontab(hour=3, minute=35), None),
    "classrooms.lti.send_grades": (300.0, 300),
    "classrooms.lti.forget_old": _HOURLY,
    "classrooms.forget_old_sign_ins": (crontab(hour=3, minute=40), None),
}
"""When beat sends each task, and after how many seconds the task expires."""
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    **{
        f"check that the queue {name} drains": {
            "task": "nmbrs_edu.note_queue",
            "args": (name,),
            "schedule": 60.0,
            "options": {"queue": name, "expires": 600},
        }
        for name in QUEUES
    },
    **{
        task: {"task": task, "schedule": schedule, "options": {"expires": expires}}
        for task, (schedule, expires) in _TIMETABLE.items()
    },
}

# Each process adds what it counted for /metrics to the database after this many seconds; 0 means
# never.
COUNT_SECONDS = seconds("COUNT_SECONDS", 10.0)
# Where the proxy answers, for the checks of its certificate.
PROXY = word("PROXY", "proxy:443")
# Whether the service `certificate` gets the certificate. If not, somebody puts one into
# deploy/certificates.
GETS_CERTIFICATE = False
ACME_DIRECTORY = word("ACME_DIRECTORY", "https://acme-v02.api.letsencrypt.org/directory")

# Retention: days after a class was last used until it is archived, and until it is purged.
ARCHIVE_AFTER_DAYS = number("ARCHIVE_AFTER_DAYS", 90, least=1)
PURGE_AFTER_DAYS = number("PURGE_AFTER_DAYS", 395, least=1)
# How many days the audit log is kept.
AUDIT_DAYS = number("AUDIT_DAYS", 395, least=1)

# Backups are made each day at this hour, and deleted after this many days.
BACKUP_HOUR = number("BACKUP_HOUR", 2, most=23)
BACKUP_DAYS = number("BACKUP_DAYS", 14, least=1)
# Earlier values of SECRET_KEY, with which a restored backup recognises erased children.
SECRET_KEY_FALLBACKS = [key for key in os.environ.get("SECRET_KEY_FALLBACKS", "").split(",") if key]

# The weekly mail is sent on this day (Monday is 1) at this hour in the time zone of the class. If
# it cannot be sent within WEEKLY_MAIL_LATE_HOURS, that week has none.
WEEKLY_MAIL_DAY = number("WEEKLY_MAIL_DAY", 5, least=1, most=7)
WEEKLY_MAIL_HOUR = number("WEEKLY_MAIL_HOUR", 15, most=23)
WEEKLY_MAIL_LATE_HOURS = number("WEEKLY_MAIL_LATE_HOURS", 48)
EMAIL_TIMEOUT = 10

# Play. A child should read a hint before the next one is shown.
HINT_WAIT_SECONDS = seconds("HINT_WAIT_SECONDS", 3.0)
# How long a card that was put down can be taken back, and within which time a second tap is a slip.
PUT_DOWN_PAUSE_MS = number("PUT_DOWN_PAUSE_MS", 800)
SECOND_TAP_MS = 400

# Logging: a line for each event, without addresses, children's names or anything that lets somebody
# in (nmbrs_edu.logs removes these).
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.filter_by_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = TRUSTED_PROXIES > 0  # nginx makes it
DJANGO_STRUCTLOG_USER_ID_FIELD = ""  # The id would cost a query for each request.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "nmbrs_edu.logs.LineFormatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        # Django's own handler would mail whole requests, and granian's would print whole
        # exceptions.
        "django": {"handlers": [], "level": "WARNING"},
        # At WARNING, urllib3 prints whole certificates and addresses.
        "urllib3": {"level": "ERROR"},
        "_granian": {"handlers": ["console"], "level": "INFO", "propagate": False},
    },
}
