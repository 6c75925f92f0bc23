"""LTI Advantage: rosters, links and grades, and requests to platforms."""

from datetime import timedelta
from time import monotonic
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract

from classrooms.audit import What
from classrooms.lti import messages, outgoing, platforms, tasks
from classrooms.lti.messages import DEEP_LINKING, LAUNCH_TYPE
from classrooms.lti.models import Course, Launch, LineItem, Platform, SentScore
from classrooms.lti.outgoing import Unreachable, ask, is_allowed, json_of
from classrooms.models import Assignment, Child, School, SchoolClass, User
from classrooms.outgoing import HttpAnswer, NoAnswer
from games.models import Game
from tests.classrooms.lti.platforms import (
    AT,
    INSTRUCTOR,
    LEARNER,
    LINE_ITEM,
    RETURN,
    FakePlatform,
    link_to,
    refusals,
)
from tests.classrooms.lti.platforms import _json as json_answer
from tests.classrooms.lti.platforms import _Platform as PlatformOfOthers
from tests.classrooms.people import acts, client_of, text_on, url_of
from tests.counts import for_each
from tests.factories import AssignmentFactory, AttemptFactory, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db


def chosen_by(page: Any, moodle: FakePlatform) -> list[dict[str, Any]]:
    """The items in the answer on this page, as the platform reads them."""
    assert page.context["url"] == RETURN
    moodle.registration.set_tool_key_set(messages.public_keys())
    config: LTI1P3PlatformConfAbstract = PlatformOfOthers(registration=moodle.registration)
    items = config.validate_deeplinking_resp({"JWT": page.context["signed"]})
    claims = config.tool_validate_and_decode(page.context["signed"])
    assert claims["iss"] == "client-1"
    assert AT in claims["aud"]
    assert claims[f"{DEEP_LINKING}data"] == {"a": 1}
    return items


# Deep links


def test_a_teacher_chooses_an_assignment_and_a_link_goes_back(
    moodle: FakePlatform, course: Course, alice: User, assignment: Assignment
) -> None:
    yesterday = course.school_class.today() - timedelta(days=1)
    for over in ({"ended_at": timezone.now()}, {"due_on": yesterday}):
        AssignmentFactory.create(school_class=course.school_class, **over)
    AssignmentFactory.create(school_class=TeachingFactory.create(user=alice).school_class)
    client = client_of(alice)
    page = moodle.launch(client, roles=(INSTRUCTOR,), deep_link=True)
    assert [item.assignment for item in page.context["items"]] == [assignment]
    answer = client.post(page.request["PATH_INFO"], {"assignment": assignment.pk})
    assert f"form-action 'self' {AT}" in answer["Content-Security-Policy"]
    (item,) = chosen_by(answer, moodle)
    assert item["type"] == "ltiResourceLink"
    assert item["custom"] == {"assignment": str(assignment.pk)}
    assert "lineItem" not in item
    again = client.post(page.request["PATH_INFO"], {"assignment": assignment.pk})
    assert again.status_code == 400


def test_only_an_assignment_of_the_class_can_be_chosen(
    moodle: FakePlatform, course: Course, alice: User
) -> None:
    foreign = AssignmentFactory.create(school_class=TeachingFactory.create(user=alice).school_class)
    client = client_of(alice)
    path = moodle.launch(client, roles=(INSTRUCTOR,), deep_link=True).request["PATH_INFO"]
    for key in (foreign.pk, "x"):
        assert client.post(path, {"assignment": key}).status_code == 404


def test_only_a_teacher_of_the_class_chooses(
    moodle: FakePlatform, course: Course, assignment: Assignment
) -> None:
    page = moodle.launch(client_of(UserFactory.create()), roles=(INSTRUCTOR,), deep_link=True)
    assert page.status_code == 400
    page = moodle.launch(Client(), roles=(LEARNER,), deep_link=True)
    assert not Launch.objects.filter(answer__isnull=False).exists()


def test_the_answer_goes_only_to_the_platforms_own_pages(
    moodle: FakePlatform, course: Course, alice: User
) -> None:
    moodle.platform.issuer = "https://other.example"
    for name in ("auth_url", "token_url", "keyset_url"):
        setattr(moodle.platform, name, f"https://other.example/{name}")
    moodle.platform.save()
    moodle.registration.set_iss("https://other.example")
    outgoing.ask = lambda url, **more: json_answer(
        PlatformOfOthers(registration=moodle.registration).get_jwks()
    )
    client = client_of(alice)
    login = moodle.login(client)
    login["Location"] = login["Location"].replace("https://other.example/auth_url", f"{AT}/auth")
    answer = moodle.token(login, roles=(INSTRUCTOR,), deep_link=True)
    assert moodle.post(client, answer).status_code == 400
    assert refusals() == ["pages"]


