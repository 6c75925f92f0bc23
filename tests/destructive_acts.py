"""What can be lost on the site by one post, and the way back from it. Each page that takes a post
of an adult is declared here or in `NOTHING_LOST`; docs/undo.md says the same in words."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from tests.test_every_act import ACTS, Act

Way = Literal["undo", "confirmation"]


class Loss(NamedTuple):
    """`way`: "undo", the message after the act has a button that undoes it; "confirmation", a page
    or the form itself first says `words`. `data`: what a page posts to do it, where
    `test_every_act` does not know."""

    way: Way
    words: str = ""
    data: Mapping[str, Any] = {}


ASKS: Final = "confirmation"
LOST: Final[Mapping[str, Loss]] = {
    "classrooms:close_account": Loss(ASKS, "goes to"),
    "classrooms:class_code": Loss("undo", data={"do": "rotate"}),
    "classrooms:year_end": Loss(ASKS, "deleted"),
    "classrooms:new_year": Loss("undo"),
    "classrooms:school_new_year": Loss("undo"),
    "classrooms:withdraw_invitation": Loss(ASKS, "opens nothing any more"),
    "classrooms:remove_teacher": Loss("undo"),
    "classrooms:hand_over": Loss(ASKS, "can no longer invite"),
    "classrooms:leave_class": Loss(ASKS, "You no longer see this class."),
    "classrooms:school_erase": Loss(ASKS, "Nobody can bring it back"),
    "classrooms:school_move": Loss("undo"),
    "classrooms:leave_school": Loss(ASKS, "You can join again only"),
    "classrooms:school_off": Loss(ASKS, "no longer belongs to"),
    "classrooms:child_signing_in": Loss("undo", data={"do": "pictures"}),
    "classrooms:signing_in": Loss("undo", data={"do": "pictures"}),
    "classrooms:remove_child": Loss("undo"),
    "classrooms:move_child": Loss("undo"),
    "classrooms:move_children": Loss("undo"),
    "classrooms:merge_child": Loss("undo"),
    "classrooms:erase_child": Loss(ASKS, "Nobody can bring it back"),
    "classrooms:remove_child_group": Loss("undo"),
    "classrooms:end_assignment": Loss("undo"),
    "classrooms:stop_repeating": Loss("undo"),
    "classrooms:close_deal": Loss("undo"),
    "classrooms:close_check_up": Loss("undo"),
    "classrooms:delete_download": Loss(ASKS, "is deleted for all teachers"),
}
ADDS: Final = "It adds something, and takes nothing away."
UNDOES: Final = "It undoes something; what it undoes can be done again."
CHANGES: Final = "It changes what is in the form; the page shows it, to be changed again."
SHOWS: Final = "It shows or makes something, and changes nothing."
NOTHING_LOST: Final[Mapping[str, str]] = {
    "classrooms:display_name": CHANGES,
    "classrooms:new_class": ADDS,
    "classrooms:classes_from_file": ADDS,
    "classrooms:take_classes_back": "It undoes an import; a new class that is in use stays.",
    "classrooms:edit_class": CHANGES,
    "classrooms:new_year_back": UNDOES,
    "classrooms:school_new_year_back": UNDOES,
    "classrooms:class_names": CHANGES,
    "classrooms:restore_class": UNDOES,
    "classrooms:invite": ADDS,
    "classrooms:bring_teacher_back": UNDOES,
    "classrooms:school_child": SHOWS,
    "classrooms:school_class_csv": SHOWS,
    "classrooms:school_files": SHOWS,
    "classrooms:school_zip": SHOWS,
    "classrooms:school_role": CHANGES,
    "classrooms:school_move_undo": UNDOES,
    "classrooms:weekly_mail": CHANGES,
    "classrooms:invitation": ADDS,
    "classrooms:children": ADDS,
    "classrooms:child": CHANGES,
    "classrooms:child_pictures": SHOWS,
    "classrooms:upload_children": SHOWS,
    "classrooms:add_shown_children": ADDS,
    "classrooms:take_children_back": "It undoes an import; for 30 days each can be brought back.",
    "classrooms:rename_child": CHANGES,
    "classrooms:bring_child_back": UNDOES,
    "classrooms:move_children_back": UNDOES,
    "classrooms:undo_merge": UNDOES,
    "classrooms:assign": ADDS,
    "classrooms:assign_detail": ADDS,
    "classrooms:edit_assignment": CHANGES,
    "classrooms:assign_try": SHOWS,
    "classrooms:resume_assignment": UNDOES,
    "classrooms:withdraw_assignment": "It undoes giving; what a child has begun is only ended.",
    "classrooms:repeat_assignment": ADDS,
    "classrooms:new_deal": ADDS,
    "classrooms:new_check_up": ADDS,
    "classrooms:reopen_check_up": UNDOES,
    "classrooms:withdraw_check_up": "It undoes giving; what a child has begun is only closed.",
    "classrooms:new_child_group": ADDS,
    "classrooms:child_group": CHANGES,
    "classrooms:agreed_with_children": CHANGES,
    "classrooms:downloads": SHOWS,
    "classrooms:download_again": SHOWS,
    "classrooms:certificates": SHOWS,
}


def act_of(name: str) -> tuple[Act | None, dict[str, Any]]:
    """The act as `test_every_act` knows it, and what a page posts for it before it has asked."""
    loss = LOST[name]
    known = (act for act in ACTS.get(name, ()) if loss.data.items() <= act.data.items())
    act = next(known, None)
    data = {**(act.data if act else {}), **loss.data}
    data.pop("sure", None)
    return act, data
