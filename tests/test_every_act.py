"""Whatever an adult does to a class is in its log: every page that takes a post is declared here.

A new page that changes something fails the first test until it says what it writes down, or why it
writes nothing.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from django.test import RequestFactory

from classrooms.audit import What
from classrooms.classes import services as classes_services
from classrooms.classes import teachers
from classrooms.lti.models import Course, PlatformPerson
from classrooms.models import AuditEntry, Child, Membership, School, SchoolClass, User
from classrooms.roster import moves, services
from classrooms.roster.import_services import ImportUndo
from classrooms.roster.merges import merge
from classrooms.schools import services as school_services
from classrooms.signin import cards
from classrooms.undo import keep
from tests.classrooms.people import client_of
from tests.classrooms.progress.answering import rows
from tests.factories import ChildFactory, DownloadFactory, TeachingFactory
from tests.permission_table import DECLARED, address
from tests.permission_world import World, in_bundles, traceless

Target = dict[str, Any]
Data = Mapping[str, Any]


class Act(NamedTuple):
    """What is written down when `data` is posted. `prepare` may change the world, and the target,
    before; it answers with what is posted as well, or with the client that posts (`session`)."""

    what: AuditEntry.What
    data: Data = {}
    prepare: Callable[[Target], Data] | None = None
    who: str = "Alice"
    whose: str = "Alice's"


def own_class(target: Target) -> SchoolClass:
    return SchoolClass.objects.get(pk=target["class_id"])


def with_code_before(target: Target) -> Data:
    classes_services.rotate_code(own_class(target))
    return {}


def another_child(target: Target) -> Data:
    return {"into": Child.objects.get(name="Emil").pk}


def another_class(target: Target) -> Data:
    alice = User.objects.get(teachings__school_class=target["class_id"], teachings__role="owner")
    return {"to": TeachingFactory.create(user=alice).school_class_id}


def ticked(target: Target) -> Data:
    return {"child": [target["child_id"]], **another_class(target)}


def kept(by: User, target: Target, kind: str, *of: SchoolClass, **data: Any) -> Data:
    """The browser of an adult who can undo an act of this kind."""
    request: Any = RequestFactory().post("/")
    request.user = by
    target["key"] = keep(request, kind, "/", *of, **data).split("/")[-2]
    return {"session": client_of(by)}


def owner_of(target: Target) -> User:
    return own_class(target).teachers.get(teachings__role="owner")


def moved_here(target: Target) -> Data:
    """A child that comes from another class of Alice's."""
    alice = owner_of(target)
    gus = ChildFactory.create(
        school_class=TeachingFactory.create(user=alice).school_class, name="Gus"
    )
    at = moves.move([gus], own_class(target), alice).at
    assert at is not None
    return kept(alice, target, "children moved", own_class(target), moved_at=at.isoformat())


def archived_then(target: Target) -> Data:
    return {f"what-{target['class_id']}": "archive"}


def renamed_then(target: Target) -> Data:
    return {f"what-{target['class_id']}": "go-on", f"name-{target['class_id']}": "6B"}


def begun(target: Target) -> Data:
    """The new year of Alice's class, begun by her school."""
    school_class, school = own_class(target), School.objects.get(pk=target["school_id"])
    steps = [classes_services.Step(school_class.pk, "6B")]
    alice = school_class.teachers.get(teachings__role="owner")
    admin = User.objects.get(membership__school=school, membership__role="admin")
    classes = SchoolClass.objects.filter(pk=school_class.pk)
    classes_services.begin_year(classes, steps, alice)
    classes_services.begin_year(
        classes, [classes_services.Step(school_class.pk, "7B")], admin, school
    )
    return {}


def begun_alone(target: Target) -> Data:
    school_class = own_class(target)
    alice = school_class.teachers.get(teachings__role="owner")
    steps = [classes_services.Step(school_class.pk, "6B")]
    classes_services.begin_year(SchoolClass.objects.filter(pk=school_class.pk), steps, alice)
    return {}


def removed(target: Target) -> Data:
    services.remove(Child.objects.get(pk=target["child_id"]))
    return {}


def merged(target: Target) -> Data:
    merge(Child.objects.get(pk=target["child_id"]), Child.objects.get(name="Emil"))
    return {}


