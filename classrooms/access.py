"""The one gate to every object: what is yours, or 404. What is foreign answers as what is missing.

Adults come with their `User`, children with their `Child`; no function here takes both.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from .audience import for_child
from .middleware import to_the_door
from .models import Assignment, Attempt, Child, Group, SchoolClass, User
from .secrets import read_code, token_hash

Adult = User | AnonymousUser


def classes_of(user: Adult) -> QuerySet[SchoolClass]:
    """The classes that this adult owns or teaches along."""
    if not user.is_authenticated:
        return SchoolClass.objects.none()
    return SchoolClass.objects.filter(teachings__user=user)


def class_for(user: Adult, class_id: UUID) -> SchoolClass:
    return get_object_or_404(classes_of(user), pk=class_id)


def child_for(user: Adult, class_id: UUID, child_id: UUID) -> Child:
    """A child of a class of this adult's, with its class."""
    children = Child.objects.select_related("school_class")
    return get_object_or_404(
        children, pk=child_id, school_class=class_id, school_class__in=classes_of(user)
    )


def assignment_for(user: Adult, class_id: UUID, assignment_id: UUID) -> Assignment:
    assignments = Assignment.objects.select_related("school_class")
    return get_object_or_404(
        assignments,
        pk=assignment_id,
        school_class=class_id,
        school_class__in=classes_of(user),
    )


def group_for(user: Adult, class_id: UUID, group_id: UUID) -> Group:
    groups = Group.objects.select_related("school_class")
    return get_object_or_404(
        groups, pk=group_id, school_class=class_id, school_class__in=classes_of(user)
    )


def attempt_for_child(child: Child, game_id: UUID) -> Attempt:
    """The child's own match, with its assignment and game; also of an ended assignment."""
    attempts = Attempt.objects.select_related("assignment", "game")
    return get_object_or_404(attempts, child=child, game=game_id)


def assignment_for_child(child: Child, assignment_id: UUID) -> Assignment:
    """What is or was meant for this child in its own class."""
    return get_object_or_404(for_child(child), pk=assignment_id)


def class_by_code(code: str) -> SchoolClass:
    """The class that someone at the door names; everyone who knows the code may."""
    return get_object_or_404(SchoolClass, code=read_code(code) or "")


def child_at_the_door(code: str, child_id: UUID) -> Child:
    """The child, of the class with this code, that someone says to be."""
    children = Child.objects.select_related("school_class")
    return get_object_or_404(children, pk=child_id, school_class__code=read_code(code) or "")


def child_by_name(code: str, name: str, device: str) -> Child | None:
    """The child of this name, in the class with this code, that someone says to be."""
    children = Child.objects.select_related("school_class")
    return children.filter(school_class__code=code, name__iexact=name).first()


def child_by_card(token: str) -> Child | None:
    """The child whose QR code says this token."""
    children = Child.objects.select_related("school_class")
    return children.filter(qr_code__token_hash=token_hash(token)).first()


def signed_in_child(request: HttpRequest) -> Child:
    """The child of this request, set by the middleware; 404 where there is none."""
    child = cast(Child | None, getattr(request, "child", None))
    if child is None:
        raise Http404
    return child


def for_children(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page for children: whoever is not signed in as one goes to the door."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if getattr(request, "child", None) is None:
            return to_the_door(request)
        return view(request, *args, **kwargs)

    return page
