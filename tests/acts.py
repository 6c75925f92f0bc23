"""Acts in Alice's class before a test posts to a page. Each returns the data to post."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import uuid4

from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from classrooms import undo
from classrooms.assignments import services, tables
from classrooms.classes import services as classes
from classrooms.classes import teacher_views, teachers
from classrooms.classes import views as class_views
from classrooms.lti.models import Course, PlatformPerson
from classrooms.models import (
    Assignment,
    Child,
    Group,
    KeptAct,
    Membership,
    School,
    SchoolClass,
    SourceClass,
    SourcePupil,
    Teaching,
    User,
)
from classrooms.roster import import_views, move_views, moves
from classrooms.roster import services as roster
from classrooms.roster import views as roster_views
from classrooms.roster.import_services import ImportUndo
from classrooms.roster.merges import merge
from classrooms.schools import services as schools
from classrooms.schools import views as school_views
from classrooms.signin import cards
from games.models import Game
from tests.classrooms.people import client_of, text_on
from tests.classrooms.progress.answering import rows
from tests.factories import ChildFactory, DownloadFactory, TeachingFactory
from tests.games.players import new_table

Ids = dict[str, Any]
"""The ids of Alice's objects; a function may add one."""
Data = Mapping[str, Any]
"""The data to post. Two keys are not posted: `session` is the client that posts, and `of` has ids
for the address."""


def class_of(ids: Ids) -> SchoolClass:
    return SchoolClass.objects.get(pk=ids["class_id"])


def owner_of(ids: Ids) -> User:
    return class_of(ids).teachers.get(teachings__role=Teaching.Role.OWNER)


def owners_client(ids: Ids) -> Client:
    return client_of(owner_of(ids))


def child_of(ids: Ids) -> Child:
    return Child.objects.get(pk=ids["child_id"])


def child_named(name: str) -> Child:
    return Child.objects.get(name=name)


def school_of(ids: Ids) -> School:
    return School.objects.get(pk=ids["school_id"])


def admin_of(school: School) -> User:
    return User.objects.get(membership__school=school, membership__role=Membership.Role.ADMIN)


def keep_act(by: User, ids: Ids, undo_act: undo.Undo, *of: SchoolClass, **data: Any) -> Data:
    """Keep an act that this adult can undo, as the page does after the act."""
    request: Any = RequestFactory().post("/")
    request.user = by
    ids["key"] = undo.keep_act(request, undo_act, "/", *of, **data).split("/")[-2]
    return {"session": client_of(by)}


# Classes


def rotate_code(ids: Ids) -> Data:
    classes.rotate_code(class_of(ids), None)
    return {}


def archive_class(ids: Ids) -> Data:
    classes.archive(class_of(ids), None)
    return {}


def rename_class(ids: Ids) -> Data:
    names = {"before": "4B", "name": class_of(ids).name}
    return keep_act(owner_of(ids), ids, class_views.take_name_back, class_of(ids), **names)


def choose_archive(ids: Ids) -> Data:
    return {f"what-{ids['class_id']}": "archive"}


def choose_rename(ids: Ids) -> Data:
    return {f"what-{ids['class_id']}": "go-on", f"name-{ids['class_id']}": "6B"}


def begin_year(ids: Ids) -> Data:
    steps = [classes.YearStep(ids["class_id"], "6B")]
    classes.begin_year(SchoolClass.objects.filter(pk=ids["class_id"]), steps, owner_of(ids))
    return {}


def begin_year_of_school(ids: Ids) -> Data:
    """Let the owner begin a new year of the class, then the school another."""
    begin_year(ids)
    school, steps = school_of(ids), [classes.YearStep(ids["class_id"], "7B")]
    of_class = SchoolClass.objects.filter(pk=ids["class_id"])
    classes.begin_year(of_class, steps, admin_of(school), school)
    return {}


# Teachers


def choose_bob(ids: Ids) -> Data:
    return {"to": ids["user_id"]}


def remove_bob(ids: Ids) -> Data:
    owner = owner_of(ids)
    removal = teachers.remove(class_of(ids), ids["user_id"], owner)
    of = str(ids["class_id"])
    return keep_act(owner, ids, teacher_views.bring_teacher_back, removal=removal.pk, of=of)


def move_class_to_bob(ids: Ids) -> Data:
    school = school_of(ids)
    admin, bob = admin_of(school), User.objects.get(pk=ids["user_id"])
    result = schools.move_class(school, class_of(ids), bob, admin)
    kept = {"school": str(school.pk), "of": str(ids["class_id"]), "moved": result}
    return keep_act(admin, ids, school_views.move_class_back, **kept)


