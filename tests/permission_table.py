"""Who may open which address of the site, and by which methods: the declarations that
`test_permissions` holds the site to, and addresses made from them for the objects of a world."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from classrooms.lesson import pause
from classrooms.models import SchoolClass
from games.play.news import mark_of

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

METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
SAFE: Final = ("GET", "HEAD")

DECLARED: Final[Mapping[str, tuple[Kind, tuple[str, ...]]]] = {
    "healthz": ("open", SAFE),
    "robots_txt": ("open", SAFE),
    "set_language": ("open", ("POST",)),
    "classrooms:home": ("open", ("GET",)),
    "classrooms:code": ("open", ("POST",)),
    "classrooms:names": ("door", SAFE),
    "classrooms:typed_name": ("door", ("GET", "POST")),
    "classrooms:pictures": ("door", ("GET", "POST")),
    "classrooms:card": ("door", ("GET", "POST")),
    "classrooms:me": ("child", SAFE),
    "classrooms:start": ("child", ("POST",)),
    "classrooms:sit": ("child", ("POST",)),
    "classrooms:table": ("child", ("GET", "HEAD", "POST")),
    "classrooms:riddles": ("child", ("GET", "HEAD", "POST")),
    "classrooms:riddle": ("child", ("POST",)),
    "classrooms:childs_hand": ("child", SAFE),
    "classrooms:childs_hand_changed": ("child", SAFE),
    "classrooms:speed": ("child", ("POST",)),
    "classrooms:sounds": ("child", ("POST",)),
    "classrooms:language": ("child", ("POST",)),
    "classrooms:here": ("child", SAFE),
    "classrooms:leave": ("open", ("POST",)),
    "classrooms:learn": ("child", ("POST",)),
    "classrooms:face": ("child", ("GET", "HEAD", "POST")),
    "classrooms:collection": ("child", SAFE),
    "classrooms:check": ("game", ("GET", "HEAD", "POST")),
    "classrooms:take_check_up": ("child", ("GET", "HEAD", "POST")),
    "rules": ("open", SAFE),
    "games:page": ("game", SAFE),
    "games:act": ("game", ("POST",)),
    "news": ("poll", SAFE),
    "classrooms:account": ("adult", SAFE),
    "classrooms:sign_in_again": ("adult", SAFE),
    "classrooms:go_on": ("adult", SAFE),
    "classrooms:typed": ("adult", SAFE),
    "classrooms:stop_address_change": ("link", ("GET", "HEAD", "POST")),
    "classrooms:display_name": ("adult", ("GET", "HEAD", "POST")),
    "classrooms:close_account": ("adult", ("GET", "HEAD", "POST")),
    "classrooms:reopen_account": ("link", ("GET", "HEAD", "POST")),
    "classrooms:account_log": ("adult", SAFE),
    "classrooms:classes": ("adult", SAFE),
    "classrooms:new_class": ("adult", ("GET", "POST")),
    "classrooms:classes_from_file": ("adult", ("GET", "POST")),
    "classrooms:new_year": ("adult", ("GET", "HEAD", "POST")),
    "classrooms:new_year_back": ("adult", ("POST",)),
    "classrooms:class": ("teacher", SAFE),
    "classrooms:edit_class": ("teacher", ("GET", "POST")),
    "classrooms:class_code": ("teacher", ("POST",)),
    "classrooms:class_names": ("teacher", ("POST",)),
    "classrooms:undo": ("teacher", ("POST",)),
    "classrooms:undo_act": ("adult", ("POST",)),
    "classrooms:restore_class": ("owner", ("POST",)),
    "classrooms:year_end": ("owner", ("GET", "POST")),
    "classrooms:export_class": ("teacher", SAFE),
    "classrooms:teachers": ("teacher", SAFE),
    "classrooms:invite": ("owner", ("POST",)),
    "classrooms:withdraw_invitation": ("owner", ("POST",)),
    "classrooms:remove_teacher": ("owner", ("POST",)),
    "classrooms:hand_over": ("owner", ("POST",)),
    "classrooms:leave_class": ("teacher", ("POST",)),
    "classrooms:who_looked": ("owner", SAFE),
    "classrooms:weekly_mail": ("teacher", ("GET", "POST")),
    "classrooms:before_lesson": ("teacher", SAFE),
    "classrooms:before_lesson_pdf": ("teacher", SAFE),
    "classrooms:stop_weekly_mail": ("link", ("GET", "HEAD", "POST")),
    "classrooms:invitation": ("invitation", ("GET", "POST")),
    "classrooms:join_school": ("link", ("GET", "HEAD", "POST")),
    "classrooms:leave_school": ("adult", ("POST",)),
    "classrooms:school": ("school admin", SAFE),
    "classrooms:school_role": ("school admin", ("POST",)),
    "classrooms:school_off": ("school admin", ("POST",)),
    "classrooms:school_new_year": ("school admin", ("GET", "HEAD", "POST")),
    "classrooms:school_new_year_back": ("school admin", ("POST",)),
    "classrooms:school_files": ("school admin", ("GET", "HEAD", "POST")),
    "classrooms:school_zip": ("school admin", ("POST",)),
    "classrooms:school_class": ("school admin", SAFE),
    "classrooms:school_csv": ("school admin", SAFE),
    "classrooms:school_child": ("school admin", ("GET", "HEAD", "POST")),
    "classrooms:school_class_csv": ("school admin", ("POST",)),
    "classrooms:school_erase": ("school admin", ("GET", "HEAD", "POST")),
    "classrooms:school_move": ("school admin", ("POST",)),
    "classrooms:lti_keys": ("open", SAFE),
    "classrooms:lti_register": ("link", ("GET", "HEAD", "POST")),
    "classrooms:lti_login": ("link", ("GET", "HEAD", "POST")),
    "classrooms:lti_launch": ("link", ("POST",)),
    "classrooms:lti_enter": ("link", ("GET", "HEAD", "POST")),
    "classrooms:lti_chosen": ("link", ("POST",)),
    "classrooms:school_platforms": ("school admin", ("GET", "HEAD", "POST")),
    "classrooms:school_platform": ("school admin", ("GET", "HEAD", "POST")),
    "classrooms:remove_platform": ("school admin", ("POST",)),
    "classrooms:class_platform": ("teacher", ("GET", "HEAD", "POST")),
    "classrooms:course_members": ("teacher", ("POST",)),
    "classrooms:unlink_course": ("teacher", ("POST",)),
    "classrooms:unlink_child": ("teacher", ("POST",)),
    "classrooms:school_source": ("school admin", ("GET", "HEAD", "POST")),
    "classrooms:source_connection": ("school admin", ("GET", "HEAD", "POST")),
    "classrooms:school_changes": ("school admin", ("GET", "HEAD", "POST")),
    "classrooms:end_source": ("school admin", ("POST",)),
    "classrooms:children": ("teacher", ("GET", "POST")),
    "classrooms:class_changes": ("teacher", ("GET", "HEAD", "POST")),
    "classrooms:child": ("teacher", ("GET", "POST")),
    "classrooms:child_pictures": ("teacher", ("POST",)),
    "classrooms:child_signing_in": ("teacher", ("POST",)),
    "classrooms:signing_in": ("teacher", ("GET", "POST")),
    "classrooms:upload_children": ("teacher", ("POST",)),
    "classrooms:add_shown_children": ("teacher", ("POST",)),
    "classrooms:rename_child": ("teacher", ("POST",)),
    "classrooms:remove_child": ("teacher", ("POST",)),
    "classrooms:bring_child_back": ("teacher", ("POST",)),
    "classrooms:move_child": ("teacher", ("POST",)),
    "classrooms:move_children": ("teacher", ("POST",)),
    "classrooms:merge_child": ("teacher", ("GET", "POST")),
    "classrooms:undo_merge": ("teacher", ("POST",)),
    "classrooms:erase_child": ("teacher", ("GET", "POST")),
    "classrooms:cards": ("teacher", SAFE),
    "classrooms:cards_pdf": ("teacher", SAFE),
    "classrooms:letters": ("teacher", SAFE),
    "classrooms:letters_pdf": ("teacher", SAFE),
    "classrooms:assignments": ("teacher", SAFE),
    "classrooms:assign": ("teacher", ("GET", "POST")),
    "classrooms:assign_preview": ("teacher", SAFE),
    "classrooms:check_ups": ("teacher", SAFE),
    "classrooms:new_check_up": ("teacher", ("GET", "POST")),
    "classrooms:check_up": ("teacher", SAFE),
    "classrooms:close_check_up": ("teacher", ("POST",)),
    "classrooms:reopen_check_up": ("teacher", ("POST",)),
    "classrooms:withdraw_check_up": ("teacher", ("POST",)),
    "classrooms:live": ("teacher", ("GET", "HEAD", "POST")),
    "classrooms:paused": ("poll", SAFE),
    "classrooms:live_part": ("teacher", SAFE),
    "classrooms:live_table": ("teacher", SAFE),
    "classrooms:class_table": ("teacher", ("GET", "HEAD", "POST")),
    "classrooms:assign_detail": ("teacher", ("GET", "POST")),
    "classrooms:assign_try": ("teacher", ("POST",)),
    "classrooms:leave_try": ("adult", SAFE),
    "classrooms:edit_assignment": ("teacher", ("GET", "POST")),
    "classrooms:end_assignment": ("teacher", ("POST",)),
    "classrooms:resume_assignment": ("teacher", ("POST",)),
    "classrooms:withdraw_assignment": ("teacher", ("POST",)),
    "classrooms:repeat_assignment": ("teacher", ("POST",)),
    "classrooms:stop_repeating": ("teacher", ("POST",)),
    "classrooms:child_groups": ("teacher", SAFE),
    "classrooms:new_child_group": ("teacher", ("GET", "POST")),
    "classrooms:child_group": ("teacher", ("GET", "POST")),
    "classrooms:remove_child_group": ("teacher", ("POST",)),
    "classrooms:agreed_with_children": ("teacher", ("GET", "POST")),
    "classrooms:moves": ("teacher", SAFE),
    "classrooms:replay": ("teacher", SAFE),
    "classrooms:record": ("teacher", SAFE),
    "classrooms:progress": ("teacher", SAFE),
    "classrooms:fact": ("teacher", SAFE),
    "classrooms:next_steps": ("teacher", ("GET", "HEAD", "POST")),
    "classrooms:give_step": ("teacher", ("POST",)),
    "classrooms:talk": ("teacher", SAFE),
    "classrooms:class_riddle": ("teacher", ("GET", "HEAD", "POST")),
    "classrooms:hand": ("teacher", ("GET", "HEAD", "POST")),
    "classrooms:hand_part": ("teacher", SAFE),
    "classrooms:new_deal": ("teacher", ("GET", "POST")),
    "classrooms:deal": ("teacher", SAFE),
    "classrooms:deal_part": ("teacher", SAFE),
    "classrooms:close_deal": ("teacher", ("POST",)),
    "classrooms:deal_talk": ("teacher", SAFE),
    "classrooms:downloads": ("teacher", ("GET", "POST")),
    "classrooms:downloads_part": ("teacher", SAFE),
    "classrooms:download": ("teacher", SAFE),
    "classrooms:download_again": ("teacher", ("POST",)),
    "classrooms:delete_download": ("teacher", ("POST",)),
    "classrooms:certificates": ("teacher", ("GET", "POST")),
    "classrooms:papers": ("teacher", SAFE),
    "classrooms:class_report": ("teacher", SAFE),
    "classrooms:child_report": ("teacher", SAFE),
    **dict.fromkeys(
        (
            "mfa_index",
            "mfa_authenticate",
            "mfa_reauthenticate",
            "mfa_activate_totp",
            "mfa_deactivate_totp",
            "mfa_view_recovery_codes",
            "mfa_generate_recovery_codes",
            "mfa_download_recovery_codes",
            "mfa_list_webauthn",
            "mfa_add_webauthn",
            "mfa_reauthenticate_webauthn",
            "mfa_remove_webauthn",
            "mfa_edit_webauthn",
            "mfa_login_webauthn",
            "usersessions_list",
        ),
        ("account", SAFE),
    ),
    **{
        f"account_{name}": ("account", SAFE)
        for name in (
            "login",
            "logout",
            "inactive",
            "signup",
            "reauthenticate",
            "email",
            "email_verification_sent",
            "change_password",
            "set_password",
            "reset_password",
            "confirm_login_code",
            "confirm_email",
            "reset_password_from_key_done",
            "reset_password_from_key",
            "reset_password_done",
        )
    },
}


def patterns(
    found: list[URLPattern | URLResolver], namespace: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for item in found:
        if isinstance(item, URLResolver):
            inner = f"{namespace}{item.namespace}:" if item.namespace else namespace
            yield from patterns(item.url_patterns, inner)
        else:
            yield f"{namespace}{item.name or item.pattern}", item


URLS: Final = dict(patterns(get_resolver().url_patterns))


def names_in(name: str) -> set[str]:
    """What an address needs to be made: the names in its pattern."""
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


def address(name: str, target: Mapping[str, Any]) -> str:
    if name == "classrooms:record":
        target = {**target, "game_id": target["ended_id"]}
    if name == "classrooms:riddle":
        target = {**target, "assignment_id": target.get("riddle_id", target["assignment_id"])}
    if name == "classrooms:replay":
        target = {**target, "game_id": target["played_id"]}
    if name == "news":
        mark = mark_of(target["game_id"], 0)
        target = {**target, "seat": 0, "mark": mark, "seen": 0}
    if name == "classrooms:paused":
        # Nobody has the mark of a class that there is not.
        marked = SchoolClass.objects.filter(pk=target["class_id"]).first() or SchoolClass()
        return pause.poll_of(marked).replace(str(marked.pk), str(target["class_id"]))
    kwargs = {key: target.get(key, OTHERS.get(key)) for key in names_in(name)}
    return reverse(name, kwargs=kwargs)
