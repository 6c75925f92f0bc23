"""Tags for the pages of adults' accounts."""

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from classrooms.accounts.sessions import browser_name

register = template.Library()
register.filter("browser", browser_name)


@register.filter
def breakable(text: str) -> SafeString:
    """Text with e-mail addresses, which a narrow screen may break after the @."""
    first, *others = text.split("@")
    return format_html(
        "{}{}", first, format_html_join("", "@<wbr>{}", ((each,) for each in others))
    )


@register.simple_tag(takes_context=True)
def sign_up_is_open(context: dict[str, Any]) -> bool:
    """Whether the visitor may make an account."""
    from classrooms.accounts.services import is_open

    return is_open(context["request"])