def bob_removed(target: Target) -> Data:
    owner = User.objects.get(teachings__school_class=target["class_id"], teachings__role="owner")
    removal = teachers.remove(own_class(target), target["user_id"], owner)
    assert removal is not None
    return kept(owner, target, "teacher removed", removal=removal.pk, of=str(target["class_id"]))


def to_bob(target: Target) -> Data:
    return {"to": target["user_id"]}


def without_classes(target: Target) -> Data:
    assert not User.objects.get(pk=target["user_id"]).teachings.filter(role="owner").exists()
    return {}


def an_admin(target: Target) -> Data:
    Membership.objects.filter(user=target["user_id"]).update(role=Membership.Role.ADMIN)
    return {}


def that_child(target: Target) -> Data:
    return {"child": target["child_id"]}


def moved_to_bob(target: Target) -> Data:
    school = School.objects.get(pk=target["school_id"])
    admin = User.objects.get(membership__school=school, membership__role="admin")
    bob = User.objects.get(pk=target["user_id"])
    moved = school_services.move_class(school, own_class(target), bob, admin)
    ids = {"school": str(school.pk), "of": str(target["class_id"])}
    return kept(admin, target, "class moved", moved=moved, **ids)


def a_file_ready(target: Target) -> Data:
    options = {"school": str(target["school_id"])}
    school_class = own_class(target)
    DownloadFactory.create(school_class=school_class, options=options, ready=True)
    return {}


def just_added(target: Target) -> Data:
    (fay,) = services.add_children(own_class(target), ["Fay"])
    done = asdict(ImportUndo(fay.created_at.isoformat()))
    return kept(owner_of(target), target, "list", own_class(target), done=done)


def renamed_before(target: Target) -> Data:
    names = {"before": "4B", "name": own_class(target).name}
    return kept(owner_of(target), target, "class renamed", own_class(target), **names)


def two_classes(target: Target) -> Data:
    """What the preview of a list with a class of Alice's and a new one holds."""
    client = client_of(own_class(target).teachers.get(teachings__role="owner"))
    names = "Name\tClass\nFay\t5B\nGus\t9Z"
    page = client.post(address("classrooms:classes_from_file", target), {"names": names})
    fields = r'name="(sheet|seen-\d)" value="([^"]*)"'
    posted = dict(re.findall(fields, page.text))
    targets = {k.replace("seen", "target"): v for k, v in posted.items() if k != "sheet"}
    return {**posted, **targets, "language": "en"}


def renewed(target: Target) -> Data:
    renewal = cards.renew(list(own_class(target).children.all()))
    return kept(owner_of(target), target, "cards renewed", own_class(target), renewal=str(renewal))


def a_sheet(target: Target) -> Data:
    """What the preview of a list with columns holds."""
    client = client_of(own_class(target).teachers.get(teachings__role="owner"))
    page = client.post(
        address("classrooms:children", target),
        {"names": "Vorname\tNachname\nFay\tBakker\nGus\tVos"},
    )
    return dict(re.findall(r'name="(sheet|seen-\d|name-\d+)" value="([^"]*)"', page.text))


def a_goal_reached(target: Target) -> Data:
    rows(Child.objects.get(pk=target["child_id"]), 5, found=60)
    page = client_of(own_class(target).teachers.get(teachings__role="owner")).get(
        address("classrooms:certificates", target)
    )
    return {"certificate": re.findall(r'name="certificate" value="([^"]+)"', page.text)}


def who_waits(target: Target) -> Data:
    """Somebody of a learning platform who is Dora."""
    course = Course.objects.get(pk=target["course_id"])
    waiting = PlatformPerson.objects.create(
        platform=course.platform, course=course, subject_hash="8" * 64, name="Dora"
    )
    return {f"is-{waiting.pk}": target["child_id"]}


def who_is_linked(target: Target) -> Data:
    PlatformPerson.objects.create(
        platform_id=target["platform_id"], child_id=target["child_id"], subject_hash="8" * 64
    )
    return {}


def individual_settings(target: Target) -> Data:
    return {"child": target["child_id"], "untimed": target["child_id"]}


