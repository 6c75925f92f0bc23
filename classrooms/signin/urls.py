"""The addresses of the children's sign-in and of login cards, in the namespace of
`classrooms.urls`."""

from django.urls import path

from classrooms.signin import card_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("play/", views.code, name="code"),
    path("play/<str:code>/", views.names, name="names"),
    path("play/<str:code>/name/", views.typed_name, name="typed_name"),
    path("play/<str:code>/<uuid:child_id>/", views.pictures, name="pictures"),
    path("q/<str:token>", views.card, name="card"),
    path("classes/<uuid:class_id>/cards/", card_views.cards, name="cards"),
    path("classes/<uuid:class_id>/cards.pdf", card_views.cards_pdf, name="cards_pdf"),
    path("classes/<uuid:class_id>/letters/", card_views.letters, name="letters"),
    path("classes/<uuid:class_id>/letters.pdf", card_views.letters_pdf, name="letters_pdf"),
]
