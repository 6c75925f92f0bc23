"""Mail to teachers about their classes and their account, without any text that somebody typed."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from classrooms.accounts.mail import letter_text, send_text
from classrooms.links import link
from classrooms.models import SchoolClass, User


def mail_arrival(inviter: User, school_class: SchoolClass) -> None:
    paragraphs = (
        _("Somebody has accepted your invitation to a class on nmbrs."),
        _("See who teaches the class now, and remove whoever should not:"),
        link("classrooms:teachers", school_class.pk),
    )
    _after_commit([inviter], _("Somebody has joined your class"), paragraphs)


def mail_operator_change(owners: Iterable[User], school_class: SchoolClass) -> None:
    """Tell the owner of a class and the former owner by mail that the operator has changed its
    teachers."""
    paragraphs = (
        _("The operator of nmbrs has changed who teaches one of your classes."),
        _("If you still teach the class, see what was changed here:"),
        link("classrooms:teachers", school_class.pk),
        _("Your account shows what changed for you in the class:"),
        link("classrooms:account_log"),
    )
    _after_commit(owners, _("The operator has changed who teaches your class"), paragraphs)


def mail_inherited_class(heir: User, school_class: SchoolClass) -> None:
    """Tell a co-teacher by mail that they own the class now, because the owner has deleted their
    account."""
    paragraphs = (
        _("A teacher has deleted their account on nmbrs. A class that you co-taught is now yours."),
        _("See who teaches the class now:"),
        link("classrooms:teachers", school_class.pk),
    )
    _after_commit([heir], _("You now own a class"), paragraphs)


def mail_erased_class(teachers: Iterable[User]) -> None:
    paragraphs = (
        _("An admin of your school has deleted a class on nmbrs that you taught."),
        _("The children’s data, their games and their reports are gone. Ask the admin why."),
        link("classrooms:classes"),
    )
    _after_commit(teachers, _("A class at your school has been deleted"), paragraphs)


def mail_closed_account(user: User, reopen: str, ends: datetime) -> None:
    """Mail the link `reopen`, which opens a closed account again until `ends`."""
    day = date_format(ends, "DATE_FORMAT")
    paragraphs = (
        _("Your account on nmbrs is closed. It will be deleted for good on %(day)s.")
        % {"day": day},
        _("Do you want it back, or did somebody else do this? Until then you can reopen it here:"),
        reopen,
    )
    _after_commit([user], _("Your account on nmbrs is closed"), paragraphs)


def mail_moved_class(owners: Iterable[User], school_class: SchoolClass) -> None:
    """Tell the owner of a class and the former owner by mail that an admin of the school has moved
    it."""
    paragraphs = (
        _("An admin of your school has moved a class on nmbrs from one teacher to another."),
        _("See who teaches the class now:"),
        link("classrooms:teachers", school_class.pk),
    )
    _after_commit(owners, _("A class at your school has a new owner"), paragraphs)


def _after_commit(users: Iterable[User], subject: str, paragraphs: Iterable[str]) -> None:
    """Mail the users whose address is confirmed, after the commit."""
    confirmed = EmailAddress.objects.filter(user__in=list(users), verified=True, primary=True)
    addresses = list(confirmed.values_list("email", flat=True))
    text = letter_text(paragraphs)
    for address in addresses:
        # The change stays even if the mail server is down. The audit log shows it too.
        transaction.on_commit(partial(send_text, subject, text, address), robust=True)