SURE: Final = {"sure": "1"}
CONNECTION: Final = {
    "address": "https://source.example",
    "token_address": "https://source.example/token",
    "client_id": "the school",
    "client_secret": "three",
}
SIGNING_IN: Final = (
    Act(What.NEW_PICTURES, {"do": "card"}),
    Act(What.NEW_QR_CODES, {"do": "card"}),
    Act(What.SIGNED_OUT, {"do": "sign-out"}),
    Act(What.TRIES_CLEARED, {"do": "lift"}),
)
PLATFORM: Final = {
    "name": "Moodle",
    **dict.fromkeys(("issuer", "client_id", "deployment"), "x"),
    **dict.fromkeys(("auth_url", "token_url", "keyset_url"), "https://127.0.0.1/"),
}
SETTINGS: Final = {"name": "5X", "language": "en", "time_zone": "Europe/Berlin"}
ACTS: Final[Mapping[str, tuple[Act, ...]]] = {
    "classrooms:display_name": (Act(What.NAMED, {"display_name": "Ms Bos"}),),
    "classrooms:close_account": (Act(What.ACCOUNT_CLOSED, SURE),),
    "classrooms:new_class": (Act(What.MADE, {"name": "7C", "language": "nl"}),),
    "classrooms:classes_from_file": (Act(What.ADDED, {"do": "add"}, two_classes),),
    "classrooms:undo": (
        Act(What.REMOVED, {}, just_added),
        Act(What.MOVED, {}, moved_here),
        Act(What.CHANGED, {}, renamed_before),
        Act(What.CARDS_BACK, {}, renewed),
    ),
    "classrooms:undo_act": (
        Act(What.TEACHER_BACK, {}, bob_removed),
        Act(What.HANDED_OVER, {}, moved_to_bob, who="Ada"),
    ),
    "classrooms:edit_class": (Act(What.CHANGED, SETTINGS),),
    "classrooms:class_code": (
        Act(What.NEW_CODE, {"do": "rotate"}),
        Act(What.FORMER_CODE, {"do": "former"}, with_code_before),
        Act(What.CLOSED, {"do": "close"}),
        Act(What.OPENED, {"do": "open"}),
    ),
    "classrooms:class_names": (
        Act(
            What.NAMES_SHOWN,
            {"do": "save", "names_shown": "never", "school_from": 7, "school_until": 17},
        ),
    ),
    "classrooms:restore_class": (Act(What.RESTORED, whose="archived"),),
    "classrooms:year_end": (
        Act(What.ARCHIVED, {"what": "archive"}),
        Act(What.CHANGED, {"what": "next-year", "name": "6B"}),
        Act(What.HANDED_OVER, {"what": "hand-over"}, to_bob),
        Act(What.INVITED, {"what": "hand-over", "email": "gus@example.org"}),
        Act(What.ERASED, {"what": "erase", "name": "5B"}),
    ),
    "classrooms:new_year": (
        Act(What.CHANGED, {}, renamed_then),
        Act(What.ARCHIVED, {}, archived_then),
    ),
    "classrooms:new_year_back": (Act(What.CHANGED, {}, begun_alone),),
    "classrooms:school_new_year": (
        Act(What.CHANGED, {}, renamed_then, who="Ada"),
        Act(What.ARCHIVED, {}, archived_then, who="Ada"),
    ),
    "classrooms:school_new_year_back": (Act(What.CHANGED, {}, begun, who="Ada"),),
    "classrooms:invite": (Act(What.INVITED, {"email": "gus@example.org"}),),
    "classrooms:withdraw_invitation": (Act(What.INVITATION_ENDED, SURE),),
    "classrooms:remove_teacher": (Act(What.TEACHER_REMOVED),),
    "classrooms:hand_over": (Act(What.HANDED_OVER, SURE),),
    "classrooms:leave_class": (Act(What.LEFT, SURE, who="Bob"),),
    "classrooms:school_role": (
        Act(What.SCHOOL_ROLE, {"role": "admin"}, who="Ada"),
        Act(What.SCHOOL_ROLE, {"role": "teacher", **SURE}, an_admin, who="Ada"),
    ),
    "classrooms:leave_school": (Act(What.SCHOOL_LEFT, SURE, who="Bob"),),
    "classrooms:school_off": (Act(What.SCHOOL_LEFT, SURE, without_classes, who="Ada"),),
    "classrooms:school_child": (Act(What.LOOKED, {"reason": "parents"}, that_child, who="Ada"),),
    "classrooms:school_class_csv": (Act(What.EXPORTED, {"reason": "rights"}, who="Ada"),),
    "classrooms:school_files": (Act(What.ASKED, {"reason": "rights"}, who="Ada"),),
    "classrooms:school_zip": (Act(What.EXPORTED, {"reason": "rights"}, a_file_ready, who="Ada"),),
    "classrooms:school_erase": (Act(What.ERASED, {"name": "5B"}, who="Ada"),),
    "classrooms:school_platforms": (Act(What.PLATFORM_ADDED, {"name": "Moodle"}, who="Ada"),),
    "classrooms:school_platform": (Act(What.PLATFORM_CHANGED, PLATFORM, who="Ada"),),
    "classrooms:remove_platform": (Act(What.PLATFORM_REMOVED, SURE, who="Ada"),),
    "classrooms:class_platform": (Act(What.PERSON_LINKED, {}, who_waits),),
    "classrooms:unlink_course": (Act(What.COURSE_UNLINKED, SURE),),
    "classrooms:unlink_child": (Act(What.PERSON_UNLINKED, SURE, who_is_linked),),
    "classrooms:school_move": (Act(What.HANDED_OVER, {}, to_bob, who="Ada"),),
    "classrooms:source_connection": (Act(What.SOURCE, CONNECTION, who="Ada"),),
    "classrooms:end_source": (Act(What.SOURCE_GONE, SURE, who="Ada"),),
    "classrooms:school_changes": (Act(What.LIST_AGREED, {}, who="Ada"),),
    "classrooms:class_changes": (Act(What.LIST_AGREED, {}),),
    "classrooms:invitation": (Act(What.JOINED, who="Charlie"),),
    "classrooms:children": (Act(What.ADDED, {"names": "Fay\nGus"}),),
    "classrooms:add_shown_children": (Act(What.ADDED, {"do": "add"}, a_sheet),),
    "classrooms:child": (Act(What.RENAMED, {"name": "Dora B."}),),
    "classrooms:rename_child": (Act(What.RENAMED, {"name": "Dora B."}),),
    "classrooms:child_pictures": (Act(What.LOOKED),),
    "classrooms:child_signing_in": SIGNING_IN,
    "classrooms:signing_in": SIGNING_IN,
    "classrooms:remove_child": (Act(What.REMOVED),),
    "classrooms:bring_child_back": (Act(What.BROUGHT_BACK, {}, removed),),
    "classrooms:move_child": (Act(What.MOVED, {}, another_class),),
    "classrooms:move_children": (Act(What.MOVED, {"do": "move"}, ticked),),
    "classrooms:merge_child": (Act(What.MERGED, {}, another_child),),
    "classrooms:undo_merge": (Act(What.MERGE_UNDONE, {}, merged),),
    "classrooms:erase_child": (Act(What.ERASED),),
    "classrooms:agreed_with_children": (Act(What.SETTINGS, {}, individual_settings),),
    "classrooms:downloads": (Act(What.ASKED, {"kind": "class-tables"}),),
    "classrooms:certificates": (Act(What.EXPORTED, {"language": "en"}, a_goal_reached),),
}
OF_NO_CLASS: Final = (
    "classrooms:new_class",
    "classrooms:display_name",
    "classrooms:close_account",
    "classrooms:school_role",
    "classrooms:school_off",
    "classrooms:leave_school",
    "classrooms:school_platforms",
    "classrooms:school_platform",
    "classrooms:remove_platform",
    "classrooms:source_connection",
    "classrooms:end_source",
)
"""What is written down elsewhere than in the log of the class."""
FETCHED: Final = (
    "classrooms:export_class",
    "classrooms:cards_pdf",
    "classrooms:letters_pdf",
    "classrooms:class_report",
    "classrooms:child_report",
    "classrooms:download",
)
"""What is taken along by a link."""
PLAYING: Final = "What is to be played stands on the page of the assignments, ended ones too."
CHECK_UPS: Final = "What was given stands on the page of the check-ups, closed ones too."
GROUPS: Final = "Who is in which group stands on the page of the groups; it lets nobody in."
WRITES_NOTHING: Final[Mapping[str, str]] = {
    name if name in DECLARED else f"classrooms:{name}": reason
    for reason, names in {
        "Nothing changes in a class before somebody says yes to it.": "school_source",
        PLAYING: (
            "class_table assign assign_detail new_deal close_deal edit_assignment "
            "end_assignment resume_assignment withdraw_assignment repeat_assignment "
            "stop_repeating next_steps give_step"
        ),
        "It shows what is in a file; another post adds the children.": "upload_children",
        "Who is added is written down as by a list (test_people).": "course_members",
        "It begins anew with what was asked for, which is written down.": "download_again",
        "It deletes a copy; that it was asked for stays written down.": "delete_download",
        "A teacher switches the mail to their own address, and names nobody.": "weekly_mail",
        "The teacher plays alone; nothing of the class is changed.": "assign_try",
        "The whole class sees that its screens are paused, and for how long.": "live",
        "The class looks at it together, and what was laid stands in the moves.": "hand",
        "It asks a worker for the riddle.": "class_riddle",
        CHECK_UPS: "new_check_up close_check_up reopen_check_up withdraw_check_up",
        GROUPS: "new_child_group child_group remove_child_group",
    }.items()
    for name in names.split()
}


