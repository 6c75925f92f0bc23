"""The operator's admin site: the classes and their adults, and what was done with children's data.

It shows no secrets and no class codes. A child's name is only on the child's own page, and opening
that page is logged.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.contrib.admin.widgets import AutocompleteSelect
from django.contrib.auth.models import Group
from django.core.exceptions import BadRequest, PermissionDenied, ValidationError
from django.db.models import Count, Max, Q, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from classrooms.audit import What, audit
from classrooms.classes import operator
from classrooms.classes import services as classes
from classrooms.models import (
    Assignment,
    AuditEntry,
    Child,
    Membership,
    School,
    SchoolClass,
    Teaching,
    User,
    WeeklyMail,
)
from classrooms.progress.models import Difference
from games.models import Game

LONGEST_SEARCH: Final = 120
"""The length of a search in characters. Each word adds a condition on every column."""


class BoundedAdmin(admin.ModelAdmin):
    """An admin page with limited input and without Django's log.

    Django's own admin searches for any number of words, fails at impossible row ids, and lets the
    address filter by any field, so that an operator could guess values that no page shows. Its log
    keeps the names of rows even after an erasure; `classrooms.audit` logs what operators do.
    """

    def _log_nothing(self, *args: Any) -> None:
        pass

    log_addition: Any = _log_nothing
    log_change: Any = _log_nothing
    log_deletions: Any = _log_nothing

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Whether the page offers this filter. Django would accept any."""
        filters: Sequence[Any] = self.list_filter
        names = [option if isinstance(option, str) else option[0] for option in filters]
        return lookup.split(LOOKUP_SEP)[0] in {*names, self.date_hierarchy}

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """The list of rows. A year too large for a date is ignored, like any wrong filter."""
        try:
            return super().get_changelist_instance(request)
        except OverflowError as problem:
            raise IncorrectLookupParameters(problem) from problem

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        return super().get_search_results(request, queryset, search_term[:LONGEST_SEARCH])

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any
    ) -> HttpResponse | None:
        key = self.model._meta.pk
        try:
            for text in request.POST.getlist(ACTION_CHECKBOX_NAME):
                key.to_python(text)
        except (ValidationError, ValueError) as problem:
            raise BadRequest("No such row.") from problem
        return super().response_action(request, queryset, *args)


class RowsOnly(AutocompleteSelect):
    """Drops values that are not keys. Django's widget would look them up in the database and
    fail."""

    def optgroups(self, name: str, value: Sequence[str], attrs: Any = None) -> Any:
        return super().optgroups(name, [text for text in value if self._is_key(text)], attrs)

    def _is_key(self, value: str) -> bool:
        try:
            self.field.target_field.to_python(value)
        except ValidationError:
            return False
        return True


class BoundedInline(admin.TabularInline):
    """Rows of another model on an admin page. Fields with completion accept only keys."""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = RowsOnly(db_field, self.admin_site)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


class ReadOnlyAdmin(BoundedAdmin):
    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


