"""Adults' sign-in: known devices, wrong tries, temporary values for limits, changed addresses.

But for the last, these tables contain no mail or network addresses, only keyed hashes of them.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AdultDevice(models.Model):
    """A device that an account knows, as the hash of the random id in the device's cookie."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="known_devices"
    )
    device_hash = models.CharField(max_length=64, unique=True)
    seen_at = models.DateTimeField(default=timezone.now)
    signed_in_at = models.DateTimeField(null=True, blank=True)
    """The last complete sign-in on it, second step included; None where only a new password was
    chosen."""

    class Meta:
        indexes = (models.Index(fields=("seen_at",)),)

    def __str__(self) -> str:
        return f"{self.user} {self.device_hash[:8]}"


class WrongSignIns(models.Model):
    """The times of wrong tries of one kind: at an account on one device or on all strange ones, or
    from one network address."""

    key_hash = models.CharField(max_length=64, unique=True)
    times = models.JSONField(default=list)
    """Seconds since 1970, only of tries that still count."""
    ends_at = models.DateTimeField(db_index=True)
    """When the last of them stops counting."""

    def __str__(self) -> str:
        return f"{self.key_hash[:8]} {len(self.times)}"


class SharedValue(models.Model):
    """An entry of the cache shared by all processes (`accounts/limits/store.py`)."""

    key_hash = models.CharField(max_length=64, primary_key=True)
    value = models.JSONField(null=True)
    ends_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """None: kept until deleted."""

    def __str__(self) -> str:
        return self.key_hash[:8]


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
