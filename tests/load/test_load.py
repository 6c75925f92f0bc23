"""A lesson with children who sign in both ways and a live board: every move is in the log and the
reports, a backup taken in the middle is restored elsewhere, and acknowledged moves survive failures
of parts of the site. `make faults` has failing servers, disks and clocks."""

import asyncio
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.db import connection
from django.db.models import Count
from django.test import Client
from django.utils import timezone

from classrooms.credentials import decrypt_pictures
from classrooms.models import Child
from classrooms.privacy import erasure
from classrooms.progress.rebuild import compare_game
from classrooms.progress.tasks import look_for_dirty
from games.models import Entry, Game
from nmbrs_edu.backups import erasures
from nmbrs_edu.backups import services as backups
from scripts.faults.kinds import SITE_FAULTS, WITHOUT_VERSION_CHECK, Machine, Net
from scripts.faults.run import (
    REPLACED,
    FaultTimes,
    play_and_strike,
    start_again,
    take_out_version_check,
)
from scripts.load.crowd import JournalEntry
from scripts.load.lesson import SECONDS_ON_A_BUSY_MACHINE, Lesson, close_all, play_all, sign_in_all
from tests.counts import PROOF, times
from tests.load.conftest import run_apart
from tests.plugins.second_database import inside
from tests.proxy.site import Site

pytestmark = pytest.mark.django_db(transaction=True)

CHILDREN = times(6, 60)
SECONDS = times(5, 30)
AT_MOST_SECONDS = 300
"""More than a busy machine needs. A lesson that is backed up ends soon after its backup."""
PACE = 0.05
"""At this pace most children finish a round."""

LogRow = tuple[str, int, str, str | None]


@pytest.mark.proof
def test_every_move_of_a_lesson_is_in_the_log_and_the_reports(
    whole_site: Site, tmp_path: Path
) -> None:
    lesson = Lesson(whole_site)
    lesson.add(CHILDREN)
    lesson.sign_teachers_in()
    playing = lesson.playing(seed=1)

    async def run() -> None:
        half = CHILDREN // 2
        await sign_in_all(playing[:half], lesson.ways_in[:half], "pictures", 0.5)
        await sign_in_all(playing[half:], lesson.ways_in[half:], "QR code", 0.5)
        await play_all(lesson, playing, SECONDS, PACE)
        close_all(playing)

    connection.close()
    run_apart(run())
    tally = lesson.tally
    assert not tally.answers, (tally.answers, whole_site.logs())
    assert set(tally.adults) <= {"200", "304"}
    assert whole_site.processes["worker"].poll() is None
    compared = lesson.compared(SECONDS_ON_A_BUSY_MACHINE)
    assert compared.acknowledged >= CHILDREN
    assert (compared.games, compared.children) == (CHILDREN, CHILDREN)
    assert compared.differences == [], str(compared)


def logs() -> dict[str, list[LogRow]]:
    """The log of each game."""
    rows: dict[str, list[LogRow]] = {}
    fields = ("game", "kind", "number", "text", "key")
    for game, kind, number, text, key in Entry.objects.order_by("number").values_list(*fields):
        rows.setdefault(str(game), []).append((kind, number, text, key and str(key)))
    return rows


def play_and_back_up(lesson: Lesson, folder: Path) -> tuple[list[JournalEntry], int]:
    """The moves acknowledged before the backup began, and the number of moves during it."""
    record: list[JournalEntry] = []
    meanwhile = 0

    def back_up() -> None:
        try:
            backups.back_up(folder, timezone.now())
        finally:
            connection.close()

    async def run() -> None:
        nonlocal meanwhile
        playing = lesson.playing(seed=1)
        await sign_in_all(playing, lesson.ways_in, "pictures", 0.5)
        whole = asyncio.create_task(play_all(lesson, playing, AT_MOST_SECONDS, PACE))

        async def wait_for_moves(moves: int) -> None:
            while len(lesson.tally.moves) < moves:
                await asyncio.sleep(0.05)
                assert not whole.done()

        await wait_for_moves(10 * CHILDREN)
        record.extend(entry for entry in lesson.tally.journal if entry.shown_in is not None)
        await asyncio.to_thread(back_up)
        meanwhile = len(lesson.tally.moves) - len(record)
        await wait_for_moves(len(lesson.tally.moves) + 2 * CHILDREN)
        whole.cancel()
        await asyncio.gather(whole, return_exceptions=True)
        close_all(playing)

    connection.close()
    run_apart(run())
    return record, meanwhile


