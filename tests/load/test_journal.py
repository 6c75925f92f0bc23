"""The comparison at the end of a load finds every difference, and the children of a load request
what a browser would."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.test import Client

from classrooms.models import Assignment, Child
from games.models import Entry, Game
from games.play import services
from games.play.moves import Move
from games.play.services import Outcome
from scripts.load import crowd
from scripts.load.crowd import (
    SESSION,
    ChildAtPlay,
    JournalEntry,
    PlannedRequest,
    PlayingChild,
    Tally,
    come_in,
)
from scripts.load.lesson import compare
from scripts.load.wire import Answer, Wire
from tests.classrooms.people import client_of_child
from tests.factories import AssignmentFactory, ChildFactory

pytestmark = pytest.mark.django_db

MOVES = 12


def ask(client: Client, plan: PlannedRequest) -> tuple[str, str]:
    """The path to which the answer leads, and its text."""
    is_part = plan.path.endswith("/act")
    options: dict[str, Any] = {"headers": {"HX-Request": "true"}} if is_part else {}
    if plan.method == "POST":
        options |= {"data": plan.body, "content_type": "application/x-www-form-urlencoded"}
    answer = client.generic(plan.method, plan.path, **options)
    assert answer.status_code in (200, 302)
    return answer.headers.get("Location", ""), answer.content.decode()


def play_in_two_windows(dora: Child) -> list[JournalEntry]:
    """Let one window ask for a hint and another move. Each move would be possible after the
    other."""
    with patch.object(crowd, "SHARE_OF_HINTS", 1.0):
        return play(dora, two_windows=True)


def play(dora: Child, *, two_windows: bool) -> list[JournalEntry]:
    """Let Dora make some moves. With `two_windows`, another move is sent from the same page after
    each."""
    client, journal = client_of_child(dora), list[JournalEntry]()
    at_play = ChildAtPlay(Random(1), journal)
    moves = 0
    while moves < MOVES:
        wanted = at_play.next_request()
        rival = at_play.rival() if two_windows and wanted.entry else None
        if wanted.entry:
            moves += 1
            journal.append(wanted.entry)
        answer = ask(client, wanted)
        if rival and rival.entry:
            journal.append(rival.entry)
            answer = ask(client, rival)
        at_play.take(wanted, *answer)
    return journal


@pytest.fixture
def dora() -> Child:
    child: Child = ChildFactory.create(name="Dora")
    AssignmentFactory.create(school_class=child.school_class, bots=1, rounds=3)
    return child


@contextmanager
def without_the_version_check() -> Iterator[None]:
    checked = services.act

    def act(game_id: UUID, player: UUID, *, version: int, key: UUID, move: Move) -> Outcome:
        version = Game.objects.get(pk=game_id).version
        return checked(game_id, player, version=version, key=key, move=move)

    with patch.object(services, "act", act):
        yield


def test_acknowledged_moves_are_in_log_snapshots_and_reports(dora: Child) -> None:
    journal = play(dora, two_windows=False)
    compared = compare(journal, [dora])
    assert compared.acknowledged >= MOVES - 2
    assert (compared.games, compared.children) == (1, 1)
    assert compared.differences == []


def test_only_one_of_two_windows_with_the_same_page_can_move(dora: Child) -> None:
    assert compare(play_in_two_windows(dora), [dora]).differences == []


def play_at_one_table(children: list[Child]) -> list[JournalEntry]:
    """Let the children sit down at a table and play. Those who wait poll for news."""
    journal = list[JournalEntry]()
    at_play = [
        (client_of_child(child), ChildAtPlay(Random(n), journal))
        for n, child in enumerate(children)
    ]
    while len([entry for entry in journal if entry.shown_in]) < MOVES:
        for client, mate in at_play:
            wanted = mate.next_request()
            if wanted.entry:
                journal.append(wanted.entry)
            mate.take(wanted, *ask(client, wanted))
    return journal


def test_each_acknowledged_move_at_a_table_is_in_the_log(dora: Child) -> None:
    emil = ChildFactory.create(name="Emil", school_class=dora.school_class)
    Assignment.objects.update(chairs=2)
    journal = play_at_one_table([dora, emil])
    compared = compare(journal, [dora, emil])
    assert (compared.games, compared.children) == (1, 2)
    assert {entry.seat for entry in Entry.objects.filter(key__isnull=False)} >= {0, 1}
    assert compared.acknowledged >= MOVES
    assert compared.differences == []
    Entry.objects.filter(key=journal[-1].key).update(key=uuid4())
    assert compare(journal, [dora, emil]).lost
    assert compare(journal, [dora, emil]).twice


def test_a_child_goes_on_from_the_page_after_signing_in() -> None:
    playing = PlayingChild(Wire(0), ChildAtPlay(Random(1), []), Tally())

    async def sign_in(wire: Wire, tally: Tally) -> Answer:
        wire.cookies[SESSION] = "a token"
        return Answer(200, {}, '<form action="/me/tables/1/"></form>')

    asyncio.run(come_in(playing, sign_in))
    assert playing.at_play.next_request() == PlannedRequest("POST", "/me/tables/1/")


FIRST_PAGE = PlannedRequest("GET", "/games/00000000-0000-0000-0000-000000000001/")


def page_at(seen: int, key: str) -> str:
    """The page of a child with two possible moves: a card from one pile or the other."""
    fields = f'<input name="seen" value="{seen}"><input name="key" value="{key}">'
    moves = ("draw-open", "draw-pile")
    return fields + "".join(f'<button name="move" value="{move}"></button>' for move in moves)


def acknowledged(at_play: ChildAtPlay, plan: PlannedRequest, answer: str) -> int | None:
    """The version in the answer to a move, or None if the answer does not show this move."""
    at_play.take(plan, "", answer)
    return plan.entry.shown_in


def test_a_page_after_another_windows_move_acknowledges_none() -> None:
    at_play = ChildAtPlay(Random(1), [])
    at_play.take(FIRST_PAGE, "", page_at(7, "first"))
    at_play.next_request()
    assert at_play.rival()
    # The answer to the first move was lost, so it is tried again from the same page.
    assert acknowledged(at_play, at_play.next_request(), page_at(8, "second")) is None
    assert acknowledged(at_play, at_play.next_request(), page_at(9, "third")) == 9


def test_without_the_version_check_the_comparison_fails(dora: Child) -> None:
    with without_the_version_check():
        journal = play_in_two_windows(dora)
    assert compare(journal, [dora]).twice


def test_a_lost_entry_is_found(dora: Child) -> None:
    journal = play(dora, two_windows=False)
    Entry.objects.filter(key=next(e.key for e in reversed(journal) if e.shown_in)).delete()
    assert compare(journal, [dora]).lost
