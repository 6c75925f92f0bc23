"""Every page of the teacher's room breaks no rule of axe-core and is no wider than a phone. A new
page for teachers adds its name here."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, expect

from classrooms.checkups.models import CheckUp
from classrooms.classes import services as classes_services
from classrooms.classes import teachers
from classrooms.downloads.models import Download
from classrooms.models import Child, SchoolClass, Teaching
from classrooms.roster import services
from tests.browser.axe import broken_rules
from tests.browser.conftest import SIZES
from tests.classrooms.checkups.answering import take
from tests.classrooms.people import client_of
from tests.counts import PROOF
from tests.factories import (
    AttemptFactory,
    CheckUpFactory,
    ChildFactory,
    DownloadFactory,
    InvitationFactory,
    TeachingFactory,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OF_ALL: Final = ("classes", "new_class")
OF_A_CLASS: Final = (
    "class",
    "edit_class",
    "children",
    "teachers",
    "year_end",
    "downloads",
    "assignments",
    "assign",
    "check_ups",
    "new_check_up",
)
OF_A_CHILD: Final = ("child", "erase_child", "merge_child")
WIDE: Final = """() => [...document.querySelectorAll("body *")]
    .filter((item) => item.getBoundingClientRect().right > innerWidth + 1)
    .map((item) => item.outerHTML.slice(0, 80)).join(" | ")"""
"""What sticks out on the right."""
NAMES: Final = ("Emil", "Zoë", "Annabella-Wilhelmina van den Bergh-Smit")


@pytest.fixture
def school_class(db: Any) -> SchoolClass:
    """A class with all that its pages can show, and one of last year."""
    school_class = TeachingFactory.create(
        school_class__name="Klas 5B", user__email="alice@example.org"
    ).school_class
    alice = school_class.teachers.get()
    dora = ChildFactory.create(school_class=school_class, name="Dora")
    AttemptFactory.create(child=dora)
    for term in CheckUp.Term:
        take(dora, CheckUpFactory.create(school_class=school_class, term=term), wrong=9)
    children = [ChildFactory.create(school_class=school_class, name=name) for name in NAMES]
    services.remove(ChildFactory.create(school_class=school_class, name="Gus"))
    services.rename(children[0], "Emil B.")
    classes_services.rotate_code(school_class)
    for state in Download.State:
        DownloadFactory.create(
            school_class=school_class, state=state, problem="error", asked_by=alice
        )
    TeachingFactory.create(school_class=school_class, role=Teaching.Role.CO_TEACHER)
    InvitationFactory.create(school_class=school_class, invited_by=alice)
    classes_services.archive(
        TeachingFactory.create(user=alice, school_class__name="4B").school_class
    )
    return school_class


def sign_in(page: Page, school_class: SchoolClass, address: str) -> None:
    alice = school_class.teachers.get(teachings__role=Teaching.Role.OWNER)
    session = client_of(alice).cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address}]
    )


def walk(page: Page, school_class: SchoolClass) -> Iterator[str]:
    """Each page in turn, by its name."""
    child = Child.objects.get(name="Dora")
    for name in OF_ALL:
        page.goto(reverse(f"classrooms:{name}"))
        yield name
    for name in OF_A_CLASS:
        page.goto(reverse(f"classrooms:{name}", args=[school_class.pk]))
        yield name
    for name in OF_A_CHILD:
        page.goto(reverse(f"classrooms:{name}", args=[school_class.pk, child.pk]))
        yield name
    check_up = school_class.check_ups.all()[0]
    page.goto(reverse("classrooms:check_up", args=[school_class.pk, check_up.pk]))
    yield "check_up"
    invitation = school_class.invitations.get()
    page.goto(reverse("classrooms:invitation", args=[teachers.token(invitation)]))
    yield "invitation"
    page.goto(reverse("classrooms:children", args=[school_class.pk]))
    page.locator("textarea[name=names]").fill("Fay\tBakker\nDora\tVisser\n=x\tVos\nFay\tMol")
    page.locator("main form:has(textarea) button[type=submit]").click()
    yield "import"
    archived = SchoolClass.objects.get(name="4B")
    page.goto(reverse("classrooms:class", args=[archived.pk]))
    yield "archived"
    empty = TeachingFactory.create(user=archived.teachers.get(), school_class__name="6C")
    page.goto(reverse("classrooms:class", args=[empty.school_class_id]))
    yield "class-empty"
    page.goto(reverse("classrooms:children", args=[empty.school_class_id]))
    yield "children-empty"


def test_no_teachers_page_breaks_a_rule_or_is_too_wide(
    pages: Callable[[], Page],
    live_server: Any,
    school_class: SchoolClass,
    screenshot: Callable[[Page, str], None],
) -> None:
    page = pages()
    sign_in(page, school_class, live_server.url)
    broken = []
    for name in walk(page, school_class):
        expect(page.locator("h1")).to_be_visible()
        screenshot(page, f"teacher-{name}")
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            if size == "phone" or PROOF:  # test_every_page asks at a desk.
                broken += [f"{name}, {size}: {rule}" for rule in broken_rules(page)]
            if page.evaluate("document.documentElement.scrollWidth") > width:
                broken.append(f"{name}, {size}: wider than the page: {page.evaluate(WIDE)}")
    assert broken == []


def test_a_child_is_renamed_in_its_place_and_removed_and_brought_back(
    pages: Callable[[], Page], live_server: Any, school_class: SchoolClass
) -> None:
    page = pages()
    sign_in(page, school_class, live_server.url)
    page.goto(reverse("classrooms:children", args=[school_class.pk]))
    page.get_by_role("link", name="Rename Dora").click()
    field = page.get_by_label("Another name for Dora")
    expect(field).to_be_focused()
    field.fill("Dora K.")
    field.press("Enter")
    expect(page.get_by_role("link", name="Dora K.", exact=True)).to_be_visible()
    page.get_by_role("link", name="Dora K.", exact=True).click()
    page.get_by_role("button", name="Remove Dora K.").click()
    expect(page.get_by_role("link", name="Dora K.", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("link", name="Dora K.", exact=True)).to_be_visible()


def test_a_download_becomes_ready_before_ones_eyes(
    pages: Callable[[], Page], live_server: Any, school_class: SchoolClass
) -> None:
    Download.objects.all().delete()
    made = DownloadFactory.create(school_class=school_class, state="working", done=1, total=4)
    page = pages()
    sign_in(page, school_class, live_server.url)
    page.goto(reverse("classrooms:downloads", args=[school_class.pk]))
    expect(page.get_by_text("In progress: 25%")).to_be_visible()
    page.get_by_role("button", name="Cancel").focus()
    Download.objects.update(done=3)
    expect(page.get_by_text("In progress: 75%")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    Download.objects.update(state="ready", content=b"the file", size=8)
    expect(page.locator("#live")).to_have_text("All downloads are ready.")
    with page.expect_download() as fetched:
        page.locator(f"#fetch-{made.pk}").click()
    assert fetched.value.path().read_bytes() == b"the file"
