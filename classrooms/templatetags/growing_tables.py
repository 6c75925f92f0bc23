"""How a child's tables grow, for the list of its games."""

from typing import Any

from django import template

from classrooms.collection.pieces import growing_of
from classrooms.models import Child

register = template.Library()


@register.inclusion_tag("collection/_growing.html")
def growing_tables(child: Child) -> dict[str, Any]:
    return {"growing": growing_of(child)}
