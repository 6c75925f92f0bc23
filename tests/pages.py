"""Every address of the site in one table: who may open it and how, the posts of the tests, their
entries in the log, and how each loss is undone.

A new address needs a row here, or a test fails. The rows are read by `test_permissions`,
`test_every_act`, `test_destructive_acts`, `test_pages` and `test_pairs`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from classrooms.lesson import pause
from classrooms.models import AuditEntry, SchoolClass
from games.play.news import seat_token
from tests import acts
from tests.acts import Data, Ids
from tests.classrooms.assignments.posting import FORM

Kind = Literal[
    "open",
    "door",
    "child",
    "game",
    "teacher",
    "owner",
    "school admin",
    "invitation",
    "link",
    "poll",
    "adult",
    "account",
    "admin",
]
"""The people who may open an address."""
ADULTS: Final = ("teacher", "owner", "school admin", "adult", "invitation")
VISITORS: Final[Mapping[Kind, str]] = {
    **dict.fromkeys(("open", "door"), "nobody"),
    **dict.fromkeys(("child", "game"), "Dora"),
    "school admin": "Ada",
    "invitation": "Charlie",
}
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
GET: Final = ("GET", "HEAD")
POST: Final = ("POST",)
BOTH: Final = (*GET, *POST)


class Post(NamedTuple):
    """A post of a test. `prepare` runs before it, and may change the world and the target and add
    data. `logs` is the entry that the audit log must have afterwards."""

    data: Data = {}
    prepare: Callable[[Ids], Data] | None = None
    who: str = "Alice"
    logs: AuditEntry.What | None = None


class Loss(NamedTuple):
    """The loss that a post causes. With `words`, a page or the form itself says them first. Without
    words, the message after the post has a button that undoes the post.

    `data` and `prepare` make a post with a larger loss than those in `posts`.
    """

    words: str = ""
    data: Data = {}
    prepare: Callable[[Ids], Data] | None = None
    differs: Mapping[str, str] = {}
    """The fields that differ after the undo, each with the reason."""


@dataclass(frozen=True, kw_only=True)
class Page:
    kind: Kind
    methods: tuple[str, ...]
    posts: Sequence[Post] = ()
    loss: Loss | None = None
    """The loss that a post causes."""
    harmless: str = ""
    """The reason why a post causes no loss."""
    unlogged: str = ""
    """The reason why an adult's post is not in the audit log."""
    in_class_log: bool = True
    """Whether the entries belong to the log of the class."""
    is_export: bool = False
    """Whether the answer is a file, whose download is logged."""
    states: Sequence[str] = ()
    """Queries with which the address shows another page."""

    @property
    def visitor(self) -> str:
        """Somebody who may open the address for Alice's class."""
        return VISITORS.get(self.kind, "Alice")

    @property
    def takes_posts(self) -> bool:
        return "POST" in self.methods or self.kind == "account"


What = AuditEntry.What
# For `data`, and all `posts` of one page:
SURE: Final = {"sure": "1"}
CONNECTION: Final = {
    "address": "https://source.example",
    "token_address": "https://source.example/token",
    "client_id": "the school",
    "client_secret": "three",
}
SIGNING_IN: Final = (
    Post({"do": "card"}, logs=What.NEW_PICTURES),
    Post({"do": "card"}, logs=What.NEW_QR_CODES),
    Post({"do": "sign-out"}, logs=What.SIGNED_OUT),
    Post({"do": "lift"}, logs=What.TRIES_CLEARED),
)
PLATFORM: Final = {
    "name": "Moodle",
    **dict.fromkeys(("issuer", "client_id", "deployment"), "x"),
    **dict.fromkeys(("auth_url", "token_url", "keyset_url"), "https://127.0.0.1/"),
}
NAMES_SHOWN: Final = {"do": "save", "names_shown": "never", "school_from": 7, "school_until": 17}
SETTINGS: Final = {"name": "5X", "language": "en", "time_zone": "Europe/Berlin"}

# For `harmless`:
ENTERS: Final = "It shows who somebody is, and changes nothing else."
ADDS: Final = "It adds something, and takes nothing away."
UNDOES: Final = "It undoes something; what it undoes can be done again."
CHANGES: Final = "It changes what is in the form; the page shows it, to be changed again."
SHOWS: Final = "It shows or makes something, and changes nothing."
REENTER: Final = "Whoever signs in again has everything as it was."

# For `unlogged`:
PLAYING: Final = "The page of the assignments lists what is to be played, ended ones too."
CHECK_UPS: Final = "The page of the check-ups lists what was given, closed ones too."
GROUPS: Final = "The page of the groups lists who is in which; a group lets nobody in."