def test_a_frame_gets_the_choice_made_in_the_tab_once(
    moodle: FakePlatform, course: Course, alice: User, assignment: Assignment
) -> None:
    frame = Client()
    framed = moodle.login(frame, **{"Sec-Fetch-Dest": "iframe"})
    token, path = framed.context["frame"], f"/lti/{moodle.platform.pk}/chosen/"
    assert "No assignment has been chosen" in text_on(frame.post(path, {"frame": token}))
    tab = client_of(alice)
    login = tab.get(f"/lti/{moodle.platform.pk}/login/?{framed.context['query']}")
    answer = moodle.token(login, roles=(INSTRUCTOR,), deep_link=True)
    page = moodle.post(tab, answer)
    tab_page = tab.post(page.request["PATH_INFO"], {"assignment": assignment.pk})
    assert "Go back to the tab" in text_on(tab_page)
    assert "signed" not in frame.post(path, {"frame": "x" * 43}).context
    frame_page = frame.post(path, {"frame": token})
    assert chosen_by(frame_page, moodle)[0]["custom"] == {"assignment": str(assignment.pk)}
    assert f"frame-ancestors {AT}" in frame_page["Content-Security-Policy"]
    assert "No assignment has been chosen" in text_on(frame.post(path, {"frame": token}))


# Progress in the gradebook


@pytest.fixture
def column(moodle: FakePlatform, course: Course, dora: Child, assignment: Assignment) -> LineItem:
    """Dora has begun an assignment of three rounds, for which the platform has a column."""
    moodle.platform.sends_grades = True
    moodle.platform.save()
    moodle.members = [{"user_id": "7", "roles": [LEARNER], "name": "Dora"}]
    link_to(dora, moodle)
    AttemptFactory.create(child=dora, assignment=assignment)
    moodle.launch(Client(), custom={"assignment": str(assignment.pk)})
    moodle.asked.clear()
    return LineItem.objects.get()


def rounds_over(count: int, *, finished: bool = False) -> None:
    game = Game.objects.get()
    ended = timezone.now() if finished else None
    Game.objects.update(round=count, phase="round over", finished_at=ended)
    assert game.ruleset.rounds


def due() -> None:
    LineItem.objects.update(next_at=timezone.now())


def test_a_launch_stores_the_column_only_if_progress_is_sent(
    moodle: FakePlatform, course: Course, dora: Child, assignment: Assignment
) -> None:
    link_to(dora, moodle)
    moodle.launch(Client(), custom={"assignment": str(assignment.pk)})
    assert not LineItem.objects.exists()


