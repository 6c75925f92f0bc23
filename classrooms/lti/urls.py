from django.urls import path

from classrooms.lti import staff_views, views

SCHOOL = "schools/<uuid:school_id>/platforms/"
PLATFORM = f"{SCHOOL}<uuid:platform_id>/"
CLASS = "classes/<uuid:class_id>/platform/"
COURSE = f"{CLASS}courses/<int:course_id>/"

urlpatterns = [
    path("lti/keys/", views.keys, name="lti_keys"),
    path("lti/register/<str:registration>/", views.register, name="lti_register"),
    path("lti/launches/<uuid:launch_id>/", views.enter, name="lti_enter"),
    path("lti/<uuid:platform_id>/login/", views.login, name="lti_login"),
    path("lti/<uuid:platform_id>/launch/", views.launch, name="lti_launch"),
    path("lti/<uuid:platform_id>/chosen/", views.send_choice, name="lti_chosen"),
    path(SCHOOL, staff_views.platforms_of_school, name="school_platforms"),
    path(PLATFORM, staff_views.platform, name="school_platform"),
    path(f"{PLATFORM}remove/", staff_views.remove_platform, name="remove_platform"),
    path(CLASS, staff_views.class_platform, name="class_platform"),
    path(f"{COURSE}members/", staff_views.members, name="course_members"),
    path(f"{COURSE}unlink/", staff_views.unlink_course, name="unlink_course"),
    path(f"{CLASS}unlink/<uuid:child_id>/", staff_views.unlink_child, name="unlink_child"),
]