for model in (Group, Authenticator, UserSession, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


def _operator(request: HttpRequest) -> User:
    """The operator who uses the admin site, as a `User`."""
    assert isinstance(request.user, User)
    return request.user


@admin.register(User)
class UserAdmin(BoundedAdmin):
    list_display = ("email", "class_count", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "date_joined")
    search_fields = ("email",)
    ordering = ("email",)
    fields = ("email", "is_active", "is_staff", "date_joined", "last_login")
    readonly_fields = ("date_joined", "last_login")
    actions = ("sign_out_everywhere",)

    @admin.action(description=_("Sign out everywhere"), permissions=["change"])
    def sign_out_everywhere(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """End all sessions and forget all known devices: a session may be in the wrong hands."""
        for user in users:
            if not self.has_change_permission(request, user):
                raise PermissionDenied
        for user in users:
            operator.sign_out(user, _operator(request))
        self.message_user(request, gettext("Signed out on every device."))

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Let only superusers change a superuser's account."""
        return self._may_touch(request, obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return self._may_touch(request, obj) and super().has_delete_permission(request, obj)

    def _may_touch(self, request: HttpRequest, obj: User | None) -> bool:
        return obj is None or not obj.is_superuser or _operator(request).is_superuser

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Make the address read-only, because only its owner may change it. The rights are
        read-only too, unless a superuser asks."""
        address = ("email",) if obj else ()
        staff = () if _operator(request).is_superuser else ("is_staff",)
        return (*self.readonly_fields, *address, *staff)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save the account. A new user chooses a password by mail, which also proves that the
        address is theirs."""
        if not change:
            obj.set_unusable_password()
        super().save_model(request, obj, form, change)
        operator.change_account(obj, form.changed_data, _operator(request))

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).annotate(classes_taught=Count("teachings"))

    def get_deleted_objects(self, objs: Iterable[User], request: HttpRequest) -> Any:
        """Explain in a sentence why an account cannot be deleted."""
        users = list(objs)
        to_delete, counts, missing_permissions, protected = super().get_deleted_objects(
            users, request
        )
        # Weekly mails are deleted with the account, although nobody may delete one by hand.
        missing_permissions = set(missing_permissions) - {WeeklyMail._meta.verbose_name}
        owned_classes = [
            sentence for user in users if (sentence := operator.ownership_problem(user))
        ]
        return to_delete, counts, missing_permissions, owned_classes or protected

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        operator.delete_account(obj, _operator(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            operator.delete_account(user, _operator(request))

    @admin.display(description=_("classes"), ordering="classes_taught")
    def class_count(self, user: Any) -> int:
        return int(user.classes_taught)


class TeachingInline(BoundedInline):
    model = Teaching
    formset = operator.OneOwner
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(SchoolClass)
class SchoolClassAdmin(BoundedAdmin):
    """Classes are not deleted here, because their games would remain. Their teacher erases them at
    the end of the year."""

    list_display = ("name", "owner", "child_count", "language", "last_assigned", "created_at")
    list_filter = ("language", ("archived_at", admin.EmptyFieldListFilter), "created_at")
    search_fields = ("name", "teachings__user__email", "=id")
    search_help_text = _("A name, a teacher’s e-mail address, or the full ID of the class.")
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

    def save_model(self, request: HttpRequest, obj: SchoolClass, form: Any, change: bool) -> None:
        by = _operator(request)
        classes.change(obj, form.changed_data, by, as_operator=True)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        by = _operator(request)
        operator.change_teachers(form.instance, formset.save, by)

    @admin.display(description=_("owner"), ordering="owned_by")
    def owner(self, school_class: Any) -> str:
        return school_class.owned_by or "–"

    @admin.display(description=_("children"), ordering="number_of_children")
    def child_count(self, school_class: Any) -> int:
        return int(school_class.number_of_children)

    @admin.display(description=_("last assigned"), ordering="assigned_at")
    def last_assigned(self, school_class: Any) -> Any:
        return school_class.assigned_at


class MembershipInline(BoundedInline):
    model = Membership
    extra = 1
    autocomplete_fields = ("user",)


@admin.register(School)
class SchoolAdmin(BoundedAdmin):
    """The operator creates a school and appoints its first admin, who does the rest."""

    list_display = ("name", "number_of_teachers", "created_at")
    search_fields = ("name", "memberships__user__email", "=id")
    fields = ("id", "name", "created_at")
    readonly_fields = ("id", "created_at")
    inlines = (MembershipInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[School]:
        return super().get_queryset(request).annotate(teachers=Count("memberships"))

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        operator.change_members(form.instance, formset.save, _operator(request))

    @admin.display(description=_("teachers"), ordering="teachers")
    def number_of_teachers(self, school: Any) -> int:
        return int(school.teachers)


@admin.register(Child)
class ChildAdmin(ReadOnlyAdmin):
    """The list shows only ids, of removed children too. A child's own page shows their name, and
    opening it is logged."""

    list_display = ("id", "school_class", "created_at", "removed_at")
    list_filter = (("removed_at", admin.EmptyFieldListFilter), "created_at")
    list_select_related = ("school_class",)
    search_fields = ("=id", "school_class__name", "school_class__teachings__user__email")
    search_help_text = _("The full ID of a child or a class, or a teacher’s e-mail address.")
    ordering = ("-created_at",)
    fields = ("id", "name", "school_class", "created_at", "removed_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Child]:
        return Child.all_objects.all()

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **more: Any) -> Any:
        self._log_view(request, object_id)
        return super().change_view(request, object_id, *args, **more)

    def history_view(self, request: HttpRequest, object_id: str, *args: Any, **more: Any) -> Any:
        self._log_view(request, object_id)
        return super().history_view(request, object_id, *args, **more)

    def _log_view(self, request: HttpRequest, object_id: str) -> None:
        child = self.get_object(request, object_id)
        if child is not None and self.has_view_permission(request, child):
            audit(_operator(request), What.LOOKED, child=child, as_operator=True)


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
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
        "id", "school_class", "is_for_everyone", "edition", "options", "focus", "facts", "bots",
        "bot", "has_kind_deals", "hint_steps", "shows_missed_rows", "has_questions", "rounds",
        "together", "chairs", "seating", "waits_for_classmates", "answer_seconds", "turn_seconds",
        "note", "starts_on", "due_on", "ended_at", "created_at",
    )  # fmt: skip


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    """The progress of games, without their seeds and cards."""

    list_display = ("id", "phase", "round", "version", "created_at", "moved_at", "finished_at")
    list_filter = ("phase", ("finished_at", admin.EmptyFieldListFilter), "engine_version")
    search_fields = ("=id",)
    ordering = ("-moved_at",)
    fields = (
        "id", "engine_version", "hint_steps", "phase", "round", "version",
        "created_at", "moved_at", "finished_at",
    )  # fmt: skip


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "user", "actor", "what", "page", "child_id", "class_id", "account")
    list_filter = ("what", "actor", "at")
    list_select_related = ("user", "account")
    search_fields = ("user__email", "account__email", "=child_id", "=class_id")
    search_help_text = _("A teacher’s e-mail address, or the full ID of a child or class.")
    date_hierarchy = "at"
    fields = ("at", "user", "actor", "what", "page", "child_id", "class_id", "account", "detail")


@admin.register(WeeklyMail)
class WeeklyMailAdmin(ReadOnlyAdmin):
    """Mails that were sent, are waiting or have failed; never their content."""

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
class EmailAddressAdmin(ReadOnlyAdmin):
    """Nothing can be changed here. Somebody who could add or confirm an address could take over any
    account unnoticed, by choosing a new password. Only the owner adds and confirms addresses."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__email")
    fields = ("user", "email", "primary", "verified")


@admin.register(Difference)
class DifferenceAdmin(ReadOnlyAdmin):
    """What the nightly comparison found, and failed rebuilds. Shows only the ids of children and
    games."""

    list_display = ("at", "what", "child_id", "game_id")
    list_filter = ("what", "at")
    date_hierarchy = "at"
    fields = ("at", "what", "child_id", "game_id", "told")
