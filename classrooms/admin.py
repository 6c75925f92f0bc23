"""The admin site for the operator: who has which class, and what was done with children's data.

No secret is shown here and no class code. A child's name is shown only on the child's own page, and
who opens that stands in the audit log.
"""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Count, Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from games.models import Game

from .audit import What, audit
from .bounded_admin import BoundedAdmin
from .models import Assignment, AuditEntry, Child, LookedUp, SchoolClass, Teaching, User, WeeklyMail

for model in (Group, Authenticator, UserSession, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


class ToBeRead(BoundedAdmin):
    """What nobody adds, changes or deletes by hand."""

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(User)
class UserAdmin(BoundedAdmin):
    list_display = ("email", "class_count", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "date_joined")
    search_fields = ("email",)
    fields = ("email", "is_active", "is_staff", "date_joined", "last_login")
    readonly_fields = ("date_joined", "last_login")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).annotate(classes_taught=Count("teachings"))

    @admin.display(description=_("classes"), ordering="classes_taught")
    def class_count(self, user: Any) -> int:
        return int(user.classes_taught)


class TeachingInline(admin.TabularInline):
    model = Teaching
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(SchoolClass)
class SchoolClassAdmin(BoundedAdmin):
    """Erased it is by its teacher at the year's end, not here: its games would be left behind."""

    list_display = ("name", "owner", "child_count", "language", "last_assigned", "created_at")
    list_filter = ("language", ("archived_at", admin.EmptyFieldListFilter), "created_at")
    search_fields = ("name", "teachings__user__email", "=id")
    search_help_text = _("A name, a teacher's address, or the whole number of the class.")
    fields = ("id", "name", "language", "time_zone", "archived_at", "created_at")
    readonly_fields = ("id", "archived_at", "created_at")
    inlines = (TeachingInline,)

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[SchoolClass]:
        owner = Q(teachings__role=Teaching.Role.OWNER)
        return (
            super()
            .get_queryset(request)
            .annotate(
                owned_by=Max("teachings__user__email", filter=owner),
                number_of_children=Count(
                    "children", filter=Q(children__removed_at=None), distinct=True
                ),
                assigned_at=Max("assignments__created_at"),
            )
        )

    @admin.display(description=_("owner"), ordering="owned_by")
    def owner(self, school_class: Any) -> str:
        return school_class.owned_by or "–"

    @admin.display(description=_("children"), ordering="number_of_children")
    def child_count(self, school_class: Any) -> int:
        return int(school_class.number_of_children)

    @admin.display(description=_("last assigned"), ordering="assigned_at")
    def last_assigned(self, school_class: Any) -> Any:
        return school_class.assigned_at


@admin.register(Child)
class ChildAdmin(ToBeRead):
    """A number in the list, removed ones too; a name on its own page, where a look is logged."""

    list_display = ("id", "school_class", "created_at", "removed_at")
    list_filter = (("removed_at", admin.EmptyFieldListFilter), "created_at")
    list_select_related = ("school_class",)
    search_fields = ("=id", "school_class__name", "school_class__teachings__user__email")
    search_help_text = _("The whole number of a child, a class, or a teacher's address.")
    ordering = ("-created_at",)
    fields = ("id", "name", "school_class", "created_at", "removed_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Child]:
        return Child.everyone.all()

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        child = self.get_object(request, object_id)
        if child is not None and self.has_view_permission(request, child):
            audit(request.user, What.LOOKED, child=child)
        return super().change_view(request, object_id, form_url, extra_context)


@admin.register(Assignment)
class AssignmentAdmin(ToBeRead):
    list_display = (
        "school_class",
        "edition",
        "options",
        "rounds",
        "starts_on",
        "due_on",
        "ended_at",
        "created_at",
    )
    list_filter = ("edition", ("ended_at", admin.EmptyFieldListFilter), "created_at")
    list_select_related = ("school_class",)
    search_fields = ("school_class__name", "school_class__teachings__user__email", "=id")
    fields = (
        "id", "school_class", "everyone", "edition", "options", "focus", "bots", "bot", "kind",
        "hint_steps", "missed_rows", "checks", "rounds", "starts_on", "due_on", "ended_at",
        "created_at",
    )  # fmt: skip


@admin.register(Game)
class GameAdmin(ToBeRead):
    """How far a game is; neither its seed nor how its cards lie."""

    list_display = ("id", "phase", "round", "version", "created_at", "moved_at", "finished_at")
    list_filter = ("phase", ("finished_at", admin.EmptyFieldListFilter), "engine_version")
    search_fields = ("=id",)
    ordering = ("-moved_at",)
    fields = (
        "id", "engine_version", "hint_steps", "phase", "round", "version",
        "created_at", "moved_at", "finished_at",
    )  # fmt: skip


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
    list_filter = ("where", "at")
    list_select_related = ("user",)
    search_fields = ("user__email", "=child__id")
    fields = ("at", "user", "child_id", "where")


@admin.register(WeeklyMail)
class WeeklyMailAdmin(ToBeRead):
    """Which mails went, wait or failed; never what they say."""

    list_display = ("week", "teacher", "state", "tries", "problem", "at")
    list_filter = ("state", "problem", "week")
    list_select_related = ("teaching__user",)
    search_fields = ("teaching__user__email", "=teaching__school_class__id")
    fields = ("week", "teaching", "state", "at", "tries", "failed_at", "problem")

    @admin.display(description=_("teacher"), ordering="teaching__user__email")
    def teacher(self, mail: WeeklyMail) -> str:
        return mail.teaching.user.email


admin.site.unregister(EmailAddress)


@admin.register(EmailAddress)
class EmailAddressAdmin(ToBeRead):
    """Whoever could add an address here or confirm one would get into any account by a new
    password, and nobody would be told: that is done by whose account it is."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__email")
    fields = ("user", "email", "primary", "verified")
