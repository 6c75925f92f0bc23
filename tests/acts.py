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
from classrooms.roster import import_views, moves
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

Target = dict[str, Any]
"""The ids of Alice's objects; a function may add one."""
Data = Mapping[str, Any]
"""The data to post. Two keys are not posted: `session` is the client that posts, and `of` has ids
for the address."""


def class_of(target: Target) -> SchoolClass:
    return SchoolClass.objects.get(pk=target["class_id"])


def owner_of(target: Target) -> User:
    return class_of(target).teachers.get(teachings__role=Teaching.Role.OWNER)


def owners_client(target: Target) -> Client:
    return client_of(owner_of(target))


def child_of(target: Target) -> Child:
    return Child.objects.get(pk=target["child_id"])


def child_named(name: str) -> Child:
    return Child.objects.get(name=name)


def school_of(target: Target) -> School:
    return School.objects.get(pk=target["school_id"])


def admin_of(school: School) -> User:
    return User.objects.get(membership__school=school, membership__role=Membership.Role.ADMIN)


def keep_act(by: User, target: Target, undo_act: undo.Undo, *of: SchoolClass, **data: Any) -> Data:
    """Keep an act that this adult can undo, as the page does after the act."""
    request: Any = RequestFactory().post("/")
    request.user = by
    target["key"] = undo.keep_act(request, undo_act, "/", *of, **data).split("/")[-2]
    return {"session": client_of(by)}


# Classes


def rotate_code(target: Target) -> Data:
    classes.rotate_code(class_of(target), None)
    return {}


def archive_class(target: Target) -> Data:
    classes.archive(class_of(target), None)
    return {}


def rename_class(target: Target) -> Data:
    names = {"before": "4B", "name": class_of(target).name}
    return keep_act(owner_of(target), target, class_views.take_name_back, class_of(target), **names)


def choose_archive(target: Target) -> Data:
    return {f"what-{target['class_id']}": "archive"}


def choose_rename(target: Target) -> Data:
    return {f"what-{target['class_id']}": "go-on", f"name-{target['class_id']}": "6B"}


def begin_year(target: Target) -> Data:
    steps = [classes.YearStep(target["class_id"], "6B")]
    classes.begin_year(SchoolClass.objects.filter(pk=target["class_id"]), steps, owner_of(target))
    return {}


def begin_year_of_school(target: Target) -> Data:
    """Let the owner begin a new year of the class, then the school another."""
    begin_year(target)
    school, steps = school_of(target), [classes.YearStep(target["class_id"], "7B")]
    of_class = SchoolClass.objects.filter(pk=target["class_id"])
    classes.begin_year(of_class, steps, admin_of(school), school)
    return {}


# Teachers


def choose_bob(target: Target) -> Data:
    return {"to": target["user_id"]}


def remove_bob(target: Target) -> Data:
    owner = owner_of(target)
    removal = teachers.remove(class_of(target), target["user_id"], owner)
    ids = {"removal": removal.pk, "of": str(target["class_id"])}
    return keep_act(owner, target, teacher_views.bring_teacher_back, **ids)


def move_class_to_bob(target: Target) -> Data:
    school = school_of(target)
    admin, bob = admin_of(school), User.objects.get(pk=target["user_id"])
    result = schools.move_class(school, class_of(target), bob, admin)
    ids = {"school": str(school.pk), "of": str(target["class_id"])}
    return keep_act(admin, target, school_views.move_class_back, moved=result, **ids)


def make_bob_admin(target: Target) -> Data:
    Membership.objects.filter(user=target["user_id"]).update(role=Membership.Role.ADMIN)
    return {}


def make_all_admins(target: Target) -> Data:
    Membership.objects.update(role=Membership.Role.ADMIN)
    return {}


def want_mail(target: Target) -> Data:
    """Let all teachers of the class get the weekly mail."""
    Teaching.objects.filter(school_class=target["class_id"]).update(mailed_since=timezone.now())
    return {}


# Children


def choose_child(target: Target) -> Data:
    return {"child": target["child_id"]}


