"""The language of children's pages: the child's own, the one tapped at the door, or the class's.

Pages that know no class, such as the one for the code, are in the language of the class whose names
this device showed last.
"""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from classrooms.models import Child, SchoolClass

CLASS_LANGUAGE_COOKIE: Final = "class_language"


def is_offered(code: str) -> bool:
    """Whether the site has a language. A trial that is taken away may still be a child's choice."""
    return any(code == each for each, _ in settings.LANGUAGES)


def chosen_at_the_door(request: HttpRequest) -> str:
    """The language tapped at the door since the last child left this device; "" for none."""
    code = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return code if is_offered(code) else ""


def of_device(request: HttpRequest) -> str:
    """The language tapped here, else that of the class last at this device; "" for neither."""
    code = request.COOKIES.get(CLASS_LANGUAGE_COOKIE, "")
    return chosen_at_the_door(request) or (code if is_offered(code) else "")


def at_the_door(request: HttpRequest, school_class: SchoolClass) -> str:
    of_class = school_class.language
    fitting = of_class if is_offered(of_class) else settings.LANGUAGE_CODE
    return chosen_at_the_door(request) or fitting


def of_child(request: HttpRequest, child: Child) -> str:
    own = child.language if is_offered(child.language) else ""
    return own or at_the_door(request, child.school_class)


def keep(child: Child, code: str) -> bool:
    """Store the child's choice. Returns whether the site has that language."""
    if not is_offered(code):
        return False
    Child.objects.filter(pk=child.pk).update(language=code)
    return True


def speak(request: HttpRequest, code: str) -> None:
    translation.activate(code)
    request.LANGUAGE_CODE = translation.get_language()


def forget(response: HttpResponse) -> None:
    """Let the next child at this device start in the language of its class."""
    response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")


def remember(response: HttpResponse, school_class: SchoolClass) -> None:
    """Let the pages without a class speak its language at this device, until the browser closes."""
    response.set_cookie(
        CLASS_LANGUAGE_COOKIE,
        school_class.language,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
