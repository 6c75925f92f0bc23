"""Schools, and the teachers who belong to them."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class School(models.Model):
    """A school with its teachers. Its classes are those that its teachers own. `removals`: how many
    teachers were taken off it; a link to join it is good until the next."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=80)
    removals = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("school")
        verbose_name_plural = _("schools")
        ordering = ("name", "created_at")

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """That a teacher belongs to a school, and whether as an admin of it. A teacher belongs to one
    school at most, so that each class belongs to one."""

    class Role(models.TextChoices):
        TEACHER = "teacher", _("teacher")
        ADMIN = "admin", _("admin")

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="memberships")
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="membership"
    )
    role = models.CharField(_("role"), max_length=8, choices=Role.choices, default=Role.TEACHER)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("teacher of a school")
        verbose_name_plural = _("teachers of a school")

    def __str__(self) -> str:
        return f"{self.user} – {self.school}"

    def has_other_admin(self) -> bool:
        """Whether the school has an admin besides this one who may sign in."""
        admins = Membership.objects.filter(
            school=self.school_id, role=self.Role.ADMIN, user__is_active=True
        )
        return admins.exclude(pk=self.pk).exists()


class NewYear(models.Model):
    """That several classes have begun a new school year together: those of a school, or of a
    teacher where there is no `school`. `classes` holds what it takes to undo it: of each class its
    id, its names before and after, and when it was archived, or ""."""

    school = models.OneToOneField(
        School, on_delete=models.CASCADE, null=True, related_name="new_year"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="new_years"
    )
    at = models.DateTimeField(default=timezone.now, editable=False)
    classes = models.JSONField(default=list, editable=False)

    class Meta:
        verbose_name = _("new school year")
        verbose_name_plural = _("new school years")
        constraints = (
            models.UniqueConstraint(
                "user", condition=models.Q(school=None), name="new_year_once_per_teacher"
            ),
        )

    def __str__(self) -> str:
        return f"{self.school or self.user}, {self.at:%Y-%m-%d}"
