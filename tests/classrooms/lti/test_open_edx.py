"""Launch, deep link, list and progress with Open edX's own LTI consumer, which runs in a Python
environment of its own (`open_edx.py`)."""

import json
import subprocess
import venv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from django.test import Client
from django.urls import reverse

from classrooms.credentials import decrypt
from classrooms.lti import messages, outgoing, tasks
from classrooms.lti.models import Course, LineItem, Platform, PlatformPerson, ToolKey
from classrooms.models import Assignment, Child, School, SchoolClass, User
from classrooms.outgoing import HttpAnswer
from games.models import Game
from tests.classrooms.lti.platforms import _json as json_answer
from tests.classrooms.lti.platforms import key_pair
from tests.classrooms.people import client_of, text_on, url_of
from tests.factories import AttemptFactory
from tests.repository import ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.proof]

AT: Final = "https://edx.example"
PLACE: Final = ROOT / "var" / "open-edx"
LOCK: Final = Path(__file__).with_name("open_edx.txt")


def python_of_open_edx() -> Path:
    """A Python with Open edX's consumer, installed once, in `var`."""
    python, mark = PLACE / "bin" / "python", PLACE / "installed"
    if not mark.exists() or mark.read_text() != LOCK.read_text():
        venv.create(PLACE, with_pip=True, clear=True)
        install = (python, "-m", "pip", "install", "-q", "--require-hashes", "-r", LOCK)
        subprocess.run(install, check=True)
        mark.write_text(LOCK.read_text())
    return python


@dataclass
class OpenEdx:
    """The platform, for requests of the site and of a browser."""

    process: subprocess.Popen[str]
    platform: Platform
    scores: list[Any] = field(default_factory=list)

    def do(self, what: str, **options: Any) -> Any:
        self.process.stdin.write(json.dumps({"do": what, **options}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ask(
        self, url: str, *, fields: Any = None, body: Any = None, headers: Any = None
    ) -> HttpAnswer:
        bearer = (headers or {}).get("Authorization", "").removeprefix("Bearer ")
        match urlsplit(url).path:
            case "/keys":
                return json_answer(self.do("keys"))
            case "/token":
                return json_answer(self.do("token", fields=fields))
            case "/members":
                assert self.do("check", token=bearer, scopes=[messages.MEMBERS_SCOPE])
                learner = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
                person = {"user_id": "7", "name": "Dora", "roles": [learner]}
                return json_answer({"members": [person]})
            case "/items/7/scores":
                assert self.do("check", token=bearer, scopes=[messages.SCORE_SCOPE])
                self.scores.append(body)
                return json_answer({})
        raise AssertionError(url)

    def launch(
        self,
        client: Client,
        role: str = "student",
        kind: str = messages.LAUNCH_TYPE,
        **options: Any,
    ) -> Any:
        begin = urlsplit(self.do("begin", user="7", role=role, kind=kind))
        there = client.get(f"{begin.path}?{begin.query}", headers={"Sec-Fetch-Dest": "document"})
        query = dict(parse_qsl(urlsplit(there["Location"]).query))
        posted = self.do("launch", user="7", role=role, name="Dora", asked=query, **options)
        answer = client.post(urlsplit(query["redirect_uri"]).path, posted)
        assert answer.status_code == 302, text_on(answer)
        return client.get(answer["Location"])


@pytest.fixture
def edx(alice: User, school: School, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenEdx]:
    platform = Platform.objects.create(
        school=school,
        name="Open edX",
        issuer=AT,
        client_id="client-1",
        deployment="1",
        auth_url=f"{AT}/auth",
        token_url=f"{AT}/token",
        keyset_url=f"{AT}/keys",
        sends_grades=True,
    )
    messages.public_keys()
    private = serialization.load_pem_private_key(
        decrypt(ToolKey.objects.get().private_encrypted).encode(), None
    )
    assert isinstance(private, RSAPrivateKey)
    tool_key = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    program = Path(__file__).with_name("open_edx.py")
    with subprocess.Popen(
        [python_of_open_edx(), "-W", "ignore", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=PLACE,
        env={},
    ) as process:
        platform_edx = OpenEdx(process, platform)
        at = f"http://localhost:8000/lti/{platform.pk}"
        platform_edx.do(
            "make",
            iss=AT,
            login=f"{at}/login/",
            launch=f"{at}/launch/",
            key=key_pair()[0],
            tool_key=tool_key.decode(),
        )
        monkeypatch.setattr(outgoing, "ask", platform_edx.ask)
        yield platform_edx
        process.stdin.close()


def test_open_edx_launches_links_lists_and_receives_progress(
    edx: OpenEdx, alice: User, school_class: SchoolClass, dora: Child, assignment: Assignment
) -> None:
    teacher = client_of(alice)
    ask = edx.launch(teacher, role="instructor")
    teacher.post(ask.request["PATH_INFO"], {"class": school_class.pk})
    course = Course.objects.get()
    assert course.title == "Maths"

    args = [school_class.pk, course.pk]
    teacher.post(reverse("classrooms:course_members", args=args))
    (person,) = PlatformPerson.objects.all()
    page = url_of("class_platform", school_class)
    teacher.post(page, {f"is-{person.pk}": dora.pk})

    pick = edx.launch(teacher, role="instructor", kind=messages.DEEP_LINK_TYPE)
    chosen = teacher.post(pick.request["PATH_INFO"], {"assignment": assignment.pk})
    (item,) = edx.do("chosen", signed=chosen.context["signed"])
    assert item["lineItem"]["scoreMaximum"] == 100

    AttemptFactory.create(child=dora, assignment=assignment)
    child = Client()
    game = edx.launch(child, custom=item["custom"])
    assert game["Location"] == reverse("games:page", args=[Game.objects.get().pk])
    assert child.get("/me/").context["child"] == dora

    Game.objects.update(round=1, phase="round over")
    tasks.send_grades_of(LineItem.objects.get().pk)
    (score,) = edx.scores
    assert score["userId"] == "7"
    assert 0 < score["scoreGiven"] < 100
