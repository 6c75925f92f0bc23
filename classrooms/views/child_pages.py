"""What a child sees of its class: what there is to play."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from .. import assigning, signing_in
from ..access import assignment_for_child, for_children, signed_in_child
from ..middleware import SESSION_COOKIE, delete_session_cookie
from ..models import Child


@require_GET
@for_children
def me(request: HttpRequest) -> HttpResponse:
    child = signed_in_child(request)
    context = {"child": child, "assigned": assigning.assigned_to(child)}
    return render(request, "classrooms/me.html", context)


@require_POST
@for_children
def start(request: HttpRequest, assignment_id: UUID) -> HttpResponse:
    child = signed_in_child(request)
    game = assigning.go_on_or_start(child, assignment_for_child(child, assignment_id))
    return redirect("games:page", game.pk)


@require_POST
@for_children
def speed(request: HttpRequest) -> HttpResponse:
    """Keep how fast the others shall play, and go back to the page that asked."""
    child, wanted = signed_in_child(request), request.POST.get("speed", "")
    if wanted in Child.Speed.values:
        Child.objects.filter(pk=child.pk).update(speed=wanted)
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = resolve_url("classrooms:me")
    return redirect(back)


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    if token := request.COOKIES.get(SESSION_COOKIE):
        signing_in.sign_out(token)
    response = redirect("classrooms:home")
    delete_session_cookie(response)
    return response
