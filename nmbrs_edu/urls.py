"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from nmbrs_edu.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
    path("games/", include("games.urls")),
    path("", include("classrooms.urls")),
]
