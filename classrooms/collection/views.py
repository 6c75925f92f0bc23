"""The pages of a child's face and collection."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from classrooms.access import ChildRequest
from classrooms.collection import words
from classrooms.collection.pieces import collection_of
from classrooms.models import Child
from classrooms.signin.children_only import for_children
from games.screen.player_faces import CHOICES, own_face


@require_http_methods(["GET", "HEAD", "POST"])
@for_children
def face(request: ChildRequest) -> HttpResponse:
    """Let a child change one part of their face at a time; each tap is stored. The tablecloth is
    chosen on the page of the collection."""
    child = request.child
    shown = own_face(child.face)
    if request.method == "POST":
        for part in CHOICES:
            try:
                shown = shown.changed(part, request.POST.get(part, shown.parts.get(part, "")))
            except ValueError:
                continue
        Child.objects.filter(pk=child.pk).update(face=shown.text)
        return redirect("classrooms:collection" if "cloth" in request.POST else "classrooms:face")
    return render(request, "collection/face.html", {"shown": shown, "parts": words.choices(shown)})


@require_GET
@for_children
def collection(request: ChildRequest) -> HttpResponse:
    child = request.child
    cloth = own_face(child.face).parts.get("cloth", "")
    context = {"collection": collection_of(child), "cloth": cloth}
    return render(request, "collection/collection.html", context)
