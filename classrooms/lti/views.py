"""The entrance from a learning platform.

A platform begins a launch with a request of the browser, often in a frame of its course page, where
the browser withholds the site's cookies. So the page in a frame has only a link that opens a tab,
in which the launch begins again. No other page of the site can be framed, and this one only by the
platform's own pages.
"""

import secrets
from collections.abc import Mapping
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import get_random_string
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from classrooms.access import SchoolRequest, assignment_for, classes_to_link, teaches
from classrooms.assignments import playing, status
from classrooms.assignments.presets import title_of
from classrooms.credentials import token_hash
from classrooms.locks import Changed
from classrooms.lti import courses, launches, platforms
from classrooms.lti.courses import MEMBERS
from classrooms.lti.messages import Message, Refused, public_keys, sign_choice
from classrooms.lti.models import Course, Launch, Platform
from classrooms.lti.outgoing import Unreachable, is_allowed, origin_of
from classrooms.models import Assignment, Child, SchoolClass
from classrooms.privacy.words import REFUSED_LAUNCHES
from classrooms.signin import children_only, door
from classrooms.signin import services as signin
from classrooms.signin.children_only import device_of, redirect_signed_in
from games.marks import marked
from games.play.posted_values import parse_uuid

BROWSER_COOKIE: Final = "launch"
BROWSER_LASTS: Final = 3600
FRAME: Final = "frame"
TAB: Final = "tab"
_LOGIN_PARAMETERS: Final = (
    "iss",
    "client_id",
    "lti_deployment_id",
    "target_link_uri",
    "login_hint",
    "lti_message_hint",
)
_LONGEST_PARAMETER: Final = 4_000


def _allow_framing(response: HttpResponse, origins: list[str]) -> HttpResponse:
    """Let pages of these origins frame this answer."""
    if origins:
        response._csp_replace = {"frame-ancestors": origins}  # type: ignore[attr-defined]
        response.xframe_options_exempt = True
    return response


def _refusal_page(
    request: HttpRequest,
    platform: Platform | None,
    refused: Refused,
    school_class: SchoolClass | None = None,
) -> HttpResponse:
    """Tell the visitor why nobody was let in, and log the refusal."""
    launches.refuse(platform, refused.reason, school_class)
    if refused.reason not in ("often", "unlinked", "used"):
        launches.count_refusal(door.network_at_door(request))
    language = children_only.class_language(request, school_class) if school_class else ""
    with translation.override(language or translation.get_language()):
        context = {"why": REFUSED_LAUNCHES[refused.reason]}
        response = render(request, "lti/refused.html", context, status=400)
    return _allow_framing(response, platform.origins) if platform else response


@csrf_exempt
@marked(person="door")
@require_http_methods(["GET", "POST"])
def login(request: HttpRequest, platform_id: UUID) -> HttpResponse:
    """Begin a launch that a platform requests."""
    platform = get_object_or_404(Platform, pk=platform_id)
    data = request.POST if request.method == "POST" else request.GET
    fields = {name: data[name] for name in _LOGIN_PARAMETERS if name in data}
    browser = request.COOKIES.get(BROWSER_COOKIE, "") or secrets.token_urlsafe(32)
    frame = request.GET.get(FRAME, "")
    try:
        launches.check_network(door.network_at_door(request))
        if any(len(text) > _LONGEST_PARAMETER for text in fields.values()):
            raise Refused("unreadable")
        authorization_url = launches.begin(
            platform,
            browser,
            fields,
            platforms.addresses_of(platform)["launch"],
            frame and token_hash(frame),
        )
    except Refused as refused:
        return _refusal_page(request, platform, refused)
    # Old browsers do not say that they show the answer in a tab; the link of the framed page does.
    if request.headers.get("Sec-Fetch-Dest", "") != "document" and TAB not in request.GET:
        return _framed_page(request, platform, fields)
    response = redirect(authorization_url)
    # The platform's page posts its answer, with which browsers send no lax cookies.
    response.set_cookie(
        BROWSER_COOKIE, browser, max_age=BROWSER_LASTS, httponly=True, secure=True, samesite="None"
    )
    return response


