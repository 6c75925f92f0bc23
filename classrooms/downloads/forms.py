"""A teacher's request for a file: its kind, the child and the language."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from classrooms.downloads.kinds import KINDS, FileKind, kinds_to_choose
from classrooms.models import Child, SchoolClass


def _names() -> list[tuple[str, str]]:
    return [(kind.name, kind.name) for kind in kinds_to_choose()]


class RequestForm(forms.Form):
    """A request for a file. Kinds about one child need `child`. The default language is that of the
    class."""

    kind = forms.ChoiceField(choices=_names, widget=forms.HiddenInput)
    child = forms.ModelChoiceField(
        Child.objects.none(), required=False, label=gettext_lazy("Child"), empty_label=None
    )
    language = forms.ChoiceField(
        choices=lambda: settings.LANGUAGES, required=False, label=gettext_lazy("Language")
    )

    def __init__(
        self, school_class: SchoolClass, data: Mapping[str, Any] | None = None, kind: str = ""
    ) -> None:
        initial = {"kind": kind, "language": school_class.language}
        super().__init__(data, initial=initial, auto_id=f"id_{kind}_%s" if kind else "id_%s")
        child = self.fields["child"]
        assert isinstance(child, forms.ModelChoiceField)
        child.queryset = school_class.children.all()
        self._language = school_class.language

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        kind = self.requested_kind
        if kind and kind.is_of_child and cleaned.get("child") is None:
            self.add_error("child", _("Choose a child."))
        if kind and not kind.is_of_child:
            cleaned["child"] = None
        cleaned["language"] = cleaned.get("language") or self._language
        return cleaned

    @property
    def requested_kind(self) -> FileKind | None:
        """The requested kind, if the form is valid."""
        return KINDS.get(self.cleaned_data.get("kind", ""))
