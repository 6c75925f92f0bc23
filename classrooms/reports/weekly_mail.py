"""The weekly mail to teachers who want it: when it is due, its text, sending it once, and stopping
it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from smtplib import SMTPDataError, SMTPNotSupportedError, SMTPRecipientsRefused, SMTPSenderRefused
from typing import Final, TypeVar
from urllib.parse import urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from classrooms.access import Adult
from classrooms.accounts.mail import BY_MACHINE
from classrooms.http import link
from classrooms.models import Child, SchoolClass, Teaching, WeeklyMail
from classrooms.progress import words
from classrooms.progress.class_figures import ClassFigures, figures_of
from classrooms.progress.class_page import need_cards
from classrooms.progress.class_report import Report, class_report, last_days
from classrooms.progress.facts import cells_of
from classrooms.progress.findings import Findings
from classrooms.progress.given_steps import CoveredSteps, given_lately
from classrooms.progress.needs import Needs, who_needs_what
from classrooms.progress.periods import PERIODS, WEEK, first_day
from classrooms.progress.rebuild import class_is_rebuilding
from classrooms.progress.standing_out import outliers
from classrooms.reports.before_lesson import BeforeLesson, before_lesson
from classrooms.ui.pages import written
from games.coach.times_tables import Fact
from games.screen.words import listed

# When a weekly mail is due, in the time zone of the class.


def moment_of(week: date, time_zone: str) -> datetime:
    """The moment at which the mail of this day is due in a time zone."""
    return datetime.combine(week, time(settings.WEEKLY_MAIL_HOUR), tzinfo=ZoneInfo(time_zone))


LESSON_HOURS: Final = range(7, 12)
"""The hours, by the class's clock, in which mails before a lesson are sent."""


def day_due(teaching: Teaching, now: datetime) -> date | None:
    """The day of the mail to this teacher that is due now; None if none is."""
    zone = teaching.school_class.time_zone
    if not teaching.mail_days:
        return week_due(now, zone)
    day = lesson_due(now, zone)
    return day if day and str(day.isoweekday()) in teaching.mail_days else None


def lesson_due(now: datetime, time_zone: str) -> date | None:
    """The day for whose lessons mails are sent now; None outside `LESSON_HOURS`."""
    local = now.astimezone(ZoneInfo(time_zone))
    return local.date() if local.hour in LESSON_HOURS else None


def week_due(now: datetime, time_zone: str) -> date | None:
    """The day of the mail that is due now in a time zone; None if it was due more than
    `WEEKLY_MAIL_LATE_HOURS` ago. A change of the clocks does not change the day."""
    local = now.astimezone(ZoneInfo(time_zone))
    back = (local.isoweekday() - settings.WEEKLY_MAIL_DAY) % 7
    week = local.date() - timedelta(days=back)
    if moment_of(week, time_zone) > now:
        week -= timedelta(days=7)
    late = now - moment_of(week, time_zone)
    return week if late <= timedelta(hours=settings.WEEKLY_MAIL_LATE_HOURS) else None


# The text of the weekly mail: the figures of the class page, without names of children.
#
# A mail leaves the school and is kept where nobody can erase it, so it has only numbers and tables.
# The names are on the class page, for which one has to sign in.

DAYS: Final = timedelta(days=PERIODS[WEEK][0])
TableOrFact = TypeVar("TableOrFact", int, Fact)
MOST_NAMED: Final = 8
MOST_LINES: Final = 4
"""The most lines of each kind, so that the mail is read in a minute. The page has the rest."""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Letter:
    """The text of the mail, in the language of the class."""

    language: str
    subject: str
    title: str
    days: str
    sections: Sequence[Section]
    button: str
    address: str  # of the page behind the button
    about_names: str


def letter_for(school_class: SchoolClass, week: date) -> Letter | None:
    """The mail about the seven days up to `week`. None if there is nothing to report: the class has
    no children, or nobody has played for 14 days, as in the holidays."""
    figures = figures_of(school_class)
    first = first_day(week, WEEK)
    assert first
    report = class_report(figures, first)
    played = last_days(report, school_class)
    if not any(last >= first - DAYS for last in played.values()):
        return None
    with ExitStack() as stack:
        stack.enter_context(translation.override(school_class.language))
        stack.enter_context(timezone.override(ZoneInfo(school_class.time_zone)))
        return Letter(
            language=school_class.language,
            subject=" ".join(
                (gettext("%(name)s: this week on nmbrs") % {"name": school_class.name}).split()
            ),
            title=school_class.name,
            days=_days(first, week),
            sections=[
                section for section in _sections(figures, report, played, first) if section.lines
            ],
            button=gettext("To the class page"),
            address=f"{link('classrooms:class', school_class.pk)}?period={WEEK}",
            about_names=gettext(
                "This e-mail names no children: their names are on the class page, with the "
                "moves behind each number."
            ),
        )