# For `differs`:
LEFT: Final = {"classrooms.ChildSession": "Signed out; the card or the pictures let in again."}
BY_A_LIST: Final = {**LEFT, "downloads.HeavyWork": "Counts how often a list was brought."}
MOVED: Final = {
    **LEFT,
    "classrooms.Child.last_game_id": "At no table until the child opens a game again.",
}
MERGED: Final = {**MOVED, "progress.ProgressLock": "Marks the counts to be made again."}
SIGNED_OUT: Final = {
    **LEFT,
    "classrooms.KnownDevice": "Nobody stays in with the other card; each device is known again.",
    "classrooms.WrongTries": "Tries with the other pictures no longer count.",
}
NEW_CODES: Final = {
    **SIGNED_OUT,
    "classrooms.QrCode": "A child who had none keeps one that no card has shown.",
}
INVITED: Final = {
    "classrooms.Invitation.ends_at": "Only the owner of a class invites; that can be done again."
}

PAGES: Final[Mapping[str, Page]] = {
    "healthz": Page(kind="open", methods=GET),
    "robots_txt": Page(kind="open", methods=GET),
    "set_language": Page(
        kind="open", methods=POST, posts=[Post({"language": "nl"}, who="nobody")], harmless=CHANGES
    ),
    "classrooms:home": Page(kind="open", methods=GET),
    "classrooms:code": Page(
        kind="open",
        methods=POST,
        posts=[Post({"code": "ABCD EFGH"}, who="nobody")],
        harmless=ENTERS,
    ),
    "classrooms:names": Page(kind="door", methods=GET),
    "classrooms:typed_name": Page(
        kind="door", methods=BOTH, posts=[Post({"picture": "cat"}, who="nobody")], harmless=ENTERS
    ),
    "classrooms:pictures": Page(
        kind="door", methods=BOTH, posts=[Post({"picture": "cat"}, who="nobody")], harmless=ENTERS
    ),
    "classrooms:card": Page(kind="door", methods=BOTH, posts=[Post(who="nobody")], harmless=ENTERS),
    "classrooms:me": Page(kind="child", methods=GET),
    "classrooms:start": Page(
        kind="child",
        methods=POST,
        posts=[Post(who="Dora")],
        harmless="It goes on with the open match; a new one begins only where none is open.",
    ),
    "classrooms:sit": Page(
        kind="child",
        methods=POST,
        posts=[Post(prepare=acts.seat_emil, who="Dora"), Post(prepare=acts.seat_emil, who="Emil")],
        harmless="It goes on with the open match; a table begins only where none is open.",
    ),
    "classrooms:table": Page(
        kind="child",
        methods=BOTH,
        posts=[
            Post({"do": "begin"}, prepare=acts.seat_both, who="Dora"),
            Post({"do": "begin"}, prepare=acts.seat_both, who="Emil"),
            Post({"do": "leave"}, prepare=acts.seat_both, who="Dora"),
        ],
        harmless="A child who gets up finds the table in their list again.",
    ),
    "classrooms:riddles": Page(kind="child", methods=BOTH, posts=[Post(who="Dora")], harmless=ADDS),
    "classrooms:riddle": Page(
        kind="child",
        methods=POST,
        posts=[Post(who="Dora")],
        harmless="It goes on with the open try, and shows the last one when all are over.",
    ),
    "classrooms:childs_hand": Page(kind="child", methods=GET),
    "classrooms:childs_hand_changed": Page(kind="child", methods=GET),
    "classrooms:speed": Page(
        kind="child", methods=POST, posts=[Post({"speed": "slow"}, who="Dora")], harmless=CHANGES
    ),
    "classrooms:sounds": Page(
        kind="child", methods=POST, posts=[Post({"sounds": "on"}, who="Dora")], harmless=CHANGES
    ),
    "classrooms:language": Page(
        kind="child", methods=POST, posts=[Post({"language": "sv"}, who="Dora")], harmless=CHANGES
    ),
    "classrooms:here": Page(kind="child", methods=GET),
    "classrooms:leave": Page(
        kind="open",
        methods=POST,
        posts=[Post(who="Dora")],
        harmless="Who signs out finds all games as they were (test_destructive_acts).",
    ),
    "classrooms:learn": Page(
        kind="child",
        methods=POST,
        posts=[Post({"edition": "simplified"}, who="Dora")],
        harmless="The match that was on the screen waits in the list of the child.",
    ),
    "classrooms:face": Page(
        kind="child", methods=BOTH, posts=[Post({"hair": "1"}, who="Dora")], harmless=CHANGES
    ),
    "classrooms:collection": Page(kind="child", methods=GET),
    "classrooms:check": Page(
        kind="game",
        methods=BOTH,
        posts=[Post({"number": "0", "answer": "12"}, who="Dora")],
        harmless="A question that is left out comes back on another day.",
    ),
    "classrooms:take_check_up": Page(
        kind="child",
        methods=BOTH,
        posts=[Post({"do": "answer", "number": "0", "answer": "12"}, who="Dora")],
        harmless=ADDS,
    ),
    "rules": Page(kind="open", methods=GET),
    "games:page": Page(kind="game", methods=GET),
    "games:act": Page(
        kind="game",
        methods=POST,
        posts=[
            Post(prepare=acts.draw_card, who="Dora"),
            Post(prepare=acts.sign_at_the_end, who="Dora"),
        ],
        harmless="Each move is kept, and rows can be taken back until the turn ends.",
    ),
    "news": Page(kind="poll", methods=GET),
    "classrooms:account": Page(kind="adult", methods=GET),
    "classrooms:sign_in_again": Page(kind="adult", methods=GET),
    "classrooms:go_on": Page(kind="adult", methods=GET),
    "classrooms:typed": Page(kind="adult", methods=GET),
    "classrooms:stop_address_change": Page(
        kind="link",
        methods=BOTH,
        posts=[Post(SURE)],
        loss=Loss("You will be signed out on all devices"),
    ),
    "classrooms:display_name": Page(
        kind="adult",
        methods=BOTH,
        posts=[Post({"display_name": "Ms Bos"}, logs=What.NAMED)],
        harmless=CHANGES,
        in_class_log=False,
    ),
    "classrooms:close_account": Page(
        kind="adult",
        methods=BOTH,
        posts=[
            Post(SURE, logs=What.ACCOUNT_CLOSED),
            Post(SURE, prepare=acts.make_all_admins, who="Ada"),
            Post(SURE, prepare=acts.make_all_admins),
            Post(SURE, who="Bob"),
        ],
        loss=Loss("goes to"),
        in_class_log=False,
    ),
    "classrooms:reopen_account": Page(
        kind="link", methods=BOTH, posts=[Post(who="nobody")], harmless=UNDOES
    ),
    "classrooms:account_log": Page(kind="adult", methods=GET),
    "classrooms:classes": Page(kind="adult", methods=GET),
    "classrooms:new_class": Page(
        kind="adult",
        methods=BOTH,
        posts=[Post({"name": "7C", "language": "nl"}, logs=What.MADE)],
        harmless=ADDS,
        in_class_log=False,
    ),
    "classrooms:classes_from_file": Page(
        kind="adult",
        methods=BOTH,
        posts=[Post({"do": "add"}, prepare=acts.preview_two_classes, logs=What.ADDED)],
        loss=Loss(prepare=acts.preview_list_without_a_child, differs=BY_A_LIST),
    ),
    "classrooms:new_year": Page(
        kind="adult",
        methods=BOTH,
        posts=[
            Post(prepare=acts.choose_rename, logs=What.CHANGED),
            Post(prepare=acts.choose_archive, logs=What.ARCHIVED),
        ],
        loss=Loss(),
    ),
    "classrooms:undo_new_year": Page(
        kind="adult",
        methods=POST,
        posts=[Post(prepare=acts.begin_year, logs=What.CHANGED)],
        harmless=UNDOES,
    ),
    "classrooms:class": Page(
        kind="teacher",
        methods=GET,
        states=[
            "?child={child_id}&table=5&period=all",
            "?child={child_id}&table=5&group={group_id}&sort=-all",
        ],
    ),
    "classrooms:edit_class": Page(
        kind="teacher", methods=BOTH, posts=[Post(SETTINGS, logs=What.CHANGED)], harmless=CHANGES
    ),
    "classrooms:class_code": Page(
        kind="teacher",
        methods=POST,
        posts=[
            Post({"do": "rotate"}, logs=What.NEW_CODE),
            Post({"do": "former"}, prepare=acts.rotate_code, logs=What.FORMER_CODE),
            Post({"do": "close"}, logs=What.CLOSED),
            Post({"do": "open"}, logs=What.OPENED),
        ],
        loss=Loss(data={"do": "rotate"}),
    ),
    "classrooms:who_sees_names": Page(
        kind="teacher",
        methods=POST,
        posts=[Post(NAMES_SHOWN, logs=What.NAMES_SHOWN)],
        harmless=CHANGES,
    ),
    "classrooms:undo": Page(
        kind="teacher",
        methods=POST,
        posts=[
            Post(prepare=acts.add_fay, logs=What.REMOVED),
            Post(prepare=acts.move_child_here, logs=What.MOVED),
            Post(prepare=acts.rename_class, logs=What.CHANGED),
            Post(prepare=acts.renew_cards, logs=What.CARDS_BACK),
            Post(prepare=acts.take_dora_off_group),
        ],
        harmless=UNDOES,
    ),
    "classrooms:undo_act": Page(
        kind="adult",
        methods=POST,
        posts=[
            Post(prepare=acts.remove_bob, logs=What.TEACHER_BACK),
            Post(prepare=acts.move_class_to_bob, who="Ada", logs=What.HANDED_OVER),
        ],
        harmless=UNDOES,
    ),
    "classrooms:restore_class": Page(
        kind="owner",
        methods=POST,
        posts=[Post(prepare=acts.archive_class, logs=What.RESTORED), Post()],
        harmless=UNDOES,
    ),
    "classrooms:year_end": Page(
        kind="owner",
        methods=BOTH,
        posts=[
            Post({"what": "archive"}, logs=What.ARCHIVED),
            Post({"what": "next-year", "name": "6B"}, logs=What.CHANGED),
            Post({"what": "hand-over"}, prepare=acts.choose_bob, logs=What.HANDED_OVER),
            Post({"what": "hand-over", "email": "gus@example.org"}, logs=What.INVITED),
            Post({"what": "erase", "name": "5B"}, logs=What.ERASED),
        ],
        loss=Loss("deleted"),
    ),
    "classrooms:export_class": Page(kind="teacher", methods=GET, is_export=True),
    "classrooms:teachers": Page(kind="teacher", methods=GET),
    "classrooms:invite": Page(
        kind="owner",
        methods=POST,
        posts=[Post({"email": "gus@example.org"}, logs=What.INVITED)],
        harmless=ADDS,
    ),
    "classrooms:withdraw_invitation": Page(
        kind="owner",
        methods=POST,
        posts=[Post(SURE, logs=What.INVITATION_ENDED)],
        loss=Loss("will no longer work"),
    ),
    "classrooms:remove_teacher": Page(
        kind="owner",
        methods=POST,
        posts=[Post(logs=What.TEACHER_REMOVED)],
        loss=Loss(prepare=acts.want_mail),
    ),
    "classrooms:hand_over": Page(
        kind="owner",
        methods=POST,
        posts=[Post(SURE, logs=What.HANDED_OVER)],
        loss=Loss("can no longer invite"),
    ),
    "classrooms:leave_class": Page(
        kind="teacher",
        methods=POST,
        posts=[Post(SURE, who="Bob", logs=What.LEFT)],
        loss=Loss("You will no longer see this class."),
    ),
    "classrooms:who_looked": Page(kind="owner", methods=GET, states=["?show=all"]),
    "classrooms:weekly_mail": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"do": "want"})],
        harmless=CHANGES,
        unlogged="A teacher switches the mail to their own address, and names nobody.",
    ),
    "classrooms:before_lesson": Page(kind="teacher", methods=GET),
    "classrooms:before_lesson_pdf": Page(kind="teacher", methods=GET),
    "classrooms:stop_weekly_mail": Page(
        kind="link",
        methods=BOTH,
        posts=[Post(SURE, who="nobody")],
        loss=Loss("Stop the weekly mail?", prepare=acts.want_mail),
    ),
    "classrooms:invitation": Page(
        kind="invitation",
        methods=BOTH,
        posts=[Post(who="Charlie", logs=What.JOINED)],
        harmless=ADDS,
    ),
    "classrooms:join_school": Page(
        kind="link", methods=BOTH, posts=[Post(who="Gus")], harmless=ADDS
    ),
    "classrooms:leave_school": Page(
        kind="adult",
        methods=POST,
        posts=[
            Post(SURE, who="Bob", logs=What.SCHOOL_LEFT),
            Post(SURE, prepare=acts.make_all_admins, who="Ada"),
        ],
        loss=Loss("You can only join again"),
        in_class_log=False,
    ),
    "classrooms:school": Page(kind="school admin", methods=GET),
    "classrooms:school_role": Page(
        kind="school admin",
        methods=POST,
        posts=[
            Post({"role": "admin"}, who="Ada", logs=What.SCHOOL_ROLE),
            Post(
                {"role": "teacher", **SURE},
                prepare=acts.make_bob_admin,
                who="Ada",
                logs=What.SCHOOL_ROLE,
            ),
        ],
        loss=Loss("no longer see the other classes", data={"role": "teacher"}),
        in_class_log=False,
    ),
    "classrooms:remove_school_teacher": Page(
        kind="school admin",
        methods=POST,
        posts=[Post(SURE, who="Ada", logs=What.SCHOOL_LEFT)],
        loss=Loss("will no longer belong to"),
        in_class_log=False,
    ),
    "classrooms:school_new_year": Page(
        kind="school admin",
        methods=BOTH,
        posts=[
            Post(prepare=acts.choose_rename, who="Ada", logs=What.CHANGED),
            Post(prepare=acts.choose_archive, who="Ada", logs=What.ARCHIVED),
        ],
        loss=Loss(),
    ),
    "classrooms:undo_school_new_year": Page(
        kind="school admin",
        methods=POST,
        posts=[Post(prepare=acts.begin_year_of_school, who="Ada", logs=What.CHANGED)],
        harmless=UNDOES,
    ),
    "classrooms:school_files": Page(
        kind="school admin",
        methods=BOTH,
        posts=[Post({"reason": "rights"}, who="Ada", logs=What.ASKED)],
        harmless=SHOWS,
    ),
    "classrooms:download_school_files": Page(
        kind="school admin",
        methods=POST,
        posts=[Post({"reason": "rights"}, prepare=acts.make_file, who="Ada", logs=What.EXPORTED)],
        harmless=SHOWS,
    ),
    "classrooms:school_class": Page(kind="school admin", methods=GET, states=["?period=all"]),
    "classrooms:export_school_figures": Page(kind="school admin", methods=GET),
    "classrooms:school_child": Page(
        kind="school admin",
        methods=BOTH,
        posts=[Post({"reason": "parents"}, prepare=acts.choose_child, who="Ada", logs=What.LOOKED)],
        harmless=SHOWS,
    ),
    "classrooms:export_school_class": Page(
        kind="school admin",
        methods=POST,
        posts=[Post({"reason": "rights"}, who="Ada", logs=What.EXPORTED)],
        harmless=SHOWS,
    ),
    "classrooms:erase_school_class": Page(
        kind="school admin",
        methods=BOTH,
        posts=[Post({"name": "5B"}, who="Ada", logs=What.ERASED)],
        loss=Loss("This cannot be undone"),
    ),
    "classrooms:move_school_class": Page(
        kind="school admin",
        methods=POST,
        posts=[Post(prepare=acts.choose_bob, who="Ada", logs=What.HANDED_OVER)],
        loss=Loss(differs=INVITED),
    ),
    "classrooms:lti_keys": Page(kind="open", methods=GET),
    "classrooms:lti_register": Page(
        kind="link", methods=BOTH, posts=[Post(who="nobody")], harmless=ADDS
    ),
    "classrooms:lti_login": Page(
        kind="link", methods=BOTH, posts=[Post(who="nobody")], harmless=ENTERS
    ),
    "classrooms:lti_launch": Page(
        kind="link", methods=POST, posts=[Post(who="nobody")], harmless=ENTERS
    ),
    "classrooms:lti_enter": Page(
        kind="link", methods=BOTH, posts=[Post(who="nobody")], harmless=ENTERS
    ),
    "classrooms:lti_chosen": Page(
        kind="link", methods=POST, posts=[Post(who="nobody")], harmless=ENTERS
    ),
    "classrooms:school_platforms": Page(
        kind="school admin",
        methods=BOTH,
        posts=[Post({"name": "Moodle"}, who="Ada", logs=What.PLATFORM_ADDED)],
        harmless=ADDS,
        in_class_log=False,
    ),
    "classrooms:school_platform": Page(
        kind="school admin",
        methods=BOTH,
        posts=[Post(PLATFORM, who="Ada", logs=What.PLATFORM_CHANGED)],
        harmless=CHANGES,
        in_class_log=False,
    ),
    "classrooms:remove_platform": Page(
        kind="school admin",
        methods=POST,
        posts=[Post(SURE, who="Ada", logs=What.PLATFORM_REMOVED)],
        loss=Loss("Nobody comes in from"),
        in_class_log=False,
    ),
    "classrooms:class_platform": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post(prepare=acts.add_waiting_person, logs=What.PERSON_LINKED)],
        harmless="A link can be ended, and then said anew.",
    ),
    "classrooms:course_members": Page(
        kind="teacher",
        methods=POST,
        posts=[Post()],
        harmless="It adds children, with an undo; nobody is removed.",
        unlogged="Who is added is written down as by a list (test_people).",
    ),
    "classrooms:unlink_course": Page(
        kind="teacher",
        methods=POST,
        posts=[Post(SURE, logs=What.COURSE_UNLINKED)],
        loss=Loss("Nobody comes in from this course"),
    ),
    "classrooms:unlink_child": Page(
        kind="teacher",
        methods=POST,
        posts=[Post(SURE, prepare=acts.link_child, logs=What.PERSON_UNLINKED)],
        loss=Loss("can no longer come in from the platform"),
    ),
    "classrooms:school_source": Page(
        kind="school admin",
        methods=BOTH,
        posts=[
            Post({"do": "read"}, who="Ada"),
            Post({"do": "link"}, prepare=acts.unlink_list, who="Ada"),
        ],
        harmless="What the source lists can be read again; the children stay.",
        unlogged="Nothing changes in a class before somebody says yes to it.",
    ),
    "classrooms:source_connection": Page(
        kind="school admin",
        methods=BOTH,
        posts=[Post(CONNECTION, who="Ada", logs=What.SOURCE)],
        harmless=CHANGES,
        in_class_log=False,
    ),
    "classrooms:school_changes": Page(
        kind="school admin",
        methods=BOTH,
        posts=[
            Post(who="Ada", logs=What.LIST_AGREED),
            Post(prepare=acts.accept_changes, who="Ada"),
        ],
        loss=Loss("you can bring them back for 30 days"),
    ),
    "classrooms:end_source": Page(
        kind="school admin",
        methods=POST,
        posts=[Post(SURE, who="Ada", logs=What.SOURCE_GONE)],
        loss=Loss("The address, the secret and the links"),
        in_class_log=False,
    ),
    "classrooms:children": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"names": "Fay\nGus"}, logs=What.ADDED)],
        harmless=ADDS,
        states=["?edit={child_id}"],
    ),
    "classrooms:class_changes": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post(logs=What.LIST_AGREED), Post(prepare=acts.accept_changes)],
        loss=Loss("you can bring them back for 30 days"),
    ),
    "classrooms:child": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"name": "Dora B."}, logs=What.RENAMED)],
        harmless=CHANGES,
    ),
    "classrooms:child_pictures": Page(
        kind="teacher", methods=POST, posts=[Post(logs=What.LOOKED)], harmless=SHOWS
    ),
    "classrooms:child_signing_in": Page(
        kind="teacher",
        methods=POST,
        posts=SIGNING_IN,
        loss=Loss(data={"do": "card"}, differs=SIGNED_OUT),
    ),
    "classrooms:signing_in": Page(
        kind="teacher",
        methods=BOTH,
        posts=SIGNING_IN,
        loss=Loss(data={"do": "card"}, differs=NEW_CODES),
    ),
    "classrooms:upload_children": Page(
        kind="teacher",
        methods=POST,
        posts=[Post()],
        harmless=SHOWS,
        unlogged="It shows what is in a file; another post adds the children.",
    ),
    "classrooms:add_shown_children": Page(
        kind="teacher",
        methods=POST,
        posts=[Post({"do": "add"}, prepare=acts.preview_columns, logs=What.ADDED)],
        loss=Loss(prepare=acts.preview_own_list_without_a_child, differs=BY_A_LIST),
    ),
    "classrooms:rename_child": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"name": "Dora B."}, logs=What.RENAMED)],
        harmless=CHANGES,
    ),
    "classrooms:remove_child": Page(
        kind="teacher", methods=POST, posts=[Post(logs=What.REMOVED)], loss=Loss(differs=LEFT)
    ),
    "classrooms:bring_child_back": Page(
        kind="teacher",
        methods=POST,
        posts=[Post(prepare=acts.remove_child, logs=What.BROUGHT_BACK)],
        harmless=UNDOES,
    ),
    "classrooms:move_child": Page(
        kind="teacher",
        methods=POST,
        posts=[Post(prepare=acts.move_to_another_class, logs=What.MOVED)],
        loss=Loss(differs=MOVED),
    ),
    "classrooms:move_children": Page(
        kind="teacher",
        methods=POST,
        posts=[Post({"do": "move"}, prepare=acts.tick_child, logs=What.MOVED)],
        loss=Loss(differs=MOVED),
    ),
    "classrooms:merge_child": Page(
        kind="teacher",
        methods=BOTH,
        posts=[
            Post(prepare=acts.merge_into_emil, logs=What.MERGED),
            Post(prepare=acts.emil_into_dora),
        ],
        loss=Loss(differs=MERGED),
        states=["?into={other_id}"],
    ),
    "classrooms:undo_merge": Page(
        kind="teacher",
        methods=POST,
        posts=[Post(prepare=acts.merge_child, logs=What.MERGE_UNDONE)],
        harmless=UNDOES,
    ),
    "classrooms:erase_child": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post(logs=What.ERASED)],
        loss=Loss("This cannot be undone"),
    ),
    "classrooms:cards": Page(kind="teacher", methods=GET),
    "classrooms:cards_pdf": Page(kind="teacher", methods=GET, is_export=True),
    "classrooms:letters": Page(kind="teacher", methods=GET),
    "classrooms:letters_pdf": Page(kind="teacher", methods=GET, is_export=True),
    "classrooms:assignments": Page(
        kind="teacher", methods=GET, states=["?show=upcoming", "?show=ended"]
    ),
    "classrooms:assign": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"preset": "first"})],
        harmless=ADDS,
        unlogged=PLAYING,
        states=["?tables=5&facts=3x4&children={child_id}"],
    ),
    "classrooms:assign_preview": Page(kind="teacher", methods=GET),
    "classrooms:check_ups": Page(kind="teacher", methods=GET),
    "classrooms:new_check_up": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"tables": ["6", "7"]})],
        harmless=ADDS,
        unlogged=CHECK_UPS,
    ),
    "classrooms:check_up": Page(kind="teacher", methods=GET),
    "classrooms:close_check_up": Page(
        kind="teacher", methods=POST, posts=[Post()], loss=Loss(), unlogged=CHECK_UPS
    ),
    "classrooms:reopen_check_up": Page(
        kind="teacher", methods=POST, posts=[Post()], harmless=UNDOES, unlogged=CHECK_UPS
    ),
    "classrooms:withdraw_check_up": Page(
        kind="teacher", methods=POST, posts=[Post()], loss=Loss(), unlogged=CHECK_UPS
    ),
    "classrooms:live": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"do": "pause"})],
        harmless="Paused screens go on where they were (test_pause).",
        unlogged="The whole class sees that its screens are paused, and for how long.",
        states=["?screen=big&names=hidden"],
    ),
    "classrooms:paused": Page(kind="poll", methods=GET),
    "classrooms:live_part": Page(kind="teacher", methods=GET),
    "classrooms:live_table": Page(kind="teacher", methods=GET),
    "classrooms:class_table": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"do": "take-off"}, prepare=acts.choose_child)],
        loss=Loss(data={"do": "end"}),
        unlogged=PLAYING,
    ),
    "classrooms:class_table_part": Page(kind="teacher", methods=GET),
    "classrooms:assign_detail": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post(FORM)],
        harmless=ADDS,
        unlogged=PLAYING,
        states=["?of={assignment_id}"],
    ),
    "classrooms:try_assignment": Page(
        kind="teacher",
        methods=POST,
        posts=[Post({"preset": "first"})],
        harmless=SHOWS,
        unlogged="The teacher plays alone; nothing of the class is changed.",
    ),
    "classrooms:leave_try": Page(kind="adult", methods=GET),
    "classrooms:edit_assignment": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"note": "Well"})],
        loss=Loss(data={"rounds": "2", "hint_steps": "2"}, prepare=acts.narrow_assignment),
        unlogged=PLAYING,
    ),
    "classrooms:end_assignment": Page(
        kind="teacher", methods=POST, posts=[Post()], loss=Loss(), unlogged=PLAYING
    ),
    "classrooms:resume_assignment": Page(
        kind="teacher", methods=POST, posts=[Post()], harmless=UNDOES, unlogged=PLAYING
    ),
    "classrooms:withdraw_assignment": Page(
        kind="teacher", methods=POST, posts=[Post()], loss=Loss(), unlogged=PLAYING
    ),
    "classrooms:repeat_assignment": Page(
        kind="teacher", methods=POST, posts=[Post()], harmless=ADDS, unlogged=PLAYING
    ),
    "classrooms:stop_repeating": Page(
        kind="teacher",
        methods=POST,
        posts=[Post(prepare=acts.repeat_weekly)],
        loss=Loss(),
        unlogged=PLAYING,
    ),
    "classrooms:child_groups": Page(kind="teacher", methods=GET),
    "classrooms:new_child_group": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post(prepare=acts.all_children)],
        harmless=ADDS,
        unlogged=GROUPS,
    ),
    "classrooms:child_group": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post(prepare=acts.all_children)],
        loss=Loss(prepare=acts.group_of_two),
        unlogged=GROUPS,
    ),
    "classrooms:remove_child_group": Page(
        kind="teacher", methods=POST, posts=[Post()], loss=Loss(), unlogged=GROUPS
    ),
    "classrooms:child_settings": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post(prepare=acts.untimed_child, logs=What.SETTINGS)],
        harmless=CHANGES,
    ),
    "classrooms:moves": Page(kind="teacher", methods=GET),
    "classrooms:replay": Page(kind="teacher", methods=GET, states=["?row={row}"]),
    "classrooms:record": Page(kind="teacher", methods=GET),
    "classrooms:progress": Page(kind="teacher", methods=GET, states=["?period=all"]),
    "classrooms:fact": Page(kind="teacher", methods=GET),
    "classrooms:next_steps": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"do": "give"}, prepare=acts.give_step_to_child)],
        harmless=ADDS,
        unlogged=PLAYING,
    ),
    "classrooms:give_step": Page(
        kind="teacher",
        methods=POST,
        posts=[Post({"step": "7"}, prepare=acts.give_to_child)],
        harmless=ADDS,
        unlogged=PLAYING,
    ),
    "classrooms:talk": Page(kind="teacher", methods=GET, states=["?step=2", "?step=3&screen=big"]),
    "classrooms:class_riddle": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post()],
        harmless=ADDS,
        unlogged="It asks a worker for the riddle.",
        states=["?step=2"],
    ),
    "classrooms:hand": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"tables": ["3", "4"]})],
        harmless="What was laid is kept; the next hand has other cards.",
        unlogged="The class looks at it together, and what was laid stands in the moves.",
    ),
    "classrooms:hand_part": Page(kind="teacher", methods=GET),
    "classrooms:new_deal": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"preset": "next"})],
        harmless=ADDS,
        unlogged=PLAYING,
    ),
    "classrooms:deal": Page(kind="teacher", methods=GET, states=["?screen=big"]),
    "classrooms:deal_part": Page(kind="teacher", methods=GET),
    "classrooms:close_deal": Page(
        kind="teacher", methods=POST, posts=[Post()], loss=Loss(), unlogged=PLAYING
    ),
    "classrooms:deal_talk": Page(
        kind="teacher", methods=GET, states=["?step=2", "?step=2&screen=big"]
    ),
    "classrooms:downloads": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"kind": "class-tables"}, logs=What.ASKED)],
        harmless=SHOWS,
    ),
    "classrooms:downloads_part": Page(kind="teacher", methods=GET),
    "classrooms:download": Page(kind="teacher", methods=GET, is_export=True),
    "classrooms:download_again": Page(
        kind="teacher",
        methods=POST,
        posts=[Post()],
        harmless=SHOWS,
        unlogged="It begins anew with what was asked for, which is written down.",
    ),
    "classrooms:delete_download": Page(
        kind="teacher",
        methods=POST,
        posts=[Post(SURE)],
        loss=Loss("will be deleted for all teachers"),
        unlogged="It deletes a copy; that it was asked for stays written down.",
    ),
    "classrooms:certificates": Page(
        kind="teacher",
        methods=BOTH,
        posts=[Post({"language": "en"}, prepare=acts.reach_goal, logs=What.EXPORTED)],
        harmless=SHOWS,
        states=["?child={child_id}"],
    ),
    "classrooms:papers": Page(kind="teacher", methods=GET),
    "classrooms:class_report": Page(kind="teacher", methods=GET, is_export=True),
    "classrooms:child_report": Page(kind="teacher", methods=GET, is_export=True),
    "mfa_index": Page(kind="account", methods=GET, harmless=SHOWS),
    "mfa_authenticate": Page(kind="account", methods=GET, harmless=ENTERS),
    "mfa_reauthenticate": Page(kind="account", methods=GET, harmless=ENTERS),
    "mfa_activate_totp": Page(kind="account", methods=GET, harmless=ADDS),
    "mfa_deactivate_totp": Page(
        kind="account", methods=GET, loss=Loss("you will not be asked for a code")
    ),
    "mfa_view_recovery_codes": Page(kind="account", methods=GET, harmless=SHOWS),
    "mfa_generate_recovery_codes": Page(
        kind="account", methods=GET, loss=Loss("The codes that you have now will no longer work.")
    ),
    "mfa_download_recovery_codes": Page(kind="account", methods=GET, harmless=SHOWS),
    "mfa_list_webauthn": Page(kind="account", methods=GET, harmless=SHOWS),
    "mfa_add_webauthn": Page(kind="account", methods=GET, harmless=ADDS),
    "mfa_reauthenticate_webauthn": Page(kind="account", methods=GET, harmless=ENTERS),
    "mfa_remove_webauthn": Page(
        kind="account", methods=GET, loss=Loss("After that, you cannot sign in with")
    ),
    "mfa_edit_webauthn": Page(kind="account", methods=GET, harmless=CHANGES),
    "mfa_login_webauthn": Page(kind="account", methods=GET, harmless=ENTERS),
    "usersessions_list": Page(kind="account", methods=GET, harmless=REENTER),
    "account_login": Page(kind="account", methods=GET, harmless=ENTERS),
    "account_logout": Page(kind="account", methods=GET, harmless=REENTER),
    "account_inactive": Page(kind="account", methods=GET, harmless=SHOWS),
    "account_signup": Page(kind="account", methods=GET, harmless=ENTERS),
    "account_reauthenticate": Page(kind="account", methods=GET, harmless=ENTERS),
    "account_email": Page(
        kind="account",
        methods=GET,
        harmless="The old address holds until the new one is confirmed.",
    ),
    "account_email_verification_sent": Page(kind="account", methods=GET, harmless=SHOWS),
    "account_change_password": Page(kind="account", methods=GET, harmless=CHANGES),
    "account_set_password": Page(kind="account", methods=GET, harmless=CHANGES),
    "account_reset_password": Page(kind="account", methods=GET, harmless=CHANGES),
    "account_confirm_login_code": Page(kind="account", methods=GET, harmless=ENTERS),
    "account_confirm_email": Page(kind="account", methods=GET, harmless=SHOWS),
    "account_reset_password_from_key_done": Page(kind="account", methods=GET, harmless=SHOWS),
    "account_reset_password_from_key": Page(kind="account", methods=GET, harmless=CHANGES),
    "account_reset_password_done": Page(kind="account", methods=GET, harmless=SHOWS),
}


