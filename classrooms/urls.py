from django.urls import include, path

from classrooms.assignments import assign_views, child_views
from classrooms.assignments import views as assignments
from classrooms.lesson import live_views
from classrooms.privacy import views as who_looked
from classrooms.roster import group_views, individual_settings_views
from classrooms.signin import home_views, picture_views, qr_views, typed_name_views
from classrooms.signin.paper import views
from classrooms.views import account

app_name = "classrooms"

ASSIGNMENT = "classes/<uuid:class_id>/assignments/<uuid:assignment_id>"

urlpatterns = [
    # Asked every few seconds: found first.
    path("classes/<uuid:class_id>/live/part/", live_views.part, name="live_part"),
    path("", include("classrooms.progress.urls")),
    path("", include("classrooms.checks.urls")),
    path("", include("classrooms.downloads.urls")),
    path("", include("classrooms.accounts.urls")),
    path("", include("classrooms.classes.urls")),
    path("", include("classrooms.roster.urls")),
    path("", home_views.home, name="home"),
    path("play/", home_views.code, name="code"),
    path("play/<str:code>/", picture_views.names, name="names"),
    path("play/<str:code>/name/", typed_name_views.typed_name, name="typed_name"),
    path("play/<str:code>/<uuid:child_id>/", picture_views.pictures, name="pictures"),
    path("q/<str:token>", qr_views.card, name="card"),
    path("account/", account.account, name="account"),
    path("account/log/", who_looked.account_log, name="account_log"),
    path("me/", child_views.me, name="me"),
    path("me/start/<uuid:assignment_id>/", child_views.start, name="start"),
    path("me/speed/", child_views.speed, name="speed"),
    path("me/language/", child_views.language, name="language"),
    path("me/here/", child_views.here, name="here"),
    path("me/learn/", child_views.learn, name="learn"),
    path("me/leave/", child_views.leave, name="leave"),
    path("classes/<uuid:class_id>/cards/", views.cards, name="cards"),
    path("classes/<uuid:class_id>/cards.pdf", views.cards_pdf, name="cards_pdf"),
    path("classes/<uuid:class_id>/letters/", views.letters, name="letters"),
    path("classes/<uuid:class_id>/letters.pdf", views.letters_pdf, name="letters_pdf"),
    path("classes/<uuid:class_id>/groups/", group_views.index, name="child_groups"),
    path("classes/<uuid:class_id>/groups/new/", group_views.new, name="new_child_group"),
    path("classes/<uuid:class_id>/groups/<uuid:group_id>/", group_views.edit, name="child_group"),
    path(
        "classes/<uuid:class_id>/groups/<uuid:group_id>/remove/",
        group_views.remove,
        name="remove_child_group",
    ),
    path(
        "classes/<uuid:class_id>/agreed/",
        individual_settings_views.children,
        name="agreed_with_children",
    ),
    path("classes/<uuid:class_id>/assignments/", assignments.index, name="assignments"),
    path("classes/<uuid:class_id>/assignments/new/", assign_views.new, name="assign"),
    path("classes/<uuid:class_id>/assignments/detail/", assign_views.detail, name="assign_detail"),
    path(
        "classes/<uuid:class_id>/assignments/preview/", assign_views.preview, name="assign_preview"
    ),
    path("classes/<uuid:class_id>/assignments/try/", assign_views.try_it, name="assign_try"),
    path("classes/<uuid:class_id>/live/", live_views.page, name="live"),
    path("classes/leave-try/", assign_views.leave_try, name="leave_try"),
    path(f"{ASSIGNMENT}/end/", assignments.end, name="end_assignment"),
    path(f"{ASSIGNMENT}/resume/", assignments.resume, name="resume_assignment"),
    path(f"{ASSIGNMENT}/withdraw/", assignments.withdraw, name="withdraw_assignment"),
    path(f"{ASSIGNMENT}/repeat/", assignments.repeat, name="repeat_assignment"),
    path(f"{ASSIGNMENT}/stop-repeating/", assignments.stop_repeating, name="stop_repeating"),
]
