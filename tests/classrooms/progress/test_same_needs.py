"""The class page and the child's page agree about a child."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from django.db.models import F
from django.http import QueryDict
from django.urls import reverse

from classrooms.assignments.presets import title_of
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress.child_page import ChildPage, child_page
from classrooms.progress.class_page import ClassPage, NeedCard, class_page
from classrooms.progress.findings import Need
from classrooms.progress.next_steps import everyones_steps
from classrooms.progress.periods import USUAL_PERIOD
from classrooms.progress.table_levels import fold_all_tables
from classrooms.progress.tasks import look_for_dirty
from classrooms.questions.models import Check
from classrooms.questions.services import sitting_of
from classrooms.reports.before_lesson import before_lesson
from classrooms.reports.class_paper import class_paper
from classrooms.reports.weekly_letter import MOST_LINES, weekly_letter
from games.coach.times_tables import TABLES_TO_10
from tests.classrooms.people import client_of, client_of_child, text_on, url_of
from tests.classrooms.progress.answering import answer, play_day, rows
from tests.classrooms.questions.rounds import round_over
from tests.counts import times
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory
from tests.plugins.faster import rows_of_a_module

pytestmark = pytest.mark.django_db

CHILDREN: Final = times(10, 28)


class PlayedClass(NamedTuple):
    """A class whose children have played at random."""

    teacher: User
    school_class: SchoolClass
    children: list[Child]


@pytest.fixture(scope="module", params=times((3,), tuple(range(1, 11))))
def busy_class(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any
) -> Iterator[PlayedClass]:
    with rows_of_a_module(django_db_blocker):
        teaching = TeachingFactory.create()
        AssignmentFactory.create(school_class=teaching.school_class)
        children = played_at_random(teaching.school_class, Random(request.param))
        yield PlayedClass(teaching.user, teaching.school_class, children)


def played_at_random(school_class: SchoolClass, random: Random) -> list[Child]:
    """Children who find some tables, miss others, forget some, and answer short questions."""
    children = [ChildFactory.create(school_class=school_class) for _ in range(CHILDREN)]
    for child in children:
        for table in random.sample(TABLES_TO_10, 3):
            if random.random() < 0.4:
                for ago in (43, 42, 41):
                    rows(child, table, found=4, ago=ago, fold=False)
            is_stuck = random.random() < 0.1
            rows(
                child,
                table,
                found=random.randrange(4),
                missed=60 if is_stuck else random.randrange(12),
                fold=False,
            )
        for _ in range(2):
            fact = random.choice([(6, 7), (6, 8), (7, 8), (2, 3)])
            for _ in range(random.choice([2, 3, 4])):
                answer(child, *fact, right=random.random() < 0.3)
    fold_all_tables([child.pk for child in children])
    look_for_dirty()
    return children


def needs_on_class_page(page: ClassPage, child: Child) -> set[tuple[str, str]]:
    """The child's needs: tables, tables to refresh, single facts, and the table where they are
    stuck."""
    needs = {
        (card.kind, card.title)
        for card in page.cards
        if card.kind != "fact" and child in card.children
    }
    facts = facts_named(
        [card for card in page.cards if card.kind == "fact" and child in card.children]
    )
    stuck = {
        ("stuck", str(stuck_child.cell.table))
        for stuck_child in page.stuck_children
        if stuck_child.child == child
    }
    return needs | {("fact", fact) for fact in facts} | stuck


def needs_on_child_page(page: ChildPage) -> set[tuple[str, str]]:
    needs = {(card.kind, card.title) for card in page.cards if card.kind not in ("fact", "next")}
    facts = facts_named([card for card in page.cards if card.kind == "fact"])
    stuck = {("stuck", str(stuck_child.cell.table)) for stuck_child in page.stuck_children}
    return needs | {("fact", fact) for fact in facts} | stuck


def facts_named(cards: list[NeedCard]) -> set[str]:
    titles = [card.title.replace(" and ", ", ").split(", ") for card in cards]
    return {fact for title in titles for fact in title}


def test_a_childs_needs_are_on_the_class_page_and_their_own(busy_class: PlayedClass) -> None:
    _teacher, school_class, children = busy_class
    page = class_page(school_class, QueryDict())
    by_child = {child: needs_on_class_page(page, child) for child in children}
    assert by_child == {child: needs_on_child_page(child_page(child)) for child in children}
    kinds = {kind for needs in by_child.values() for kind, _ in needs}
    assert kinds >= {"table", "refreshing", "fact"}


FOUND: Final = re.compile(r"found \d+ of \d+ rows without help")


def blocks(html: str) -> list[str]:
    """The text of each paragraph and item of a page."""
    parts = re.split(r"</?(?:p|li|h\d|div|td|summary|section)\b[^>]*>", html)
    return [" ".join(re.sub("<[^>]+>", "", part).split()) for part in parts]


def test_each_figure_of_a_need_stands_beside_its_period(busy_class: PlayedClass) -> None:
    alice, school_class, children = busy_class
    page = class_page(school_class, QueryDict())
    own = [card for child in children for card in child_page(child).cards]
    for card in (*page.cards, *own):
        has_rows = card.kind != "fact" and re.search(r"\d", card.reason)
        assert not has_rows or "last 4 weeks" in card.reason, card
    assert page.stuck_children
    teacher = client_of(alice)
    pages = [url_of("class", school_class)]
    pages += [url_of("progress", school_class, child.pk) for child in children]
    figures = [block for url in pages for block in blocks(text_on(teacher.get(url)))]
    figures = [block for block in figures if FOUND.search(block)]
    assert len(figures) > len(page.cards)
    assert [block for block in figures if "last 4 weeks" not in block] == []
    mail = [line for line in mail_of(school_class) if FOUND.search(line)]
    assert mail
    assert [line for line in mail if "last 7 days" not in line] == []


def test_the_figures_of_a_need_are_those_of_the_map(busy_class: PlayedClass) -> None:
    school_class = busy_class.school_class
    for period in ("week", "month", "all"):
        page = class_page(school_class, QueryDict(f"period={period}"))
        cells = {
            (line.child, cell.table): cell.rows for line in page.report.lines for cell in line.cells
        }
        for card in page.cards:
            tables = [int(number) for number in re.findall(r"\d+", card.title)]
            rows = [cells[child, tables[0]] for child in card.children if card.kind != "fact"]
            of = sum(row.chances for row in rows)
            figure = f"found {sum(row.found for row in rows)} of {of} row"
            assert card.kind == "fact" or (figure if of >= 3 else "fewer than 3") in card.reason
        for stuck_child in page.stuck_children:
            assert stuck_child.cell.rows == cells[stuck_child.child, stuck_child.cell.table]


def test_the_report_of_the_class_has_the_needs_of_its_page(busy_class: PlayedClass) -> None:
    school_class = busy_class.school_class
    page = class_page(school_class, QueryDict())
    printed = class_paper(school_class, USUAL_PERIOD)["needs"]
    assert [
        (card["kind"], card["title"], card["names"], card["why"]) for card in printed["cards"]
    ] == [
        (card.kind, card.title, ", ".join(child.name for child in card.children), card.reason)
        for card in page.cards
        if card in page.first_cards or card.kind != "fact"
    ]
    notes = dict(printed["notes"])
    own = [f"{card.names}: {card.title}" for card in page.next_facts]
    assert notes["Facts to practise first"] == own
    stuck = re.findall(r"(Child \d+) \((\d+) times table\)", notes["Finds fewer than half"][0])
    assert stuck == [
        (stuck_child.child.name, str(stuck_child.cell.table)) for stuck_child in page.stuck_children
    ]


def test_every_page_agrees_on_who_needs_help_first_and_why(busy_class: PlayedClass) -> None:
    """The first child of *Everyone's next step* is on the first card of the class page, each child
    is on the card of their step, and the first children are the ones to sit beside."""
    school_class = busy_class.school_class
    lines = {line.child: line.first for line in everyones_steps(school_class).lines if line.first}
    needing = [child for child, first in lines.items() if first.need != Need.IN_ORDER]
    cards = class_page(school_class, QueryDict()).cards
    assert needing[0] == next(card.children[0] for card in cards if not card.is_of_class)
    for child in needing:
        first = lines[child]
        (card,) = [card for card in cards if card.step == first.step and child in card.children]
        assert card.urgency <= first.urgency
        assert len(card.children) > 1 or first.reason == card.reason
    beside = before_lesson(school_class).children_to_help
    assert [(line.child, line.need) for line in beside] == [
        (child, lines[child]) for child in needing[: len(beside)]
    ]


def mail_of(school_class: SchoolClass) -> Sequence[str]:
    letter = weekly_letter(school_class, school_class.today())
    return next(section.lines for section in letter.sections if section.title == "Most useful now")


def test_the_weekly_mail_has_the_first_needs_of_the_class_page(busy_class: PlayedClass) -> None:
    """The lines of the mail are the first cards, and the tables of which most children find fewer
    than half of the rows."""
    school_class = busy_class.school_class
    page = class_page(school_class, QueryDict("period=week"))
    expected = [
        f"{card.title}: {number_of_children(len(card.children))} – {card.reason}."
        for card in page.cards[:MOST_LINES]
    ]
    stuck = Counter(stuck_child.cell.table for stuck_child in page.stuck_children)
    for table, children in sorted(stuck.items(), key=lambda item: (-item[1], item[0]))[:MOST_LINES]:
        finds = f"{number_of_children(children)} {'finds' if children == 1 else 'find'}"
        expected.append(f"{table} times table: {finds} fewer than half of the rows.")
    assert mail_of(school_class) == expected


def number_of_children(children: int) -> str:
    return f"{children} {'child' if children == 1 else 'children'}"


def give_from_card(user: User, card: NeedCard) -> Assignment:
    """Tap the card's button, and return the assignment that this makes."""
    url = url_of("give_step", card.children[0].school_class)
    client_of(user).post(url, {"step": card.step.key, "children": card.keys})
    return Assignment.objects.latest("created_at")


