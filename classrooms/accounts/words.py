"""Messages of allauth and Django that a teacher may read. Listing them here puts them into our
catalogues, which come before the packages' own, where a teacher is du in German and u in Dutch."""

from typing import Final

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

WORDS: Final = (
    _("You cannot remove your primary email address."),
    _("You cannot remove your primary email address (%(email)s)."),
    _("Please type your current password."),
    _("You cannot add more than %d email addresses."),
    _("Too many failed login attempts. Try again later."),
    _("Your primary email address must be verified."),
    _("Please select only one."),
    _("Be patient, you are sending too many requests."),
    _("You must type the same password each time."),
    _("You must type the same email each time."),
    _("Username can not be used. Please use other username."),
    _(
        "An account already exists with this email address. Please sign in to that account first, "
        "then connect your %s account."
    ),
    _("Your account has no password set up."),
    _("Your account has no verified email address."),
    _("You have confirmed %(email)s."),
    _("Confirmation email sent to %(email)s."),
    _("Email address"),
    _("Your password can’t be too similar to your other personal information."),
    _("Your password can’t be a commonly used password."),
    _("Your password can’t be entirely numeric."),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
    ),
)
