"""The forms of the children's sign-in."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

from classrooms import child_names

DOOR_SHUT: Final = _(
    "There have been too many wrong codes today. Class codes will not work for now. Point "
    "a camera at the QR code on your card, or use your usual device."
)
"""Why codes are not checked now, and what still works."""


class CodeForm(forms.Form):
    """Asks for the class code. Accepts small letters, spaces and misread characters."""

    code = forms.CharField(
        label=_("Class code"),
        max_length=40,
        error_messages={"required": _("Type your class code.")},
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "autofocus": True,
                "class": "code-input",
            }
        ),
    )


class TypedNameForm(forms.Form):
    name = forms.CharField(
        label=_("Type your name just as it is on your card"),
        help_text=_("Small letters are fine too."),
        max_length=child_names.LONGEST_NAME,
        error_messages={"required": _("Type your name.")},
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "words",
                "autocorrect": "off",
                "spellcheck": "false",
                "autofocus": True,
                "class": "name-input",
            }
        ),
    )

    def clean_name(self) -> str:
        return child_names.tidy(self.cleaned_data["name"])
