from django.urls import path

from classrooms.audit import Page
from classrooms.signin import card_views, views

CLASS = "classes/<uuid:class_id>/"

urlpatterns = [
    path("", views.home, name="home"),
    path("play/", views.code, name="code"),
    path("play/<str:code>/", views.names, name="names"),
    path("play/<str:code>/name/", views.typed_name, name="typed_name"),
    path("play/<str:code>/<uuid:child_id>/", views.pictures, name="pictures"),
    path("q/<str:token>", views.card, name="card"),
    path(f"{CLASS}cards/", card_views.cards, {"page": Page.CARDS}, name="cards"),
    path(f"{CLASS}cards.pdf", card_views.cards_pdf, {"page": Page.CARDS}, name="cards_pdf"),
    path(f"{CLASS}letters/", card_views.cards, {"page": Page.LETTERS}, name="letters"),
    path(f"{CLASS}letters.pdf", card_views.cards_pdf, {"page": Page.LETTERS}, name="letters_pdf"),
]