def merge_into_emil(target: Target) -> Data:
    return {"into": child_named("Emil").pk}


def emil_as_target(target: Target) -> Data:
    return {"of": {"child_id": child_named("Emil").pk}}


def emil_into_dora(target: Target) -> Data:
    return {"into": target["child_id"], **emil_as_target(target)}


def move_to_another_class(target: Target) -> Data:
    return {"to": TeachingFactory.create(user=owner_of(target)).school_class_id}


def tick_child(target: Target) -> Data:
    return {"child": [target["child_id"]], **move_to_another_class(target)}


def move_child_here(target: Target) -> Data:
    """Move a child here from another class of Alice's."""
    alice = owner_of(target)
    other_class = TeachingFactory.create(user=alice).school_class
    gus = ChildFactory.create(school_class=other_class, name="Gus")
    at = moves.move([gus], class_of(target), alice).at
    return keep_act(
        alice, target, roster_views.move_children_back, class_of(target), moved_at=at.isoformat()
    )


def remove_child(target: Target) -> Data:
    roster.remove(child_of(target), None)
    return {}


def merge_child(target: Target) -> Data:
    merge(child_of(target), child_named("Emil"), None)
    return {}


def untimed_child(target: Target) -> Data:
    return {"child": target["child_id"], "untimed": target["child_id"]}


def renew_cards(target: Target) -> Data:
    school_class = class_of(target)
    renewal = str(cards.renew(list(school_class.children.all()), None))
    return keep_act(
        owner_of(target), target, roster_views.take_cards_back, school_class, renewal=renewal
    )


def reach_goal(target: Target) -> Data:
    """Let the child reach a goal, and post the certificate that the page offers for it."""
    rows(child_of(target), 5, found=60)
    page = owners_client(target).get(reverse("classrooms:certificates", args=[target["class_id"]]))
    return {"certificate": re.findall(r'name="certificate" value="([^"]+)"', text_on(page))}


# Lists of names


def add_fay(target: Target) -> Data:
    (fay,) = roster.add_children(class_of(target), ["Fay"], None)
    undo = asdict(ImportUndo(fay.created_at.isoformat()))
    return keep_act(owner_of(target), target, import_views.undo_list, class_of(target), done=undo)


def preview_columns(target: Target) -> Data:
    page = owners_client(target).post(
        reverse("classrooms:children", args=[target["class_id"]]),
        {"names": "Vorname\tNachname\nFay\tBakker\nGus\tVos"},
    )
    return dict(re.findall(r'name="(sheet|seen-\d|name-\d+)" value="([^"]*)"', text_on(page)))


def preview_two_classes(target: Target) -> Data:
    """Answer the preview of a list with a class of Alice's and a new class."""
    posted = _fields_of_preview(target, "Fay\t5B\nGus\t9Z")
    targets = {key.replace("seen", "target"): v for key, v in posted.items() if key != "sheet"}
    return {**posted, **targets, "language": "en"}


def preview_list_without_a_child(target: Target) -> Data:
    """Preview a list that lacks one child of the class, and tick that child."""
    school_class = class_of(target)
    first, *classmates = school_class.children.order_by("name_order")
    text = "".join(f"{child.name}\t{school_class.name}\n" for child in classmates)
    posted = _fields_of_preview(target, text)
    return {**posted, "target-1": posted["seen-1"], "gone-1": str(first.pk)}


def preview_own_list_without_a_child(target: Target) -> Data:
    """Preview the list of the class that lacks one child, from the page of the class."""
    return {**preview_list_without_a_child(target), "seen-1": class_of(target).name}


def _fields_of_preview(target: Target, lines: str) -> dict[str, str]:
    """The fields that the form of the preview of a list of several classes already has."""
    page = owners_client(target).post(
        reverse("classrooms:classes_from_file"), {"names": f"Name\tClass\n{lines}"}
    )
    return dict(re.findall(r'name="(sheet|seen-\d)" value="([^"]*)"', text_on(page)))


