"""Progress in /admin/: the differences that the nightly comparison found, and failed rebuilds."""

from django.contrib import admin

from classrooms.progress.models import Difference
from classrooms.ui.bounded_admin import ReadOnlyAdmin


@admin.register(Difference)
class DifferenceAdmin(ReadOnlyAdmin):
    """Children and games are shown by their id only."""

    list_display = ("at", "what", "child_id", "game_id")
    list_filter = ("what", "at")
    date_hierarchy = "at"
    fields = ("at", "what", "child_id", "game_id", "told")
