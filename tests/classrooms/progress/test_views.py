"""The report on the class page, and the rows behind its numbers."""

import html
import re

import pytest
from django.urls import reverse

from classrooms.downloads.models import Download
from classrooms.models import Assignment, Child, User
from classrooms.progress import levels
from classrooms.progress import words as wording
from classrooms.progress.models import Chance, TableMastery
from classrooms.progress.rebuild import mark_for_rebuild
from classrooms.progress.tasks import look_for_dirty
from tests.classrooms.people import client_of
from tests.classrooms.progress.answering import rows
from tests.classrooms.progress.playing import Hand, begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def player(dora: Child, anything: Assignment) -> Child:
    hand = Hand(begin(dora, anything, seed=5))
    for _ in range(2):
        hand.play_round(lays=False)
    look_for_dirty()
    return dora


def moves_url(child: Child, table: int = 0) -> str:
    return reverse("classrooms:moves", args=[child.school_class_id, child.pk, table])


def test_the_level_and_its_reason_are_shown_above_the_rows(alice: User, dora: Child) -> None:
    for ago in (2, 1):
        rows(dora, 4, found=6, ago=ago)
    look_for_dirty()
    page = client_of(alice).get(moves_url(dora, 4)).text
    assert "By all days, very probably at least 80% of its rows are found" in page
    assert "level-secure" in page or "level-fluent" in page


def test_a_level_stored_by_an_earlier_release_is_continued(alice: User, dora: Child) -> None:
    rows(dora, 4, found=6, ago=2)
    look_for_dirty()
    stored = TableMastery.objects.get(child=dora, table=4)
    del stored.known["lately"]
    stored.save()
    assert client_of(alice).get(moves_url(dora, 4)).status_code == 200
    levels.update_table_levels({dora.pk: [stored.day]})
    assert "lately" in TableMastery.objects.get(child=dora, table=4).known


@pytest.mark.parametrize(
    ("outcome", "mark"),
    [
        ("at once", "found"),
        ("later", "found"),
        ("with a hint", "hinted"),
        ("after tries", "hinted"),
        ("with a joker", "hinted"),
        ("missed", "missed"),
        ("taken up", "hinted"),
    ],
)
def test_only_counted_rows_are_marked_as_found(
    alice: User, player: Child, outcome: str, mark: str
) -> None:
    Chance.objects.filter(table=0).update(outcome=outcome, hint_step=2)
    page = client_of(alice).get(moves_url(player)).text
    marks = {mark: page.count(f"move-{mark}") for mark in ("found", "hinted", "missed")}
    assert marks == {"found": 0, "hinted": 0, "missed": 0} | {
        mark: Chance.objects.filter(table=0).count()
    }


def test_the_way_back_from_a_replay_leads_to_the_same_period(alice: User, player: Child) -> None:
    client = client_of(alice)
    page = client.get(f"{moves_url(player)}?period=week").text
    (address, *_others) = re.findall(r'href="([^"]+)" aria-label="Replay of', page)
    replay = client.get(html.unescape(address)).text
    assert f'href="{moves_url(player)}?period=week"' in replay
    assert "</span> Rows of Dora that are not in any times table up to 12</a>" in replay
    assert "at=1&amp;period=week" in replay


@pytest.mark.parametrize("page", ["moves", "fact", "talk"])
def test_a_page_with_figures_says_that_they_are_being_counted_again(
    alice: User, player: Child, page: str
) -> None:
    pages: dict[str, list[object]] = {"moves": [player.pk, 0], "fact": [3, 4], "talk": []}
    url = reverse(f"classrooms:{page}", args=[player.school_class_id, *pages[page]])
    assert wording.rebuilding() not in client_of(alice).get(url).text
    mark_for_rebuild([player.pk])
    assert wording.rebuilding() in client_of(alice).get(url).text


def test_files_about_a_child_are_requested_from_their_page(alice: User, dora: Child) -> None:
    client = client_of(alice)
    page = client.get(reverse("classrooms:progress", args=[dora.school_class_id, dora.pk]))
    asked = {"kind": "child-everything", "child": str(dora.pk), "language": "sv"}
    text = page.content.decode()
    assert "All data about Dora" in text
    assert f'name="child" value="{dora.pk}"' in text
    client.post(reverse("classrooms:downloads", args=[dora.school_class_id]), asked)
    download = Download.objects.get()
    assert (download.child, download.language) == (dora, "sv")


def test_a_table_or_a_fact_that_no_page_shows_is_missing(alice: User, dora: Child) -> None:
    client = client_of(alice)
    assert client.get(moves_url(dora, table=13)).status_code == 404
    fact = reverse("classrooms:fact", args=[dora.school_class_id, 7, 13])
    assert client.get(fact).status_code == 404
