"""Classes and their teachers."""

import uuid
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models.deletion import CASCADE, Collector, ProtectedError
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from classrooms.credentials import CODE_LENGTH, codes_near, new_code


def free_code() -> str:
    """A new code, more than one typing error away from the code of any other class."""
    while True:
        code = new_code()
        near_codes = [code, *codes_near(code)]
        in_use = models.Q(code__in=near_codes) | models.Q(former_code__in=near_codes)
        if not SchoolClass.objects.filter(in_use).exists():
            return code


class SchoolClass(models.Model):
    """A class of a school. Children reach it with its code. Until an archived class is restored,
    nobody plays in it and nothing changes."""

    class NamesShown(models.TextChoices):
        ALWAYS = "always", _("Everyone with the class code")
        AT_SCHOOL = "at school", _("Only at school: elsewhere children type their names")
        NEVER = "never", _("Nobody: children type their names on a new device")

    class WeeklySteps(models.TextChoices):
        """What the site does on Mondays about the next steps of all children."""

        OFF = "", _("Only when I choose to")
        ASK = "ask", _("Every Monday, once I have said yes")
        GIVE = "give", _("Every Monday, without asking me")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=60)
    code = models.CharField(_("class code"), max_length=CODE_LENGTH, unique=True, default=free_code)
    language = models.CharField(_("language of the children"), max_length=8, default="en")
    time_zone = models.CharField(_("time zone"), max_length=64, default="Europe/Amsterdam")
    teachers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Teaching", related_name="classes"
    )
    former_code = models.CharField(max_length=CODE_LENGTH, blank=True, editable=False)
    """The previous code, which can be restored."""
    names_shown = models.CharField(
        _("who sees the names"), max_length=9, choices=NamesShown, default=NamesShown.AT_SCHOOL
    )
    """Who sees the list of names after typing the class code (`signin.listed_names`). "At school":
    in one of the `networks` (CIDR strings) at any time and, with `in_school_hours`, anywhere on
    school days between `school_from` and `school_until` by the class's clock."""
    in_school_hours = models.BooleanField(_("names in school hours"), default=True)
    school_from = models.PositiveSmallIntegerField(_("school from"), default=7)
    school_until = models.PositiveSmallIntegerField(_("school until"), default=17)
    networks = models.JSONField(default=list, editable=False)
    is_quiet = models.BooleanField(_("quiet lessons"), default=False, db_column="quiet")
    """Whether nothing on the children's pages moves or makes a sound."""
    has_sounds = models.BooleanField(_("sounds"), default=False, db_column="sounds")
    """Whether games make sounds, unless the child turned them off."""
    has_riddles = models.BooleanField(_("riddle of the day"), default=True, db_default=True)
    """Whether the children see a riddle each day (`assignments.riddles`)."""
    may_sit_at_tables = models.BooleanField(
        _("tables"), default=False, db_default=False, db_column="has_tables"
    )
    """Whether children may play every assigned game together (`assignments.tables`), even one that
    was assigned to each alone."""
    has_signs = models.BooleanField(_("signs at the tables"), default=True, db_default=True)
    weekly_steps = models.CharField(
        max_length=4,
        choices=WeeklySteps,
        default=WeeklySteps.OFF,
        db_default="",
        blank=True,
        editable=False,
    )
    steps_given_on = models.DateField(null=True, editable=False)
    """The day on which all children were last given their next steps, or on which a teacher chose
    `weekly_steps`."""
    steps_given_at = models.DateTimeField(null=True, editable=False)
    """When all children were last given their next steps, unless that was taken back."""
    hand_until = models.DateTimeField(null=True, editable=False)
    """When the class stops looking at hands, or stopped (`lesson.hands`)."""
    paused_until = models.DateTimeField(null=True, editable=False)
    """When the pause of the children's screens ends (`lesson.pause`); None if a teacher ended it
    earlier."""
    is_closed = models.BooleanField(_("closed to new devices"), default=False)
    """Whether the class code works only on devices that its children have used before."""
    is_demo = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether visitors without an account may look around in the class (`LookAroundMiddleware`)."""
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True, editable=False)
    restored_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("class")
        verbose_name_plural = _("classes")
        ordering = ("name", "created_at")
        constraints = (
            models.UniqueConstraint(
                fields=("is_demo",), condition=models.Q(is_demo=True), name="one_demo"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def spaced_code(self) -> str:
        """The code in two groups of four, as people read it out."""
        half = CODE_LENGTH // 2
        return f"{self.code[:half]} {self.code[half:]}"

    @cached_property
    def signing_names(self) -> list[str]:
        """The names that the teachers of the class have chosen, the owner's first."""
        teachings = self.teachings.exclude(user__display_name="").order_by("-role", "pk")
        return list(teachings.values_list("user__display_name", flat=True))

    def today(self) -> date:
        return self.day_of(timezone.now())

    def day_start(self, moment: datetime) -> datetime:
        """The beginning of this moment's day, in the time zone of the class."""
        local = moment.astimezone(ZoneInfo(self.time_zone))
        return local.replace(hour=0, minute=0, second=0, microsecond=0)

    def day_of(self, moment: datetime) -> date:
        """The day of a moment by the class's clock."""
        return moment.astimezone(ZoneInfo(self.time_zone)).date()


