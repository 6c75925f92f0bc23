"""Included by `classrooms.urls`, whose namespace these names are in."""

from django.urls import path

from classrooms.accounts import views

urlpatterns = [
    path("account/", views.account, name="account"),
    path("account/name/", views.display_name, name="display_name"),
    path("account/again/", views.sign_in_again, name="sign_in_again"),
    path("account/go-on/", views.go_on, name="go_on"),
    path("account/typed/", views.typed, name="typed"),
    path(
        "account/stop-address-change/<str:change>/",
        views.stop_address_change,
        name="stop_address_change",
    ),
]
