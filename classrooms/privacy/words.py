"""The audit log in sentences, and the fields of a child's data in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext_lazy

from classrooms.audit import Actor, Page, What
from classrooms.downloads.kinds import KINDS
from classrooms.models import AuditEntry, Child, Membership, SchoolClass, Teaching
from games.screen.words import listed

# The audit log in sentences, for the owner of a class and for the adult of an account.

Words = Promise | str
OWNER: Final = Teaching.Role.OWNER.value
ADMIN: Final = Membership.Role.ADMIN.value
MOST_ACTS: Final = 20

CHILD_SENTENCES: Final[dict[str, Words]] = {
    What.LOOKED: gettext_lazy("%(who)s looked at %(child)s."),
    "looked reason": gettext_lazy(
        "%(who)s looked at the figures for %(child)s. Reason: %(reason)s."
    ),
    Page.CHILD: gettext_lazy("%(who)s opened the page of %(child)s."),
    Page.MOVES: gettext_lazy("%(who)s looked at the moves of %(child)s."),
    Page.TABLE: gettext_lazy("%(who)s looked at the table of %(child)s."),
    Page.REPLAY: gettext_lazy("%(who)s looked at a turn by %(child)s."),
    Page.PICTURES: gettext_lazy("%(who)s saw the sign-in pictures of %(child)s."),
    Page.CARDS: gettext_lazy("%(who)s opened the sign-in card of %(child)s."),
    Page.LETTERS: gettext_lazy("%(who)s opened the letter to the parents of %(child)s."),
    What.ASKED: gettext_lazy("%(who)s asked for a file about %(child)s: %(file)s."),
    What.EXPORTED: gettext_lazy("%(who)s downloaded a file about %(child)s: %(file)s."),
    What.ADDED: gettext_lazy("%(who)s added %(child)s."),
    What.RENAMED: gettext_lazy("%(who)s renamed %(child)s."),
    What.REMOVED: gettext_lazy("%(who)s removed %(child)s."),
    What.BROUGHT_BACK: gettext_lazy("%(who)s brought %(child)s back."),
    What.MOVED: gettext_lazy("%(who)s moved %(child)s."),
    "moved to": gettext_lazy("%(who)s moved %(child)s to %(class)s."),
    "moved origin": gettext_lazy("%(who)s moved %(child)s here from %(class)s."),
    What.MERGED: gettext_lazy("%(who)s merged another entry on the list into %(child)s."),
    What.MERGE_UNDONE: gettext_lazy("%(who)s undid the merge of %(child)s."),
    What.SETTINGS: gettext_lazy("%(who)s changed the individual settings of %(child)s."),
    What.ERASED: gettext_lazy("%(who)s deleted %(child)s for good."),
    What.NEW_PICTURES: gettext_lazy("%(who)s gave %(child)s new pictures."),
    What.NEW_QR_CODES: gettext_lazy("%(who)s gave %(child)s a new QR code."),
    What.CARDS_BACK: gettext_lazy("%(who)s made the earlier card of %(child)s work again."),
    What.SIGNED_OUT: gettext_lazy("%(who)s signed %(child)s out everywhere."),
    What.TRIES_CLEARED: gettext_lazy("%(who)s cleared the wrong tries for %(child)s."),
    What.PERSON_LINKED: gettext_lazy("%(who)s linked %(child)s with the learning platform."),
    What.PERSON_UNLINKED: gettext_lazy("%(who)s unlinked %(child)s from the learning platform."),
}
CHILDREN_SENTENCES: Final[dict[str, Words]] = {
    Page.CARDS: ngettext_lazy(
        "%(who)s opened the sign-in card of %(n)d child.",
        "%(who)s opened the sign-in cards of %(n)d children.",
        "n",
    ),
    Page.LETTERS: ngettext_lazy(
        "%(who)s opened the letter to the parents of %(n)d child.",
        "%(who)s opened the letters to the parents of %(n)d children.",
        "n",
    ),
    What.EXPORTED: ngettext_lazy(
        "%(who)s downloaded a file about %(n)d child: %(file)s.",
        "%(who)s downloaded a file about %(n)d children: %(file)s.",
        "n",
    ),
    What.ADDED: ngettext_lazy("%(who)s added %(n)d child.", "%(who)s added %(n)d children.", "n"),
    What.REMOVED: ngettext_lazy(
        "%(who)s removed %(n)d child.", "%(who)s removed %(n)d children.", "n"
    ),
    "moved to": ngettext_lazy(
        "%(who)s moved %(n)d child to %(class)s.", "%(who)s moved %(n)d children to %(class)s.", "n"
    ),
    "moved origin": ngettext_lazy(
        "%(who)s moved %(n)d child here from %(class)s.",
        "%(who)s moved %(n)d children here from %(class)s.",
        "n",
    ),
    What.SETTINGS: ngettext_lazy(
        "%(who)s changed the individual settings of %(n)d child.",
        "%(who)s changed the individual settings of %(n)d children.",
        "n",
    ),
    What.NEW_PICTURES: ngettext_lazy(
        "%(who)s gave %(n)d child new pictures.", "%(who)s gave %(n)d children new pictures.", "n"
    ),
    What.NEW_QR_CODES: ngettext_lazy(
        "%(who)s gave %(n)d child a new QR code.",
        "%(who)s gave %(n)d children new QR codes.",
        "n",
    ),
    What.CARDS_BACK: ngettext_lazy(
        "%(who)s made the earlier card of %(n)d child work again.",
        "%(who)s made the earlier cards of %(n)d children work again.",
        "n",
    ),
    What.SIGNED_OUT: ngettext_lazy(
        "%(who)s signed %(n)d child out.", "%(who)s signed %(n)d children out.", "n"
    ),
    What.TRIES_CLEARED: ngettext_lazy(
        "%(who)s cleared the wrong tries for %(n)d child.",
        "%(who)s cleared the wrong tries for %(n)d children.",
        "n",
    ),
    What.PERSON_LINKED: ngettext_lazy(
        "%(who)s linked %(n)d child with the learning platform.",
        "%(who)s linked %(n)d children with the learning platform.",
        "n",
    ),
    What.INVITATION_ENDED: ngettext_lazy(
        "%(who)s withdrew %(n)d invitation.", "%(who)s withdrew %(n)d invitations.", "n"
    ),
}
CLASS_SENTENCES: Final[dict[str, Words]] = {
    What.LOOKED: gettext_lazy("%(who)s looked at the class."),
    Page.CLASS: gettext_lazy("%(who)s opened the class page."),
    Page.LIVE: gettext_lazy("%(who)s opened the lesson."),
    Page.FACT: gettext_lazy("%(who)s looked at the answers to a fact."),
    Page.CHECK_UP: gettext_lazy("%(who)s looked at the check-ups."),
    Page.CARDS: gettext_lazy("%(who)s opened the sign-in cards."),
    Page.LETTERS: gettext_lazy("%(who)s opened the letters to parents."),
    What.ASKED: gettext_lazy("%(who)s asked for a file: %(file)s."),
    "asked reason": gettext_lazy("%(who)s asked for a file: %(file)s. Reason: %(reason)s."),
    "exported reason": gettext_lazy("%(who)s downloaded a file: %(file)s. Reason: %(reason)s."),
    What.EXPORTED: gettext_lazy("%(who)s downloaded a file: %(file)s."),
    What.ERASED: gettext_lazy("%(who)s deleted the class for good."),
    What.NEW_CODE: gettext_lazy("%(who)s gave the class a new code."),
    What.FORMER_CODE: gettext_lazy("%(who)s gave the class its earlier code back."),
    What.CLOSED: gettext_lazy("%(who)s closed the class to new devices."),
    What.OPENED: gettext_lazy("%(who)s opened the class to new devices."),
    What.NAMES_SHOWN: gettext_lazy("%(who)s changed who sees the children’s names."),
    What.LIST_AGREED: gettext_lazy("%(who)s looked through the school’s list for this class."),
    What.MADE: gettext_lazy("%(who)s created the class."),
    What.CHANGED: gettext_lazy("%(who)s changed the class: %(fields)s."),
    What.ARCHIVED: gettext_lazy("%(who)s archived the class."),
    What.RESTORED: gettext_lazy("%(who)s restored the class."),
    What.INVITED: gettext_lazy("%(who)s invited %(invited)s to teach the class."),
    "invited owner": gettext_lazy("%(who)s invited %(invited)s to take over the class."),
    What.JOINED: gettext_lazy("%(who)s accepted the invitation."),
    What.LEFT: gettext_lazy("%(who)s left the class."),
    What.TEACHER_REMOVED: gettext_lazy("%(who)s removed %(adult)s from the class."),
    What.TEACHER_BACK: gettext_lazy("%(who)s brought %(adult)s back into the class."),
    What.ROLE_GIVEN: gettext_lazy("%(who)s made %(adult)s a co-teacher."),
    "role given owner": gettext_lazy("%(who)s made %(adult)s the owner."),
    What.HANDED_OVER: gettext_lazy("%(who)s handed the class over to %(adult)s."),
    What.COURSE_LINKED: gettext_lazy("%(who)s linked a course of %(platform)s to the class."),
    What.COURSE_UNLINKED: gettext_lazy("%(who)s unlinked a course of %(platform)s."),
    What.LAUNCH_REFUSED: gettext_lazy(
        "%(who)s let nobody in from the learning platform. %(refusal)s"
    ),
    What.SWITCHED_ON: gettext_lazy("%(who)s allowed %(adult)s to sign in again."),
    What.SWITCHED_OFF: gettext_lazy("%(who)s locked the account of %(adult)s."),
}
ACCOUNT_SENTENCES: Final[dict[str, Words]] = {
    What.SIGNED_IN: gettext_lazy("You signed in with %(device)s."),
    What.WRONG_PASSWORD: gettext_lazy("Someone typed the wrong password for your account."),
    What.WRONG_STEP: gettext_lazy(
        "Someone typed your password correctly, but not the second step. If that was not you, "
        "choose a new password."
    ),
    What.PASSWORD: gettext_lazy("You changed your password."),
    What.NEW_PASSWORD: gettext_lazy("You chose a new password using a link from an e-mail."),
    What.ADDRESS_ASKED: gettext_lazy("You asked to change your address."),
    What.ADDRESS: gettext_lazy("You changed your address."),
    What.SECOND_STEP: gettext_lazy("You set up a second step."),
    What.SECOND_STEP_GONE: gettext_lazy("You removed a second step."),
    What.CODES: gettext_lazy("You made new recovery codes."),
    What.CONNECTED: gettext_lazy("You linked another account."),
    What.DISCONNECTED: gettext_lazy("You unlinked another account."),
    What.SWITCHED_ON: gettext_lazy("%(who)s allowed you to sign in again."),
    What.SWITCHED_OFF: gettext_lazy("%(who)s locked your account."),
    What.NAMED: gettext_lazy("You changed the name that other teachers see."),
    What.ACCOUNT_CLOSED: gettext_lazy("You deleted your account."),
    What.ACCOUNT_REOPENED: gettext_lazy("You took your account back."),
    What.SCHOOL_JOINED: gettext_lazy("You joined the school %(school)s."),
    What.SCHOOL_LEFT: gettext_lazy("%(who)s removed you from the school %(school)s."),
    "school left self": gettext_lazy("You left the school %(school)s."),
    What.SCHOOL_ROLE: gettext_lazy("%(who)s made you a teacher at the school %(school)s."),
    "school role admin": gettext_lazy("%(who)s made you an admin of the school %(school)s."),
    What.SOURCE: gettext_lazy("You connected a source of lists for the school %(school)s."),
    What.SOURCE_GONE: gettext_lazy(
        "You disconnected the source of lists of the school %(school)s."
    ),
    What.SESSIONS_ENDED: gettext_lazy("%(who)s signed you out on every device."),
    What.PLATFORM_ADDED: gettext_lazy(
        "You added the learning platform %(platform)s to the school %(school)s."
    ),
    What.PLATFORM_CHANGED: gettext_lazy(
        "You changed the learning platform %(platform)s of the school %(school)s."
    ),
    What.PLATFORM_REMOVED: gettext_lazy(
        "You removed the learning platform %(platform)s from the school %(school)s."
    ),
    What.STAFF: gettext_lazy("%(who)s gave you access to the admin site."),
    What.STAFF_GONE: gettext_lazy("%(who)s ended your access to the admin site."),
    "address operator": gettext_lazy("%(who)s changed your address."),
    What.JOINED: gettext_lazy("You joined the class %(class)s."),
    What.LEFT: gettext_lazy("You left the class %(class)s."),
    What.TEACHER_REMOVED: gettext_lazy("%(who)s removed you from the class %(class)s."),
    What.TEACHER_BACK: gettext_lazy("%(who)s brought you back into the class %(class)s."),
    What.ROLE_GIVEN: gettext_lazy("%(who)s made you a co-teacher of the class %(class)s."),
    "role given owner": gettext_lazy("%(who)s made you the owner of the class %(class)s."),
    What.HANDED_OVER: gettext_lazy("%(who)s handed the class %(class)s over to you."),
}
FILES: Final[Mapping[str, Words]] = {
    "cards": gettext_lazy("Sign-in cards (PDF)"),
    "letters": gettext_lazy("Letters to parents (PDF)"),
    "child-report": gettext_lazy("Report (PDF)"),
    "class-report": gettext_lazy("Class report (PDF)"),
    "certificates": gettext_lazy("Certificates (PDF)"),
    "class-csv": gettext_lazy("Class report as a table"),
}
REASONS: Final[Mapping[str, Words]] = {
    "parents": gettext_lazy("A question from the parents"),
    "learning": gettext_lazy("A conversation about the child’s learning"),
    "away": gettext_lazy("The teacher is away"),
    "rights": gettext_lazy("A request to see, correct or delete data"),
    "year": gettext_lazy("The end of the school year"),
}
"""The reasons why an admin of the school needs to see a child or to download a file."""
REFUSED_LAUNCHES: Final[Mapping[str, Words]] = {
    "archived": gettext_lazy("The class is archived."),
    "elsewhere": gettext_lazy("The class no longer belongs to the school of the platform."),
    "unlinked": gettext_lazy(
        "This course is not linked to a class yet. A teacher opens nmbrs from the course once."
    ),
    "teacher": gettext_lazy(
        "The course is linked to a class that this account does not teach here."
    ),
    "used": gettext_lazy("This way in was used already or is too old. Start again in the course."),
    "state": gettext_lazy(
        "This way in was not begun here or is too old. Start again in the course."
    ),
    "browser": gettext_lazy(
        "The browser did not keep a cookie, or the way in was begun in another browser. Start "
        "again in the course."
    ),
    "often": gettext_lazy("Too many launches from this network failed. Try again in an hour."),
    "not ready": gettext_lazy("The data of the platform are not complete here yet."),
    "issuer": gettext_lazy("The platform has another issuer than the one that was entered here."),
    "audience": gettext_lazy("The message of the platform is for another client ID."),
    "deployment": gettext_lazy(
        "The platform has another deployment ID than the one that was entered here."
    ),
    "target": gettext_lazy("The platform wants to lead to another site."),
    "algorithm": gettext_lazy(
        "The message of the platform is not signed in the required way (RS256)."
    ),
    "signature": gettext_lazy("The signature of the platform’s message is wrong."),
    "key": gettext_lazy("The key that signed the message is not among the platform’s public keys."),
    "expired": gettext_lazy("The message of the platform is too old. Compare the clocks."),
    "nonce": gettext_lazy("The message of the platform belongs to another launch."),
    "version": gettext_lazy("The platform does not use LTI 1.3."),
    "kind": gettext_lazy("The platform sent a kind of message that nmbrs does not know."),
    "course": gettext_lazy("The platform did not say which course or which person this is."),
    "pages": gettext_lazy(
        "The platform wants the answer on a page that was not entered among its addresses here."
    ),
    "platform": gettext_lazy("The platform itself has stopped the launch."),
    "unreadable": gettext_lazy("The message of the platform cannot be read."),
}
"""The reasons why somebody was not let in from a learning platform (`lti.messages.Refused`)."""
FALLBACK: Final = gettext_lazy("%(who)s: %(what)s.")
"""The sentence for an entry of another release, whose kind is not known here."""


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names that the reader may see, by the id of the child, class or invitation."""

    children: Mapping[UUID, str] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)
    invited: Mapping[str, str] = field(default_factory=dict)  # the addresses that were invited


