"""Children and teachers come in from a learning platform, and no forged launch lets anybody in."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import jwt
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from classrooms.audit import What
from classrooms.classes import services as classes
from classrooms.credentials import token_hash
from classrooms.lti import launches, platforms, tasks
from classrooms.lti.messages import CLAIM, Refused
from classrooms.lti.models import Course, Launch, PlatformPerson
from classrooms.lti.views import BROWSER_COOKIE
from classrooms.models import Assignment, AuditEntry, Child, Membership, SchoolClass, User
from classrooms.privacy.words import REFUSED_LAUNCHES
from classrooms.signin.children_only import SESSION_COOKIE
from classrooms.tries import HOUR
from games.models import Game
from tests.classrooms.lti.platforms import (
    AT,
    INSTRUCTOR,
    LEARNER,
    FakePlatform,
    forged,
    is_signed_in,
    key_pair,
    link_to,
    long_ago,
    refusals,
    signed,
)
from tests.classrooms.people import acts, client_of, client_of_child, text_on, url_of
from tests.factories import AttemptFactory, TeachingFactory, UserFactory

pytestmark = pytest.mark.django_db


# Children.


def test_a_linked_child_comes_in_with_one_click(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    link_to(dora, moodle)
    client = Client()
    assert moodle.launch(client)["Location"] == reverse("classrooms:me")
    page = client.get("/me/")
    assert page.context["child"] == dora
    assert client.post(reverse("classrooms:leave")).status_code == 302
    assert client.get("/me/").status_code == 302


def test_a_name_alone_lets_nobody_in(moodle: FakePlatform, course: Course, dora: Child) -> None:
    client = Client()
    page = moodle.launch(client, name="Dora")
    assert page.status_code == 200
    assert "Your teacher says once who you are" in text_on(page)
    assert not is_signed_in(client)
    (person,) = PlatformPerson.objects.all()
    assert (person.child, person.course, person.name) == (None, course, "Dora")


def test_another_person_with_the_same_name_is_not_the_child(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    link_to(dora, moodle, subject="7")
    client = Client()
    moodle.launch(client, subject="8", name="Dora")
    assert not is_signed_in(client)


def test_the_same_person_in_another_class_is_another_child(
    moodle: FakePlatform, course: Course, dora: Child, alice: User
) -> None:
    link_to(dora, moodle)
    other = TeachingFactory.create(user=alice).school_class
    Course.objects.create(platform=moodle.platform, context="c2", school_class=other)
    client = Client()
    moodle.launch(client, course="c2")
    assert not is_signed_in(client)


def test_a_child_who_moved_comes_in_from_the_new_course(
    moodle: FakePlatform, course: Course, dora: Child, alice: User
) -> None:
    link_to(dora, moodle)
    other = TeachingFactory.create(user=alice).school_class
    Course.objects.create(platform=moodle.platform, context="c2", school_class=other)
    Child.objects.filter(pk=dora.pk).update(school_class=other)
    client = Client()
    assert moodle.launch(client, course="c2").status_code == 302
    assert client.get("/me/").context["child"] == dora


def test_a_removed_child_cannot_come_in(moodle: FakePlatform, course: Course, dora: Child) -> None:
    link_to(dora, moodle)
    Child.objects.filter(pk=dora.pk).update(removed_at=timezone.now())
    client = Client()
    moodle.launch(client)
    assert not is_signed_in(client)


def test_only_a_hash_of_a_person_is_stored(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    moodle.launch(Client(), subject="secret-subject", name="Zoë Zandvoort")
    rows = json.dumps(
        [list(model.objects.values()) for model in (Course, Launch, PlatformPerson, AuditEntry)],
        default=str,
    )
    assert "secret-subject" not in rows
    assert "@example.org" not in rows.replace("alice@example.org", "")
    assert rows.count("Zandvoort") == 1
    tasks.forget_old()
    assert PlatformPerson.objects.count() == 1
    PlatformPerson.objects.update(created_at=timezone.now() - tasks.WAITING_KEPT_FOR)
    Launch.objects.update(ends_at=timezone.now())
    tasks.forget_old()
    assert not PlatformPerson.objects.exists()
    assert not Launch.objects.exists()


def test_a_link_to_an_assignment_leads_into_the_game(
    moodle: FakePlatform, course: Course, dora: Child, assignment: Assignment
) -> None:
    link_to(dora, moodle)
    AttemptFactory.create(child=dora, assignment=assignment)
    client = Client()
    to = moodle.launch(client, custom={"assignment": str(assignment.pk)})
    assert to["Location"] == reverse("games:page", args=[Game.objects.get().pk])
    assert client.get(to["Location"]).status_code == 200


def test_a_link_to_somebody_elses_assignment_leads_to_the_childs_own_page(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    link_to(dora, moodle)
    foreign = Assignment.objects.create(school_class=TeachingFactory.create().school_class)
    for named in (str(foreign.pk), "nonsense"):
        to = moodle.launch(Client(), custom={"assignment": named})
        assert to["Location"] == reverse("classrooms:me")
    assert not Game.objects.exists()


def test_a_child_who_comes_in_signs_this_browsers_adult_out(
    moodle: FakePlatform, course: Course, dora: Child, alice: User
) -> None:
    link_to(dora, moodle)
    client = client_of(alice)
    moodle.launch(client)
    assert "_auth_user_id" not in client.session


# Teachers.


def test_a_teacher_is_asked_once_which_class_a_course_is(
    moodle: FakePlatform, alice: User, school_class: SchoolClass
) -> None:
    client = client_of(alice)
    page = moodle.launch(client, roles=(INSTRUCTOR,))
    assert [shown_class.pk for shown_class in page.context["classes"]] == [school_class.pk]
    assert not Course.objects.exists()
    to = client.post(page.request["PATH_INFO"], {"class": school_class.pk})
    assert to["Location"] == url_of("class_platform", school_class)
    assert Course.objects.get().school_class == school_class
    assert acts().filter(what=What.COURSE_LINKED, user=alice, class_id=school_class.pk).exists()
    again = moodle.launch(client, roles=(INSTRUCTOR,))
    assert again["Location"] == url_of("class", school_class)


def test_only_the_teachers_own_classes_of_the_school_can_be_linked(
    moodle: FakePlatform, alice: User, school_class: SchoolClass
) -> None:
    elsewhere = TeachingFactory.create().school_class  # owned by somebody of no school
    TeachingFactory.create(school_class=elsewhere, user=alice)
    archived = TeachingFactory.create(user=alice).school_class
    classes.archive(archived, None)
    bob = UserFactory.create()
    Membership.objects.create(school=moodle.platform.school, user=bob)
    bobs = TeachingFactory.create(user=bob).school_class
    client = client_of(alice)
    page = moodle.launch(client, roles=(INSTRUCTOR,))
    assert [shown_class.pk for shown_class in page.context["classes"]] == [school_class.pk]
    for other in (elsewhere, archived, bobs, TeachingFactory.create().school_class):
        answer = client.post(page.request["PATH_INFO"], {"class": other.pk})
        assert answer.status_code == 404
    assert client.post(page.request["PATH_INFO"], {"class": "x"}).status_code == 404
    assert not Course.objects.exists()


def test_an_adult_signs_in_here_first(
    moodle: FakePlatform, course: Course, alice: User, school_class: SchoolClass
) -> None:
    client = Client()
    to = moodle.launch(client, roles=(INSTRUCTOR,))
    path = urlsplit(to["Location"])
    assert path.path == reverse("account_login")
    client.force_login(alice)
    after = client.get(dict(parse_qsl(path.query))["next"])
    assert after["Location"] == url_of("class", school_class)


def test_an_unknown_teacher_gets_no_rights(
    moodle: FakePlatform, course: Course, school_class: SchoolClass
) -> None:
    charlie = UserFactory.create()
    client = client_of(charlie)
    page = moodle.launch(client, roles=(INSTRUCTOR,))
    assert page.status_code == 400
    assert str(REFUSED_LAUNCHES["teacher"]) in text_on(page)
    assert client.get(url_of("class", school_class)).status_code == 404
    assert refusals() == ["teacher"]


@pytest.mark.parametrize(
    "roles",
    [
        (INSTRUCTOR, LEARNER),
        (LEARNER, "http://purl.imsglobal.org/vocab/lti/system/person#TestUser"),
        ("http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant", LEARNER),
        (),
    ],
)
def test_a_person_with_another_role_too_is_not_a_child(
    roles: tuple[str, ...], moodle: FakePlatform, course: Course, dora: Child
) -> None:
    link_to(dora, moodle)
    client = Client()
    assert moodle.launch(client, roles=roles)["Location"].startswith(reverse("account_login"))
    assert not is_signed_in(client)


# Refused


def hmac_with_the_public_key(answer: Mapping[str, str]) -> dict[str, str]:
    """The answer, signed with HS256 and the text of the public key, which everybody has. PyJWT
    refuses to make such a token, so it is assembled by hand."""
    import base64
    import hashlib
    import hmac

    def text(value: bytes) -> str:
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()

    kid = jwt.get_unverified_header(answer["id_token"])["kid"]
    head = text(json.dumps({"alg": "HS256", "typ": "JWT", "kid": kid}).encode())
    body = answer["id_token"].split(".")[1]
    mac = hmac.digest(key_pair()[1].encode(), f"{head}.{body}".encode(), hashlib.sha256)
    return {**answer, "id_token": f"{head}.{body}.{text(mac)}"}


def altered(answer: Mapping[str, str]) -> dict[str, str]:
    """The answer with a changed body and the old signature."""
    head, _body, signature = forged(answer, sub="8")["id_token"].split(".")
    return {**answer, "id_token": f"{head}.{answer['id_token'].split('.')[1]}.{signature}"}


def signed_with_the_key_it_brings(answer: Mapping[str, str]) -> dict[str, str]:
    private, public = key_pair(1)
    algorithm = jwt.algorithms.RSAAlgorithm(jwt.algorithms.RSAAlgorithm.SHA256)
    jwk = algorithm.to_jwk(algorithm.prepare_key(public), as_dict=True)
    return signed(answer, private, header={"jwk": jwk, "jku": "https://evil.example/keys"})


Forge = Callable[[Mapping[str, str]], dict[str, str]]
FORGED: Final[Mapping[str, tuple[str, Forge]]] = {
    "a foreign key": ("signature", lambda a: signed(a, key_pair(1)[0])),
    "an altered body": ("signature", altered),
    "an unknown key": ("key", lambda a: signed(a, key_pair(1)[0], header={"kid": "other"})),
    "a key in its own header": ("signature", signed_with_the_key_it_brings),
    "no algorithm": ("algorithm", lambda a: signed(a, None, "none")),
    "HS256 with the public key": ("algorithm", hmac_with_the_public_key),
    "another algorithm of the same key": ("algorithm", lambda a: signed(a, key_pair()[0], "RS512")),
    "no token": ("unreadable", lambda a: {**a, "id_token": ""}),
    "a huge token": ("unreadable", lambda a: {**a, "id_token": "a." * 40_000}),
    "an old token": ("expired", lambda a: forged(a, exp=long_ago(), iat=long_ago() - 60)),
    "a token of tomorrow": ("signature", lambda a: forged(a, iat=int(time.time()) + 3600)),
    "a token not yet valid": ("signature", lambda a: forged(a, nbf=int(time.time()) + 3600)),
    "a token without an end": ("signature", lambda a: forged(a, exp=None)),
    "another audience": ("audience", lambda a: forged(a, aud="client-2")),
    "several audiences": ("audience", lambda a: forged(a, aud=["client-1", "x"], azp=None)),
    "another party": ("audience", lambda a: forged(a, azp="client-2")),
    "another issuer": ("issuer", lambda a: forged(a, iss="https://evil.example")),
    "another nonce": ("nonce", lambda a: forged(a, nonce="another")),
    "no nonce": ("signature", lambda a: forged(a, nonce=None)),
    "another deployment": ("deployment", lambda a: forged(a, **{f"{CLAIM}deployment_id": "d2"})),
    "no deployment": ("deployment", lambda a: forged(a, **{f"{CLAIM}deployment_id": None})),
    "another version": ("version", lambda a: forged(a, **{f"{CLAIM}version": "1.1"})),
    "another kind": ("kind", lambda a: forged(a, **{f"{CLAIM}message_type": "LtiStart"})),
    "no course": ("course", lambda a: forged(a, **{f"{CLAIM}context": {}})),
    "a text for a course": ("course", lambda a: forged(a, **{f"{CLAIM}context": "c1"})),
    "half of a pair in the person": ("course", lambda a: forged(a, sub="\ud800")),
    "half of a pair in the nonce": ("nonce", lambda a: forged(a, nonce="\ud800")),
    "a forged state": ("state", lambda a: {**a, "state": a["state"][:-1] + "x"}),
    "no state": ("state", lambda a: {**a, "state": ""}),
    "an error": ("platform", lambda a: {**a, "id_token": "", "error": "x"}),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_launch_lets_nobody_in_and_is_logged(
    kind: str, moodle: FakePlatform, course: Course, dora: Child
) -> None:
    link_to(dora, moodle)
    why, forge = FORGED[kind]
    client = Client()
    answer = forge(moodle.token(moodle.login(client)))
    path = urlsplit(answer["launch_url"]).path
    with translation.override("nl"):
        expected = str(REFUSED_LAUNCHES[why])
    client.cookies["django_language"] = "nl"
    page = client.post(path, {k: v for k, v in answer.items() if k != "launch_url"})
    assert page.status_code == 400
    assert expected in text_on(page).replace("&#x27;", "'")
    assert refusals() == [why]
    assert not is_signed_in(client)
    assert not Launch.objects.exists()


def test_a_launch_can_be_used_once(moodle: FakePlatform, course: Course, dora: Child) -> None:
    link_to(dora, moodle)
    client = Client()
    answer = moodle.token(moodle.login(client))
    path = urlsplit(answer.pop("launch_url")).path
    enter = client.post(path, answer)["Location"]
    assert client.post(path, answer).status_code == 400
    assert refusals() == ["used"]
    assert client.get(enter).status_code == 302
    client.cookies.pop(SESSION_COOKIE)
    again = client.get(enter)
    assert again.status_code == 400
    assert str(REFUSED_LAUNCHES["used"]) in text_on(again)
    assert not is_signed_in(client)


def test_a_launch_is_valid_in_the_browser_in_which_it_began(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    """Otherwise somebody could sign a child's browser in as another child."""
    link_to(dora, moodle)
    mine, other = Client(), Client()
    answer = moodle.token(moodle.login(mine))
    path = urlsplit(answer.pop("launch_url")).path
    for browser in (other, Client(headers={"Cookie": f"{BROWSER_COOKIE}=x"})):
        assert browser.post(path, answer).status_code == 400
        assert refusals()[0] == "browser"
    enter = mine.post(path, answer)["Location"]
    assert other.get(enter).status_code == 404
    assert mine.get(enter).status_code == 302


