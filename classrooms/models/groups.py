"""Groups of children within a class."""

import uuid

from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.models.name_order import LONGEST_ORDER, name_order

from .children import Child, NameOrderField
from .classes import SchoolClass


class Group(models.Model):
    """A named group of children in a class, for assignments of its own.

    A removed group can no longer be chosen; its children keep what it was assigned.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(_("name"), max_length=40)
    name_order = NameOrderField(max_length=LONGEST_ORDER, default="", editable=False)
    children = models.ManyToManyField(Child, related_name="groups")
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("group")
        verbose_name_plural = _("groups")
        ordering = ("name_order", "name")
        constraints = (
            models.UniqueConstraint(
                "school_class",
                Lower("name"),
                condition=models.Q(removed_at=None),
                name="group_name_once",
            ),
        )

    def __str__(self) -> str:
        return self.name


def order_names_again(school_class: SchoolClass) -> None:
    """Order the children and groups of a class by its language, which has changed."""
    children = list(Child.everyone.filter(school_class=school_class))
    groups = list(Group.objects.filter(school_class=school_class))
    named: list[Child | Group] = [*children, *groups]
    for each in named:
        each.name_order = name_order(each.name, school_class.language)
    Child.everyone.bulk_update(children, ("name_order",))
    Group.objects.bulk_update(groups, ("name_order",))
