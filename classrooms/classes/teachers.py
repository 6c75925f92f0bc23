"""Invites co-teachers of a class by a link, removes them, and hands the class over.

An invitation ends when the inviter loses the right to invite. This is checked again when somebody
uses the link.
"""

from datetime import timedelta
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.core import signing
from django.db.models import Q
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classrooms import bounds
from classrooms.access import INVITATION_SALT, is_owner
from classrooms.accounts.mail import is_sent_to, letter_text, send_text
from classrooms.audit import What, audit
from classrooms.classes.teacher_mail import mail_arrival
from classrooms.locks import Changed, ensure_locked, lock
from classrooms.models import AuditEntry, Invitation, SchoolClass, Teaching, User
from games.play.posted_values import parse_datetime

INVITATION_LASTS: Final = timedelta(days=7)
MOST_OPEN: Final = 10
"""The most invitations to a class that can be open at the same time."""
MOST_A_DAY: Final = 40
"""The most invitations that a teacher can send in a day, so that nobody sends spam from here."""


class TooManyInvitations(Exception):
    """The class has too many open invitations, or the teacher has sent too many today."""


class NotAllowed(Http404):
    """The adult has no right to do this, or has lost it."""


def token(invitation: Invitation) -> str:
    return signing.dumps(str(invitation.pk), salt=INVITATION_SALT)


def open_invitations(school_class: SchoolClass) -> list[Invitation]:
    return list(Invitation.objects.filter(_is_open(school_class)))


def _is_open(school_class: SchoolClass) -> Q:
    return Q(school_class=school_class, used_at=None, ends_at__gt=timezone.now())


def invite(school_class: SchoolClass, email: str, role: Teaching.Role, by: User) -> Invitation:
    """Make an invitation, without sending its link. It replaces an earlier one to the same address.
    Raises `TooManyInvitations`, and `NotAllowed` unless `by` owns the class."""
    now = timezone.now()
    # The teacher is locked too. Otherwise they could exceed the limit of the day with two classes.
    with lock(by, school_class):
        if not is_owner(by, school_class):
            raise NotAllowed
        end_invitations(school_class, by, Q(email__iexact=email))
        # According to the log: invitations are erased with their class, so erasing classes would
        # avoid the limit.
        lately = AuditEntry.objects.filter(
            user=by, what=What.INVITED, at__gt=now - timedelta(days=1)
        )
        if len(open_invitations(school_class)) >= MOST_OPEN or lately.count() >= MOST_A_DAY:
            raise TooManyInvitations
        invitation = Invitation.objects.create(
            school_class=school_class,
            email=email,
            role=role,
            invited_by=by,
            ends_at=now + INVITATION_LASTS,
        )
        audit(by, What.INVITED, school_class=school_class, invitation=str(invitation.pk), role=role)
    return invitation


def send(invitation: Invitation, link: str) -> bool:
    """Mail the link, and return whether the mail server took the mail. Call this only if the
    inviter's address is confirmed. The mail contains no words or links that the inviter typed."""
    if invitation.role == Teaching.Role.OWNER:
        subject_text = _("%(from)s wants to hand a class over to you on nmbrs.")
    else:
        subject_text = _("%(from)s invites you to co-teach a class on nmbrs.")
    lasts = ngettext(
        "The link works once, within %(n)d day.",
        "The link works once, within %(n)d days.",
        INVITATION_LASTS.days,
    )
    paragraphs = (
        subject_text % {"from": invitation.invited_by.email},
        _("Open this link, then sign in or create an account:"),
        link,
        lasts % {"n": INVITATION_LASTS.days},
        _("If you do not know what this is about, you can ignore this e-mail."),
    )
    subject = _("An invitation to a class on nmbrs")
    return send_text(subject, letter_text(paragraphs), invitation.email)


def end_invitations(
    school_class: SchoolClass, by: User | None, condition: Q, *, as_operator: bool = False
) -> int:
    """End the open invitations that match `condition`, and return their number."""
    count = Invitation.objects.filter(_is_open(school_class), condition).update(
        ends_at=timezone.now()
    )
    if count:
        audit(
            by,
            What.INVITATION_ENDED,
            school_class=school_class,
            as_operator=as_operator,
            count=count,
        )
    return count


