"""All URLs of the site."""

from allauth.urls import build_provider_urlpatterns
from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from classrooms.accounts.urls import allauth_urlpatterns
from games.views import news, rules
from nmbrs_edu.views import healthz, robots_txt

handler400 = "nmbrs_edu.views.bad_request"
handler403 = "nmbrs_edu.views.permission_denied"
handler404 = "nmbrs_edu.views.not_found"
handler429 = "nmbrs_edu.views.too_often"  # allauth's.
handler500 = "nmbrs_edu.views.server_error"

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("robots.txt", robots_txt, name="robots_txt"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("accounts/", include(allauth_urlpatterns)),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/two-steps/", include("allauth.mfa.urls")),
    path("accounts/sessions/", include("allauth.usersessions.urls")),
    path("admin/", admin.site.urls),
    path("rules/<str:edition>/", rules, name="rules"),
    path("games/", include("games.urls")),
    path("games/<uuid:game_id>/news/<int:seat>/<uuid:mark>/<int:number>", news, name="news"),
    path("", include("classrooms.urls")),
]

if settings.SOCIALACCOUNT_PROVIDERS:
    urlpatterns += [
        path("accounts/elsewhere/", include("allauth.socialaccount.urls")),
        path("accounts/", include(build_provider_urlpatterns())),
    ]
