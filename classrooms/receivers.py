"""One device, one person: an adult who signs in ends the child's session there."""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from . import signing_in
from .middleware import SESSION_COOKIE


@receiver(user_logged_in)
def end_childs_session(request: HttpRequest | None, **kwargs: Any) -> None:
    if request is not None and (token := request.COOKIES.get(SESSION_COOKIE)):
        signing_in.sign_out(token)