def test_the_platform_is_told_only_the_share_of_rounds(
    moodle: FakePlatform, column: LineItem, dora: Child
) -> None:
    rounds = Game.objects.get().ruleset.rounds
    assert rounds
    rounds_over(rounds - 1)
    assert column.url == LINE_ITEM
    tasks.send_grades_of(column.pk)
    (score,) = moodle.scores
    assert set(score) == {
        "userId",
        "scoreGiven",
        "scoreMaximum",
        "timestamp",
        "activityProgress",
        "gradingProgress",
    }
    assert (score["userId"], score["scoreGiven"]) == ("7", 100 * (rounds - 1) // rounds)
    assert score["activityProgress"] == "InProgress"
    rounds_over(rounds, finished=True)
    due()
    tasks.send_grades_of(column.pk)
    assert (moodle.scores[-1]["scoreGiven"], moodle.scores[-1]["activityProgress"]) == (
        100,
        "Completed",
    )


def test_a_share_that_the_platform_already_has_is_not_sent_again(
    moodle: FakePlatform, column: LineItem
) -> None:
    rounds_over(1)
    for _run in range(2):
        due()
        tasks.send_grades_of(column.pk)
    assert len(moodle.scores) == 1
    moodle.asked.clear()
    due()
    tasks.send_grades_of(column.pk)
    assert moodle.asked == []


def test_two_workers_send_a_column_once(moodle: FakePlatform, column: LineItem) -> None:
    rounds_over(1)
    due()
    tasks.send_grades_of(column.pk)
    SentScore.objects.all().delete()
    tasks.send_grades_of(column.pk)
    assert len(moodle.scores) == 1


def test_a_platform_that_is_down_is_retried_at_growing_intervals(
    moodle: FakePlatform, column: LineItem
) -> None:
    rounds_over(1)
    moodle.is_down = True
    waits = []
    for _try in range(3):
        due()
        tasks.send_grades_of(column.pk)
        column.refresh_from_db()
        waits.append(column.next_at - timezone.now())
    assert waits == sorted(waits)
    assert waits[0] > timedelta(minutes=9)
    assert column.failures == 3
    moodle.is_down = False
    due()
    tasks.send_grades_of(column.pk)
    column.refresh_from_db()
    assert (len(moodle.scores), column.failures) == (1, 0)


def test_erasing_a_child_erases_what_was_sent(
    moodle: FakePlatform, column: LineItem, dora: Child
) -> None:
    rounds_over(1)
    tasks.send_grades_of(column.pk)
    assert SentScore.objects.exists()
    dora.delete()
    assert not SentScore.objects.exists()


# Platforms, and those that register themselves


@pytest.fixture
def bare(school: School) -> Platform:
    return Platform.objects.create(school=school, name="Moodle")


CONFIGURATION: dict[str, Any] = {
    "issuer": AT,
    "authorization_endpoint": f"{AT}/auth",
    "token_endpoint": f"{AT}/token",
    "jwks_uri": f"{AT}/keys",
    "registration_endpoint": f"{AT}/register",
}


class Registering:
    """A platform that registers tools by itself."""

    def __init__(self, **changes: Any) -> None:
        self.configuration = CONFIGURATION | changes
        self.got: list[tuple[Any, Any]] = []

    def ask(self, url: str, *, body: Any = None, headers: Any = None) -> HttpAnswer:
        if url == f"{AT}/configuration":
            return json_answer(self.configuration)
        if url == f"{AT}/register":
            self.got.append((body, headers))
            tool = {"deployment_id": "d9"}
            return json_answer(
                {"client_id": "c9", "https://purl.imsglobal.org/spec/lti-tool-configuration": tool}
            )
        raise Unreachable("unreached")


def registration_of(platform: Platform, by: User) -> str:
    path = reverse("classrooms:lti_register", args=[platforms.registration_token(platform, by)])
    return f"{path}?openid_configuration={AT}/configuration&registration_token=t1"


def test_a_platform_registers_itself(
    bare: Platform, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = Registering()
    monkeypatch.setattr(outgoing, "ask", fake.ask)
    client, url = Client(), registration_of(bare, alice)
    page = client.get(url)
    assert AT in text_on(page)
    assert f"frame-ancestors {AT}" in page["Content-Security-Policy"]
    assert fake.got == []  # Opening the address changes nothing.
    assert "Connected" in text_on(client.post(url))
    bare.refresh_from_db()
    assert (bare.issuer, bare.client_id, bare.deployment) == (AT, "c9", "d9")
    assert bare.is_ready
    ((tool, headers),) = fake.got
    assert headers == {"Authorization": "Bearer t1"}
    claims = tool["https://purl.imsglobal.org/spec/lti-tool-configuration"]["claims"]
    assert not any("mail" in claim for claim in claims)
    assert {"type": LAUNCH_TYPE} in tool["https://purl.imsglobal.org/spec/lti-tool-configuration"][
        "messages"
    ]
    assert client.get(url).status_code == 404  # It works once.


@pytest.mark.parametrize(
    "changes",
    [
        {"issuer": "https://evil.example"},
        {"registration_endpoint": "https://evil.example/register"},
        {"jwks_uri": "http://moodle.example/keys"},
        {"jwks_uri": None},
        {"token_endpoint": "file:///etc/passwd"},
    ],
)
def test_a_platform_with_an_invalid_description_is_refused(
    changes: dict[str, Any], bare: Platform, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = Registering(**changes)
    monkeypatch.setattr(outgoing, "ask", fake.ask)
    assert "did not answer as expected" in text_on(Client().post(registration_of(bare, alice)))
    bare.refresh_from_db()
    assert bare.issuer == ""
    assert fake.got == []


def test_a_token_that_no_header_can_have_is_not_sent(
    bare: Platform, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = Registering()
    monkeypatch.setattr(outgoing, "ask", fake.ask)
    for token in ("%C3%A9", "a%0Ab"):
        url = registration_of(bare, alice).replace("token=t1", f"token={token}")
        assert "did not answer as expected" in text_on(Client().post(url))
    assert fake.got == []


def test_a_former_admin_registers_nothing(bare: Platform, alice: User) -> None:
    url = registration_of(bare, alice)
    alice.membership.delete()
    assert Client().get(url).status_code == 404
    assert Client().get(url.replace("register/", "register/x")).status_code == 404


def form_data(**changes: str) -> dict[str, str]:
    return {
        "name": "Moodle",
        "issuer": AT,
        "client_id": "c1",
        "deployment": "d1",
        "auth_url": f"{AT}/auth",
        "token_url": f"{AT}/token",
        "keyset_url": f"{AT}/keys",
        "pages": "",
        **changes,
    }


def test_an_admin_adds_a_platform_by_hand(
    alice: User, school: School, moodle: FakePlatform
) -> None:
    client = client_of(alice)
    added = client.post(url_of("school_platforms", school), {"name": "Canvas"})
    data = form_data(name="Canvas", pages="https://School.example/courses\nhttps://b.example")
    answer = client.post(added["Location"], data, follow=True)
    assert "The public keys of the platform were found." in text_on(answer)
    canvas = Platform.objects.get(name="Canvas")
    assert canvas.is_ready
    assert canvas.pages == ["https://b.example", "https://school.example"]
    assert not canvas.sends_grades
    kinds = acts().filter(account=alice).values_list("what", flat=True)
    assert list(kinds) == [What.PLATFORM_ADDED, What.PLATFORM_CHANGED]


@pytest.mark.parametrize("field", ["auth_url", "token_url", "keyset_url", "pages"])
@pytest.mark.parametrize(
    "url",
    [
        "http://moodle.example/x",
        "https://user@moodle.example/x",
        "javascript:alert(1)",
        "https://",
        "https://moodle.example;evil/x",
    ],
)
def test_only_complete_https_addresses_are_accepted(
    field: str, url: str, alice: User, bare: Platform
) -> None:
    path = reverse("classrooms:school_platform", args=[bare.school_id, bare.pk])
    page = client_of(alice).post(path, form_data(**{field: url}))
    assert page.status_code == 200
    bare.refresh_from_db()
    assert bare.issuer == ""


def test_removing_a_platform_asks_first_and_removes_its_links(
    moodle: FakePlatform, course: Course, dora: Child, alice: User
) -> None:
    link_to(dora, moodle)
    url = reverse(
        "classrooms:remove_platform", args=[moodle.platform.school_id, moodle.platform.pk]
    )
    client = client_of(alice)
    client.post(url)
    assert Platform.objects.exists()
    client.post(url, {"sure": "1"})
    assert not Platform.objects.exists()
    assert not Course.objects.exists()
    assert Child.objects.filter(pk=dora.pk).exists()


def test_a_school_has_a_limited_number_of_platforms(
    alice: User, school: School, monkeypatch: pytest.MonkeyPatch, school_class: SchoolClass
) -> None:
    monkeypatch.setattr(platforms, "MOST_PLATFORMS", 1)
    client, path = client_of(alice), url_of("school_platforms", school)
    for name in ("A", "B"):
        client.post(path, {"name": name})
    assert Platform.objects.count() == 1


def test_the_sites_keys_show_no_secret(db: None) -> None:
    (key,) = Client().get("/lti/keys/").json()["keys"]
    assert set(key) == {"kty", "n", "e", "kid", "alg", "use"}
    assert Client().get("/lti/keys/").json()["keys"] == [key]


# Requests (their limits are in tests/classrooms/test_outgoing.py)


URL = "https://moodle.example/keys?x=1"


def answering(
    monkeypatch: pytest.MonkeyPatch, answer: HttpAnswer | NoAnswer
) -> list[dict[str, Any]]:
    """Let the platform give this answer, and return the requests that it gets."""
    requests: list[dict[str, Any]] = []

    def send(method: str, url: str, **more: Any) -> HttpAnswer:
        requests.append({"method": method, "url": url, **more})
        if isinstance(answer, NoAnswer):
            raise answer
        return answer

    monkeypatch.setattr(outgoing, "send", send)
    return requests


def reason_of_failure(url: str) -> str:
    with pytest.raises(Unreachable) as refused:
        ask(url)
    return refused.value.reason


def test_keys_are_fetched_and_fields_are_posted(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = answering(monkeypatch, HttpAnswer(201, {"link": "next"}, b'{"keys": []}'))
    answer = ask(URL)
    assert (json_of(answer), answer.headers) == ({"keys": []}, {"link": "next"})
    ask(URL, fields={"a": "ä"}, headers={"Accept": "x"})
    ask(URL, body={"b": 1})
    assert [(request["method"], request["body"]) for request in requests] == [
        ("GET", None),
        ("POST", b"a=%C3%A4"),
        ("POST", b'{"b": 1}'),
    ]
    assert requests[1]["headers"] == {
        "Accept": "x",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    assert {request["most"] for request in requests} == {outgoing.LARGEST}
    assert all(request["deadline"] < monotonic() + outgoing.SECONDS for request in requests)


def test_an_unreachable_platform_or_one_without_json_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answering(monkeypatch, NoAnswer("slow"))
    assert reason_of_failure(URL) == "slow"
    answering(monkeypatch, HttpAnswer(200, {}, b"<"))
    with pytest.raises(Unreachable):
        json_of(ask(URL))


@for_each(
    [
        "http://a.example/",
        "https:///x",
        "https://u:p@a.example/",
        "https://a.example/\r\nX: y",
        "https://a.example/ä",
        "https://a.example:99999/",
        "https://a.example, b.example/",
        "ftp://a.example/",
        "https://[x",
        f"https://a.example/{'x' * 600}",
    ]
)
def test_an_address_that_is_not_public_https_is_never_requested(url: str) -> None:
    assert not is_allowed(url)
    assert reason_of_failure(url) == "address"
