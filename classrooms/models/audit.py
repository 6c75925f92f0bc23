"""What adults did with what is known of children."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AuditEntry(models.Model):
    """An adult looked at a child, or exported, moved or erased one, or did so with a class.

    Child and class are kept as their ids alone: the entry outlives them, and names nobody. `page`:
    what was looked at; `once`: the key by which looking there again in the same hour is no second
    entry, for as long as it matters.
    """

    class What(models.TextChoices):
        LOOKED = "looked", _("looked")
        EXPORTED = "exported", _("exported")
        MOVED = "moved", _("moved")
        MERGED = "merged", _("merged")
        HANDED_OVER = "handed over", _("handed over")
        ERASED = "erased", _("erased")
        DOOR = "door", _("changed who sees the names")

    class Page(models.TextChoices):
        CLASS = "class", _("the class page")
        LIVE = "live", _("the lesson as it goes")
        FACT = "fact", _("the answers to a fact")
        CHILD = "child", _("the page of the child")
        MOVES = "moves", _("the moves behind a figure")
        REPLAY = "replay", _("the replay of a turn")
        PICTURES = "pictures", _("the pictures to sign in with")
        CARDS = "cards", _("login cards")
        LETTERS = "letters", _("letters to parents")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="audited"
    )
    what = models.CharField(_("what"), max_length=12, choices=What.choices)
    page = models.CharField(_("page"), max_length=8, choices=Page.choices, blank=True)
    once = models.UUIDField(null=True, unique=True, editable=False)
    child_id = models.UUIDField(_("child"), null=True, db_index=True)
    class_id = models.UUIDField(_("class"), db_index=True)
    at = models.DateTimeField(_("at"), default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("entry of the audit log")
        verbose_name_plural = _("audit log")
        ordering = ("-at", "-pk")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.what} {self.child_id or self.class_id}"