def make_bob_admin(ids: Ids) -> Data:
    Membership.objects.filter(user=ids["user_id"]).update(role=Membership.Role.ADMIN)
    return {}


def make_all_admins(ids: Ids) -> Data:
    Membership.objects.update(role=Membership.Role.ADMIN)
    return {}


def want_mail(ids: Ids) -> Data:
    """Let all teachers of the class get the weekly mail."""
    Teaching.objects.filter(school_class=ids["class_id"]).update(mailed_since=timezone.now())
    return {}


# Children


def choose_child(ids: Ids) -> Data:
    return {"child": ids["child_id"]}


def merge_into_emil(ids: Ids) -> Data:
    return {"into": child_named("Emil").pk}


def emil_as_target(ids: Ids) -> Data:
    return {"of": {"child_id": child_named("Emil").pk}}


def emil_into_dora(ids: Ids) -> Data:
    return {"into": ids["child_id"], **emil_as_target(ids)}


def move_to_another_class(ids: Ids) -> Data:
    return {"to": TeachingFactory.create(user=owner_of(ids)).school_class_id}


def tick_child(ids: Ids) -> Data:
    return {"child": [ids["child_id"]], **move_to_another_class(ids)}


def move_child_here(ids: Ids) -> Data:
    """Move a child here from another class of Alice's."""
    alice = owner_of(ids)
    other_class = TeachingFactory.create(user=alice).school_class
    gus = ChildFactory.create(school_class=other_class, name="Gus")
    at = moves.move([gus], class_of(ids), alice).at
    return keep_act(
        alice, ids, move_views.move_children_back, class_of(ids), moved_at=at.isoformat()
    )


def remove_child(ids: Ids) -> Data:
    roster.remove(child_of(ids), None)
    return {}


def merge_child(ids: Ids) -> Data:
    merge(child_of(ids), child_named("Emil"), None)
    return {}


def untimed_child(ids: Ids) -> Data:
    return {"child": ids["child_id"], "untimed": ids["child_id"]}


def renew_cards(ids: Ids) -> Data:
    school_class = class_of(ids)
    renewal = str(cards.renew(list(school_class.children.all()), None))
    return keep_act(owner_of(ids), ids, roster_views.take_cards_back, school_class, renewal=renewal)


def reach_goal(ids: Ids) -> Data:
    """Let the child reach a goal, and post the certificate that the page offers for it."""
    rows(child_of(ids), 5, found=60)
    page = owners_client(ids).get(reverse("classrooms:certificates", args=[ids["class_id"]]))
    return {"certificate": re.findall(r'name="certificate" value="([^"]+)"', text_on(page))}


# Lists of names


def add_fay(ids: Ids) -> Data:
    (fay,) = roster.add_children(class_of(ids), ["Fay"], None)
    undo = asdict(ImportUndo(fay.created_at.isoformat()))
    return keep_act(owner_of(ids), ids, import_views.undo_list, class_of(ids), done=undo)


def preview_columns(ids: Ids) -> Data:
    page = owners_client(ids).post(
        reverse("classrooms:children", args=[ids["class_id"]]),
        {"names": "Vorname\tNachname\nFay\tBakker\nGus\tVos"},
    )
    return dict(re.findall(r'name="(sheet|seen-\d|name-\d+)" value="([^"]*)"', text_on(page)))


def preview_two_classes(ids: Ids) -> Data:
    """Answer the preview of a list with a class of Alice's and a new class."""
    posted = _fields_of_preview(ids, "Fay\t5B\nGus\t9Z")
    targets = {key.replace("seen", "ids"): v for key, v in posted.items() if key != "sheet"}
    return {**posted, **targets, "language": "en"}


def preview_list_without_a_child(ids: Ids) -> Data:
    """Preview a list that lacks one child of the class, and tick that child."""
    school_class = class_of(ids)
    first, *classmates = school_class.children.order_by("name_order")
    text = "".join(f"{child.name}\t{school_class.name}\n" for child in classmates)
    posted = _fields_of_preview(ids, text)
    return {**posted, "ids-1": posted["seen-1"], "gone-1": str(first.pk)}


def preview_own_list_without_a_child(ids: Ids) -> Data:
    """Preview the list of the class that lacks one child, from the page of the class."""
    return {**preview_list_without_a_child(ids), "seen-1": class_of(ids).name}


