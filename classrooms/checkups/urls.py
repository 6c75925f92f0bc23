from django.urls import path

from classrooms.checkups import views

CHECK_UPS = "classes/<uuid:class_id>/check-ups/"
CHECK_UP = f"{CHECK_UPS}<uuid:check_up_id>/"

urlpatterns = [
    path("me/check-ups/<uuid:check_up_id>/", views.take, name="take_check_up"),
    path(CHECK_UPS, views.index, name="check_ups"),
    path(f"{CHECK_UPS}new/", views.new, name="new_check_up"),
    path(CHECK_UP, views.results, name="check_up"),
    path(f"{CHECK_UP}close/", views.close, name="close_check_up"),
    path(f"{CHECK_UP}reopen/", views.reopen, name="reopen_check_up"),
    path(f"{CHECK_UP}withdraw/", views.withdraw, name="withdraw_check_up"),
]
