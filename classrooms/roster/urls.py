from django.urls import path

from classrooms.roster import (
    group_views,
    import_views,
    merge_views,
    move_views,
    source_views,
    views,
)

CLASS = "classes/<uuid:class_id>/"
CHILDREN = f"{CLASS}children/"
CHILD = f"{CHILDREN}<uuid:child_id>/"
GROUPS = f"{CLASS}groups/"
GROUP = f"{GROUPS}<uuid:group_id>/"
SOURCE = "schools/<uuid:school_id>/source/"

urlpatterns = [
    path("classes/from-file/", import_views.upload_list, name="classes_from_file"),
    path(CHILDREN, import_views.children, name="children"),
    path(f"{CHILDREN}file/", import_views.upload_class_list, name="upload_children"),
    path(f"{CHILDREN}add/", import_views.upload_class_list, name="add_shown_children"),
    path(f"{CHILDREN}source/", source_views.class_changes, name="class_changes"),
    path(SOURCE, source_views.source_page, name="school_source"),
    path(f"{SOURCE}connection/", source_views.connection, name="source_connection"),
    path(f"{SOURCE}end/", source_views.end, name="end_source"),
    path(f"{SOURCE}changes/", source_views.school_changes, name="school_changes"),
    path(f"{CHILDREN}move/", move_views.move_several, name="move_children"),
    path(f"{CLASS}signing-in/", views.signing_in, name="signing_in"),
    path(CHILD, views.edit_child, name="child"),
    path(f"{CHILD}rename/", views.edit_child, name="rename_child"),
    path(f"{CHILD}pictures/", views.child_pictures, name="child_pictures"),
    path(f"{CHILD}signing-in/", views.child_signing_in, name="child_signing_in"),
    path(f"{CHILD}remove/", views.remove, name="remove_child"),
    path(f"{CHILD}bring-back/", views.bring_back, name="bring_child_back"),
    path(f"{CHILD}move/", move_views.move, name="move_child"),
    path(f"{CHILD}merge/", merge_views.merge, name="merge_child"),
    path(f"{CHILD}merge/undo/", merge_views.undo_merge, name="undo_merge"),
    path(f"{CHILD}erase/", views.erase, name="erase_child"),
    path(GROUPS, group_views.groups, name="child_groups"),
    path(f"{GROUPS}new/", group_views.edit_group, name="new_child_group"),
    path(GROUP, group_views.edit_group, name="child_group"),
    path(f"{GROUP}remove/", group_views.remove_group, name="remove_child_group"),
    path(f"{CLASS}agreed/", views.child_settings, name="child_settings"),
]