def class_sentence(entry: AuditEntry, names: KnownNames) -> str:
    """The sentence of an entry, for the owner of its class."""
    if entry.child_id:
        return _sentence(CHILD_SENTENCES, entry, names)
    if "count" in entry.detail:
        return _sentence(CLASS_SENTENCES | CHILDREN_SENTENCES, entry, names)
    return _sentence(CLASS_SENTENCES, entry, names)


def account_sentence(entry: AuditEntry, names: KnownNames) -> str:
    """The sentence of an entry, for the adult whose account it is about."""
    return _sentence(ACCOUNT_SENTENCES, entry, names)


def _sentence(sentences: Mapping[str, Words], entry: AuditEntry, names: KnownNames) -> str:
    matches = (sentences[key] for key in _keys(entry) if key in sentences)
    return str(next(matches, FALLBACK) % _facts(entry, names))


def _keys(entry: AuditEntry) -> Sequence[str]:
    """The keys of possible sentences for this entry, the most specific first."""
    directions = [direction for direction in ("to", "origin") if direction in entry.detail]
    if entry.detail.get("role") == OWNER:
        directions.append("owner")
    if entry.detail.get("role") == ADMIN:
        directions.append("admin")
    if entry.actor == Actor.OPERATOR:
        directions.append("operator")
    elif entry.user_id and entry.user_id == entry.account_id:
        directions.append("self")
    if "reason" in entry.detail:
        directions.append("reason")
    return [*(f"{entry.what} {key}" for key in directions), entry.page, entry.what]


