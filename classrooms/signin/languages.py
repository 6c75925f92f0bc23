"""The language of children's pages: the child's own, the one tapped at the door, or the class's."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from classrooms.models import Child, SchoolClass

CODES: Final = frozenset(code for code, _ in settings.LANGUAGES)


def chosen_at_the_door(request: HttpRequest) -> str:
    """The language tapped at the door since the last child left this device; "" for none."""
    code = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return code if code in CODES else ""


def at_the_door(request: HttpRequest, school_class: SchoolClass) -> str:
    return chosen_at_the_door(request) or school_class.language


def of_child(request: HttpRequest, child: Child) -> str:
    return child.language or at_the_door(request, child.school_class)


def keep(child: Child, code: str) -> bool:
    """Store the child's choice. Returns whether the site has that language."""
    if code not in CODES:
        return False
    Child.objects.filter(pk=child.pk).update(language=code)
    return True


def speak(request: HttpRequest, code: str) -> None:
    translation.activate(code)
    request.LANGUAGE_CODE = translation.get_language()


def forget(response: HttpResponse) -> None:
    """Let the next child at this device start in the language of its class."""
    response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
