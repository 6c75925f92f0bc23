"""Invitations for adults to co-teach a class or take it over."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .classes import SchoolClass, Teaching


class Invitation(models.Model):
    """Invites an adult to a class by a link. The link stops working once it is used, once `ends_at`
    has passed, or when the inviter no longer owns the class.

    To co-teach, the link alone is enough, once: schools forward mail, and a teacher may have
    several addresses. To take the class over, the account must have confirmed exactly this address
    (`classes.co_teachers`).
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