def unlink_list(target: Target) -> Data:
    source_class = SourceClass.objects.get(school_class=target["class_id"])
    return {f"class-{source_class.pk}": ""}


def accept_changes(target: Target) -> Data:
    """Add the new child, and remove the one whom the source no longer lists."""
    pupils = SourcePupil.objects.filter(source_class__school_class=target["class_id"])
    return {f"pupil-{pupil.pk}": "new" if pupil.is_here else "gone" for pupil in pupils}


# Groups


def all_children(target: Target) -> Data:
    return {"name": "Owls", "children": [child.pk for child in class_of(target).children.all()]}


def group_of_two(target: Target) -> Data:
    """Make a group of Emil and Hugo, and take Emil off it."""
    group = Group.objects.get(pk=target["group_id"])
    emil, hugo = child_named("Emil"), child_named("Hugo")
    group.children.set([emil, hugo])
    return {"name": group.name, "children": [hugo.pk]}


def take_dora_off_group(target: Target) -> Data:
    """Take Dora off her group, and keep the act for its undo."""
    client = owners_client(target)
    url = reverse("classrooms:child_group", args=[target["class_id"], target["group_id"]])
    client.post(url, {"name": "Owls", "children": [child_named("Emil").pk]})
    target["key"] = KeptAct.objects.latest("at").key
    return {"session": client}


# Games


def assignment_of(target: Target) -> Assignment:
    return Assignment.objects.get(pk=target["assignment_id"])


def narrow_assignment(target: Target) -> Data:
    """Give the assignment only to Emil and Hugo, and change it to be for Hugo alone."""
    assignment = assignment_of(target)
    emil, hugo = child_named("Emil"), child_named("Hugo")
    assignment.is_for_everyone = False
    assignment.deal_seed = None
    assignment.save()
    assignment.children.set([emil, hugo])
    return {"children": [hugo.pk]}


def repeat_weekly(target: Target) -> Data:
    services.repeat(assignment_of(target))
    return {}


def give_to_child(target: Target) -> Data:
    return {"children": target["child_id"]}


def give_step_to_child(target: Target) -> Data:
    return {f"step-{target['child_id']}": "7"}


def seat_emil(target: Target) -> Data:
    """Let Dora and Emil end a match at a table, and Emil wait for another match."""
    end_match_of_both(target)
    Assignment.objects.filter(pk=target["assignment_id"]).update(chairs=3, deal_seed=None)
    tables.sit(child_named("Emil"), assignment_of(target).pk)
    return {}


def seat_both(target: Target) -> Data:
    """Let Dora wait at the table of `seat_emil` too."""
    seat_emil(target)
    tables.sit(child_of(target), assignment_of(target).pk)
    return {}


def end_match_of_both(target: Target) -> Game:
    children = Child.objects.filter(name__in=("Dora", "Emil"), school_class=target["class_id"])
    game = new_table(*children.values_list("player", flat=True))
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now())
    children.update(last_game=game)
    return game


def sign_at_the_end(target: Target) -> Data:
    game = end_match_of_both(target)
    sign = {"seen": game.version, "key": uuid4(), "sign": "good-game"}
    return {"of": {"game_id": game.pk}, **sign}


def draw_card(target: Target) -> Data:
    game = Game.objects.get(pk=target["game_id"])
    return {"seen": game.version, "key": uuid4(), "move": "draw-closed"}


# Files and platforms


def make_file(target: Target) -> Data:
    options = {"school": str(target["school_id"])}
    DownloadFactory.create(school_class=class_of(target), options=options, ready=True)
    return {}


def add_waiting_person(target: Target) -> Data:
    """Let somebody from a learning platform wait for a link. They are Dora."""
    course = Course.objects.get(pk=target["course_id"])
    person = PlatformPerson.objects.create(
        platform=course.platform, course=course, subject_hash="8" * 64, name="Dora"
    )
    return {f"is-{person.pk}": target["child_id"]}


def link_child(target: Target) -> Data:
    PlatformPerson.objects.create(
        platform_id=target["platform_id"], child_id=target["child_id"], subject_hash="8" * 64
    )
    return {}
