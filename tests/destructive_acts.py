"""What can be lost on the site by one post, and the way back from it. Each page that takes a post
is declared in `LOST` or in `NOTHING_LOST`, each act of `/admin/` in `OF_OPERATORS`."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

from django.utils import timezone

from classrooms.assignments import services
from classrooms.models import Assignment, Child, Group, SchoolClass, Teaching
from tests.classrooms.people import client_of
from tests.permission_table import DECLARED, address
from tests.test_every_act import ACTS, Act, Target

Way = Literal["undo", "confirmation"]


class Loss(NamedTuple):
    way: Way
    """"undo", the message after the act has a button that undoes it; "confirmation", a page or the
    form itself first says `words`."""
    words: str = ""
    data: Mapping[str, Any] = {}
    """What a page posts to do it, if `test_every_act` does not know that; `prepare` may change the
    world first, and adds to the post."""
    prepare: Callable[[Target], Mapping[str, Any]] | None = None
    differs: Mapping[str, str] = {}  # the fields that are others after the undo, with the reason


def for_two_children(target: Target) -> Mapping[str, Any]:
    """The assignment is only for Emil and Hugo; it is changed to be for Hugo alone."""
    assignment = own_assignment(target)
    emil, hugo = (Child.objects.get(name=name) for name in ("Emil", "Hugo"))
    assignment.everyone = False
    assignment.deal_seed = None
    assignment.save()
    assignment.children.set([emil, hugo])
    return {"children": [hugo.pk]}


def in_a_group(target: Target) -> Mapping[str, Any]:
    """Emil and Hugo are in the group; Emil is taken off it."""
    group = Group.objects.get(pk=target["group_id"])
    emil, hugo = (Child.objects.get(name=name) for name in ("Emil", "Hugo"))
    group.children.set([emil, hugo])
    return {"name": group.name, "children": [hugo.pk]}


def who_gets_mail(target: Target) -> Mapping[str, Any]:
    """The teachers of the class get the weekly mail."""
    own = Teaching.objects.filter(school_class=target["class_id"])
    own.update(mailed_since=timezone.now())
    return {}


def every_week(target: Target) -> Mapping[str, Any]:
    """The assignment comes back every week."""
    services.repeat(own_assignment(target))
    return {}


def own_assignment(target: Target) -> Assignment:
    return Assignment.objects.get(pk=target["assignment_id"])


def a_list_without_one(target: Target) -> Mapping[str, Any]:
    """The preview of the list of the class: one child is not on it, and is ticked."""
    school_class = SchoolClass.objects.get(pk=target["class_id"])
    first, *others = school_class.children.order_by("name_order")
    client = client_of(school_class.teachers.get(teachings__role="owner"))
    listed = "".join(f"{child.name}\t{school_class.name}\n" for child in others)
    page = client.post(
        address("classrooms:classes_from_file", target), {"names": f"Name\tClass\n{listed}"}
    )
    posted = dict(re.findall(r'name="(sheet|seen-1)" value="([^"]*)"', page.text))
    return {
        "sheet": posted["sheet"],
        "seen-1": posted["seen-1"],
        "target-1": posted["seen-1"],
        "gone-1": str(first.pk),
    }


def a_list_of_one_class(target: Target) -> Mapping[str, Any]:
    """The same, for one class."""
    school_class = SchoolClass.objects.get(pk=target["class_id"])
    return {**a_list_without_one(target), "seen-1": school_class.name}


ASKS: Final = "confirmation"
LEFT: Final = {"classrooms.ChildSession": "Signed out; the card or the pictures let in again."}
BY_A_LIST: Final = {**LEFT, "downloads.HeavyWork": "Counts how often a list was brought."}
MOVED: Final = {
    **LEFT,
    "classrooms.Child.at_table_id": "At no table until the child opens a game again.",
}
SIGNED_OUT: Final = {
    **LEFT,
    "classrooms.KnownDevice": "Nobody stays in with the other card; each device is known again.",
    "classrooms.WrongTries": "What was tried with the other pictures counts no more.",
}
NEW_CODES: Final = {
    **SIGNED_OUT,
    "classrooms.QrCode": "A child who had none keeps one that no card has shown.",
}
INVITED: Final = {
    "classrooms.Invitation.ends_at": "Only the owner of a class invites; that can be done again."
}
COUNTED_AGAIN: Final = {"progress.ProgressLock": "Says that the counts are to be made again."}
LOST: Final[Mapping[str, Loss]] = {
    "classrooms:close_account": Loss(ASKS, "goes to"),
    "classrooms:class_code": Loss("undo", data={"do": "rotate"}),
    "classrooms:year_end": Loss(ASKS, "deleted"),
    "classrooms:new_year": Loss("undo"),
    "classrooms:school_new_year": Loss("undo"),
    "classrooms:withdraw_invitation": Loss(ASKS, "will no longer work"),
    "classrooms:remove_teacher": Loss("undo", prepare=who_gets_mail),
    "classrooms:hand_over": Loss(ASKS, "can no longer invite"),
    "classrooms:leave_class": Loss(ASKS, "You will no longer see this class."),
    "classrooms:school_erase": Loss(ASKS, "This cannot be undone"),
    "classrooms:school_move": Loss("undo", differs=INVITED),
    "classrooms:remove_platform": Loss(ASKS, "Nobody comes in from"),
    "classrooms:unlink_course": Loss(ASKS, "Nobody comes in from this course"),
    "classrooms:unlink_child": Loss(ASKS, "can no longer come in from the platform"),
    "classrooms:end_source": Loss(ASKS, "The address, the secret and the links"),
    "classrooms:school_changes": Loss(ASKS, "you can bring them back for 30 days"),
    "classrooms:class_changes": Loss(ASKS, "you can bring them back for 30 days"),
    "classrooms:leave_school": Loss(ASKS, "You can only join again"),
    "classrooms:school_role": Loss(ASKS, "no longer see the other classes", {"role": "teacher"}),
    "classrooms:school_off": Loss(ASKS, "will no longer belong to"),
    "classrooms:child_signing_in": Loss("undo", data={"do": "card"}, differs=SIGNED_OUT),
    "classrooms:signing_in": Loss("undo", data={"do": "card"}, differs=NEW_CODES),
    "classrooms:add_shown_children": Loss("undo", prepare=a_list_of_one_class, differs=BY_A_LIST),
    "classrooms:classes_from_file": Loss("undo", prepare=a_list_without_one, differs=BY_A_LIST),
    "classrooms:remove_child": Loss("undo", differs=LEFT),
    "classrooms:move_child": Loss("undo", differs=MOVED),
    "classrooms:move_children": Loss("undo", differs=MOVED),
    "classrooms:merge_child": Loss("undo", differs=MOVED | COUNTED_AGAIN),
    "classrooms:erase_child": Loss(ASKS, "This cannot be undone"),
    "classrooms:remove_child_group": Loss("undo"),
    "classrooms:child_group": Loss("undo", prepare=in_a_group),
    "classrooms:edit_assignment": Loss(
        "undo", data={"rounds": "2", "hint_steps": "2"}, prepare=for_two_children
    ),
    "classrooms:withdraw_assignment": Loss("undo"),
    "classrooms:withdraw_check_up": Loss("undo"),
    "classrooms:end_assignment": Loss("undo"),
    "classrooms:stop_repeating": Loss("undo", prepare=every_week),
    "classrooms:class_table": Loss("undo", data={"do": "end"}),
    "classrooms:close_deal": Loss("undo"),
    "classrooms:close_check_up": Loss("undo"),
    "classrooms:delete_download": Loss(ASKS, "will be deleted for all teachers"),
    "classrooms:stop_address_change": Loss(ASKS, "You will be signed out on all devices"),
    "classrooms:stop_weekly_mail": Loss(ASKS, "Stop the weekly mail?", prepare=who_gets_mail),
    "mfa_deactivate_totp": Loss(ASKS, "you will not be asked for a code"),
    "mfa_remove_webauthn": Loss(ASKS, "After that, you cannot sign in with"),
    "mfa_generate_recovery_codes": Loss(ASKS, "The codes that you have now will no longer work."),
}
IN_ACCOUNT: Final = frozenset(name for name in LOST if name.startswith("mfa_"))
"""The pages of these acts ask themselves; the tests have an account with each."""
ENTERS: Final = "It shows who somebody is, and changes nothing else."
ADDS: Final = "It adds something, and takes nothing away."
UNDOES: Final = "It undoes something; what it undoes can be done again."
CHANGES: Final = "It changes what is in the form; the page shows it, to be changed again."
SHOWS: Final = "It shows or makes something, and changes nothing."
NOTHING_LOST: Final[Mapping[str, str]] = {
    name if name in DECLARED else f"classrooms:{name}": reason
    for reason, names in {
        CHANGES: (
            "display_name edit_class class_names school_platform weekly_mail "
            "source_connection child rename_child agreed_with_children set_language speed "
            "sounds language face account_change_password account_set_password "
            "account_reset_password account_reset_password_from_key mfa_edit_webauthn"
        ),
        ADDS: (
            "new_class invite school_platforms lti_register invitation children assign "
            "assign_detail repeat_assignment new_deal class_riddle next_steps give_step "
            "new_check_up new_child_group riddles take_check_up join_school mfa_activate_totp "
            "mfa_add_webauthn"
        ),
        UNDOES: (
            "new_year_back school_new_year_back restore_class bring_child_back undo_merge "
            "resume_assignment reopen_check_up undo undo_act reopen_account"
        ),
        SHOWS: (
            "school_child school_class_csv school_files school_zip child_pictures "
            "upload_children assign_try downloads download_again certificates "
            "account_confirm_email account_email_verification_sent account_inactive "
            "account_reset_password_done account_reset_password_from_key_done mfa_index "
            "mfa_list_webauthn mfa_view_recovery_codes mfa_download_recovery_codes"
        ),
        "A link can be ended, and then said anew.": "class_platform",
        "It adds children, with an undo; nobody is removed.": "course_members",
        ENTERS: (
            "lti_login lti_launch lti_enter lti_chosen code typed_name pictures card "
            "account_login account_signup account_reauthenticate account_confirm_login_code "
            "mfa_authenticate mfa_reauthenticate mfa_reauthenticate_webauthn "
            "mfa_login_webauthn"
        ),
        "What the source lists can be read again; the children stay.": "school_source",
        "Paused screens go on where they were (test_pause).": "live",
        "What was laid is kept; the next hand has other cards.": "hand",
        "Who signs out finds all games as they were (test_destructive_acts).": "leave",
        "It goes on with the open match; a new one begins only where none is open.": "start",
        "It goes on with the open match; a table begins only where none is open.": "sit",
        "A child who gets up finds the table in their list again.": "table",
        "It goes on with the open try, and shows the last one when all are over.": "riddle",
        "The match that was on the screen waits in the list of the child.": "learn",
        "A question that is left out comes back on another day.": "check",
        "Each move is kept, and rows can be taken back until the turn ends.": "games:act",
        "The old address holds until the new one is confirmed.": "account_email",
        "Whoever signs in again has everything as it was.": "account_logout usersessions_list",
    }.items()
    for name in names.split()
}
OF_OPERATORS: Final[Mapping[tuple[str, str], str]] = {
    ("classrooms.User", "delete_selected"): "Are you sure",
    ("classrooms.User", "sign_out_everywhere"): "",
    ("classrooms.School", "delete_selected"): "Are you sure",
}
"""What an operator can do in /admin/ with many rows at once, and the words of its question; no
words if nothing is lost (people who are signed out sign in again)."""


def taking_posts() -> set[str]:
    """The pages that may change something, for anyone who opens them."""
    return {
        name for name, (kind, methods) in DECLARED.items() if "POST" in methods or kind == "account"
    }


def act_of(name: str) -> tuple[Act | None, dict[str, Any]]:
    """The act as `test_every_act` knows it, and what a page posts for it before it has asked."""
    loss = LOST[name]
    known = (act for act in ACTS.get(name, ()) if loss.data.items() <= act.data.items())
    act = next(known, None)
    data = {**(act.data if act else {}), **loss.data}
    data.pop("sure", None)
    return act, data


def prepared(name: str, target: Target) -> tuple[str, dict[str, Any]]:
    """Who does the act, and what is posted."""
    act, data = act_of(name)
    loss = LOST[name]
    for prepare in (act.prepare if act else None, loss.prepare):
        data |= prepare(target) if prepare else {}
    return act.who if act else "Alice", data
