"""The map of a class narrowed to a group: its lines, its totals, and the links that keep it."""

import pytest
from django.urls import reverse

from classrooms.models import Child, SchoolClass, User
from tests.classrooms.people import client_of
from tests.classrooms.progress.figures.test_needs import rows
from tests.classrooms.progress.pages.test_class_page import page_of, played
from tests.factories import ChildFactory, GroupFactory

pytestmark = pytest.mark.django_db

__all__ = ["played"]


def map_in(page: str) -> str:
    return page.split('id="map"')[1].split("</section>")[0]


@pytest.fixture
def robins(dora: Child, emil: Child, played: SchoolClass) -> str:
    """The key of a group with Dora in it; she and Emil have rows of the 7 times table."""
    rows(dora, 2, found=3)
    group = GroupFactory.create(school_class=played, name="Robins", children=[dora])
    return str(group.pk)


def test_a_map_of_a_group_has_its_children_and_its_totals(
    alice: User, played: SchoolClass, robins: str
) -> None:
    whole, narrow = (map_in(page_of(alice, played, asked)) for asked in ("", f"?group={robins}"))
    assert "Emil" in whole
    assert "2 of 10" in whole.split("<tfoot")[1]
    assert "Emil" not in narrow
    foot = narrow.split("<tfoot")[1]
    assert "Robins" in foot
    assert "1 of 5" in foot
    assert "2 of 10" not in foot


def test_who_needs_what_is_of_the_whole_class_whatever_the_map_is_of(
    alice: User, played: SchoolClass, robins: str
) -> None:
    whole, narrow = (page_of(alice, played, asked) for asked in ("", f"?group={robins}"))
    before = [page.split('id="report-heading"')[1].split('id="map"')[0] for page in (whole, narrow)]
    assert before[0] == before[1]


def test_period_order_and_cells_keep_the_group_and_it_keeps_them(
    alice: User, dora: Child, played: SchoolClass, robins: str
) -> None:
    asked = f"?group={robins}&period=week&sort=-t7"
    shown = map_in(page_of(alice, played, asked)).replace("&amp;", "&")
    assert f"?child={dora.pk}&table=7&period=week&group={robins}&sort=-t7#behind" in shown
    assert f'href="?group={robins}&period=all&sort=-t7#map"' in shown
    assert 'href="?group=&period=week&sort=-t7#map"' in shown
    assert f'href="?group={robins}&period=week&sort=all#map"' in shown


def test_a_group_is_assigned_something_from_its_map(
    alice: User, played: SchoolClass, robins: str
) -> None:
    link = f"{reverse('classrooms:assign', args=[played.pk])}?groups={robins}"
    assert f'href="{link}">Assign to Robins</a>' in page_of(alice, played, f"?group={robins}")
    assert client_of(alice).get(link).context["whom"].names == ["Robins"]
    assert "Assign to Robins" not in page_of(alice, played)


@pytest.mark.parametrize("named", ["", "x", "foreign"])
def test_a_group_that_the_class_does_not_have_is_not_asked_for(
    alice: User, played: SchoolClass, robins: str, named: str
) -> None:
    foreign = GroupFactory.create(name="Wrens", children=[ChildFactory.create(name="Finn")])
    key = str(foreign.pk) if named == "foreign" else named
    shown = map_in(page_of(alice, played, f"?group={key}"))
    assert "Emil" in shown
    assert "Wrens" not in shown


def test_a_class_without_groups_of_children_has_no_choice_of_them(
    alice: User, played: SchoolClass
) -> None:
    GroupFactory.create(school_class=played, name="Empty")
    assert 'class="drop"' not in page_of(alice, played)


def test_the_legend_says_from_which_share_on_a_cell_has_its_shade(
    alice: User, played: SchoolClass
) -> None:
    legend = page_of(alice, played).split('class="legend')[1].split("</ul>")[0]
    for text in ("under 40%", "from 40%", "from 60%", "from 85%", "finds fewer rows lately"):
        assert text in legend
