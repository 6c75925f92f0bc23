"""Requested changes of e-mail addresses, kept as long as the old address may stop them."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AddressChange(models.Model):
    """A requested change of an account's confirmed address.

    The link mailed to the old address names this row. It works once, and no longer after an earlier
    change of the same account was stopped.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="address_changes"
    )
    old = models.EmailField(_("old address"))
    new = models.EmailField(_("new address"))
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    stopped_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("change of address")
        verbose_name_plural = _("changes of address")

    def __str__(self) -> str:
        return f"{self.old} → {self.new}"
