"""Teachers' pages and exports about a running game do not depend on the hidden cards."""

import re
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.downloads.models import HeavyWork
from classrooms.models import Assignment, Child, SchoolClass, User
from classrooms.progress.models import Chance
from classrooms.progress.tasks import look_for_dirty
from games.engine.actions import Discard
from games.play.moves import Do
from tests.classrooms.people import all_of, client_of, client_of_child
from tests.classrooms.progress.playing import Hand, begin_with_a_row
from tests.counts import times
from tests.factories import AssignmentFactory
from tests.games.exchanging import Exchange
from tests.games.players import ends_of_turns, new_game, play_on

pytestmark = pytest.mark.django_db

DEALS = times(2, 150)
OF_EACH_ANSWER = re.compile(r'name="(?:csrfmiddlewaretoken|key)" value="[^"]+"')


@pytest.fixture
def running_match(dora: Child, school_class: SchoolClass) -> Hand:
    """A match in which Dora has missed a row, tried a refused row, and asked for a hint."""
    assignment: Assignment = AssignmentFactory.create(school_class=school_class)
    hand = begin_with_a_row(dora, assignment)
    hand.draw()
    while hand.rows():
        hand.move(Do(Discard(int(hand.rows()[0].split()[0]))))
        hand.draw()
    hand.end()
    hand.draw()
    hand.hint()
    look_for_dirty()
    return hand


def addresses(hand: Hand) -> dict[str, list[str]]:
    """Every address about this match, by who opens it."""
    child, game = hand.attempt.child, hand.attempt.game_id
    class_id = child.school_class_id
    missed = Chance.objects.filter(child=child, outcome="missed")[0]
    replays = [
        reverse("classrooms:replay", args=[class_id, child.pk, game, entry])
        for entry in ends_of_turns(game)
    ]
    of_class = ("class", "live", "live_part", "talk", "assignments", "papers")
    of_child = ("progress", "child")
    return {
        "Alice": [
            *replays,
            *(f"{replay}?at=2" for replay in replays),
            f"{reverse('classrooms:replay', args=[class_id, child.pk, game, missed.entry])}"
            f"?row={missed.row}",
            f"{reverse('classrooms:talk', args=[class_id])}?step=4",
            f"{reverse('classrooms:live', args=[class_id])}?screen=big",
            *(reverse(f"classrooms:{name}", args=[class_id]) for name in of_class),
            *(reverse(f"classrooms:{name}", args=[class_id, child.pk]) for name in of_child),
            reverse("classrooms:moves", args=[class_id, child.pk, missed.table]),
            reverse("classrooms:export_class", args=[class_id]) + "?as=csv",
            reverse("classrooms:record", args=[class_id, child.pk, game]),
        ],
        "Dora": [
            reverse("games:page", args=[game]),
            reverse("classrooms:check", args=[game]),
            reverse("classrooms:me"),
        ],
    }


def comparable(answer: Any) -> tuple[int, str, dict[str, Any]]:
    return answer.status_code, OF_EACH_ANSWER.sub("", answer.content.decode()), dict(answer.headers)


@pytest.mark.usefixtures("stopped_clock")
def test_every_page_about_a_match_is_the_same_whatever_is_hidden(
    alice: User, dora: Child, running_match: Hand
) -> None:
    clients = {"Alice": client_of(alice), "Dora": client_of_child(dora)}
    requests = [
        (clients[who], url) for who, urls in addresses(running_match).items() for url in urls
    ]
    exchange, random = Exchange.of(running_match.attempt.game_id), Random(1)
    assert exchange.is_possible
    first = [comparable(client.get(url)) for client, url in requests]
    assert [status for status, _, _ in first].count(200) > len(first) // 2
    for _ in range(DEALS):
        exchange.dealt_otherwise(random).store()
        HeavyWork.objects.all().delete()  # An export is limited to 20 a minute.
        for (client, url), before in zip(requests, first, strict=True):
            assert comparable(client.get(url)) == before, url


def test_the_export_of_a_child_reveals_nothing_hidden(dora: Child, running_match: Hand) -> None:
    exchange = Exchange.of(running_match.attempt.game_id)
    before = all_of(dora)
    assert before["games.Action"]
    exchange.dealt_otherwise(Random(1)).store()
    assert all_of(dora) == before


@pytest.mark.usefixtures("stopped_clock")
def test_a_trial_game_of_a_teacher_hides_the_same_cards(alice: User) -> None:
    game = new_game(alice.player, bots=2)
    play_on(game, lambda v: v.phase == "draw" and min(v.turns) >= 2, alice.player)
    client: Client = client_of(alice)
    exchange, random = Exchange.of(game.pk), Random(1)
    assert exchange.is_possible
    page = reverse("games:page", args=[game.pk])
    before = comparable(client.get(page))
    for _ in range(DEALS):
        exchange.dealt_otherwise(random).store()
        assert comparable(client.get(page)) == before