def letter_to(teaching: Teaching, day: date) -> Letter | None:
    """The mail of this day: before a lesson or weekly, as the teacher chose."""
    if teaching.mail_days:
        return lesson_letter(teaching)
    return letter_for(teaching.school_class, day)


def lesson_letter(teaching: Teaching) -> Letter | None:
    """The mail before a lesson; None if there is nothing to know. It names children as the teacher
    chose."""
    school_class = teaching.school_class
    with ExitStack() as stack:
        stack.enter_context(translation.override(school_class.language))
        stack.enter_context(timezone.override(ZoneInfo(school_class.time_zone)))
        sheet = before_lesson(school_class)
        if not (sheet.beside or sheet.well):
            return None
        title = gettext("%(name)s: before the lesson") % {"name": school_class.name}
        about = gettext("You can choose whether children are named in this e-mail.")
        if teaching.mail_names == Teaching.NamesInMail.NONE:
            about = gettext("This e-mail names no children: you can choose otherwise.")
        return Letter(
            language=school_class.language,
            subject=" ".join(title.split()),
            title=school_class.name,
            days=written(sheet.day, "l j F"),
            sections=[section for section in _lesson(sheet, teaching.mail_names) if section.lines],
            button=gettext("To the page"),
            address=link("classrooms:before_lesson", school_class.pk),
            about_names=about,
        )


def _lesson(sheet: BeforeLesson, naming: str) -> list[Section]:
    return [
        Section(
            gettext("Whom to sit beside"),
            [
                f"{_named([beside.child], naming)}: {beside.why}. {beside.question}"
                for beside in sheet.beside
            ],
        ),
        *(Section(absent.title, [_named(absent.children, naming)]) for absent in sheet.absent),
        Section(
            gettext("What goes well"),
            [f"{line.what}: {_named(line.children, naming)}" for line in sheet.well],
        ),
    ]


def _named(children: Sequence[Child], naming: str) -> str:
    """These children in a mail: by name, by initials, or only their number."""
    n = len(children)
    if naming == Teaching.NamesInMail.NONE:
        return ngettext("%(n)d child", "%(n)d children", n) % {"n": n}
    names = [child.name for child in children[:MOST_NAMED]]
    if naming == Teaching.NamesInMail.INITIALS:
        names = ["".join(f"{part[0]}." for part in name.split()) for name in names]
    if more := n - len(names):
        names.append(ngettext("%(n)d more", "%(n)d more", more) % {"n": more})
    return listed(names)


def _days(first: date, last: date) -> str:
    """The first and the last day: `14 November to 20 November 2026`."""
    return gettext("%(first)s to %(last)s") % {
        "first": written(first, "j F"),
        "last": written(last, "j F Y"),
    }


def _sections(
    figures: ClassFigures, report: Report, played: Mapping[UUID, date], first: date
) -> list[Section]:
    needs = who_needs_what(figures, played)
    findings = Findings(figures, needs, report.rows, WEEK, outliers(figures, first))
    this_week = sum(last >= first for last in played.values())
    return [
        Section(gettext("This week"), _played(report, needs, this_week)),
        Section(gettext("What went well"), [capfirst(line) for line in _went_well(figures, first)]),
        Section(gettext("Most useful now"), [capfirst(line) for line in _next(findings)]),
    ]


def _played(report: Report, needs: Needs, this_week: int) -> list[str]:
    if not this_week:
        return [gettext("Nobody played.")]
    everyone = len(report.lines)
    lines = [
        _who_played(this_week, everyone),
        ngettext(
            "They finished %(n)d round.",
            "They finished %(n)d rounds.",
            report.rounds,
        )
        % {"n": report.rounds},
    ]
    if away := len(needs.away):
        lines.append(
            ngettext(
                "%(n)d child has not played for a week.",
                "%(n)d children have not played for a week.",
                away,
            )
            % {"n": away}
        )
    if never := len(needs.never):
        lines.append(
            ngettext("%(n)d child has never played.", "%(n)d children have never played.", never)
            % {"n": never}
        )
    if report.total.chances:
        lines.append(
            ngettext(
                "They found %(found)d of %(chances)d possible row without help.",
                "They found %(found)d of %(chances)d possible rows without help.",
                report.total.chances,
            )
            % {"found": report.total.found, "chances": report.total.chances}
        )
    return lines


