"""What the pages of an account of an adult say in few words."""

from typing import Any

from django import template
from django.utils.translation import gettext

from classrooms.accounts.browsers import device_of

register = template.Library()


@register.filter
def browser(user_agent: str) -> str:
    """A browser and its system by what it says of itself."""
    return device_of(user_agent) or gettext("another browser")


@register.simple_tag(takes_context=True)
def sign_up_is_open(context: dict[str, Any]) -> bool:
    """Whether whoever sees the page may make an account."""
    from classrooms.accounts.ways_in.sign_up import (
        is_open,  # allauth's forms load before the apps are ready.
    )

    return is_open(context["request"])
