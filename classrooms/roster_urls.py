"""Included by `classrooms.urls`, whose namespace these names are in: the children of a class."""

from django.urls import path

from .views import child_changes, roster, signing_in

CHILDREN = "classes/<uuid:class_id>/children/"
CHILD = f"{CHILDREN}<uuid:child_id>/"

urlpatterns = [
    path(CHILDREN, roster.children, name="children"),
    path(f"{CHILDREN}file/", roster.upload, name="upload_children"),
    path(f"{CHILDREN}add/", roster.add_shown, name="add_shown_children"),
    path(f"{CHILDREN}take-back/", roster.take_back, name="take_children_back"),
    path("classes/<uuid:class_id>/signing-in/", signing_in.page, name="signing_in"),
    path(CHILD, roster.child, name="child"),
    path(f"{CHILD}rename/", roster.rename, name="rename_child"),
    path(f"{CHILD}pictures/", signing_in.child_pictures, name="child_pictures"),
    path(f"{CHILD}signing-in/", signing_in.child_signing_in, name="child_signing_in"),
    path(f"{CHILD}remove/", child_changes.remove, name="remove_child"),
    path(f"{CHILD}bring-back/", child_changes.bring_back, name="bring_child_back"),
    path(f"{CHILD}move/", child_changes.move, name="move_child"),
    path(f"{CHILD}merge/", child_changes.merge, name="merge_child"),
    path(f"{CHILD}erase/", child_changes.erase, name="erase_child"),
]