def taking_posts() -> set[str]:
    """The pages of adults that may change something."""
    kinds = ("teacher", "owner", "school admin", "adult", "invitation")
    return {
        name for name, (kind, methods) in DECLARED.items() if kind in kinds and "POST" in methods
    }


@contextmanager
def undone(world: World) -> Iterator[Callable[[], list[AuditEntry]]]:
    """Undo at the end what is done within. Gives the entries that were logged meanwhile."""
    with traceless(world.clients.values()):
        last = AuditEntry.objects.order_by("-pk").values_list("pk", flat=True)[0]
        found = AuditEntry.objects.exclude(what=What.SIGNED_IN).filter(is_part=False)
        yield lambda: list(found.filter(pk__gt=last))


def test_every_page_that_takes_a_post_is_declared_here() -> None:
    assert not ACTS.keys() & WRITES_NOTHING.keys()
    assert ACTS.keys() | WRITES_NOTHING.keys() == taking_posts()


@in_bundles(ACTS)
def test_what_is_done_is_written_down_with_who_did_it(names: list[str], world: World) -> None:
    for name in names:
        for act in ACTS[name]:
            with undone(world) as written:
                _is_written_down(name, act, world, written)


def _is_written_down(
    name: str, act: Act, world: World, written: Callable[[], list[AuditEntry]]
) -> None:
    target, client = dict(world.targets[act.whose]), world.clients[act.who]
    data = {**act.data, **(act.prepare(target) if act.prepare else {})}
    client = data.pop("session", client)
    before = {entry.pk for entry in written()}
    who = client.session["_auth_user_id"]
    answer = client.post(address(name, target), data)
    assert answer.status_code in (200, 302), (name, act.what, answer.status_code)
    new = [entry for entry in written() if entry.pk not in before]
    found = [entry for entry in new if entry.what == act.what]
    assert found, (name, act.what, [entry.what for entry in new])
    assert {str(entry.user_id) for entry in found} == {who}, name
    if name not in OF_NO_CLASS:
        assert target["class_id"] in {entry.class_id for entry in found}, name


def test_what_is_taken_along_is_written_down_with_its_kind(world: World) -> None:
    target = world.targets["Alice's"]
    for name in FETCHED:
        with undone(world) as written:
            assert world.clients["Alice"].get(address(name, target)).status_code == 200
            (entry,) = [found for found in written() if found.what == What.EXPORTED]
            assert entry.class_id == target["class_id"]
            assert entry.detail["file"], name


def test_what_a_stranger_is_refused_leaves_no_entry(world: World) -> None:
    for name, all_of_it in ACTS.items():
        if DECLARED[name][0] not in ("teacher", "owner", "school admin"):
            continue
        for act in all_of_it:
            with undone(world) as written:
                answer = world.clients["Charlie"].post(
                    address(name, world.targets["Alice's"]), act.data
                )
                assert (answer.status_code, written()) == (404, []), name