def _framed_page(
    request: HttpRequest, platform: Platform, parameters: Mapping[str, str]
) -> HttpResponse:
    """The page in a frame, with a link that opens a tab, and a button that sends the choice made
    there."""
    frame = secrets.token_urlsafe(32)
    context = {
        "query": urlencode({**parameters, TAB: "1", FRAME: frame}),
        "platform": platform,
        "frame": frame,
    }
    return _allow_framing(render(request, "lti/new_tab.html", context), platform.origins)


@csrf_exempt
@marked(person="door")
@require_POST
def launch(request: HttpRequest, platform_id: UUID) -> HttpResponse:
    """Store a platform's message about the person in this browser. The browser posts it from the
    platform's page, without session cookies. This answer leads to its next request, which has
    them."""
    platform = get_object_or_404(Platform, pk=platform_id)
    browser = request.COOKIES.get(BROWSER_COOKIE, "")
    try:
        launches.check_network(door.network_at_door(request))
        if "error" in request.POST:
            raise Refused("platform")
        state, token = (request.POST.get(name, "") for name in ("state", "id_token"))
        started = launches.receive(platform, browser, state, token)
    except Refused as refused:
        return _refusal_page(request, platform, refused)
    return redirect("classrooms:lti_enter", started.pk)


@marked(person="door")
@require_http_methods(["GET", "POST"])
def enter(request: SchoolRequest, launch_id: UUID) -> HttpResponse:
    """Sign a child in, or let an adult who is signed in here continue."""
    browser = request.COOKIES.get(BROWSER_COOKIE, "")
    unfinished = Launch.objects.select_related("platform__school")
    started = get_object_or_404(unfinished, pk=launch_id, browser_hash=token_hash(browser))
    course = None
    try:
        message = launches.message_of(started)
        course = courses.course_of(started.platform, message)
        if message.is_child:
            return _admit_child(request, started, message, course)
        return _admit_adult(request, started, message, course)
    except Refused as refused:
        of_class = course.school_class if course else refused.school_class
        return _refusal_page(request, started.platform, refused, of_class)


def _admit_child(
    request: SchoolRequest, stored_launch: Launch, message: Message, course: Course | None
) -> HttpResponse:
    if course is None:
        raise Refused("unlinked")
    launches.end(stored_launch)
    child = courses.child_of(course, message)
    device = device_of(request) or get_random_string(36)
    answer = None
    if child:
        answer = signin.sign_in_if(child, partial(courses.is_still, course, message), device)
    if child is None or answer is None:
        courses.add_waiting_person(course, message)
        with translation.override(children_only.class_language(request, course.school_class)):
            return render(request, "lti/waiting.html", {"name": message.name})
    response = redirect_signed_in(request, answer.token, device)
    assignment = courses.note_line_item(course, message)
    if assignment and (game := _game_of(child, assignment)):
        response["Location"] = game
    return response


def _game_of(child: Child, assignment: Assignment) -> str:
    """The address of the child's game of this assignment; "" if it cannot be played now, or if a
    guided round comes first."""
    for item in status.playable_assignments(child):
        if item.assignment == assignment and not item.has_guided_round:
            try:
                game = playing.continue_or_start(child, assignment)
            except (IntegrityError, Changed):
                return ""
            return reverse("games:page", args=[game.pk])
    return ""


def _admit_adult(
    request: SchoolRequest, stored_launch: Launch, message: Message, course: Course | None
) -> HttpResponse:
    """The next page of an adult. The platform's message gives no rights: they must be signed in
    here, and teach the class here."""
    user = request.user
    if not user.is_authenticated:
        return redirect_to_login(request.path)
    platform = stored_launch.platform
    if course is None:
        classes = classes_to_link(user, platform.school)
        if request.method == "POST" and "class" in request.POST:
            school_class = get_object_or_404(classes, pk=parse_uuid(request.POST["class"]))
            courses.link_course(platform, message, school_class, user)
            messages.success(
                request, _("The course is now linked to %(class)s.") % {"class": school_class.name}
            )
            if message.return_url:
                return redirect(request.path)
            launches.end(stored_launch)
            return redirect("classrooms:class_platform", school_class.pk)
        context = {"message": message, "platform": platform, "classes": classes}
        return render(request, "lti/link_course.html", context)
    if not teaches(user, course.school_class_id):
        raise Refused("teacher")
    if message.return_url:
        return _pick_page(request, stored_launch, message, course.school_class)
    launches.end(stored_launch)
    to = "class_platform" if course.waiting.exists() else "class"
    return redirect(f"classrooms:{to}", course.school_class_id)


