"""Links courses of a platform to classes, and their people to children."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from classrooms.access import classes_in, classes_to_link
from classrooms.audit import What, audit, audit_children
from classrooms.bounds import MOST_CHILDREN
from classrooms.locks import ActRefused, Changed, ensure_in_class, lock
from classrooms.lti import messages, outgoing
from classrooms.lti.messages import Message, Refused
from classrooms.lti.models import Course, LineItem, Platform, PlatformPerson
from classrooms.lti.outgoing import Unreachable, dict_or_empty, json_of
from classrooms.lti.platforms import access_token, service_url
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.roster.services import add_children
from classrooms.ui.processes import Turns

MOST_COURSES: Final = 20
"""The most courses that can be linked to a class."""


def course_of(platform: Platform, message: Message) -> Course | None:
    """The linked course from which a message comes; None if it is not linked. Also stores where the
    platform lists its members. Raises `Refused` if its class is archived or no longer at the
    school."""
    courses = Course.objects.select_related("school_class", "platform__school")
    course = courses.filter(platform=platform, context=message.context).first()
    if course is None:
        return None
    if course.school_class.archived_at:
        raise Refused("archived", course.school_class)
    if not classes_in(platform.school).filter(pk=course.school_class_id).exists():
        raise Refused("elsewhere", course.school_class)
    members_url = service_url(platform, message.members_url)
    if members_url and course.members_url != members_url:
        Course.objects.filter(pk=course.pk).update(members_url=members_url)
        course.members_url = members_url
    return course


def is_linked(course: Course) -> bool:
    now = Course.objects.filter(pk=course.pk, school_class=course.school_class_id)
    return now.filter(school_class__archived_at=None).exists()


def link_course(
    platform: Platform, message: Message, school_class: SchoolClass, by: User
) -> Course:
    """Link the course of a message with a class. Raises `Changed` if the adult may not link this
    class, or if the course was linked meanwhile."""
    with lock(platform.school, by, school_class):
        if not classes_to_link(by, platform.school).filter(pk=school_class.pk).exists():
            raise Changed
        if school_class.courses.count() >= MOST_COURSES:
            text = _("A class can be linked to at most %(n)d courses.")
            raise ActRefused(text % {"n": MOST_COURSES})
        course, is_new = Course.objects.get_or_create(
            platform=platform,
            context=message.context,
            defaults={
                "title": message.title,
                "school_class": school_class,
                "members_url": service_url(platform, message.members_url),
            },
        )
        if not is_new:
            raise Changed
        audit(by, What.COURSE_LINKED, school_class=school_class, platform=platform.name)
    return course


def unlink_course(course: Course, by: User) -> None:
    """Unlink a course. The links of its people with children are kept, in case the course is linked
    again. People who wait are forgotten."""
    with lock(course.school_class):
        if not Course.objects.filter(pk=course.pk).exists():
            raise Changed
        name = course.platform.name
        audit(by, What.COURSE_UNLINKED, school_class=course.school_class, platform=name)
        course.delete()


def note_line_item(course: Course, message: Message) -> Assignment | None:
    """The assignment to which a launch leads, if it is one of the class. Also stores the address to
    which the platform wants progress sent."""
    if not message.assignment:
        return None
    assignment = course.school_class.assignments.filter(pk=message.assignment).first()
    url = service_url(course.platform, message.line_item)
    if assignment and url and course.platform.sends_grades:
        LineItem.objects.update_or_create(
            course=course, assignment=assignment, defaults={"url": url}
        )
    return assignment


# The people of a course, who are children of the class or wait until a teacher says who they are,
# and the platform's list of these people (Names and Role Provisioning).


MOST_WAITING: Final = 500
"""The most people who can wait in a course."""


def child_of(course: Course, message: Message) -> Child | None:
    """The child of the class that this person is according to a teacher. None if no teacher has
    said who they are, or if the answer is no longer clear."""
    of_person = Child.objects.select_related("school_class").filter(
        school_class=course.school_class_id,
        platform_people__platform=course.platform_id,
        platform_people__subject_hash=message.subject_hash,
    )
    people = list(of_person[:2])
    return people[0] if len(people) == 1 else None


def is_still(course: Course, message: Message, child: Child) -> bool:
    """Whether the person is still this child, and their course is still linked."""
    return is_linked(course) and child_of(course, message) == child


def add_waiting_person(course: Course, message: Message) -> None:
    """Let the person wait until a teacher says who they are."""
    with lock(course.school_class):
        if not is_linked(course):
            raise Refused("unlinked")
        _add_waiting(course, [(message.subject_hash, message.name, message.family)])


def _add_waiting(course: Course, people: Iterable[tuple[str, str, str]]) -> None:
    """Let these people wait. The class is locked, so that their number stays within the limit."""
    now = timezone.now()
    person_of = {person.subject_hash: person for person in course.waiting.all()}
    new_people: list[PlatformPerson] = []
    for subject, name, family in people:
        if person := person_of.get(subject):
            person.name, person.family, person.created_at = name, family, now
        elif len(person_of) + len(new_people) < MOST_WAITING:
            person = PlatformPerson(platform_id=course.platform_id, course=course)
            person.subject_hash, person.name, person.family = subject, name, family
            new_people.append(person)
    fields = ("name", "family", "created_at")
    PlatformPerson.objects.bulk_update(person_of.values(), fields)
    PlatformPerson.objects.bulk_create(new_people)


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    """A teacher's answer about a waiting person: the child that they are, or the `name` of a new
    child. It has neither if they are not in the class."""

    person: PlatformPerson
    child: Child | None = None
    name: str = ""


def link_people(school_class: SchoolClass, answers: Sequence[PersonAnswer], by: User) -> None:
    """Link waiting people with children, and add new children. Raises `Changed` if a person no
    longer waits, or if a child is no longer in the class or has just been linked;
    `bounds.LimitReached`; and `IntegrityError` if a name has just been added."""
    children = [answer.child for answer in answers if answer.child]
    with lock(school_class, *children) as (school_class, *children):
        ensure_in_class(school_class, *children)
        keys = {answer.person.pk for answer in answers}
        people = PlatformPerson.objects.filter(pk__in=keys, course__school_class=school_class)
        if people.count() < len(keys):
            raise Changed
        names = [answer.name for answer in answers if answer.name]
        new_children = (
            {child.name: child for child in add_children(school_class, names, by)} if names else {}
        )
        linked_people = []
        for answer in answers:
            if child := answer.child or new_children.get(answer.name):
                _link(answer.person, child)
                linked_people.append(child)
            else:
                answer.person.delete()
        audit_children(by, What.PERSON_LINKED, linked_people)


def _link(person: PlatformPerson, child: Child) -> None:
    """Link a waiting person with this child of the class. Raises `Changed` if the child is already
    linked with another person of the platform, where a child has only one account."""
    of_platform = PlatformPerson.objects.filter(platform=person.platform_id)
    if of_platform.filter(child=child).exclude(subject_hash=person.subject_hash).exists():
        raise Changed
    of_class = Q(child__school_class=child.school_class_id) | Q(
        course__school_class=child.school_class_id
    )
    same_person = of_platform.filter(of_class, subject_hash=person.subject_hash)
    same_person.exclude(pk=person.pk).delete()
    person.child, person.course, person.name, person.family = child, None, "", ""
    person.save(update_fields=("child", "course", "name", "family"))


def unlink_child(child: Child, by: User) -> None:
    """Forget which people of platforms are this child. When they next come, they wait again."""
    with lock(child.school_class, child):
        if child.platform_people.all().delete()[0]:
            audit(by, What.PERSON_UNLINKED, child=child)


@dataclass(frozen=True, slots=True)
class Member:
    """A pupil on the platform's list of a course."""

    subject_hash: str
    subject: str
    name: str
    family: str


