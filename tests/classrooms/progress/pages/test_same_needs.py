"""What the class page says of a child, the child's page says, and the other way round."""

from datetime import timedelta
from random import Random
from typing import Final

import pytest
from django.db.models import F
from django.http import QueryDict
from django.urls import reverse

from classrooms.checks.models import Check
from classrooms.checks.sittings import sitting_of
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress.pages.child_page import ChildPage, child_page
from classrooms.progress.pages.class_page import ClassPage, NeedCard, class_page
from classrooms.progress.tasks import look_for_dirty
from games.coach.times_tables import TABLES_TO_10
from tests.classrooms.checks.rounds import round_over
from tests.classrooms.people import client_of, client_of_child
from tests.classrooms.progress.answering import answer
from tests.classrooms.progress.figures.test_needs import rows
from tests.counts import times
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db

CHILDREN: Final = times(6, 28)


def played_at_random(school_class: SchoolClass, random: Random) -> list[Child]:
    """Children who find some tables, miss others, forget some and answer quick checks."""
    children = [ChildFactory.create(school_class=school_class) for _ in range(CHILDREN)]
    for child in children:
        for table in random.sample(TABLES_TO_10, 3):
            if random.random() < 0.4:
                for ago in (43, 42, 41):
                    rows(child, table, found=4, ago=ago)
            rows(child, table, found=random.randrange(4), missed=random.randrange(12))
        for _ in range(2):
            fact = random.choice([(6, 7), (6, 8), (7, 8), (2, 3)])
            for _ in range(random.choice([2, 3, 4])):
                answer(child, *fact, right=random.random() < 0.3)
    look_for_dirty()
    return children


def needs_on_class_page(page: ClassPage, child: Child) -> set[tuple[str, str]]:
    """The child's needs: tables, tables to refresh, single facts, and where it is stuck."""
    needs = {
        (card.kind, card.title)
        for card in page.cards
        if card.kind != "fact" and child in card.children
    }
    own = [card for card in page.own_facts if child in card.children]
    shared = [card for card in page.cards if card.kind == "fact" and child in card.children]
    facts = facts_named(own)
    assert facts_named(shared) <= facts
    stuck = {("stuck", str(one.cell.table)) for one in page.stuck if one.child == child}
    return needs | {("fact", fact) for fact in facts} | stuck


def needs_on_child_page(page: ChildPage) -> set[tuple[str, str]]:
    needs = {(card.kind, card.title) for card in page.cards if card.kind != "fact"}
    facts = facts_named([card for card in page.cards if card.kind == "fact"])
    stuck = {("stuck", str(one.cell.table)) for one in page.stuck}
    return needs | {("fact", fact) for fact in facts} | stuck


def facts_named(cards: list[NeedCard]) -> set[str]:
    titles = [card.title.replace(" and ", ", ").split(", ") for card in cards]
    return {fact for title in titles for fact in title}


@pytest.mark.parametrize("seed", range(times(2, 10)))
def test_each_need_of_a_child_is_on_the_class_page_and_on_its_own(
    school_class: SchoolClass, assignment: Assignment, seed: int
) -> None:
    children = played_at_random(school_class, Random(seed))
    page = class_page(school_class, QueryDict())
    found = {child: needs_on_class_page(page, child) for child in children}
    assert found == {child: needs_on_child_page(child_page(child)) for child in children}
    kinds = {kind for needs in found.values() for kind, _ in needs}
    assert kinds >= {"table", "refreshing", "fact"}


def test_each_need_says_its_period_and_assigns_its_tables_to_its_children(
    alice: User, school_class: SchoolClass, assignment: Assignment
) -> None:
    children = played_at_random(school_class, Random(1))
    page = class_page(school_class, QueryDict())
    own = [card for child in children for card in child_page(child).cards]
    for card in (*page.cards, *own):
        assert "all time" in card.why, card
    for card in page.cards[:3]:
        form = client_of(alice).get(card.assign)
        assert set(form.context["whom"].names) == {child.name for child in card.children}


def test_what_a_need_assigns_is_read_in_the_list_of_each_child(
    alice: User, school_class: SchoolClass, assignment: Assignment
) -> None:
    """In two interactions: the need's own button, and the first one of the page that it opens."""
    played_at_random(school_class, Random(1))
    page = class_page(school_class, QueryDict())
    teacher = client_of(alice)
    kinds = set()
    for card in page.cards:
        kinds.add(card.kind)
        opened = teacher.get(card.assign).context
        whom = {"children": [str(key) for key in opened["whom"]["children"].value()]}
        teacher.post(card.assign, {"preset": opened["presets"][0].name, **whom})
        made = Assignment.objects.latest("created_at")
        assert set(made.children.all()) == set(card.children)
        for child in card.children:
            listed = client_of_child(child).get(reverse("classrooms:me")).context["assigned"]
            own = next(each for each in listed if each.assignment == made)
            if card.kind == "fact":
                assert own.facts == f"Practise {card.title}"
            else:
                assert {str(table) for table in made.options["tables"]} & {*card.title.split()}
    assert kinds >= {"table", "refreshing", "fact"}


def test_the_questions_after_a_round_ask_the_fact_of_the_need(
    alice: User, dora: Child, emil: Child, assignment: Assignment
) -> None:
    Child.objects.update(untimed=True)  # Else the first set asks for numbers to type.
    for child in (dora, emil):
        for right in (False, False, True):
            answer(child, 6, 8, right=right)
    look_for_dirty()
    card = next(c for c in class_page(dora.school_class, QueryDict()).cards if c.kind == "fact")
    client_of(alice).post(card.assign, {"preset": "facts", "children": [str(dora.pk)]})
    made = Assignment.objects.latest("created_at")
    Check.objects.update(day=F("day") - timedelta(days=1))
    dora.refresh_from_db()
    sitting = sitting_of(round_over(dora, made), dora)
    assert sitting is not None
    facts = [sorted(numbers) for kind, numbers, *_ in sitting.questions if kind == "fact"]
    assert [6, 8] in facts
    assert {tuple(one) for one in facts} - {(6, 8)}


def test_on_the_first_day_who_has_not_started_is_counted_beside_the_cards_to_print(
    alice: User, dora: Child, emil: Child, assignment: Assignment
) -> None:
    text = client_of(alice).get(reverse("classrooms:class", args=[dora.school_class.pk])).text
    assert "2 children have not started yet" in text
    assert reverse("classrooms:cards", args=[dora.school_class.pk]) in text
    assert "Nothing stands out" not in text