def _fields_of_preview(ids: Ids, lines: str) -> dict[str, str]:
    """The fields that the form of the preview of a list of several classes already has."""
    page = owners_client(ids).post(
        reverse("classrooms:classes_from_file"), {"names": f"Name\tClass\n{lines}"}
    )
    return dict(re.findall(r'name="(sheet|seen-\d)" value="([^"]*)"', text_on(page)))


def unlink_list(ids: Ids) -> Data:
    source_class = SourceClass.objects.get(school_class=ids["class_id"])
    return {f"class-{source_class.pk}": ""}


def accept_changes(ids: Ids) -> Data:
    """Add the new child, and remove the one whom the source no longer lists."""
    pupils = SourcePupil.objects.filter(source_class__school_class=ids["class_id"])
    return {f"pupil-{pupil.pk}": "new" if pupil.is_here else "gone" for pupil in pupils}


# Groups


def all_children(ids: Ids) -> Data:
    return {"name": "Owls", "children": [child.pk for child in class_of(ids).children.all()]}


def group_of_two(ids: Ids) -> Data:
    """Make a group of Emil and Hugo, and take Emil off it."""
    group = Group.objects.get(pk=ids["group_id"])
    emil, hugo = child_named("Emil"), child_named("Hugo")
    group.children.set([emil, hugo])
    return {"name": group.name, "children": [hugo.pk]}


def take_dora_off_group(ids: Ids) -> Data:
    """Take Dora off her group, and keep the act for its undo."""
    client = owners_client(ids)
    url = reverse("classrooms:child_group", args=[ids["class_id"], ids["group_id"]])
    client.post(url, {"name": "Owls", "children": [child_named("Emil").pk]})
    ids["key"] = KeptAct.objects.latest("at").key
    return {"session": client}


# Games


def assignment_of(ids: Ids) -> Assignment:
    return Assignment.objects.get(pk=ids["assignment_id"])


def narrow_assignment(ids: Ids) -> Data:
    """Give the assignment only to Emil and Hugo, and change it to be for Hugo alone."""
    assignment = assignment_of(ids)
    emil, hugo = child_named("Emil"), child_named("Hugo")
    assignment.is_for_everyone = False
    assignment.deal_seed = None
    assignment.save()
    assignment.children.set([emil, hugo])
    return {"children": [hugo.pk]}


def repeat_weekly(ids: Ids) -> Data:
    services.repeat(assignment_of(ids))
    return {}


def give_to_child(ids: Ids) -> Data:
    return {"children": ids["child_id"]}


def give_step_to_child(ids: Ids) -> Data:
    return {f"step-{ids['child_id']}": "7"}


def seat_emil(ids: Ids) -> Data:
    """Let Dora and Emil end a match at a table, and Emil wait for another match."""
    end_match_of_both(ids)
    Assignment.objects.filter(pk=ids["assignment_id"]).update(chairs=3, deal_seed=None)
    tables.sit(child_named("Emil"), assignment_of(ids).pk)
    return {}


def seat_both(ids: Ids) -> Data:
    """Let Dora wait at the table of `seat_emil` too."""
    seat_emil(ids)
    tables.sit(child_of(ids), assignment_of(ids).pk)
    return {}


def end_match_of_both(ids: Ids) -> Game:
    children = Child.objects.filter(name__in=("Dora", "Emil"), school_class=ids["class_id"])
    game = new_table(*children.values_list("player", flat=True))
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now())
    children.update(last_game=game)
    return game


def sign_at_the_end(ids: Ids) -> Data:
    game = end_match_of_both(ids)
    sign = {"seen": game.version, "key": uuid4(), "sign": "good-game"}
    return {"of": {"game_id": game.pk}, **sign}


def draw_card(ids: Ids) -> Data:
    game = Game.objects.get(pk=ids["game_id"])
    return {"seen": game.version, "key": uuid4(), "move": "draw-closed"}


# Files and platforms


def make_file(ids: Ids) -> Data:
    options = {"school": str(ids["school_id"])}
    DownloadFactory.create(school_class=class_of(ids), options=options, ready=True)
    return {}


def add_waiting_person(ids: Ids) -> Data:
    """Let somebody from a learning platform wait for a link. They are Dora."""
    course = Course.objects.get(pk=ids["course_id"])
    person = PlatformPerson.objects.create(
        platform=course.platform, course=course, subject_hash="8" * 64, name="Dora"
    )
    return {f"is-{person.pk}": ids["child_id"]}


def link_child(ids: Ids) -> Data:
    PlatformPerson.objects.create(
        platform_id=ids["platform_id"], child_id=ids["child_id"], subject_hash="8" * 64
    )
    return {}
