"""The audit log: what adults did with children's data, with classes and with accounts."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AuditEntry(models.Model):
    """An act of an adult, and its time. The act concerns a class, a child, an adult's account, or a
    class and one of these.

    Child and class are stored as ids only, so that the entry outlives them and names nobody.
    """

    class What(models.TextChoices):
        LOOKED = "looked", _("looked")
        ASKED = "asked", _("asked for a file")
        EXPORTED = "exported", _("exported")

        ADDED = "added", _("added")
        RENAMED = "renamed", _("renamed")
        REMOVED = "removed", _("removed")
        BROUGHT_BACK = "brought back", _("brought back")
        MOVED = "moved", _("moved")
        MERGED = "merged", _("merged")
        MERGE_UNDONE = "merge undone", _("undid a merge")
        SETTINGS = "agreed", _("changed individual settings")
        LIST_AGREED = "list agreed", _("looked through the school’s list")
        ERASED = "erased", _("deleted")

        NEW_PICTURES = "new pictures", _("new pictures")
        NEW_QR_CODES = "new QR codes", _("new QR codes")
        CARDS_BACK = "cards back", _("went back to the earlier cards")
        SIGNED_OUT = "signed out", _("signed out")
        TRIES_CLEARED = "tries cleared", _("cleared wrong tries")
        NEW_CODE = "new code", _("new class code")
        FORMER_CODE = "former code", _("went back to the earlier class code")
        CLOSED = "closed", _("closed to new devices")
        OPENED = "opened", _("opened to new devices")
        NAMES_SHOWN = "names shown", _("changed who sees the names")

        MADE = "made", _("created the class")
        CHANGED = "changed", _("changed the class")
        ARCHIVED = "archived", _("archived")
        RESTORED = "restored", _("restored")

        INVITED = "invited", _("invited")
        INVITATION_ENDED = "invitation ended", _("withdrew an invitation")
        JOINED = "joined", _("joined")
        LEFT = "left", _("left")
        TEACHER_REMOVED = "teacher removed", _("removed a teacher")
        TEACHER_BACK = "teacher back", _("brought a teacher back")
        ROLE_GIVEN = "role given", _("gave a role")
        HANDED_OVER = "handed over", _("handed over")

        NAMED = "named", _("chose a name")
        ACCOUNT_CLOSED = "account closed", _("closed the account")
        ACCOUNT_REOPENED = "account reopened", _("opened the account again")
        SCHOOL_JOINED = "school joined", _("joined the school")
        SCHOOL_LEFT = "school left", _("left the school")
        SCHOOL_ROLE = "school role", _("gave a role in the school")
        SOURCE = "source", _("connected a source of lists")
        SOURCE_GONE = "source gone", _("disconnected a source of lists")

        COURSE_LINKED = "course linked", _("linked a course")
        COURSE_UNLINKED = "course unlinked", _("unlinked a course")
        PERSON_LINKED = "person linked", _("linked with a learning platform")
        PERSON_UNLINKED = "person unlinked", _("unlinked from a learning platform")
        LAUNCH_REFUSED = "launch refused", _("refused a launch")
        PLATFORM_ADDED = "platform added", _("added a learning platform")
        PLATFORM_CHANGED = "platform changed", _("changed a learning platform")
        PLATFORM_REMOVED = "platform removed", _("removed a learning platform")

        SIGNED_IN = "signed in", _("signed in")
        WRONG_PASSWORD = "wrong password", _("wrong password")
        WRONG_STEP = "wrong second step", _("wrong second step")
        PASSWORD = "password", _("changed the password")
        NEW_PASSWORD = "new password", _("chose a new password by e-mail")
        ADDRESS_ASKED = "address asked", _("asked for another address")
        ADDRESS = "address", _("changed the address")
        SECOND_STEP = "second step", _("set up a second step")
        SECOND_STEP_GONE = "second step gone", _("removed a second step")
        CODES = "recovery codes", _("made new recovery codes")
        CONNECTED = "connected", _("linked another account")
        DISCONNECTED = "disconnected", _("unlinked another account")
        SESSIONS_ENDED = "sessions ended", _("signed out everywhere")
        SWITCHED_ON = "switched on", _("may sign in again")
        SWITCHED_OFF = "switched off", _("may no longer sign in")
        STAFF = "staff", _("has access to the admin site")
        STAFF_GONE = "staff gone", _("no longer has access to the admin site")

    class Page(models.TextChoices):
        CLASS = "class", _("the class page")
        LIVE = "live", _("the lesson in progress")
        TABLE = "table", _("the child’s table")
        FACT = "fact", _("the answers to a fact")
        CHECK_UP = "check-up", _("the check-ups")
        CHILD = "child", _("the child’s page")
        MOVES = "moves", _("the moves behind a number")
        REPLAY = "replay", _("the replay of a turn")
        PICTURES = "pictures", _("the sign-in pictures")
        CARDS = "cards", _("sign-in cards")
        LETTERS = "letters", _("letters to parents")

    class Actor(models.TextChoices):
        TEACHER = "teacher", _("a teacher")
        OPERATOR = "operator", _("the operator")
        SCHOOL = "school", _("an admin of the school")
        SITE = "site", _("the site itself")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="audited"
    )
    actor = models.CharField(_("as"), max_length=8, choices=Actor, default=Actor.TEACHER)
    what = models.CharField(_("what"), max_length=24, choices=What)
    page = models.CharField(_("page"), max_length=8, choices=Page, blank=True)
    """The page that the adult opened."""
    once = models.UUIDField(null=True, unique=True, editable=False)
    """The key that prevents another entry for the same page within the hour."""
    child_id = models.UUIDField(_("child"), null=True, db_index=True)
    class_id = models.UUIDField(_("class"), null=True, db_index=True)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="history",
    )
    """The adult whom the act was about, such as a removed co-teacher."""
    detail = models.JSONField(_("detail"), default=dict, blank=True)
    """Small facts such as counts, kinds of files and ids of classes. Never a name or a child's id,
    because erasing a child changes only `child_id`."""
    is_part = models.BooleanField(default=False, editable=False)
    """Whether this is one child's part of an entry about several children. The log of the class
    leaves such parts out."""
    # Translators: the moment of an act
    at = models.DateTimeField(_("at"), default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("audit log entry")
        verbose_name_plural = _("audit log")
        ordering = ("-at", "-pk")

    def __str__(self) -> str:
        about = self.child_id or self.class_id or self.account_id
        return f"{self.at:%Y-%m-%d %H:%M} {self.what} {about}"
