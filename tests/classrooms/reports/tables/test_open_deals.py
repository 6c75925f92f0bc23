"""The deck of one deal for the class, which others still play, is in no file."""

import pytest

from classrooms.assignments import services as assignments
from classrooms.assignments.choice import PRESETS
from classrooms.lesson import one_deal
from classrooms.models import Child, SchoolClass
from classrooms.privacy.export import all_of
from tests.classrooms.lesson.deals import DealHand
from tests.classrooms.reports.tables.test_tables_download import made, table

pytestmark = pytest.mark.django_db


def decks(child: Child) -> int:
    return sum(act["kind"] == "deal" for act in all_of(child)["games.Action"])


def test_the_deck_of_a_deal_is_in_a_file_once_the_deal_is_closed(
    school_class: SchoolClass, dora: Child, emil: Child
) -> None:
    deal = one_deal.start(school_class, PRESETS["next"].choice)
    hand = DealHand(dora, deal, 1, 0.5)
    hand.play_out()
    assert hand.attempt.game.finished_at
    archive = made(school_class)
    assert not [name for name in archive.namelist() if name.startswith("matches/")]
    (match,) = table(archive, "matches")
    assert (bool(match["finished_at"]), match["record"]) == (True, "")
    assert decks(dora) == 0
    assignments.end(deal)
    archive = made(school_class)
    (match,) = table(archive, "matches")
    assert match["record"] in archive.namelist()
    assert decks(dora) == 1