MEMBERS: Final = Turns()
"""The turns for fetching the list of a course. How long that takes depends on the platform."""
MEMBERS_TYPE: Final = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
MOST_PAGES: Final = 10


def members_of(course: Course) -> list[Member]:
    """The pupils who are in the course now. Raises `Unreachable`, also if the list is endless or
    has more than `MOST_CHILDREN` pupils, because pupils missing from half a list would seem to have
    left."""
    platform, url = course.platform, course.members_url
    if not service_url(platform, url):
        raise Unreachable("address")
    token = access_token(platform, messages.MEMBERS_SCOPE)
    headers = {"Authorization": f"Bearer {token}", "Accept": MEMBERS_TYPE}
    member_of: dict[str, Member] = {}
    for _page in range(MOST_PAGES):
        answer = outgoing.ask(url, headers=headers)
        page = json_of(answer)
        people = page.get("members")
        if not isinstance(people, list):
            raise Unreachable("content")
        for person in people:
            if member := _member(platform, dict_or_empty(person)):
                member_of[member.subject_hash] = member
        if len(member_of) > MOST_CHILDREN:
            raise Unreachable("too large")
        url = _next(answer.headers) or str(page.get("next") or "")  # some platforms put it there
        if not url:
            return list(member_of.values())
        if not service_url(platform, url):
            break
    raise Unreachable("content")


def _member(platform: Platform, entry: Mapping[str, Any]) -> Member | None:
    subject = entry.get("user_id")
    is_here = entry.get("status", "Active") == "Active" and messages.is_learner(entry.get("roles"))
    name, family = messages.names_of(entry)
    if not (isinstance(subject, str) and subject and is_here and name):
        return None
    return Member(messages.subject_hash(platform, subject), subject, name, family)


def _next(headers: Mapping[str, str]) -> str:
    """The address of the next page in the header `Link`; "" if there is none.

    >>> _next({"link": '<https://a.example/2?x=1,2>; rel="next"'})
    'https://a.example/2?x=1,2'
    """
    for part in headers.get("link", "").split("<")[1:]:
        url, _sign, parameters = part.partition(">")
        if 'rel="next"' in parameters or "rel=next" in parameters:
            return url
    return ""


def add_waiting(course: Course, members: Iterable[Member]) -> None:
    """Let the members who are not linked with a child of the class yet wait."""
    with lock(course.school_class):
        if not is_linked(course):
            raise Changed
        hashes = set(
            PlatformPerson.objects.filter(
                platform=course.platform_id, child__school_class=course.school_class_id
            ).values_list("subject_hash", flat=True)
        )
        _add_waiting(
            course,
            ((m.subject_hash, m.name, m.family) for m in members if m.subject_hash not in hashes),
        )