def _who_played(n: int, everyone: int) -> str:
    text = ngettext(
        "%(n)d of %(all)d child has played.", "%(n)d of %(all)d children have played.", everyone
    )
    if n == everyone:
        text = ngettext("The one child has played.", "All %(all)d children have played.", everyone)
    return text % {"n": n, "all": everyone}


def _went_well(figures: ClassFigures, first: date) -> list[str]:
    """The lines on tables and facts that children mastered this week, most children first."""
    tables = Counter(
        cell.table
        for by_table in figures.tables.values()
        for cell in by_table.values()
        if cell.is_secure_from(first)
    )
    cells = [
        cell
        for by_fact in cells_of(figures.children, figures.today).values()
        for cell in by_fact.values()
        if cell.is_shown
    ]
    asked = Counter(cell.fact for cell in cells)
    facts = Counter(
        cell.fact for cell in cells if cell.is_mastered and cell.since and cell.since >= first
    )
    lines = [
        ngettext(
            "%(table)s: %(n)d child now finds most rows.",
            "%(table)s: %(n)d children now find most rows.",
            children,
        )
        % {"table": words.table_name(table), "n": children}
        for table, children in _most(tables)
    ]
    known: list[tuple[Fact, int]] = _most(facts)
    return lines + [
        ngettext(
            "%(fact)s: %(n)d more child now knows it (%(asked)d of %(all)d have been asked often "
            "enough).",
            "%(fact)s: %(n)d more children now know it (%(asked)d of %(all)d have been asked often "
            "enough).",
            children,
        )
        % {
            "fact": words.fact_name(fact),
            "n": children,
            "asked": asked[fact],
            "all": len(figures.children),
        }
        for fact, children in known
    ]


def _most(counted: Counter[TableOrFact]) -> list[tuple[TableOrFact, int]]:
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:MOST_LINES]


def _next(findings: Findings) -> list[str]:
    """The lines on what to do next: the week's cards of the class page, and how many children are
    stuck at each table."""
    lines = []
    figures = findings.figures
    covered = CoveredSteps.by(given_lately(figures.school_class, figures.children))
    for card in need_cards(findings, covered)[:MOST_LINES]:
        lines.append(
            ngettext(
                "%(what)s: %(n)d child – %(why)s.",
                "%(what)s: %(n)d children – %(why)s.",
                len(card.children),
            )
            % {"what": card.title, "n": len(card.children), "why": card.why}
        )
    tables = Counter(stuck.cell.table for stuck in findings.needs.stuck)
    for table, children in _most(tables):
        lines.append(
            ngettext(
                "%(table)s: %(n)d child is stuck.",
                "%(table)s: %(n)d children are stuck.",
                children,
            )
            % {"table": words.table_name(table), "n": children}
        )
    return lines


def paragraphs(letter: Letter) -> Iterable[str]:
    """The paragraphs of the mail as plain text, without the footer."""
    yield f"{letter.title}\n{letter.days}"
    for section in letter.sections:
        yield "\n".join([section.title, *(f"- {line}" for line in section.lines)])
    yield f"{letter.button}: {letter.address}"
    yield letter.about_names


# The weekly mail as HTML: one file with its style inside, because mail programs load no styles.


@cache
def _style() -> SafeString:
    """The style of the mail, which the page with the preview uses too."""
    path = finders.find("css/weekly.css")
    # This file is the site's own.
    return mark_safe(Path(str(path)).read_text(encoding="utf-8"))  # nosec B308 B703


def as_html(letter: Letter, stop: str) -> str:
    with translation.override(letter.language):
        context = {"letter": letter, "stop": stop, "css": _style()}
        return render_to_string("reports/weekly_mail/mail.html", context)


# Stopping a weekly mail and wanting it again, by the link in the mail or as a teacher of the class.

STOP: Final = "classrooms.weekly mail.stop"
AGAIN: Final = "classrooms.weekly mail.again"
AGAIN_WITHIN: Final = timedelta(hours=1)
"""How long anyone who stopped the mail by its link can undo that on the same page."""


