"""An operator, a teacher and children, who know only the site's name and what it gives them."""

import asyncio
import json
import re
import ssl
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import requests

from scripts.load.child import ChildAtPlay
from scripts.load.crowd import PlayingChild, Tally, by_qr_code, come_in
from scripts.load.wire import Wire

NAME: Final = "nmbrs.images.test"
PASSWORD: Final = "the green kettle sings 7"
TEACHER: Final = "alice@images.test"
PACE: Final = 1.0
TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
MAKE_CLASS: Final = f"""
import json
from classrooms.assignments import services
from classrooms.assignments.choice import Choice
from classrooms.classes.services import create_classes
from classrooms.models import SchoolClass, User
from classrooms.roster.services import add_children
from classrooms.signin.cards import cards_of
alice = User.objects.create_user({TEACHER!r}, {PASSWORD!r})
group = SchoolClass(name="5b")
create_classes([group], alice)
services.assign(group, Choice(rounds=15, checks=False))
found = cards_of(add_children(group, [f"Child {{n}}" for n in range(NUMBER)]))
print("MADE", json.dumps([card.token for card in found]))
"""
"""A script that makes a class with an assignment, and prints the tokens of its cards. It runs with
any release since 282ed4e."""
PRINT_MOVES: Final = """
import json
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT game_id, key FROM games_action WHERE key IS NOT NULL")
    print("MADE", json.dumps([[str(game), str(key)] for game, key in cursor.fetchall()]))
"""
"""A script that prints all stored moves, as game and key. It runs with any release, because tables
keep their names."""


class _ToThisMachine(requests.adapters.HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, server_hostname=NAME, assert_hostname=NAME, **kwargs)


class Adult(requests.Session):
    """The browser of an adult; it trusts only this authority."""

    def __init__(self, authority: Path) -> None:
        super().__init__()
        self.verify = str(authority)
        self.trust_env = False
        self.mount("https://", _ToThisMachine())
        self.headers.update({"Host": NAME, "Referer": f"https://{NAME}/"})

    def open(self, path: str) -> requests.Response:
        answer = self.get(f"https://127.0.0.1{path}", timeout=60)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        return answer

    def fill_in(self, path: str, **fields: str) -> None:
        """Post the form at this address."""
        form = self.open(path)
        match = TOKEN.search(form.text)
        assert match, f"no form at {path}"
        data = {"csrfmiddlewaretoken": match[1], **fields}
        answer = self.post(form.url, data, timeout=60, allow_redirects=False)
        assert answer.status_code == 302, f"{path}: {answer.status_code}"

    def choose_password(self, path: str) -> None:
        self.fill_in(path, password1=PASSWORD, password2=PASSWORD)

    def sign_in(self, email: str) -> None:
        self.fill_in("/accounts/login/", login=email, password=PASSWORD)


def script_output(printed: str) -> list[Any]:
    """The output of `MAKE_CLASS` or `PRINT_MOVES`."""
    [line] = [line for line in printed.splitlines() if line.startswith("MADE ")]
    output: list[Any] = json.loads(line.removeprefix("MADE "))
    return output


class Children:
    """The children of a class, who play while something else is done."""

    def __init__(self, cards: list[Any], authority: Path) -> None:
        self.tally = Tally()
        context = ssl.create_default_context(cafile=str(authority))
        self.ways_in = [by_qr_code(f"/q/{token}") for token in cards]
        self.playing = [
            PlayingChild(
                Wire(443, context=context, host=NAME),
                ChildAtPlay(Random(n), self.tally.journal),
                self.tally,
            )
            for n, _ in enumerate(cards)
        ]

    def play_during(self, *steps: Callable[[], None], quiet: float) -> None:
        """Sign all in, and let them play before, during and after each step."""
        asyncio.run(self._play_during(steps, quiet))

    async def _play_during(self, steps: tuple[Callable[[], None], ...], quiet: float) -> None:
        self.tally.is_over = False
        await asyncio.gather(*map(self._sit_down, range(len(self.playing))))
        at_play = [asyncio.create_task(each.play(float("inf"), PACE)) for each in self.playing]
        await asyncio.sleep(quiet)
        for step in steps:
            await asyncio.to_thread(step)
            await asyncio.sleep(quiet)
        self.tally.is_over = True
        await asyncio.gather(*at_play)
        for each in self.playing:
            each.wire.close()

    async def _sit_down(self, number: int) -> None:
        if "__Host-child" not in self.playing[number].wire.cookies:
            await come_in(self.playing[number], self.ways_in[number])
        await self.playing[number].sit_down()

    def differences(self, entries: list[Any]) -> list[str]:
        """Moves that a child saw done and that are not stored, or are stored twice."""
        stored_moves = Counter((game, key) for game, key in entries)
        answered = [each for each in self.tally.journal if each.shown_in is not None]
        lost = [each.key for each in answered if (each.game, each.key) not in stored_moves]
        return [
            *(f"lost: {key}" for key in lost),
            *(f"twice: {k}" for k, n in stored_moves.items() if n > 1),
        ]
