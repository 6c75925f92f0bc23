"""What the pages of an account of an adult say in few words."""

from django import template
from django.utils.translation import gettext

from classrooms.accounts.browsers import device_of

register = template.Library()


@register.filter
def browser(user_agent: str) -> str:
    """A browser and its system by what it says of itself."""
    return device_of(user_agent) or gettext("another browser")