@pytest.mark.proof
def test_a_backup_in_a_lesson_is_complete_and_keeps_erasures(
    whole_site: Site,
    second_database: str,
    pg_programs: None,
    settings: LazySettings,
    tmp_path: Path,
) -> None:
    settings.BACKUPS_DIR = str(tmp_path)
    lesson = Lesson(whole_site)
    lesson.add(CHILDREN + 1)
    before = lesson.children.pop()
    lesson.ways_in.pop()
    erasure.erase_child(before, None)

    record, meanwhile = play_and_back_up(lesson, tmp_path)
    whole_site.stop("worker")
    assert len(record) >= 5 * CHILDREN
    assert meanwhile > 0
    whole = logs()
    dora, emil = lesson.children[:2]
    pictures = decrypt_pictures(emil.pictures_encrypted)
    dora_id = dora.pk
    games_of_dora = set(Game.objects.filter(seats__player=dora.player).values_list("pk", flat=True))
    assert games_of_dora
    erasure.erase_child(dora, None)
    erasures.record(tmp_path, timezone.now())

    with inside(second_database):
        call_command("restore_backup", stdout=StringIO())
        # Complete up to its moment: each log is a beginning of the later one, and has all moves
        # that were acknowledged by then.
        restored = logs()
        keys = {key for entries in restored.values() for *_, key in entries if key}
        others = [entry for entry in record if entry.game not in {str(pk) for pk in games_of_dora}]
        assert others
        assert [entry for entry in others if entry.key not in keys] == []
        for game, entries in restored.items():
            assert whole[game][: len(entries)] == entries
        assert any(len(restored[game]) < len(whole[game]) for game in restored)
        for game_row in Game.objects.annotate(logged=Count("entries")):
            assert game_row.version == game_row.logged
            assert compare_game(game_row) is None
        # Erased before the backup or after it.
        assert not Child.all_objects.filter(pk=dora_id).exists()
        assert not Game.objects.filter(pk__in=games_of_dora).exists()
        assert Child.all_objects.count() == CHILDREN - 1
        # The restored site has the same keys, so pictures open a child's page.
        assert signed_in(emil, pictures)


def signed_in(child: Child, pictures: tuple[str, ...]) -> bool:
    browser = Client()
    path = f"/play/{child.school_class.code}/{child.pk}/"
    browser.get(path)
    for picture in pictures:
        browser.post(path, {"picture": picture})
    return bool(browser.get("/me/").status_code == 200)


FAULTS = times(len(SITE_FAULTS), 100)
PACE_OF_FAULTS = 0.15


@pytest.mark.proof
def test_acknowledged_moves_survive_any_failure(whole_site: Site) -> None:
    lesson, random = Lesson(whole_site), Random(1)
    lesson.add(4)
    machine = Machine(whole_site, Net(random), random)
    playing = lesson.playing(1, machine.net.deliver)

    async def run() -> FaultTimes:
        await sign_in_all(playing, lesson.ways_in, "QR code", 0.2)
        fault_times = await play_and_strike(
            machine, playing, SITE_FAULTS, count=FAULTS, pace=PACE_OF_FAULTS
        )
        close_all(playing)
        return fault_times

    connection.close()
    try:
        fault_times = run_apart(run())
    finally:
        start_again(whole_site, "web", "worker")
    print("\n".join(fault_times.lines(lesson.tally)), dict(lesson.tally.answers))
    assert fault_times.without_a_move == []
    look_for_dirty()  # Beat would count these moves later: a flushed queue has lost their messages.
    compared = lesson.compared(SECONDS_ON_A_BUSY_MACHINE)
    assert compared.acknowledged >= FAULTS
    assert compared.differences == [], str(compared)


if PROOF:  # test_journal checks the comparison alone.

    def test_without_the_version_check_differences_are_found(whole_site: Site) -> None:
        lesson, random = Lesson(whole_site), Random(1)
        lesson.add(4)
        machine = Machine(whole_site, Net(random), random)
        playing = lesson.playing(1, machine.net.deliver)

        async def run() -> None:
            await sign_in_all(playing, lesson.ways_in, "QR code", 0.2)
            await play_and_strike(
                machine, playing, WITHOUT_VERSION_CHECK, count=1, pace=PACE_OF_FAULTS
            )
            close_all(playing)

        connection.close()
        take_out_version_check(whole_site)
        try:
            run_apart(run())
        finally:
            for word in REPLACED:
                del whole_site.replaced[word]
            start_again(whole_site, "web")
        assert lesson.compared(SECONDS_ON_A_BUSY_MACHINE).twice
