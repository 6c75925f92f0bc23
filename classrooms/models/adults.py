"""How adults get in: the devices an account knows, wrong tries, and what limits keep for a while.

No address is in here, neither a mail address nor a network's: only keyed hashes of them.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone


class AdultDevice(models.Model):
    """A device that an account knows, as the hash of the random id in the device's cookie."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="known_devices"
    )
    device_hash = models.CharField(max_length=64, unique=True)
    seen_at = models.DateTimeField(default=timezone.now)
    signed_in_at = models.DateTimeField(null=True, blank=True)
    """When the account last signed in on it completely, second step included; None where it has
    only chosen a new password on it."""

    class Meta:
        indexes = (models.Index(fields=("seen_at",)),)

    def __str__(self) -> str:
        return f"{self.user} {self.device_hash[:8]}"


class WrongSignIns(models.Model):
    """When there were wrong tries of one kind: at an account on one device or on all strange ones,
    or from one network address."""

    key_hash = models.CharField(max_length=64, unique=True)
    times = models.JSONField(default=list)
    """Seconds since 1970, those that still count."""
    ends_at = models.DateTimeField(db_index=True)
    """When the last of them stops counting."""

    def __str__(self) -> str:
        return f"{self.key_hash[:8]} {len(self.times)}"


class SharedValue(models.Model):
    """An entry of the cache that all processes share (`accounts/store.py`)."""

    key_hash = models.CharField(max_length=64, primary_key=True)
    value = models.JSONField(null=True)
    ends_at = models.DateTimeField(null=True, blank=True, db_index=True)
    """None: it is kept until it is deleted."""

    def __str__(self) -> str:
        return self.key_hash[:8]
