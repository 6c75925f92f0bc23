from allauth.account.views import password_set
from allauth.usersessions.views import list_usersessions
from django.urls import path, re_path

from classrooms.accounts import views
from classrooms.accounts.services import needs_proof, needs_proof_first

urlpatterns = [
    path("account/", views.account, name="account"),
    path("account/name/", views.display_name, name="display_name"),
    path("account/again/", views.sign_in_again, name="sign_in_again"),
    path("account/go-on/", views.go_on, name="go_on"),
    path("account/typed/", views.typed_fields, name="typed"),
    path(
        "account/stop-address-change/<str:change>/",
        views.stop_address_change,
        name="stop_address_change",
    ),
]

allauth_urlpatterns = [
    path("password/set/", needs_proof_first(password_set), name="account_set_password"),
    path("sessions/", needs_proof(list_usersessions), name="usersessions_list"),
    re_path(
        r"^confirm-email/(?P<key>[-:\w]+)/$", views.confirm_email, name="account_confirm_email"
    ),
]
"""allauth's pages with checks of our own. `nmbrs_edu.urls` puts them before allauth's."""