def _facts(entry: AuditEntry, names: KnownNames) -> dict[str, object]:
    detail = entry.detail
    nobody = _("someone who no longer has an account")
    class_id = detail.get("to") or detail.get("origin") or str(entry.class_id)
    child = names.children.get(entry.child_id) if entry.child_id else None
    return {
        "who": _actor(entry),
        "what": entry.get_what_display(),
        "child": child or _("a child who has left"),
        "n": detail.get("count", 0),
        "class": names.classes.get(class_id) or _("(a class that no longer exists)"),
        "school": detail.get("school") or _("(a school that no longer exists)"),
        "adult": entry.account.email if entry.account else nobody,
        "invited": names.invited.get(detail.get("invitation", "")) or _("a colleague"),
        "reason": str(REASONS.get(detail.get("reason", "")) or _("not known")),
        "file": _file(detail.get("file", "")),
        "fields": listed([_field(name) for name in detail.get("fields", ())]),
        "device": detail.get("device") or _("another browser"),
        "platform": detail.get("platform") or _("(a platform that no longer exists)"),
        "refusal": str(
            REFUSED_LAUNCHES.get(detail.get("why", "")) or _("The reason is not known.")
        ),
    }


def _actor(entry: AuditEntry) -> str:
    if entry.actor == Actor.OPERATOR:
        return _("The operator")
    if entry.actor == Actor.SCHOOL:
        email = entry.user.email if entry.user else _("someone who no longer has an account")
        return _("An admin of the school (%(email)s)") % {"email": email}
    if entry.actor == Actor.SITE:
        return _("The site")
    return entry.user.email if entry.user else _("Someone whose account is gone")