def withdraw(invitation: Invitation, by: User) -> None:
    with lock(invitation.school_class):
        end_invitations(invitation.school_class, by, Q(pk=invitation.pk))


def end_invitations_of_others(
    school_class: SchoolClass, by: User | None, *, as_operator: bool = False
) -> int:
    """End the invitations of everyone but the present owner, and return their number."""
    owners = Teaching.objects.filter(
        school_class=school_class, role=Teaching.Role.OWNER, user__is_active=True
    ).values("user")
    return end_invitations(school_class, by, ~Q(invited_by__in=owners), as_operator=as_operator)


def is_meant_for(invitation: Invitation, user: User) -> bool:
    """Whether this adult may use the link. To co-teach, the link is enough. To take the class over,
    they must have confirmed the address to which it was sent."""
    if invitation.role != Teaching.Role.OWNER:
        return True
    addresses = EmailAddress.objects.filter(user=user, email__iexact=invitation.email)
    return addresses.filter(verified=True).exists()


def accept(invitation: Invitation, user: User) -> bool:
    """Make this adult a teacher of the class. Return False if the invitation has ended, was used or
    is meant for somebody else, or if the adult was removed from the class after it was made. Raises
    `bounds.LimitReached`."""
    try:
        with lock(user, invitation.school_class) as (user, _class):
            _accept(invitation, user)
    except (NotAllowed, Changed):
        return False
    return True


def _accept(invitation: Invitation, user: User) -> None:
    school_class, inviter = invitation.school_class, invitation.invited_by
    open_invitation = Invitation.objects.filter(_is_open(school_class), pk=invitation.pk).first()
    if open_invitation is None or not is_owner(inviter, school_class) or not user.is_active:
        raise NotAllowed
    if not is_meant_for(open_invitation, user) or _was_removed_since(open_invitation, user):
        raise NotAllowed
    open_invitation.used_at = timezone.now()
    open_invitation.save(update_fields=("used_at",))
    _, is_new = Teaching.objects.get_or_create(
        school_class=school_class, user=user, defaults={"role": Teaching.Role.CO_TEACHER}
    )
    takes_over = open_invitation.role == Teaching.Role.OWNER and user != inviter
    if is_new or takes_over:
        audit(
            user,
            What.JOINED,
            school_class=school_class,
            account=user,
            invitation=str(open_invitation.pk),
            role=open_invitation.role,
        )
        mail_arrival(inviter, school_class)
    if takes_over:
        bounds.ensure_room_for_class(user)
        _make_owner(school_class, user, by=inviter)


def _was_removed_since(invitation: Invitation, user: User) -> bool:
    school_class = invitation.school_class_id
    if Teaching.objects.filter(school_class=school_class, user=user).exists():
        return False
    removals = AuditEntry.objects.filter(what=What.TEACHER_REMOVED, at__gte=invitation.created_at)
    return removals.filter(class_id=school_class, account=user).exists()


def hand_over(school_class: SchoolClass, to: User, by: User) -> None:
    """Make a teacher of the class its owner; the former owner becomes a co-teacher. Raises
    `NotAllowed` if `by` does not own the class or `to` does not teach it, and
    `bounds.LimitReached`."""
    with lock(to, school_class):
        teaches = Teaching.objects.filter(school_class=school_class, user=to, user__is_active=True)
        if not is_owner(by, school_class) or not teaches.exists():
            raise NotAllowed
        bounds.ensure_may_receive_class(to)
        _make_owner(school_class, to, by=by)


def give_away(school_class: SchoolClass, to: User, by: User) -> bool:
    """As an admin of the school, make `to` the owner of a class; the former owner becomes a
    co-teacher. The caller has locked both. Return whether `to` is new in the class."""
    ensure_locked(to, school_class)
    owner = Teaching.objects.get(school_class=school_class, role=Teaching.Role.OWNER)
    _teaching, is_new = Teaching.objects.get_or_create(
        school_class=school_class, user=to, defaults={"role": Teaching.Role.CO_TEACHER}
    )
    _make_owner(school_class, to, by=by, for_school=True)
    audit(
        by,
        What.ROLE_GIVEN,
        school_class=school_class,
        account=owner.user,
        for_school=True,
        role=Teaching.Role.CO_TEACHER,
    )
    return is_new


