"""Links courses of a platform to classes."""

from typing import Final

from django.utils.translation import gettext as _

from classrooms.access import classes_in, classes_to_link
from classrooms.audit import What, audit
from classrooms.locks import ActRefused, Changed, lock
from classrooms.lti.messages import Message, Refused
from classrooms.lti.models import Course, LineItem, Platform
from classrooms.lti.platforms import service_url
from classrooms.models import Assignment, SchoolClass, User

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
