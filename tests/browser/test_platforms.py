"""The way from a learning platform's page into the site, in a real browser, because cookies and
frames of two sites decide whether a child gets in."""

import threading
from collections.abc import Iterator
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.conf import LazySettings
from playwright.sync_api import Browser, BrowserContext, Page, expect

from classrooms.lti import messages, outgoing, views
from classrooms.lti.messages import subject_hash
from classrooms.lti.models import Course, Platform, PlatformPerson
from classrooms.models import Membership, School, User
from tests.browser.conftest import SIZES
from tests.classrooms.lti.platforms import AT, INSTRUCTOR, LEARNER, FakePlatform
from tests.classrooms.people import client_of, confirmed
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGE: Final = "<!doctype html><title>Moodle</title><h1>Moodle</h1>{}"


class Pages:
    """The pages of a platform on another site than ours: a course with a frame, a page that posts
    the launch, and one that receives the choice."""

    def __init__(self) -> None:
        outer = self
        self.fake: FakePlatform
        self.who: dict[str, Any] = {}
        self.taken: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                self._show(outer.page(parts.path, dict(parse_qsl(parts.query))))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                outer.taken.append(dict(parse_qsl(body))["JWT"])
                self._show("<p>Taken</p>")

            def _show(self, content: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(PAGE.format(content).encode())

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def page(self, path: str, query: dict[str, str]) -> str:
        if path == "/course":
            return f'<iframe src="{escape(self.frame)}" width="340" height="500"></iframe>'
        if path == "/auth":
            answer = self.fake.answer(query, **self.who)
            fields = "".join(
                f'<input type="hidden" name="{name}" value="{escape(answer[name])}">'
                for name in ("state", "id_token")
            )
            action = escape(answer["launch_url"])
            return f'<form method="post" action="{action}">{fields}<button>Go on</button></form>'
        return ""

    @property
    def frame(self) -> str:
        site = self.site
        launch = f"{site}/lti/{self.fake.platform.pk}/launch/"
        query = f"iss={AT}&login_hint=7&target_link_uri={launch}&lti_message_hint=1"
        return f"{site}/lti/{self.fake.platform.pk}/login/?{query}"

    site = ""


@pytest.fixture
def alice(db: None) -> User:
    """Alice owns 5B, and is the admin of the school."""
    alice = confirmed(UserFactory.create(email="alice@example.org"))
    TeachingFactory.create(user=alice)
    school = School.objects.create(name="The school")
    Membership.objects.create(school=school, user=alice, role=Membership.Role.ADMIN)
    return alice


@pytest.fixture
def moodle(
    alice: User, live_server: Any, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Pages]:
    pages = Pages()
    settings.SITE_URL = pages.site = live_server.url
    pages.fake = FakePlatform.create(alice.membership.school)
    pages.fake.return_url = f"{pages.url}/return"
    # The pages of this test are without TLS.
    monkeypatch.setattr(Platform, "origins", property(lambda platform: [pages.url, AT]))
    monkeypatch.setattr(messages, "is_allowed", lambda url: True)
    for module in (outgoing, views):
        monkeypatch.setattr(module, "origin_of", lambda url: "://".join(urlsplit(url)[:2]))
    Platform.objects.update(auth_url=f"{pages.url}/auth")
    monkeypatch.setattr(outgoing, "ask", pages.fake.ask)
    yield pages
    pages.server.shutdown()


@pytest.fixture
def course(moodle: Pages, alice: User) -> Course:
    school_class = alice.classes.get()
    return Course.objects.create(
        platform=moodle.fake.platform, context="c1", title="Maths", school_class=school_class
    )


def context_of(browser: Browser, size: str, **options: Any) -> BrowserContext:
    width, height = SIZES[size]
    return browser.new_context(viewport={"width": width, "height": height}, locale="en", **options)


def open_tab(page: Page, moodle: Pages) -> Page:
    """Go from the frame of the course to a tab, through the platform's own page."""
    page.goto(f"{moodle.url}/course")
    frame = page.frame_locator("iframe")
    with page.context.expect_page() as opened:
        frame.get_by_role("link", name="Open nmbrs!").click()
    opened.value.get_by_role("button", name="Go on").click()
    return opened.value


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_child_comes_from_a_frame_into_their_games(
    scripts: bool, browser: Browser, moodle: Pages, course: Course
) -> None:
    dora = ChildFactory.create(school_class=course.school_class, name="Dora")
    context = context_of(browser, "phone", java_script_enabled=scripts)
    page = context.new_page()
    tab = open_tab(page, moodle)
    expect(tab.get_by_role("heading", name="Hello Dora")).to_be_visible()
    expect(tab.get_by_text("Your teacher says once who you are")).to_be_visible()
    PlatformPerson.objects.all().delete()
    PlatformPerson.objects.create(
        platform=moodle.fake.platform,
        child=dora,
        subject_hash=subject_hash(moodle.fake.platform, "7"),
    )
    tab = open_tab(page, moodle)
    expect(tab).to_have_url(f"{moodle.site}/me/")
    expect(tab.get_by_role("heading", name="Hello Dora")).to_be_visible()
    context.close()


def test_a_teacher_links_a_course_and_its_people(
    browser: Browser, moodle: Pages, alice: User
) -> None:
    school_class = alice.classes.get()
    AssignmentFactory.create(school_class=school_class)
    for name in ("Dora", "Emil"):
        ChildFactory.create(school_class=school_class, name=name)
    moodle.who = {"roles": (INSTRUCTOR,), "deep_link": True}
    context = context_of(browser, "desktop")
    session = client_of(alice).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": moodle.site}])
    page = context.new_page()
    tab = open_tab(page, moodle)
    tab.get_by_label("Class").select_option(index=1)
    tab.get_by_role("button", name="Link the course").click()
    expect(tab.get_by_role("heading", name="Choose an assignment")).to_be_visible()
    tab.get_by_role("main").get_by_role("button").first.click()
    expect(tab.get_by_role("heading", name="The assignment is chosen")).to_be_visible()
    frame = page.frame_locator("iframe")
    frame.get_by_text("Teachers").click()
    frame.get_by_role("button", name="I have chosen an assignment there").click()
    frame.get_by_role("button", name="Send the link").click()
    expect(frame.get_by_text("Taken")).to_be_visible()
    assert len(moodle.taken) == 1

    moodle.who = {"name": "Dora Bakker", "roles": (LEARNER,)}
    child = context_of(browser, "desktop")
    open_tab(child.new_page(), moodle)
    tab.goto(f"{moodle.site}/classes/{school_class.pk}/platform/")
    tab.get_by_role("button", name="This is right").click()
    expect(tab.get_by_text("1 child now comes in from the platform")).to_be_visible()
    platform = moodle.fake.platform
    tab.goto(f"{moodle.site}/schools/{platform.school_id}/platforms/")
    tab.goto(f"{moodle.site}/schools/{platform.school_id}/platforms/{platform.pk}/")
    child.close()
    context.close()


def test_no_other_site_can_frame_ours(browser: Browser, moodle: Pages, course: Course) -> None:
    other = Pages()
    other.fake, other.site = moodle.fake, moodle.site
    context = context_of(browser, "desktop")
    page = context.new_page()
    page.goto(f"{other.url}/course")
    expect(page.frame_locator("iframe").get_by_role("link", name="Open nmbrs!")).to_have_count(0)
    context.close()
    other.server.shutdown()
