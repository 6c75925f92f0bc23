"""Learning platforms of schools, their courses, and the people who come from them."""

import uuid
from typing import Any, Final
from urllib.parse import urlsplit

from django.db import models
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.models import Assignment, Child, School, SchoolClass

LONGEST_URL: Final = 500


class Platform(models.Model):
    """A learning platform that an admin of the school added. Until its data are complete
    (`is_ready`), every launch is refused.

    Anyone with a platform's keys can sign in as any child linked with it. So a platform belongs to
    one school, and its courses open only classes of that school.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="platforms")
    name = models.CharField(_("name"), max_length=60)
    issuer = models.CharField(_("issuer"), max_length=255, blank=True)
    client_id = models.CharField(_("client ID"), max_length=255, blank=True)
    deployment = models.CharField(_("deployment ID"), max_length=255, blank=True)
    auth_url = models.CharField(max_length=LONGEST_URL, blank=True)
    token_url = models.CharField(max_length=LONGEST_URL, blank=True)
    keyset_url = models.CharField(max_length=LONGEST_URL, blank=True)
    pages = models.JSONField(default=list)
    """Further origins of the platform's pages, such as `https://school.example`."""
    sends_grades = models.BooleanField(_("send progress"), default=False)
    keys = models.JSONField(default=list, editable=False)
    """The platform's public keys (JWK), as they were last fetched."""
    keys_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("learning platform")
        verbose_name_plural = _("learning platforms")
        ordering = ("name", "created_at")

    def __str__(self) -> str:
        return self.name

    @property
    def is_ready(self) -> bool:
        return all(
            (
                self.issuer,
                self.client_id,
                self.deployment,
                self.auth_url,
                self.token_url,
                self.keyset_url,
            )
        )

    @property
    def origins(self) -> list[str]:
        """The origins of the platform's pages. They may frame the launch page, and they get the
        answers to deep links."""
        urls = (self.issuer, self.auth_url, self.token_url, self.keyset_url)
        origins = [origin for url in urls if (origin := origin_of(url))]
        return sorted({*origins, *self.pages})


def origin_of(url: str) -> str:
    """The origin of an https URL, safe in a header; "" for any other text.

    >>> origin_of("https://Moodle.example:8443/mod/lti/auth.php?x=1"), origin_of("http://a.example")
    ('https://moodle.example:8443', '')
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = parts.port
    except ValueError:
        return ""
    is_plain = bool(host) and host.isascii() and all(c.isalnum() or c in ".-" for c in host)
    if parts.scheme != "https" or not is_plain or "@" in parts.netloc:
        return ""
    return f"https://{host}" if port in (None, 443) else f"https://{host}:{port}"


class Course(models.Model):
    """A course of a platform that a teacher has linked to a class."""

    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="courses")
    context = models.CharField(max_length=255)
    """The platform's id of the course."""
    title = models.CharField(max_length=100, blank=True)
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="courses")
    members_url = models.CharField(max_length=LONGEST_URL, blank=True)
    """The address of the platform's list of the people in the course; "" if it has none."""
    linked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("linked course")
        verbose_name_plural = _("linked courses")
        ordering = ("linked_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("platform", "context"), name="course_linked_once"),
        )

    def __str__(self) -> str:
        return self.title or self.context


class PlatformPerson(models.Model):
    """A person of a platform, with a keyed hash of their id there. They are a child of a class, or
    wait in a `course` until a teacher says who they are. Only people who wait have a name here."""

    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="people")
    subject_hash = models.CharField(max_length=64)
    child = models.ForeignKey(
        Child, on_delete=models.CASCADE, null=True, related_name="platform_people"
    )
    course = models.ForeignKey(Course, on_delete=models.CASCADE, null=True, related_name="waiting")
    name = models.CharField(max_length=40, blank=True)
    family = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("person of a platform")
        verbose_name_plural = _("people of platforms")
        ordering = ("created_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("platform", "subject_hash", "child"),
                condition=models.Q(child__isnull=False),
                name="platform_person_linked_once",
            ),
            models.UniqueConstraint(
                fields=("course", "subject_hash"),
                condition=models.Q(course__isnull=False),
                name="platform_person_waits_once",
            ),
            models.CheckConstraint(
                condition=models.Q(child__isnull=True) ^ models.Q(course__isnull=True),
                name="platform_person_linked_or_waits",
            ),
            models.CheckConstraint(
                condition=models.Q(child__isnull=True) | models.Q(name="", family=""),
                name="platform_person_named_while_waiting",
            ),
        )

    def __str__(self) -> str:
        return self.subject_hash[:8]


@receiver(pre_delete, sender=Child)
def forget_the_person(instance: Child, **kwargs: Any) -> None:
    """Forget the name of the person who is this child wherever they still wait, and messages about
    them that were not used."""
    people = PlatformPerson.objects.filter(child=instance)
    for platform, subject_hash in people.values_list("platform_id", "subject_hash"):
        PlatformPerson.objects.filter(
            platform=platform, subject_hash=subject_hash, child=None
        ).delete()
        Launch.objects.filter(platform=platform, message__subject_hash=subject_hash).update(
            message=None
        )


class Launch(models.Model):
    """A platform's signed message about a person, for the browser in which they began. It lets them
    in once, after which `message` is None. The row stays until `ends_at`, so that the message
    cannot be used again."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="launches")
    browser_hash = models.CharField(max_length=64)
    nonce_hash = models.CharField(max_length=64, unique=True)
    message = models.JSONField(null=True)
    """`messages.Message`; None after it has let somebody in."""
    frame_hash = models.CharField(max_length=64, blank=True, db_index=True)
    """The hash of the token in the frame that waits for the chosen assignment."""
    answer = models.JSONField(null=True)
    """The choice for a deep link, until the frame fetches it."""
    ends_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("launch")
        verbose_name_plural = _("launches")

    def __str__(self) -> str:
        return f"{self.platform_id} {self.ends_at:%Y-%m-%d %H:%M}"


class LineItem(models.Model):
    """An assignment's column in the platform's gradebook."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="line_items")
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="line_items")
    url = models.CharField(max_length=LONGEST_URL)
    failures = models.PositiveSmallIntegerField(default=0)
    """How often sending has failed since the last success."""
    next_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("gradebook column")
        verbose_name_plural = _("gradebook columns")
        constraints = (
            models.UniqueConstraint(fields=("course", "assignment"), name="line_item_once"),
        )

    def __str__(self) -> str:
        return f"{self.course_id} {self.assignment_id}"


class SentScore(models.Model):
    """The share of the rounds of an assignment, in percent, that the platform was last sent."""

    line_item = models.ForeignKey(LineItem, on_delete=models.CASCADE, related_name="scores")
    person = models.ForeignKey(PlatformPerson, on_delete=models.CASCADE, related_name="scores")
    percent = models.PositiveSmallIntegerField()
    sent_at = models.DateTimeField()

    class Meta:
        verbose_name = _("sent score")
        verbose_name_plural = _("sent scores")
        constraints = (
            models.UniqueConstraint(fields=("line_item", "person"), name="sent_score_once"),
        )

    def __str__(self) -> str:
        return f"{self.line_item_id} {self.percent}"


class ToolKey(models.Model):
    """The site's key pair, which signs what the site sends to platforms."""

    kid = models.CharField(max_length=64, unique=True)
    private_encrypted = models.TextField()
    """PEM, encrypted with `PICTURES_KEY`."""
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("key for platforms")
        verbose_name_plural = _("keys for platforms")
        ordering = ("created_at", "pk")
