"""The pages of a child's face and collection."""

from collections.abc import Iterator
from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from classrooms.access import ChildRequest
from classrooms.collection.pieces import collection_of
from classrooms.models import Child
from classrooms.signin.children_only import for_children
from games.screen.player_faces import CHOICES, PlayerFace, own_face


@require_http_methods(["GET", "HEAD", "POST"])
@for_children
def face(request: ChildRequest) -> HttpResponse:
    """Let a child change one part of their face at a time, and store each tap. The tablecloth is
    chosen on the page of the collection."""
    child = request.child
    current = own_face(child.face)
    if request.method == "POST":
        for part in CHOICES:
            try:
                value = request.POST.get(part, current.parts.get(part, ""))
                current = current.with_part(part, value)
            except ValueError:
                continue
        Child.objects.filter(pk=child.pk).update(face=current.text)
        return redirect("classrooms:collection" if "cloth" in request.POST else "classrooms:face")
    return render(request, "collection/face.html", {"shown": current, "parts": choices(current)})


@require_GET
@for_children
def collection(request: ChildRequest) -> HttpResponse:
    child = request.child
    cloth = own_face(child.face).parts.get("cloth", "")
    context = {"collection": collection_of(child), "cloth": cloth}
    return render(request, "collection/collection.html", context)


# The names of the parts of a face.


PARTS: Final[dict[str, Promise]] = {
    "animal": gettext_lazy("Animal"),
    "hat": gettext_lazy("On the head"),
    "glasses": gettext_lazy("Glasses"),
    "neck": gettext_lazy("Round the neck"),
}
NAMES: Final[dict[str, Promise]] = {
    "": gettext_lazy("nothing"),
    "owl": gettext_lazy("owl"),
    "fox": gettext_lazy("fox"),
    "bear": gettext_lazy("bear"),
    "hare": gettext_lazy("hare"),
    "cat": gettext_lazy("cat"),
    "frog": gettext_lazy("frog"),
    "penguin": gettext_lazy("penguin"),
    "panda": gettext_lazy("panda"),
    "cap": gettext_lazy("cap"),
    "bobble": gettext_lazy("bobble hat"),
    "party": gettext_lazy("party hat"),
    "bow": pgettext_lazy("in the hair", "bow"),
    "flower": gettext_lazy("flower"),
    "round": gettext_lazy("round glasses"),
    "square": gettext_lazy("square glasses"),
    "scarf": gettext_lazy("scarf"),
    "tie": gettext_lazy("bow tie"),
    "beads": gettext_lazy("beads"),
}


def choices(player_face: PlayerFace) -> Iterator[dict[str, Any]]:
    """The parts of a face with their choices: buttons with the child's face as it would then
    look."""
    for part, name in PARTS.items():
        values, chosen = CHOICES[part], player_face.parts.get(part, "")
        buttons = [
            {
                "value": value,
                "name": NAMES[value],
                "face": player_face.with_part(part, value),
                "is_chosen": value == chosen,
            }
            for value in (values if part == "animal" else ("", *values))
        ]
        yield {"part": part, "name": name, "choices": buttons}
