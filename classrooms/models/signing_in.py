"""Children's sign-in: sessions, devices, wrong tries and QR codes."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .children import Child
from .classes import SchoolClass


class ChildSession(models.Model):
    """A child signed in on one device. The token itself is only in the device's cookie."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="sessions")
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ends_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("ends_at",)),)

    def __str__(self) -> str:
        return f"{self.child} {self.created_at:%Y-%m-%d %H:%M}"


class KnownDevice(models.Model):
    """A device on which this child has signed in before, by the hash of its random id."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="known_devices")
    device_hash = models.CharField(max_length=64)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("child", "device_hash"), name="known_device_once"),
        )

    def __str__(self) -> str:
        return f"{self.child} {self.device_hash[:8]}"


class WrongTries(models.Model):
    """The times of wrong pictures for a child: on one known device, or on all strange ones."""

    STRANGE = ""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="wrong_tries")
    device_hash = models.CharField(max_length=64, blank=True, default=STRANGE)
    times = models.JSONField(default=list)
    """Seconds since 1970, of the 24 hours before the last try."""

    class Meta:
        verbose_name_plural = _("wrong tries")
        constraints = (
            models.UniqueConstraint(fields=("child", "device_hash"), name="wrong_tries_once"),
        )

    def __str__(self) -> str:
        return f"{self.child} {len(self.times)}"


class WrongNames(models.Model):
    """The times when names were typed that no child of the class has; the names are not stored."""

    school_class = models.OneToOneField(
        SchoolClass, on_delete=models.CASCADE, related_name="wrong_names"
    )
    times = models.JSONField(default=list)
    """Seconds since 1970: the last 60 within 24 hours of the last try."""

    class Meta:
        verbose_name_plural = _("wrong names")

    def __str__(self) -> str:
        return f"{self.school_class_id} {len(self.times)}"


class WrongCodes(models.Model):
    """How many wrong class codes were tried within one hour, on all strange devices together."""

    hour = models.DateTimeField(unique=True)
    count = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = _("wrong codes")

    def __str__(self) -> str:
        return f"{self.hour:%Y-%m-%d %H:%M} {self.count}"


class QrCode(models.Model):
    """The QR code on a child's card. Its token is computed from `nonce`, the child and a key that
    is not in the database (`classrooms.credentials.secrets.qr_tokens`); only its hash is stored.

    `renewal`: the id of the renewal that made this code. Until it is forgotten, the former nonce
    and hash can be restored.
    """

    child = models.OneToOneField(Child, on_delete=models.CASCADE, related_name="qr_code")
    nonce = models.CharField(max_length=32)
    token_hash = models.CharField(max_length=64, unique=True)
    former_nonce = models.CharField(max_length=32, blank=True)
    former_hash = models.CharField(max_length=64, blank=True)
    renewal = models.UUIDField(null=True, blank=True)
    issued_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.child} {self.issued_at:%Y-%m-%d %H:%M}"
