"""An adult's own account: what protects it, and where to change that."""

from typing import cast

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ..models import User


@login_required
@require_GET
def account(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    verified = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    context = {
        "is_verified": verified.exists(),
        "has_password": user.has_usable_password(),
        "two_steps": is_mfa_enabled(user),
    }
    return render(request, "classrooms/account.html", context)
