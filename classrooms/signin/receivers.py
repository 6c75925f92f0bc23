"""One device, one person: an adult's sign-in ends a child's session on that device."""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from classrooms.signin import services
from classrooms.signin.children_only import SESSION_COOKIE


@receiver(user_logged_in)
def end_childs_session(request: HttpRequest | None, **kwargs: Any) -> None:
    if request is not None and (token := request.COOKIES.get(SESSION_COOKIE)):
        services.sign_out(token)
