"""The admin site for the operator: who has which class. No secret and no child is shown here."""

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.models import Group
from django.utils.translation import gettext_lazy as _

from .models import Assignment, AuditEntry, LookedUp, SchoolClass, Teaching, User

for model in (Group, Authenticator, UserSession, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


@admin.register(User)
class UserAdmin(admin.ModelAdmin):
    list_display = ("email", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email",)
    fields = ("email", "is_active", "is_staff", "date_joined", "last_login")
    readonly_fields = ("date_joined", "last_login")


class TeachingInline(admin.TabularInline):
    model = Teaching
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(SchoolClass)
class SchoolClassAdmin(admin.ModelAdmin):
    list_display = ("name", "language", "created_at")
    search_fields = ("name", "teachings__user__email")
    fields = ("name", "language", "time_zone", "created_at")
    readonly_fields = ("created_at",)
    inlines = (TeachingInline,)


@admin.register(Assignment)
class AssignmentAdmin(admin.ModelAdmin):
    list_display = (
        "school_class",
        "edition",
        "options",
        "rounds",
        "due_on",
        "created_at",
    )
    list_select_related = ("school_class",)
    readonly_fields = ("created_at", "ended_at")


class ToBeRead(admin.ModelAdmin):
    """What nobody adds, changes or deletes by hand."""

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(AuditEntry)
class AuditEntryAdmin(ToBeRead):
    list_display = ("at", "user", "what", "child_id", "class_id")
    list_filter = ("what", "at")
    list_select_related = ("user",)
    search_fields = ("user__email", "=child_id", "=class_id")
    search_help_text = _("A teacher's address, or the whole number of a child or class.")
    date_hierarchy = "at"
    fields = ("at", "user", "what", "child_id", "class_id")


@admin.register(LookedUp)
class LookedUpAdmin(ToBeRead):
    """Who looked at children's pictures; the child is a number."""

    list_display = ("at", "user", "child_id", "where")
    list_select_related = ("user",)
    fields = ("at", "user", "child_id", "where")