def unless_owner(
    collector: Collector, field: Any, teachings: models.QuerySet["Teaching"], using: str
) -> None:
    """Delete the teachings of a user (`on_delete`). Raises `ProtectedError` if the user owns a
    class: its children would have no teacher."""
    keys = [teaching.pk for teaching in teachings]
    owned = Teaching.objects.using(using).filter(pk__in=keys, role=Teaching.Role.OWNER)
    owner_rows: set[models.Model] = set(owned.select_related("school_class", "user"))
    if owner_rows:
        raise ProtectedError("A user who owns a class cannot be deleted.", owner_rows)
    CASCADE(collector, field, teachings, using)


class Teaching(models.Model):
    """A teacher of a class.

    `mailed_since` is when they switched on the mail about the class. The mail comes once a week or,
    with what to know before the lesson, on the mornings of `mail_days` (ISO weekdays, such as
    "15").
    """

    class NamesInMail(models.TextChoices):
        NONE = "", _("No names")
        INITIALS = "initials", _("Initials")
        NAMES = "names", _("Names")

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        CO_TEACHER = "co-teacher", _("co-teacher")

    school_class = models.ForeignKey(
        SchoolClass, on_delete=models.CASCADE, related_name="teachings"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=unless_owner, related_name="teachings"
    )
    role = models.CharField(max_length=12, choices=Role.choices, default=Role.OWNER)
    mailed_since = models.DateTimeField(null=True, blank=True, editable=False)
    mail_days = models.CharField(
        max_length=7, default="", db_default="", blank=True, editable=False
    )
    mail_names = models.CharField(
        max_length=8,
        choices=NamesInMail,
        default=NamesInMail.NONE,
        db_default="",
        blank=True,
        editable=False,
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("school_class", "user"), name="teaching_once"),
            models.UniqueConstraint(
                fields=("school_class",), condition=models.Q(role="owner"), name="one_owner"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} – {self.school_class}"


# Invitations of adults to co-teach a class or take it over.


class Invitation(models.Model):
    """An invitation of an adult to a class, by a link that works until it is used, until `ends_at`,
    or until the inviter no longer owns the class.

    The link is enough to co-teach, because schools forward mail and a teacher may have several
    addresses. Only an account that has confirmed this very address can take the class over
    (`classes.teachers`).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school_class = models.ForeignKey(
        SchoolClass, on_delete=models.CASCADE, related_name="invitations"
    )
    email = models.EmailField(_("e-mail address"))
    role = models.CharField(
        max_length=12, choices=Teaching.Role.choices, default=Teaching.Role.CO_TEACHER
    )
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ends_at = models.DateTimeField(_("until"))
    used_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.email} – {self.school_class}"


class WeeklyMail(models.Model):
    """A mail to one teacher about one class and week, stored before it is sent. `failed_at` and
    `problem` describe the last failure; neither the address nor the server's answer is stored."""

    class State(models.TextChoices):
        DUE = "due", _("due")
        MAKING = "making", _("being made")
        HANDED = "handed", _("passed to the mail server")
        SENT = "sent", _("sent")
        SILENT = "silent", _("nothing to report")
        FAILED = "failed", _("failed")

    class Problem(models.TextChoices):
        REFUSED = "refused", _("the mail was refused")
        UNREACHED = "unreached", _("the mail server did not answer as it should")

    teaching = models.ForeignKey(Teaching, on_delete=models.CASCADE, related_name="weekly_mails")
    week = models.DateField(_("week"))
    """The day on which it was due, by the class's clock."""
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.DUE)
    at = models.DateTimeField(_("at"), default=timezone.now)
    """When the state began. For a mail that is due, when it may next be tried."""
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    failed_at = models.DateTimeField(_("failed at"), null=True)
    problem = models.CharField(_("problem"), max_length=9, choices=Problem.choices, blank=True)

    class Meta:
        verbose_name = _("weekly mail")
        verbose_name_plural = _("weekly mails")
        ordering = ("-week", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("teaching", "week"), name="weekly_mail_once"),
        )
        indexes = (models.Index(fields=("failed_at",)),)

    def __str__(self) -> str:
        return f"{self.week} {self.state} {self.teaching_id}"
