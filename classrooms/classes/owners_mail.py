"""Mail to the owner of a class, or the former one, when others join it. It holds nothing that
anyone typed."""

import contextlib
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from uuid import UUID

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from classrooms.accounts.mail import letter
from classrooms.models import SchoolClass, User


def mail_arrival(inviter: User, school_class: SchoolClass) -> None:
    """Somebody has used an invitation: mail the inviter, who can look who it is."""
    paragraphs = (
        _("Somebody has accepted your invitation to a class on nmbrs."),
        _("See who teaches the class now, and remove whoever should not:"),
        _teachers_of(school_class.pk),
    )
    _after_commit([inviter], _("Somebody has joined your class"), paragraphs)


def mail_operator_change(owners: Iterable[User], school_class: SchoolClass) -> None:
    """The operator has changed the teachers of a class: mail its owner and the former one."""
    paragraphs = (
        _("The operator of nmbrs has changed who teaches one of your classes."),
        _("If you still teach the class, see what was changed here:"),
        _teachers_of(school_class.pk),
        _("Your account shows what changed for you in the class:"),
        _address("classrooms:account_log"),
    )
    _after_commit(owners, _("The operator has changed who teaches your class"), paragraphs)


def mail_inherited_class(heir: User, school_class: SchoolClass) -> None:
    """The owner has deleted their account: mail the co-teacher who owns the class now."""
    paragraphs = (
        _("A teacher has deleted their account on nmbrs. A class that you co-taught is now yours."),
        _("See who teaches the class now:"),
        _teachers_of(school_class.pk),
    )
    _after_commit([heir], _("You now own a class"), paragraphs)


def mail_erased_class(teachers: Iterable[User]) -> None:
    """An admin of the school has erased a class: mail its teachers."""
    paragraphs = (
        _("An admin of your school has deleted a class on nmbrs that you taught."),
        _("The children’s data, their games and their reports are gone. Ask the admin why."),
        _address("classrooms:classes"),
    )
    _after_commit(teachers, _("A class at your school has been deleted"), paragraphs)


def mail_closed_account(user: User, reopen: str, ends: datetime) -> None:
    """The account was closed by its owner: mail the link that opens it again."""
    day = date_format(ends, "DATE_FORMAT")
    paragraphs = (
        _("Your account on nmbrs is closed. It will be deleted for good on %(day)s.")
        % {"day": day},
        _("Do you want it back, or did somebody else do this? Until then you can reopen it here:"),
        reopen,
    )
    _after_commit([user], _("Your account on nmbrs is closed"), paragraphs)


def mail_moved_class(owners: Iterable[User], school_class: SchoolClass) -> None:
    """An admin of the school has moved a class: mail its owner and the former one."""
    paragraphs = (
        _("An admin of your school has moved a class on nmbrs from one teacher to another."),
        _("See who teaches the class now:"),
        _teachers_of(school_class.pk),
    )
    _after_commit(owners, _("A class at your school has a new owner"), paragraphs)


def _teachers_of(class_id: UUID) -> str:
    return _address("classrooms:teachers", class_id)


def _address(name: str, *args: UUID) -> str:
    return f"{settings.SITE_URL.rstrip('/')}{reverse(name, args=args)}"


def _after_commit(users: Iterable[User], subject: str, paragraphs: Iterable[str]) -> None:
    """Mail those whose address is confirmed, once the transaction is committed."""
    confirmed = EmailAddress.objects.filter(user__in=list(users), verified=True, primary=True)
    addresses = list(confirmed.values_list("email", flat=True))
    text = letter(paragraphs)
    for address in addresses:
        transaction.on_commit(partial(_send, subject, text, address), robust=True)


def _send(subject: str, text: str, to: str) -> None:
    # A mail server that is down must not stop the change; it is in the log too.
    with contextlib.suppress(OSError):
        send_mail(subject, text, settings.DEFAULT_FROM_EMAIL, [to])