def test_a_launch_from_one_platform_is_not_valid_for_another(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    other = FakePlatform.create(moodle.platform.school)
    client = Client()
    answer = moodle.token(moodle.login(client))
    answer["launch_url"] = f"/lti/{other.platform.pk}/launch/"
    assert moodle.post(client, answer).status_code == 400
    assert refusals() == ["state"]


def test_an_old_state_is_refused(
    moodle: FakePlatform, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launches, "STATE_LASTS", -1)
    client = Client()
    assert moodle.post(client, moodle.token(moodle.login(client))).status_code == 400
    assert refusals() == ["state"]


@pytest.mark.parametrize(
    ("why", "changes"),
    [
        ("issuer", {"iss": "https://evil.example"}),
        ("issuer", {"iss": None}),
        ("audience", {"client_id": "client-2"}),
        ("deployment", {"lti_deployment_id": "d2"}),
        ("target", {"target_link_uri": "https://evil.example/lti/"}),
        ("target", {"target_link_uri": "//evil.example"}),
        ("target", {"target_link_uri": "http://[x"}),
        ("unreadable", {"login_hint": ""}),
        ("unreadable", {"lti_message_hint": "x" * 5_000}),
    ],
)
def test_a_launch_begun_by_another_site_leads_nowhere(
    why: str, changes: dict[str, Any], moodle: FakePlatform
) -> None:
    query: dict[str, Any] = {
        "iss": AT,
        "client_id": "client-1",
        "login_hint": "7",
        "target_link_uri": f"http://localhost:8000/lti/{moodle.platform.pk}/launch/",
    }
    query = {name: value for name, value in (query | changes).items() if value is not None}
    path = f"/lti/{moodle.platform.pk}/login/"
    for page in (
        Client().get(path, query, headers={"Sec-Fetch-Dest": "document"}),
        Client().post(f"{path}?tab=1", query),
    ):
        assert page.status_code == 400
        assert "Location" not in page
    assert refusals() == [why]


def test_a_foreign_target_in_the_message_leads_nowhere(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    link_to(dora, moodle)
    client = Client()
    answer = moodle.token(moodle.login(client))
    answer = forged(answer, **{f"{CLAIM}target_link_uri": "https://evil.example/"})
    assert moodle.post(client, answer)["Location"] == reverse("classrooms:me")


def test_an_archived_class_lets_nobody_in(
    moodle: FakePlatform, course: Course, dora: Child, alice: User, school_class: SchoolClass
) -> None:
    link_to(dora, moodle)
    classes.archive(school_class, None)
    child, teacher = Client(), client_of(alice)
    for client, roles in ((child, (LEARNER,)), (teacher, (INSTRUCTOR,))):
        page = moodle.launch(client, roles=roles)
        assert page.status_code == 400
        assert str(REFUSED_LAUNCHES["archived"]) in text_on(page)
    assert not is_signed_in(child)
    entry = AuditEntry.objects.get(what=What.LAUNCH_REFUSED)  # one in an hour
    assert (entry.class_id, entry.detail["why"]) == (school_class.pk, "archived")


def test_a_class_that_has_left_the_school_lets_nobody_in(
    moodle: FakePlatform, course: Course, dora: Child, alice: User
) -> None:
    """The admin of the school has the platform's keys, and may no longer see the class."""
    link_to(dora, moodle)
    alice.membership.delete()
    client = Client()
    assert moodle.launch(client).status_code == 400
    assert not is_signed_in(client)
    assert refusals() == ["elsewhere"]


def test_a_course_without_a_class_admits_no_child(moodle: FakePlatform) -> None:
    page = moodle.launch(Client())
    assert page.status_code == 400
    assert refusals() == ["unlinked"]
    assert not PlatformPerson.objects.exists()


def test_a_platform_with_incomplete_data_admits_nobody(moodle: FakePlatform) -> None:
    moodle.platform.deployment = ""
    moodle.platform.save()
    assert moodle.login(Client()).status_code == 400
    assert refusals() == ["not ready"]


def test_after_many_refused_launches_a_network_waits(
    moodle: FakePlatform, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launches, "REFUSAL_LIMITS", ((2, HOUR),))
    path = f"/lti/{moodle.platform.pk}/launch/"
    pages = [Client().post(path, REMOTE_ADDR="203.0.113.7") for _try in range(3)]
    assert [str(REFUSED_LAUNCHES["often"]) in text_on(page) for page in pages] == [
        False,
        False,
        True,
    ]
    other = Client().post(path, REMOTE_ADDR="203.0.113.8")
    assert str(REFUSED_LAUNCHES["often"]) not in text_on(other)


def test_keys_are_fetched_once_a_minute_at_most(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    link_to(dora, moodle)
    for number in range(4):
        client = Client()
        answer = moodle.token(moodle.login(client))
        if number:
            answer = signed(answer, key_pair(1)[0], header={"kid": f"k{number}"})
        moodle.post(client, answer)
    assert moodle.asked == [f"{AT}/keys"]


def test_new_keys_of_the_platform_are_found(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    link_to(dora, moodle)
    assert moodle.launch(Client()).status_code == 302
    private, public = key_pair(2)
    moodle.registration.set_platform_private_key(private)
    moodle.registration.set_platform_public_key(public)
    moodle.platform.keys_at = timezone.now() - platforms.REFETCH_KEYS_AFTER
    moodle.platform.save(update_fields=("keys_at",))
    assert moodle.launch(Client()).status_code == 302


@pytest.mark.filterwarnings("ignore:The RSA key")
def test_a_short_key_is_refused(moodle: FakePlatform, course: Course) -> None:
    private, public = key_pair(3, bits=1024)
    moodle.registration.set_platform_private_key(private)
    moodle.registration.set_platform_public_key(public)
    moodle.launch(Client())
    assert refusals() == ["key"]


def test_known_keys_still_work_if_the_platform_is_down(
    moodle: FakePlatform, course: Course, dora: Child
) -> None:
    link_to(dora, moodle)
    moodle.launch(Client())
    moodle.is_down = True
    assert moodle.launch(Client()).status_code == 302


def test_owner_and_admin_read_about_a_refused_launch(
    moodle: FakePlatform, course: Course, alice: User, school_class: SchoolClass
) -> None:
    moodle.launch(client_of(UserFactory.create()), roles=(INSTRUCTOR,))
    launches.refuse(moodle.platform, "signature")
    client = client_of(alice)
    log = client.get(url_of("who_looked", school_class))
    assert str(REFUSED_LAUNCHES["teacher"]) in text_on(log)
    page = client.get(
        reverse("classrooms:school_platform", args=[moodle.platform.school_id, moodle.platform.pk])
    )
    assert str(REFUSED_LAUNCHES["signature"]).split("’")[0] in text_on(page)


def test_every_refusal_has_a_sentence() -> None:
    import re
    from pathlib import Path

    code = "".join(path.read_text() for path in Path("classrooms/lti").glob("*.py"))
    used = set(re.findall(r'Refused\(\s*"([^"]+)"', code))
    assert used == set(REFUSED_LAUNCHES)
    assert issubclass(Refused, Exception)


# Frames


def test_a_frame_shows_only_a_way_into_a_tab(moodle: FakePlatform) -> None:
    moodle.platform.pages = ["https://school.example"]
    moodle.platform.save()
    client = Client()
    page = moodle.login(client, **{"Sec-Fetch-Dest": "iframe"})
    assert page.status_code == 200
    assert BROWSER_COOKIE not in client.cookies
    policy = page["Content-Security-Policy"]
    assert f"frame-ancestors {AT} https://school.example;" in f"{policy};".replace("; ", ";")
    assert "X-Frame-Options" not in page
    (href,) = [part.split('"')[0] for part in text_on(page).split('href="?')[1:]]
    tab = client.get(f"/lti/{moodle.platform.pk}/login/?{href.replace('&amp;', '&')}")
    assert tab["Location"].startswith(f"{AT}/auth?")
    cookie = client.cookies[BROWSER_COOKIE]
    assert (cookie["samesite"], cookie["secure"], cookie["httponly"]) == ("None", True, True)


def test_a_browser_without_fetch_metadata_gets_a_link_to_a_tab(moodle: FakePlatform) -> None:
    assert moodle.login(Client(), Accept="text/html").status_code == 200


def test_no_other_page_can_be_framed(
    moodle: FakePlatform, course: Course, dora: Child, alice: User
) -> None:
    link_to(dora, moodle)
    client = Client()
    moodle.launch(client)
    teacher = client_of(alice)
    pages = [
        client.get("/me/"),
        Client().get("/"),
        moodle.launch(Client(), subject="9"),
        moodle.launch(teacher, roles=(INSTRUCTOR,), course="c9"),
        teacher.get(url_of("class_platform", course.school_class)),
    ]
    for page in pages:
        assert page.status_code == 200
        assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
        assert page["X-Frame-Options"] == "DENY"


def test_a_launch_cookie_opens_nothing_else(dora: Child) -> None:
    """Requests of other sites send the cookie too, so it must open nothing but a launch."""
    client = client_of_child(dora)
    token = client.cookies.pop(SESSION_COOKIE).value
    client.cookies[BROWSER_COOKIE] = token
    assert client.get("/me/").status_code == 302
    assert token_hash(token)
