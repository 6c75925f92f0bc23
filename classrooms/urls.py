from django.urls import include, path

from .views import (
    account,
    agreed,
    assign,
    assignments,
    cards,
    child_pages,
    child_sign_in,
    groups,
    home,
    live,
    qr,
    typed_name,
)

app_name = "classrooms"

ASSIGNMENT = "classes/<uuid:class_id>/assignments/<uuid:assignment_id>"

urlpatterns = [
    # Asked every few seconds: found first.
    path("classes/<uuid:class_id>/live/part/", live.part, name="live_part"),
    path("", include("classrooms.progress.urls")),
    path("", include("classrooms.checks.urls")),
    path("", include("classrooms.downloads.urls")),
    path("", include("classrooms.class_urls")),
    path("", include("classrooms.roster_urls")),
    path("", home.home, name="home"),
    path("play/", home.code, name="code"),
    path("play/<str:code>/", child_sign_in.names, name="names"),
    path("play/<str:code>/name/", typed_name.typed_name, name="typed_name"),
    path("play/<str:code>/<uuid:child_id>/", child_sign_in.pictures, name="pictures"),
    path("q/<str:token>", qr.card, name="card"),
    path("account/", account.account, name="account"),
    path("me/", child_pages.me, name="me"),
    path("me/start/<uuid:assignment_id>/", child_pages.start, name="start"),
    path("me/speed/", child_pages.speed, name="speed"),
    path("me/language/", child_pages.language, name="language"),
    path("me/here/", child_pages.here, name="here"),
    path("me/learn/", child_pages.learn, name="learn"),
    path("me/leave/", child_pages.leave, name="leave"),
    path("classes/<uuid:class_id>/cards/", cards.cards, name="cards"),
    path("classes/<uuid:class_id>/cards.pdf", cards.cards_pdf, name="cards_pdf"),
    path("classes/<uuid:class_id>/letters/", cards.letters, name="letters"),
    path("classes/<uuid:class_id>/letters.pdf", cards.letters_pdf, name="letters_pdf"),
    path("classes/<uuid:class_id>/groups/", groups.index, name="child_groups"),
    path("classes/<uuid:class_id>/groups/new/", groups.new, name="new_child_group"),
    path("classes/<uuid:class_id>/groups/<uuid:group_id>/", groups.edit, name="child_group"),
    path(
        "classes/<uuid:class_id>/groups/<uuid:group_id>/remove/",
        groups.remove,
        name="remove_child_group",
    ),
    path("classes/<uuid:class_id>/agreed/", agreed.children, name="agreed_with_children"),
    path("classes/<uuid:class_id>/assignments/", assignments.index, name="assignments"),
    path("classes/<uuid:class_id>/assignments/new/", assign.new, name="assign"),
    path("classes/<uuid:class_id>/assignments/detail/", assign.detail, name="assign_detail"),
    path("classes/<uuid:class_id>/assignments/preview/", assign.preview, name="assign_preview"),
    path("classes/<uuid:class_id>/assignments/try/", assign.try_it, name="assign_try"),
    path("classes/<uuid:class_id>/live/", live.page, name="live"),
    path("classes/leave-try/", assign.leave_try, name="leave_try"),
    path(f"{ASSIGNMENT}/end/", assignments.end, name="end_assignment"),
    path(f"{ASSIGNMENT}/resume/", assignments.resume, name="resume_assignment"),
    path(f"{ASSIGNMENT}/withdraw/", assignments.withdraw, name="withdraw_assignment"),
    path(f"{ASSIGNMENT}/repeat/", assignments.repeat, name="repeat_assignment"),
    path(f"{ASSIGNMENT}/stop-repeating/", assignments.stop_repeating, name="stop_repeating"),
]
