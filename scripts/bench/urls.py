"""The site's addresses, and two that do nothing, to measure the cost of a bare request."""

from django.urls import include, path

from scripts.bench.floor import drawn_floor_view, floor_view

urlpatterns = [
    path("floor", floor_view),
    path("floor48", drawn_floor_view),
    path("", include("nmbrs_edu.urls")),
]