def first_loss(name: str) -> tuple[Post, dict[str, Any]]:
    """The post with a loss on this page, and its data without the confirmation."""
    page = PAGES[name]
    assert page.loss
    fitting = (post for post in page.posts if page.loss.data.items() <= post.data.items())
    post = next(fitting, Post())
    data = {**post.data, **page.loss.data}
    data.pop("sure", None)
    return post, data


def patterns(
    of_urls: list[URLPattern | URLResolver], namespace: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for item in of_urls:
        if isinstance(item, URLResolver):
            inner = f"{namespace}{item.namespace}:" if item.namespace else namespace
            yield from patterns(item.url_patterns, inner)
        else:
            yield f"{namespace}{item.name or item.pattern}", item


URLS: Final = dict(patterns(get_resolver().url_patterns))


def names_in(name: str) -> set[str]:
    """The ids and other values in the pattern of this address."""
    above = {"pk"} if name in ("mfa_edit_webauthn", "mfa_remove_webauthn") else set()
    return above | set(URLS[name].pattern.regex.groupindex)


OTHERS: Final[Mapping[str, Any]] = {
    "table": 5,
    "edition": "simplified",
    "low": 3,
    "high": 4,
    "key": "x-y",
    "pk": 1,
    "uidb36": "1",
    "object_id": "1",
    "app_label": "classrooms",
    "content_type_id": 1,
    "url": "x/",
}
"""Values that belong to no class."""


def address(name: str, target: Mapping[str, Any]) -> str:
    """The address of this page for these objects."""
    if name == "classrooms:record":
        target = {**target, "game_id": target["ended_id"]}
    if name == "classrooms:riddle":
        target = {**target, "assignment_id": target.get("riddle_id", target["assignment_id"])}
    if name == "classrooms:replay":
        target = {**target, "game_id": target["played_id"]}
    if name == "classrooms:deal_talk":
        target = {**target, "assignment_id": target.get("deal_id", target["assignment_id"])}
    if name == "news":
        mark = seat_token(target["game_id"], 0)
        target = {**target, "seat": 0, "mark": mark, "number": 0}
    if name == "classrooms:paused":
        # Nobody has the mark of a class that does not exist.
        marked = SchoolClass.objects.filter(pk=target["class_id"]).first() or SchoolClass()
        return pause.poll_of(marked).replace(str(marked.pk), str(target["class_id"]))
    kwargs = {key: target.get(key, OTHERS.get(key)) for key in names_in(name)}
    return reverse(name, kwargs=kwargs)
