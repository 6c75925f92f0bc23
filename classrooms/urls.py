from django.urls import include, path

from .views import (
    assignments,
    cards,
    child_pages,
    child_sign_in,
    classes,
    home,
    qr,
    roster,
    signing_in,
    typed_name,
)

app_name = "classrooms"

urlpatterns = [
    path("", include("classrooms.progress.urls")),
    path("", include("classrooms.checks.urls")),
    path("", home.home, name="home"),
    path("play/", home.code, name="code"),
    path("play/<str:code>/", child_sign_in.names, name="names"),
    path("play/<str:code>/name/", typed_name.typed_name, name="typed_name"),
    path("play/<str:code>/<uuid:child_id>/", child_sign_in.pictures, name="pictures"),
    path("q/<str:token>", qr.card, name="card"),
    path("me/", child_pages.me, name="me"),
    path("me/start/<uuid:assignment_id>/", child_pages.start, name="start"),
    path("me/speed/", child_pages.speed, name="speed"),
    path("me/language/", child_pages.language, name="language"),
    path("me/here/", child_pages.here, name="here"),
    path("me/leave/", child_pages.leave, name="leave"),
    path("classes/", classes.index, name="classes"),
    path("classes/new/", classes.new, name="new_class"),
    path("classes/<uuid:class_id>/", classes.page, name="class"),
    path("classes/<uuid:class_id>/edit/", classes.edit, name="edit_class"),
    path("classes/<uuid:class_id>/children/", roster.children, name="children"),
    path("classes/<uuid:class_id>/children/<uuid:child_id>/", roster.child, name="child"),
    path(
        "classes/<uuid:class_id>/children/<uuid:child_id>/pictures/",
        signing_in.child_pictures,
        name="child_pictures",
    ),
    path(
        "classes/<uuid:class_id>/children/<uuid:child_id>/signing-in/",
        signing_in.child_signing_in,
        name="child_signing_in",
    ),
    path(
        "classes/<uuid:class_id>/children/<uuid:child_id>/remove/",
        roster.remove,
        name="remove_child",
    ),
    path("classes/<uuid:class_id>/signing-in/", signing_in.page, name="signing_in"),
    path("classes/<uuid:class_id>/cards/", cards.cards, name="cards"),
    path("classes/<uuid:class_id>/cards.pdf", cards.cards_pdf, name="cards_pdf"),
    path("classes/<uuid:class_id>/letters/", cards.letters, name="letters"),
    path("classes/<uuid:class_id>/letters.pdf", cards.letters_pdf, name="letters_pdf"),
    path("classes/<uuid:class_id>/assignments/", assignments.index, name="assignments"),
    path("classes/<uuid:class_id>/assignments/new/", assignments.new, name="assign"),
    path(
        "classes/<uuid:class_id>/assignments/preview/",
        assignments.preview,
        name="assign_preview",
    ),
    path(
        "classes/<uuid:class_id>/assignments/<uuid:assignment_id>/end/",
        assignments.end,
        name="end_assignment",
    ),
]