def _file(name: str) -> str:
    if name in KINDS:
        return str(KINDS[name].label)
    return str(FILES.get(name) or _("not known"))


def _field(name: str) -> str:
    fields = {field.name: str(field.verbose_name) for field in SchoolClass._meta.concrete_fields}
    return fields.get(name, name)


class AuditLine(NamedTuple):
    """The sentence of an entry, and its time in the time zone of the page."""

    at: datetime
    words: str


def acts_of_admins(school_class: SchoolClass) -> Sequence[AuditLine]:
    """The last acts of the school's admins on the class, the latest first. The reader teaches the
    class."""
    entries = AuditEntry.objects.filter(
        class_id=school_class.pk, actor=Actor.SCHOOL, is_part=False
    ).select_related("user", "account")[:MOST_ACTS]
    child_ids = {entry.child_id for entry in entries if entry.child_id}
    children = Child.all_objects.filter(school_class=school_class).in_bulk(child_ids)
    names = KnownNames({key: child.name for key, child in children.items()})
    clock = ZoneInfo(school_class.time_zone)
    return [
        AuditLine(entry.at.astimezone(clock), class_sentence(entry, names)) for entry in entries
    ]


# The content of the fields of database tables, for a reader of all data about a child.

FIELDS: Final[Mapping[str, Promise]] = {
    "ability": pgettext_lazy("field of a table", "ability"),
    "account_id": pgettext_lazy("field of a table", "teacher’s account"),
    "actor": pgettext_lazy("field of a table", "who did it"),
    "alive_at": pgettext_lazy("field of a table", "last sign of work"),
    "answer": pgettext_lazy("field of a table", "answer"),
    "again": pgettext_lazy("field of a table", "another try at the same riddle"),
    "answer_seconds": pgettext_lazy("field of a table", "seconds to answer an offer"),
    "answered_at": pgettext_lazy("field of a table", "answered at"),
    "answers": pgettext_lazy("field of a table", "answers"),
    "asked": pgettext_lazy("field of a table", "times asked"),
    "asked_at": pgettext_lazy("field of a table", "asked at"),
    "asked_by_id": pgettext_lazy("field of a table", "asked for by"),
    "assignment_id": pgettext_lazy("field of a table", "assignment"),
    "at": pgettext_lazy("field of a table", "moment"),
    "at_once": pgettext_lazy("field of a table", "rows found at once"),
    "at_table_id": pgettext_lazy("field of a table", "current game"),
    "at_turn": pgettext_lazy("field of a table", "seat that is waited for"),
    "away": pgettext_lazy("field of a table", "away since"),
    "before": pgettext_lazy("field of a table", "level before"),
    "bot": pgettext_lazy("field of a table", "kind of bot"),
    "check_up_id": pgettext_lazy("field of a table", "check-up"),
    "checks": pgettext_lazy("field of a table", "short questions"),
    "checks_right": pgettext_lazy("field of a table", "short questions answered right"),
    "child_check_up_id": pgettext_lazy("field of a table", "child’s check-up"),
    "child_id": pgettext_lazy("field of a table", "child"),
    "class_id": pgettext_lazy("field of a table", "class"),
    "closed_at": pgettext_lazy("field of a table", "closed at"),
    "course_id": pgettext_lazy("field of a table", "course that they wait in"),
    "created_at": pgettext_lazy("field of a table", "made at"),
    "data": pgettext_lazy("field of a table", "what everyone saw"),
    "day": pgettext_lazy("field of a table", "day"),
    "derived": pgettext_lazy("field of a table", "times worked out"),
    "detail": pgettext_lazy("field of a table", "details"),
    "difficulty": pgettext_lazy("field of a table", "difficulty"),
    "digits": pgettext_lazy("field of a table", "digits typed"),
    "done": pgettext_lazy("field of a table", "progress"),
    "download_id": pgettext_lazy("field of a table", "file"),
    "due_at": pgettext_lazy("field of a table", "waited for until"),
    "due_on": pgettext_lazy("field of a table", "to be asked again on"),
    "ends_at": pgettext_lazy("field of a table", "ends at"),
    "ended_at": pgettext_lazy("field of a table", "ended at"),
    "engine_version": pgettext_lazy("field of a table", "version of the rules"),
    "entries": pgettext_lazy("field of a table", "log entries"),
    "entry": pgettext_lazy("field of a table", "log entry"),
    "face": pgettext_lazy("field of a table", "face"),
    "family": pgettext_lazy("field of a table", "family name"),
    "finished_at": pgettext_lazy("field of a table", "finished at"),
    "first": pgettext_lazy("field of a table", "first number"),
    "first_turn": pgettext_lazy("field of a table", "first turn it was possible"),
    "game_id": pgettext_lazy("field of a table", "game"),
    "group_id": pgettext_lazy("field of a table", "group"),
    "guessed": pgettext_lazy("field of a table", "times guessed"),
    "helped": pgettext_lazy("field of a table", "with help"),
    "here_until": pgettext_lazy("field of a table", "present until"),
    "high": pgettext_lazy("field of a table", "larger number"),
    "hint_step": pgettext_lazy("field of a table", "hint step"),
    "hint_steps": pgettext_lazy("field of a table", "most hint steps"),
    "hint_turns": pgettext_lazy("field of a table", "turns with a hint"),
    "hinted": pgettext_lazy("field of a table", "found with a hint"),
    "hints": pgettext_lazy("field of a table", "hints"),
    "hints_asked": pgettext_lazy("field of a table", "hints asked for"),
    "holds_until": pgettext_lazy("field of a table", "level holds until"),
    "how": pgettext_lazy("field of a table", "how it was found"),
    "id": pgettext_lazy("field of a table", "entry number"),
    "into_id": pgettext_lazy("field of a table", "child kept"),
    "is_here": pgettext_lazy("field of a table", "on the school’s list now"),
    "is_left_out": pgettext_lazy("field of a table", "left out of the class"),
    "is_part": pgettext_lazy("field of a table", "part of another act"),
    "issued_at": pgettext_lazy("field of a table", "given out at"),
    "joker": pgettext_lazy("field of a table", "laid with a joker"),
    "key": pgettext_lazy("field of a table", "request key"),
    "kind": pgettext_lazy("field of a table", "kind"),
    "kind_decks": pgettext_lazy("field of a table", "helpful deals"),
    "kind_draws": pgettext_lazy("field of a table", "helpful cards to draw"),
    "kind_orders": pgettext_lazy("field of a table", "helpful orders"),
    "kind_tables": pgettext_lazy("field of a table", "tables of helpful deals"),
    "knocked_at": pgettext_lazy("field of a table", "knocked at"),
    "known": pgettext_lazy("field of a table", "possible rows known"),
    "known_name": pgettext_lazy("field of a table", "name on the school’s list before"),
    "language": pgettext_lazy("field of a table", "language"),
    "larger": pgettext_lazy("field of a table", "larger cards"),
    "last_answer": pgettext_lazy("field of a table", "last answer"),
    "last_at": pgettext_lazy("field of a table", "last time"),
    "last_turn": pgettext_lazy("field of a table", "last turn it was possible"),
    "lately": pgettext_lazy("field of a table", "latest answers"),
    "later": pgettext_lazy("field of a table", "rows found later"),
    "lesson": pgettext_lazy("field of a table", "game to learn the rules"),
    "line_item_id": pgettext_lazy("field of a table", "gradebook column"),
    "low": pgettext_lazy("field of a table", "smaller number"),
    "missed": pgettext_lazy("field of a table", "rows missed"),
    "missed_rows": pgettext_lazy("field of a table", "shows missed rows"),
    "moved": pgettext_lazy("field of a table", "what was moved"),
    "moved_at": pgettext_lazy("field of a table", "last move at"),
    "ms": pgettext_lazy("field of a table", "milliseconds"),
    "name": pgettext_lazy("field of a table", "name"),
    "name_order": pgettext_lazy("field of a table", "place of the name in a list"),
    "net_ms": pgettext_lazy("field of a table", "milliseconds without typing"),
    "news": pgettext_lazy("field of a table", "number of changes that others see"),
    "number": pgettext_lazy("field of a table", "number"),
    "numbers": pgettext_lazy("field of a table", "numbers of the row"),
    "one_turn": pgettext_lazy("field of a table", "one turn in a round that others began"),
    "opened_at": pgettext_lazy("field of a table", "opened at"),
    "outcome": pgettext_lazy("field of a table", "result"),
    "page": pgettext_lazy("field of a table", "page"),
    "percent": pgettext_lazy("field of a table", "share done (percent)"),
    "person_id": pgettext_lazy("field of a table", "person of a platform"),
    "phase": pgettext_lazy("field of a table", "stage of the turn"),
    "pictures_renewal": pgettext_lazy("field of a table", "which change of the pictures"),
    "plain_name": pgettext_lazy("field of a table", "name without accents"),
    "platform_id": pgettext_lazy("field of a table", "learning platform"),
    "player": pgettext_lazy("field of a table", "player"),
    "points": pgettext_lazy("field of a table", "points"),
    "problem": pgettext_lazy("field of a table", "problem"),
    "questions": pgettext_lazy("field of a table", "questions"),
    "reached": pgettext_lazy("field of a table", "level reached"),
    "reached_on": pgettext_lazy("field of a table", "level reached on"),
    "ready_at": pgettext_lazy("field of a table", "ready at"),
    "recalled": pgettext_lazy("field of a table", "times known by heart"),
    "removed_at": pgettext_lazy("field of a table", "removed at"),
    "renewal": pgettext_lazy("field of a table", "which change of the code"),
    "replaced": pgettext_lazy("field of a table", "entries replaced"),
    "riddle": pgettext_lazy("field of a table", "cards that can be laid in a riddle"),
    "right": pgettext_lazy("field of a table", "right"),
    "round": pgettext_lazy("field of a table", "round"),
    "round_winners": pgettext_lazy("field of a table", "who won the rounds"),
    "rounds": pgettext_lazy("field of a table", "rounds"),
    "rounds_ended": pgettext_lazy("field of a table", "rounds ended"),
    "row": pgettext_lazy("field of a table", "row"),
    "rules": pgettext_lazy("field of a table", "rules of counting"),
    "ruleset_data": pgettext_lazy("field of a table", "rules of the game"),
    "school_class_id": pgettext_lazy("field of a table", "class"),
    "seat": pgettext_lazy("field of a table", "seat"),
    "second": pgettext_lazy("field of a table", "second number"),
    "seen_at": pgettext_lazy("field of a table", "last seen at"),
    "sent_at": pgettext_lazy("field of a table", "sent at"),
    "shared_deal": pgettext_lazy("field of a table", "same deal for all"),
    "shown": pgettext_lazy("field of a table", "times shown"),
    "sign": pgettext_lazy("field of a table", "sign to the others"),
    "sign_count": pgettext_lazy("field of a table", "signs in the turn"),
    "sign_turn": pgettext_lazy("field of a table", "turn of the sign"),
    "sitting_id": pgettext_lazy("field of a table", "set of short questions"),
    "signs": pgettext_lazy("field of a table", "signs at the tables"),
    "size": pgettext_lazy("field of a table", "size in bytes"),
    "sounds": pgettext_lazy("field of a table", "sounds"),
    "source_class_id": pgettext_lazy("field of a table", "class on the school’s list"),
    "speed": pgettext_lazy("field of a table", "speed of the other players"),
    "stability": pgettext_lazy("field of a table", "how long it is remembered"),
    "stale": pgettext_lazy("field of a table", "to be counted again"),
    "start_entry": pgettext_lazy("field of a table", "first entry counted"),
    "started_at": pgettext_lazy("field of a table", "started at"),
    "state": pgettext_lazy("field of a table", "state"),
    "step": pgettext_lazy("field of a table", "times table or jump"),
    "table": pgettext_lazy("field of a table", "times table"),
    "table_id": pgettext_lazy("field of a table", "table of several children"),
    "tables": pgettext_lazy("field of a table", "tables with classmates"),
    "text": pgettext_lazy("field of a table", "what was done"),
    "thinking_ms": pgettext_lazy("field of a table", "thinking time (milliseconds)"),
    "timed": pgettext_lazy("field of a table", "with a time limit"),
    "times": pgettext_lazy("field of a table", "how often"),
    "to_rebuild": pgettext_lazy("field of a table", "all to be counted again"),
    "told": pgettext_lazy("field of a table", "told"),
    "total": pgettext_lazy("field of a table", "total to do"),
    "tried": pgettext_lazy("field of a table", "found after refused tries"),
    "tries": pgettext_lazy("field of a table", "refused tries"),
    "tries_refused": pgettext_lazy("field of a table", "refused tries in the round"),
    "turn_seconds": pgettext_lazy("field of a table", "seconds for a turn"),
    "turns": pgettext_lazy("field of a table", "turns"),
    "turns_ended": pgettext_lazy("field of a table", "turns ended"),
    "turns_with_hint": pgettext_lazy("field of a table", "turns of the round with a hint"),
    "untimed": pgettext_lazy("field of a table", "without a time limit"),
    "upto": pgettext_lazy("field of a table", "counted up to"),
    "upto_at": pgettext_lazy("field of a table", "moves counted up to"),
    "upto_entry": pgettext_lazy("field of a table", "last entry counted"),
    "user_id": pgettext_lazy("field of a table", "teacher"),
    "value": pgettext_lazy("field of a table", "estimate"),
    "version": pgettext_lazy("field of a table", "number of changes"),
    "what": pgettext_lazy("field of a table", "what"),
    "waits_since": pgettext_lazy("field of a table", "waited for since"),
    "won": pgettext_lazy("field of a table", "round won"),
}
"""The words for each column, whose name means the same in all tables."""


def field_words(name: str) -> str:
    return str(FIELDS[name])
