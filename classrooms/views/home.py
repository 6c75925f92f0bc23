"""The door: a child types the code of its class, a teacher finds the way in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from ..forms import CodeForm


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    if getattr(request, "child", None):
        return redirect("classrooms:me")
    return render(request, "classrooms/home.html", {"form": CodeForm()})


@require_http_methods(["GET", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return redirect("classrooms:home")
    form = CodeForm(request.POST)
    if form.is_valid():
        return redirect("classrooms:names", form.cleaned_data["code"])
    return render(request, "classrooms/home.html", {"form": form})
