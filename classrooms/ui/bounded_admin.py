"""Admin pages with limited input, so that no request of an operator ends in a server error."""

from collections.abc import Sequence
from typing import Any, Final

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.exceptions import BadRequest, ValidationError
from django.db.models import QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponse

LONGEST_SEARCH: Final = 120
"""In characters. Each word of a search adds a condition on every column."""


class BoundedAdmin(admin.ModelAdmin):
    """An admin page with limited input and without Django's log. Django's own admin searches for
    any number of words, fails at impossible row ids, and lets URLs filter by any field, so that an
    operator can guess values that no page shows. Its log has the names of rows, which would remain
    after an erasure; `classrooms.audit` logs what operators do."""

    def _log_nothing(self, *args: Any) -> None:
        pass

    log_addition: Any = _log_nothing
    log_change: Any = _log_nothing
    log_deletions: Any = _log_nothing

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Whether the page itself offers this filter. Django would accept any."""
        filters: Sequence[Any] = self.list_filter
        offered = [each if isinstance(each, str) else each[0] for each in filters]
        return lookup.split(LOOKUP_SEP)[0] in {*offered, self.date_hierarchy}

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """The list of rows. A year that is too large for a date is ignored like any wrong
        filter."""
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
            for chosen in request.POST.getlist(ACTION_CHECKBOX_NAME):
                key.to_python(chosen)
        except (ValidationError, ValueError) as problem:
            raise BadRequest("No such row.") from problem
        return super().response_action(request, queryset, *args)


class RowsOnly(AutocompleteSelect):
    """Drops values that are not keys. Django's own widget would look them up in the database and
    fail."""

    def optgroups(self, name: str, value: Sequence[str], attrs: Any = None) -> Any:
        return super().optgroups(name, [each for each in value if self._is_key(each)], attrs)

    def _is_key(self, value: str) -> bool:
        try:
            self.field.target_field.to_python(value)
        except ValidationError:
            return False
        return True


class BoundedInline(admin.TabularInline):
    """Rows of another model on a page of the admin. Fields with completion accept only keys."""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = RowsOnly(db_field, self.admin_site)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


class ReadOnlyAdmin(BoundedAdmin):
    """Pages for rows that nobody adds, changes or deletes by hand."""

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False
