"""The form for an adult's name, and allauth's forms with limits on tries and on mail."""

import unicodedata
from typing import Any, Final

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm, LoginForm, ResetPasswordForm
from allauth.core import context
from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from classrooms.accounts import limits, mail
from classrooms.accounts.backends import accounts_of
from classrooms.models import User

SIGNS: Final = " .,'’-()&"


class DisplayNameForm(forms.ModelForm):
    """The name that other teachers and parents see. Without one they see the address."""

    class Meta:
        model = User
        fields = ("display_name",)
        labels = {"display_name": _("Name")}
        help_texts = {
            "display_name": _("For example “Ms Jansen”. Leave it empty if you want no name here.")
        }
        widgets = {"display_name": forms.TextInput(attrs={"autocomplete": "name"})}

    def clean_display_name(self) -> str:
        """The name with single spaces. Signs of mail and web addresses, which would lead readers
        elsewhere, are refused."""
        name = " ".join(str(self.cleaned_data["display_name"]).split())
        is_odd = any(not (unicodedata.category(c)[0] in "LMN" or c in SIGNS) for c in name)
        if is_odd or (name and not any(c.isalpha() for c in name)):
            raise forms.ValidationError(_("Please use letters, spaces and hyphens."))
        return name


class SignInForm(LoginForm):
    """Has the cursor, as the children's sign-in does."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autofocus"] = True


class CountedChangePasswordForm(ChangePasswordForm):
    """Limits wrong tries at the present password, as at sign-in."""

    def clean_oldpassword(self) -> str:
        password: str = self.cleaned_data.get("oldpassword", "")
        if not limits.check_password(context.request, self.user, password):
            raise get_adapter().validation_error("enter_current_password")
        return password


class SpacedResetPasswordForm(ResetPasswordForm):
    """Sends at most one mail, even if several accounts share the address: for the account that has
    confirmed it, or else for the oldest.

    An address gets one mail in five minutes, and each network has a limit for mail to addresses
    without an account. The visitor always sees the same page.
    """

    users: list[User]

    def clean_email(self) -> str:
        address: str = super().clean_email()
        # allauth might choose an account that has not confirmed the address.
        self.users = [user for user in accounts_of(address) if user.is_active][:1]
        return address

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        email: str = self.cleaned_data["email"]
        if limits.may_mail_reset(email):
            if self.users or limits.may_mail_stranger(request):
                super().save(request, **kwargs)
            else:
                mail.call_server()
        return email
