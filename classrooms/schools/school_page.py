"""What an admin sees of a school: its classes with their owners and figures, and its teachers."""

from collections.abc import Sequence
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.db.models import Count, Exists, OuterRef, Prefetch, Q

from classrooms.access import classes_in
from classrooms.models import Membership, School, SchoolClass, Teaching, User
from classrooms.models.name_order import in_language
from classrooms.progress.figures.class_counts import Report, class_report, rows_of_classes
from classrooms.progress.figures.class_figures import figures_of
from classrooms.progress.figures.periods import USUAL, first_day
from classrooms.progress.figures.table_rows import Rows, TableCell


@dataclass(frozen=True, slots=True)
class ClassLine:
    """A class of the school. `rows`: of all its children, in the usual period."""

    school_class: SchoolClass
    owner: User
    co_teachers: Sequence[User]
    child_count: int
    rows: Rows


@dataclass(frozen=True, slots=True)
class TeacherLine:
    """A teacher of the school. `owned`: how many of its classes are theirs."""

    user: User
    is_admin: bool
    is_confirmed: bool
    owned: int


def class_lines(school: School) -> list[ClassLine]:
    """All classes of the school, archived ones last."""
    teachings = Teaching.objects.select_related("user").order_by("user__email")
    found = classes_in(school).annotate(
        child_count=Count("children", filter=Q(children__removed_at=None), distinct=True)
    )
    classes = sorted(found.prefetch_related(Prefetch("teachings", teachings)), key=in_language)
    rows = rows_of_classes(classes, USUAL)
    lines = []
    for each in classes:
        roles = {teaching.user: teaching.role for teaching in each.teachings.all()}
        (owner,) = (user for user, role in roles.items() if role == Teaching.Role.OWNER)
        others = [user for user in roles if user != owner]
        lines.append(ClassLine(each, owner, others, each.child_count, rows.get(each.pk, Rows())))
    return sorted(lines, key=lambda line: line.school_class.archived_at is not None)


def teacher_lines(school: School) -> list[TeacherLine]:
    """All teachers of the school, admins first."""
    confirmed = EmailAddress.objects.filter(
        user=OuterRef("user"), email=OuterRef("user__email"), verified=True
    )
    owned = Q(user__teachings__role=Teaching.Role.OWNER)
    members = school.memberships.select_related("user").annotate(
        is_confirmed=Exists(confirmed), owned=Count("user__teachings", filter=owned)
    )
    return [
        TeacherLine(
            each.user, each.role == Membership.Role.ADMIN, each.is_confirmed, int(each.owned)
        )
        for each in members.order_by("role", "user__email")
    ]


def report_of(school_class: SchoolClass, period: str) -> Report:
    """The figures of the class page."""
    figures = figures_of(school_class)
    return class_report(figures, first_day(figures.today, period))


def table_totals(report: Report) -> Sequence[TableCell]:
    """The tables of the class of which there is enough to show."""
    return [cell for cell in report.totals if cell.rows.is_shown]
