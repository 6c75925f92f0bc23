"""The home page: children type the code of their class, teachers find the sign-in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from classrooms.access import SchoolRequest
from classrooms.http.marks import marked
from classrooms.signin import class_code, words
from classrooms.signin.forms import CodeForm
from classrooms.signin.picture_views import device_of


@require_GET
def home(request: SchoolRequest) -> HttpResponse:
    if request.child:
        return redirect("classrooms:me")
    return render(request, "signin/home.html", {"form": CodeForm()})


@require_http_methods(["GET", "POST"])
@marked(guess=("POST",))
def code(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return redirect("classrooms:home")
    form = CodeForm(request.POST)
    if form.is_valid():
        network = class_code.network_of(request)
        door = class_code.knock(form.cleaned_data["code"], device_of(request), network)
        match door.state:
            case "open":
                return redirect("classrooms:names", door.code)
            case "careful":
                return redirect("classrooms:typed_name", door.code)
            case "wrong":
                form.add_error(
                    "code",
                    _("There is no class with this code. Look at your card and try again."),
                )
            case "shut":
                form.add_error("code", words.door_is_shut())
    return render(request, "signin/home.html", {"form": form})