def remove_for_school(school_class: SchoolClass, user_id: int, by: User) -> None:
    """As an admin of the school, remove a co-teacher from a locked class."""
    teaching = Teaching.objects.select_related("user").get(
        school_class=school_class, user=user_id, role=Teaching.Role.CO_TEACHER
    )
    _remove(school_class, teaching, What.TEACHER_REMOVED, by, for_school=True)


def inherit(school_class: SchoolClass, heir: User, by: User | None) -> None:
    """Make a co-teacher the owner of a class when its owner's account is closed or deleted, even
    beyond the limit of classes. The caller has locked both."""
    ensure_locked(heir, school_class)
    _make_owner(school_class, heir, by=by)


def _make_owner(
    school_class: SchoolClass, user: User, *, by: User | None, for_school: bool = False
) -> None:
    teachings = Teaching.objects.filter(school_class=school_class)
    teachings.filter(role=Teaching.Role.OWNER).update(role=Teaching.Role.CO_TEACHER)
    if not teachings.filter(user=user, user__is_active=True).update(role=Teaching.Role.OWNER):
        raise Changed
    audit(by, What.HANDED_OVER, school_class=school_class, account=user, for_school=for_school)
    end_invitations_of_others(school_class, by)


def remove(school_class: SchoolClass, user_id: int, by: User | None) -> AuditEntry | None:
    """Remove a co-teacher from the class, and end the invitations to their addresses. Return the
    log entry; None if there is no such co-teacher. The owner cannot be removed. Raises `NotAllowed`
    unless `by` is the owner, the co-teacher who leaves, or None for the site."""
    with lock(school_class):
        leaves = by is not None and by.pk == user_id
        if by is not None and not leaves and not is_owner(by, school_class):
            raise NotAllowed
        teachings = Teaching.objects.filter(
            school_class=school_class, user=user_id, role=Teaching.Role.CO_TEACHER
        )
        teaching = teachings.select_related("user").first()
        if teaching is None:
            return None
        return _remove(school_class, teaching, What.LEFT if leaves else What.TEACHER_REMOVED, by)


def _remove(
    school_class: SchoolClass,
    teaching: Teaching,
    what: AuditEntry.What,
    by: User | None,
    *,
    for_school: bool = False,
) -> AuditEntry:
    user, mailed = teaching.user, teaching.mailed_since
    teaching.delete()
    end_invitations(school_class, by, is_sent_to(user))
    detail: dict[str, Any] = {"mailed_since": mailed.isoformat()} if mailed else {}
    return audit(by, what, school_class=school_class, account=user, for_school=for_school, **detail)


def bring_back(school_class: SchoolClass, removal_id: int, by: User) -> None:
    """Undo the removal of a co-teacher whose log entry is `removal_id`. Raises `Changed` if their
    place in the class has changed since or their account is gone, and `NotAllowed` if `by` did not
    remove them or no longer owns the class."""
    removal = AuditEntry.objects.filter(
        pk=removal_id, class_id=school_class.pk, what=What.TEACHER_REMOVED, user=by
    ).first()
    if removal is None:
        raise NotAllowed
    if removal.account is None:
        raise Changed
    with lock(removal.account, school_class) as (user, _class):
        if not is_owner(by, school_class):
            raise NotAllowed
        later = AuditEntry.objects.filter(class_id=school_class.pk, account=user, pk__gt=removal_id)
        if not user.is_active or later.exists():
            raise Changed
        mailed_since = parse_datetime(removal.detail.get("mailed_since"))
        Teaching.objects.get_or_create(
            school_class=school_class,
            user=user,
            defaults={"role": Teaching.Role.CO_TEACHER, "mailed_since": mailed_since},
        )
        audit(by, What.TEACHER_BACK, school_class=school_class, account=user)
