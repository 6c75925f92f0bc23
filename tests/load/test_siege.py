"""Each kind of attack reaches its target, and its effect on others is measured."""

import asyncio
import json
import time
from collections.abc import Awaitable

import pytest
from django.db import connection

from scripts.siege.attacks import KINDS, Attacker
from scripts.siege.run import attack, attacker_results, missed_aims
from scripts.siege.world import AnswerTimes, Place, facts
from tests.counts import times
from tests.load.conftest import run_apart
from tests.proxy.site import Site

CHILDREN = times(20, 500)
SECONDS_ON_A_BUSY_MACHINE = 120
TRIES_ON_A_BUSY_MACHINE = 20
WANTED = {
    "slow": {"opened"},
    "idle": {"opened"},
    "streams": {"taken back"},
    "uploads": {"broken off", "200"},
    "resets": {"302"},
    "sign-ups": {"302"},
}
"""The statuses of answers to this kind of attack. Other attackers get a page."""


async def until_answered(attacker: Attacker, attacks: Awaitable[None], wanted: set[str]) -> None:
    attacking = asyncio.ensure_future(attacks)
    deadline = time.monotonic() + SECONDS_ON_A_BUSY_MACHINE
    while not wanted & attacker.answers.keys():
        assert time.monotonic() < deadline, attacker.answers
        await asyncio.wait([attacking], timeout=0.05)
        assert not attacking.done(), attacking.exception()
    attacking.cancel()


@pytest.mark.proof
@pytest.mark.django_db(transaction=True)
def test_each_kind_of_attack_is_answered(site: Site) -> None:
    site_facts = facts(site, CHILDREN)
    assert all(site_facts[fact] for fact in ("pages", "schools", "exports"))
    connection.close()
    for number, kind in enumerate(KINDS):
        attacker = Attacker(site.https, f"127.0.5.{number + 1}", site_facts)
        run_apart(until_answered(attacker, KINDS[kind](attacker), WANTED.get(kind, {"200"})))


@pytest.mark.proof
@pytest.mark.django_db(transaction=True)
def test_a_small_attack_causes_others_no_error(site: Site) -> None:
    place = Place(site, (3,), seed=1)
    (site.folder / "facts.json").write_text(json.dumps({"game": "/me/"}))
    connection.close()
    place.move_to("127.0.6.2")

    async def run() -> AnswerTimes:
        await place.sit_down(0.3)
        for _ in range(TRIES_ON_A_BUSY_MACHINE):
            met = await place.measure(3, 0.2)
            if met.children and met.teachers and met.door:
                break
        place.close()
        return met

    attack(site, "cookies", "127.0.6.3", 3)
    met = run_apart(run())
    assert not any(met.errors.values()), met
    assert met.children
    assert met.teachers
    assert met.door
    assert attacker_results(site).keys() == {"answers", "cpu"}


def answer_times(*seconds: float, **errors: int) -> AnswerTimes:
    return AnswerTimes(list(seconds), [], [], {"children": errors})


QUIET = {"same": answer_times(0.01), "other": answer_times(0.01)}


@pytest.mark.parametrize(
    ("same", "other", "says"),
    [
        (answer_times(5), answer_times(0.03), []),
        (
            answer_times(5),
            answer_times(0.04),
            ["names, other address: children's p95 is 40 ms, quiet 10"],
        ),
        (
            answer_times(5),
            answer_times(),
            ["names, other address: children's p95 is nan ms, quiet 10"],
        ),
        (
            answer_times(5, TimeoutError=1),
            answer_times(0.01),
            ["names, same address: children got"],
        ),
        (answer_times(5), answer_times(0.01, **{"429": 1}), ["names, other address: children got"]),
    ],
)
def test_an_error_and_a_wait_at_another_address_are_reported(
    same: AnswerTimes, other: AnswerTimes, says: list[str]
) -> None:
    aims = missed_aims("names", {"same": same, "other": other}, QUIET)
    assert len(aims) == len(says)
    assert all(aim.startswith(start) for aim, start in zip(aims, says, strict=True))