def test_the_assignment_for_a_need_is_described_in_each_childs_list(
    busy_class: PlayedClass,
) -> None:
    page = class_page(busy_class.school_class, QueryDict())
    kinds = set()
    facts = [card for card in page.cards if card.kind == "fact"]
    for card in page.cards:
        if not card.step or card in facts[times(4, CHILDREN) :]:
            continue
        kinds.add(card.kind)
        assignment = give_from_card(busy_class.teacher, card)
        assert set(assignment.children.all()) == set(card.children)
        for child in card.children:
            texts = text_in_list(child, assignment)
            name = " ".join(title_of(assignment).split())
            assert name in {text.removesuffix(" New") for text in texts}
        Assignment.objects.filter(pk=assignment.pk).delete()
    assert kinds >= {"table", "refreshing", "fact"}


def text_in_list(child: Child, assignment: Assignment) -> list[str]:
    page = text_on(client_of_child(child).get(reverse("classrooms:me")))
    start = reverse("classrooms:start", args=[assignment.pk])
    (own,) = [item for item in page.split('<li class="panel assigned-game')[1:] if start in item]
    return [text for text in blocks(own) if text]


def test_the_questions_after_a_round_ask_the_fact_of_the_need(
    alice: User, dora: Child, emil: Child, assignment: Assignment
) -> None:
    Child.objects.update(is_untimed=True)  # Otherwise the first set asks for numbers to type.
    for child in (dora, emil):
        for right in (False, False, True):
            answer(child, 6, 8, right=right)
    look_for_dirty()
    card = next(c for c in class_page(dora.school_class, QueryDict()).cards if c.kind == "fact")
    practice = give_from_card(alice, card)
    Check.objects.update(day=F("day") - timedelta(days=1))
    dora.refresh_from_db()
    sitting = sitting_of(round_over(dora, practice), dora)
    facts = [sorted(numbers) for kind, numbers, *_ in sitting.questions if kind == "fact"]
    assert [6, 8] in facts
    assert {tuple(fact) for fact in facts} - {(6, 8)}


def test_on_the_first_day_children_not_started_are_counted(
    alice: User, dora: Child, emil: Child, assignment: Assignment
) -> None:
    text = text_on(client_of(alice).get(url_of("class", dora.school_class)))
    assert "2 children have not started yet" in text
    assert url_of("cards", dora.school_class) in text
    assert "Nothing stands out" not in text
    play_day(dora, turns=5)
    only_dora = text_on(client_of(alice).get(url_of("class", dora.school_class)))
    ChildFactory.create_batch(3, school_class=dora.school_class)
    most_never = text_on(client_of(alice).get(url_of("class", dora.school_class)))
    started = "Most children have not started yet"
    assert [started in page for page in (only_dora, most_never)] == [False, True]