def address_of(teaching: Teaching) -> str:
    """The full address that stops the mail of this teaching. It never expires, because the link in
    an old mail must still work."""
    return link("classrooms:stop_weekly_mail", token_of(teaching))


def token_of(teaching: Teaching) -> str:
    return signing.dumps(teaching.pk, salt=STOP)


def teaching_of(token: str) -> Teaching:
    """The teaching whose mail the token stops; 404 if there is none."""
    try:
        teaching_id = int(signing.loads(token, salt=STOP))
    except (signing.BadSignature, ValueError):
        raise Http404 from None
    return get_object_or_404(Teaching.objects.select_related("school_class"), pk=teaching_id)


def stop(teaching: Teaching) -> bool:
    """Stop the mail. Returns False if it was stopped already."""
    wanted = Teaching.objects.filter(pk=teaching.pk, mailed_since__isnull=False)
    return bool(wanted.update(mailed_since=None))


def choose(teaching: Teaching, days: Iterable[str], naming: str) -> None:
    """Choose the days of the mail and how it names children."""
    mine = Teaching.objects.filter(pk=teaching.pk)
    mine.update(mail_days="".join(sorted(days)), mail_names=naming)


def want(teaching: Teaching) -> None:
    """Send the mail from now on. Changes nothing if it is wanted already."""
    Teaching.objects.filter(pk=teaching.pk, mailed_since=None).update(mailed_since=timezone.now())


def again_token(teaching: Teaching) -> str:
    return signing.dumps(teaching.pk, salt=AGAIN)


def may_take_back(teaching: Teaching, token: str) -> bool:
    try:
        return bool(signing.loads(token, salt=AGAIN, max_age=AGAIN_WITHIN) == teaching.pk)
    except signing.BadSignature:
        return False


def teaching_for(user: Adult, class_id: UUID) -> Teaching:
    """This adult's teaching of a class; 404 if there is none."""
    teachings = Teaching.objects.select_related("school_class", "user")
    user_id = user.pk if user.is_authenticated else None
    return get_object_or_404(teachings, user=user_id, school_class=class_id)


# Sending the weekly mails, each by itself and at most once; exactly once is not possible. A mail is
# marked before it is handed to the mail server. If the worker is killed then, the mail is not tried
# again: the class page says the same, and a mail that comes twice looks like a fault. A mail that
# the server refused is tried again after growing waits, with the same Message-ID: if only the
# answer was lost, mailboxes can drop the duplicate.

State, Problem = WeeklyMail.State, WeeklyMail.Problem

LEASE: Final = timedelta(minutes=10)
"""Longer than a task may take. If a mail has been claimed for this long, its worker is dead."""
MOST_TRIES: Final = 5
FIRST_WAIT: Final = timedelta(minutes=15)
"""The wait after the first failed try. Each next wait is four times as long."""
SERVER_RESTS: Final = timedelta(minutes=5)
"""A mail server that failed is left alone for this long."""
KEPT_FOR: Final = timedelta(days=90)

ABOUT_THIS_MAIL: Final = (
    SMTPRecipientsRefused,
    SMTPSenderRefused,
    SMTPDataError,
    SMTPNotSupportedError,
)

log = structlog.get_logger(__name__)


def teachings_with_mail() -> QuerySet[Teaching]:
    """The teachings with a weekly mail: the teacher wants it, may sign in and has confirmed the
    address, and the class is not archived."""
    confirmed = EmailAddress.objects.filter(
        user=OuterRef("user"), email__iexact=OuterRef("user__email"), verified=True
    )
    return Teaching.objects.filter(
        Exists(confirmed),
        mailed_since__isnull=False,
        user__is_active=True,
        school_class__archived_at=None,
    )


def due(now: datetime) -> list[tuple[int, date]]:
    """The mails that can be sent now, each as the id of its teaching and its day."""
    mails: list[tuple[int, date]] = []
    zones = teachings_with_mail().values_list("school_class__time_zone", flat=True)
    for zone in zones.order_by("school_class__time_zone").distinct():
        if week := week_due(now, zone):
            weekly = Q(mail_days="", mailed_since__lte=moment_of(week, zone))
            mails += _waiting(now, zone, week, weekly)
        if day := lesson_due(now, zone):
            mails += _waiting(now, zone, day, Q(mail_days__contains=str(day.isoweekday())))
    return mails


