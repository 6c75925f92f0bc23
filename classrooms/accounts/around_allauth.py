"""allauth pages wrapped in checks of our own. These URLs come before allauth's."""

from allauth.account.views import password_set
from allauth.usersessions.views import list_usersessions
from django.urls import path, re_path

from classrooms.accounts.services import needs_proof, needs_proof_first
from classrooms.accounts.views import confirm_email

urlpatterns = [
    path("password/set/", needs_proof_first(password_set), name="account_set_password"),
    path("sessions/", needs_proof(list_usersessions), name="usersessions_list"),
    re_path(r"^confirm-email/(?P<key>[-:\w]+)/$", confirm_email, name="account_confirm_email"),
]