def _pick_page(
    request: SchoolRequest, stored_launch: Launch, message: Message, school_class: SchoolClass
) -> HttpResponse:
    """Let the teacher choose the assignment to which the platform will link."""
    if request.method == "POST" and "assignment" in request.POST:
        key = parse_uuid(request.POST["assignment"])
        assignment = assignment_for(request.user, school_class.pk, key)
        title = title_of(assignment)
        address = platforms.addresses_of(stored_launch.platform)["launch"]
        picked = launches.choose(stored_launch, message, assignment, address, title)
        context = {"platform": stored_launch.platform, "in_frame": bool(stored_launch.frame_hash)}
        return _answer_page(request, stored_launch.platform, picked, context)
    not_ended = school_class.assignments.filter(ended_at=None)
    current = not_ended.exclude(due_on__lt=school_class.today()).order_by("-created_at")
    context = {
        "platform": stored_launch.platform,
        "of_class": school_class,
        "items": status.overview(school_class, list(current)),
    }
    return render(request, "lti/pick.html", context)


def _answer_page(
    request: HttpRequest, platform: Platform, choice: Mapping[str, Any], context: dict[str, Any]
) -> HttpResponse:
    """A page with one button, which posts the signed answer to the platform."""
    signed = sign_choice(platform, choice["data"], choice["item"])
    context |= {"url": choice["url"], "signed": signed}
    response = render(request, "lti/answer.html", context)
    response._csp_update = {  # type: ignore[attr-defined]
        "form-action": [origin_of(choice["url"])]
    }
    return response


@csrf_exempt
@marked(person="door")
@require_POST
def send_choice(request: HttpRequest, platform_id: UUID) -> HttpResponse:
    """Send the platform, from the frame, the choice that was made in the tab. The frame has no
    cookies, so a random token in its page identifies its launch."""
    platform = get_object_or_404(Platform, pk=platform_id)
    frame = request.POST.get(FRAME, "")
    picked = launches.take_choice(platform, frame)
    if picked is None:
        context = {"platform": platform, "frame": frame, "is_early": True}
        return _allow_framing(render(request, "lti/new_tab.html", context), platform.origins)
    response = _answer_page(request, platform, picked, {"platform": platform})
    return _allow_framing(response, platform.origins)


@marked(person="door")
@require_GET
def keys(request: HttpRequest) -> HttpResponse:
    """The site's public keys, for all platforms."""
    response = JsonResponse(public_keys())
    response["Cache-Control"] = "public, max-age=300"
    return response


@csrf_exempt
@marked(person="door")
@require_http_methods(["GET", "POST"])
def register(request: HttpRequest, registration: str) -> HttpResponse:
    """Let a platform register the site through the address that the admin gave it. The page may be
    in a frame, without the admin's session, so the token in the address stands for the admin."""
    pair = platforms.platform_of_token(registration)
    url = request.GET.get("openid_configuration", "")
    if pair is None:
        raise Http404
    platform, by = pair
    context: dict[str, Any] = {"platform": platform, "host": origin_of(url)}
    if request.method == "POST" and is_allowed(url):
        token = request.GET.get("registration_token", "")
        try:
            if not token.isascii() or not token.isprintable():
                raise Unreachable("content")
            with MEMBERS.turn(by.pk):
                platforms.register(platform, url, token, platforms.addresses_of(platform), by)
            context["is_done"] = True
        except Unreachable:
            context["is_unreachable"] = True
        except Changed:
            raise Http404 from None
    response = render(request, "lti/register.html", context)
    return _allow_framing(response, [origin_of(url)] if is_allowed(url) else [])