def _waiting(now: datetime, zone: str, day: date, which: Q) -> list[tuple[int, date]]:
    begun = WeeklyMail.objects.filter(teaching=OuterRef("pk"), week=day)
    waiting = teachings_with_mail().filter(
        which,
        ~Exists(begun) | Exists(begun.filter(_can_be_tried(now))),
        school_class__time_zone=zone,
    )
    return [(pk, day) for pk in waiting.order_by("pk").values_list("pk", flat=True)]


def _can_be_tried(now: datetime) -> Q:
    again = Q(state=State.DUE, at__lte=now) | Q(state=State.MAKING, at__lt=now - LEASE)
    return again & Q(tries__lt=MOST_TRIES)


def send(teaching_id: int, week: date, now: datetime | None = None) -> bool:
    """Send the mail of a week if it is due and no other worker has it. Returns whether it was sent.

    Any number of workers may try at any time: one row of the database decides. A mail of an earlier
    week is not sent any more, and none is sent while figures are incomplete. `now` is the time at
    which the mail is claimed, by default the present.
    """
    now = now or timezone.now()
    teaching = (
        teachings_with_mail().select_related("school_class", "user").filter(pk=teaching_id).first()
    )
    if teaching is None or _server_rests(now):
        return False
    if day_due(teaching, now) != week:
        return False
    if class_is_rebuilding(teaching.school_class):
        return False
    WeeklyMail.objects.get_or_create(teaching=teaching, week=week, defaults={"at": now})
    mail = WeeklyMail.objects.filter(teaching=teaching, week=week)
    if not mail.filter(_can_be_tried(now)).update(state=State.MAKING, at=now, tries=F("tries") + 1):
        return False
    mine = mail.filter(state=State.MAKING, at=now)
    letter = letter_to(teaching, week)
    if letter is None:
        mine.update(state=State.SILENT)
        return False
    message = message_of(letter, teaching, week)
    # From here on the mail is tried again only if the server refuses it. A teacher who has just
    # stopped it gets none.
    if not mine.filter(teaching__in=teachings_with_mail()).update(state=State.HANDED, at=now):
        return False
    try:
        message.send()
    except OSError as problem:
        _failed(mail.get(state=State.HANDED, at=now), problem, now)
        return False
    mail.update(state=State.SENT, at=timezone.now())
    return True


def _server_rests(now: datetime) -> bool:
    return WeeklyMail.objects.filter(
        failed_at__gt=now - SERVER_RESTS, problem=Problem.UNREACHED
    ).exists()


def _failed(mail: WeeklyMail, problem: OSError, now: datetime) -> None:
    """Store that the server refused the mail, and when to try again."""
    mail.problem = Problem.REFUSED if isinstance(problem, ABOUT_THIS_MAIL) else Problem.UNREACHED
    mail.failed_at = now
    if mail.tries < MOST_TRIES:
        mail.state, mail.at = State.DUE, now + FIRST_WAIT * 4 ** (mail.tries - 1)
    else:
        mail.state, mail.at = State.FAILED, now
    mail.save(update_fields=("problem", "failed_at", "state", "at"))
    # Not the server's message: it may contain the address.
    log.warning(
        "weekly mail not taken", mail=mail.pk, tries=mail.tries, what=type(problem).__name__
    )


def message_of(letter: Letter, teaching: Teaching, week: date) -> EmailMultiAlternatives:
    """The mail as text and HTML. By its headers, mail programs stop it with one click (RFC 8058),
    and machines do not answer it."""
    stop = address_of(teaching)
    host = urlsplit(settings.SITE_URL).hostname
    with translation.override(letter.language):
        ending = gettext("Stop these e-mails with one click, without signing in.")
    message = EmailMultiAlternatives(
        letter.subject,
        "\n\n".join([*paragraphs(letter), f"{ending}\n{stop}"]) + "\n",
        settings.DEFAULT_FROM_EMAIL,
        [teaching.user.email],
        headers={
            "Message-ID": f"<weekly-{week:%Y%m%d}-{teaching.pk}@{host}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            **BY_MACHINE,
        },
    )
    message.attach_alternative(as_html(letter, stop), "text/html")
    return message


def forget_old(now: datetime) -> None:
    """Delete the records of mails older than `KEPT_FOR`."""
    WeeklyMail.objects.filter(week__lt=(now - KEPT_FOR).date()).delete()
