"""Today's code on the school that the old code made: what must go on.

`test_upgrade.py` runs `check_all` in a process of its own, with a school's settings. The checks
follow each other on one database.
"""

import json
import traceback
from collections.abc import Callable
from typing import Final

from tests.upgrade import adults, children, data, messages
from tests.upgrade.loading import Vendor, facts_of
from tests.upgrade.school import School

CHECKS: Final[tuple[Callable[[School], None], ...]] = (
    data.every_migration_was_made,
    data.looks_at_pictures_went_into_the_log,
    data.nothing_is_left_of_axes,
    data.children_are_found_by_typed_names,
    data.a_finished_round_is_counted_again_in_the_background,
    data.the_logs_of_both_games_replay_to_their_snapshots,
    children.a_childs_session_opens_its_game,
    children.the_hint_is_still_on_show,
    children.a_move_that_was_made_before_is_not_made_again,
    children.a_page_that_lay_open_makes_the_next_move,
    children.pictures_open_the_door_on_a_known_device,
    children.a_printed_qr_code_signs_the_child_in,
    children.half_answered_checks_go_on_where_they_were,
    messages.each_message_has_a_task_of_that_name,
    messages.messages_of_the_old_code_are_carried_out,
    messages.the_running_game_was_counted_by_its_message,
    messages.the_checks_were_counted_by_their_message,
    messages.the_weekly_mail_was_not_sent_twice,
    adults.an_adult_signs_in_once_more,
    adults.the_password_is_the_same,
    adults.a_ready_file_can_be_fetched,
    adults.a_file_that_waited_was_made,
    adults.an_archived_class_stays_so_and_can_be_restored,
    adults.an_invitation_and_a_second_step_let_a_co_teacher_in,
    adults.an_operator_sets_up_the_second_step_and_opens_the_admin_site,
)


def check_all(vendor: Vendor) -> None:
    """Print as JSON, for each check, what went wrong with it; "" where nothing did."""
    school = School(facts_of(vendor))
    problems = {}
    for check in CHECKS:
        try:
            check(school)
            problems[check.__name__] = ""
        except Exception:
            problems[check.__name__] = traceback.format_exc()
    print(json.dumps(problems))
