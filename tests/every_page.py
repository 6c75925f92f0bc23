"""Every HTML page of the site in `tests/pages.py`, requested by the people who may see it, in a
class in which much has been done."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from classrooms.assignments import services as assignments
from classrooms.assignments.presets import PRESETS
from classrooms.checkups.models import CheckUp
from classrooms.lesson import hands, one_deal
from classrooms.models import Child, SchoolClass
from classrooms.progress.models import Chance
from classrooms.progress.tasks import look_for_dirty
from classrooms.roster import services as roster
from tests.classrooms.checkups.answering import take
from tests.classrooms.lesson.deals import DealHand
from tests.classrooms.people import text_on
from tests.classrooms.progress.answering import answer, rows
from tests.classrooms.progress.playing import begin_with_a_row
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    CheckUpFactory,
    ChildFactory,
    DownloadFactory,
    GroupFactory,
)
from tests.pages import PAGES, Kind, address, first_loss
from tests.permission_world import World

Ids = Mapping[str, Any]

FOR_ALL: Final[tuple[Kind, ...]] = ("open", "door", "link", "account")
SEEN_BY: Final[Mapping[str, tuple[Kind, ...]]] = {
    "nobody": FOR_ALL,
    "Alice": ("adult", "teacher", "owner", "link", "account"),
    "Ada": ("adult", "school admin"),
    "Charlie": ("invitation",),
    "Dora": ("child", "game"),
}
"""The people whose pages are requested, all of them in Alice's class."""


class PageRequest(NamedTuple):
    """A request for a page. `data` is the posted data, None for a GET."""

    who: str
    name: str
    url: str
    data: Mapping[str, Any] | None = None

    @property
    def called(self) -> str:
        query = self.url.partition("?")[2].partition("=")[0]
        posted = "" if self.data is None else "posted"
        return "-".join(filter(None, (self.who, self.name, query, posted)))


def fill_class(world: World) -> dict[str, Any]:
    """Let more happen in Alice's class, and return its objects."""
    target = dict(world.targets["Alice's"])
    school_class = SchoolClass.objects.get(pk=target["class_id"])
    dora = Child.objects.get(pk=target["child_id"])
    add_busy_children(school_class)
    children = list(school_class.children.all())
    assignment = AssignmentFactory.create(
        school_class=school_class, options={"tables": [2, 3, 4], "offers": False}
    )
    hand = begin_with_a_row(dora, assignment)
    for _ in range(2):
        hand.play_round(lays=False)
    deal = one_deal.start(school_class, PRESETS["first"].choice)
    for number, child in enumerate(children[:2]):
        DealHand(child, deal, number, 0.5).play_out()
    assignments.end(deal)
    look_for_dirty()
    hands.show_next_hand(school_class, [3, 4], None)
    chance = Chance.objects.filter(child=dora, outcome="missed").first()
    target |= {
        "given_id": assignment.pk,
        "deal_id": deal.pk,
        "other_id": Child.objects.get(school_class=school_class, name="Emil").pk,
        "played_id": chance.game_id,
        "entry": chance.entry,
        "row": chance.row,
    }
    return target


def add_busy_children(school_class: SchoolClass, *, only_new: bool = False) -> None:
    """Add four children, each with games, progress, answers and a finished check-up. Unless
    `only_new`, the other children of the class have the same."""
    children = ChildFactory.create_batch(4, school_class=school_class)
    assignment = AssignmentFactory.create(school_class=school_class)
    for child in children if only_new else school_class.children.all():
        AttemptFactory.create(child=child, assignment=assignment)
        for table in (2, 3, 5):
            rows(child, table, found=2, missed=6, ago=20, fold=False)
            rows(child, table, found=2, missed=7, ago=1, fold=False)
        rows(child, 10, found=30, ago=2)  # This folds the others too.
        for low, high in ((3, 4), (6, 7)):
            for _ in range(3):
                answer(child, low, high, right=low == 3)
    group = GroupFactory.create(school_class=school_class, children=children)
    narrow = AssignmentFactory.create(school_class=school_class, is_for_everyone=False)
    narrow.groups.add(group)
    narrow.children.add(*children)
    for term in CheckUp.Term:
        check_up = CheckUpFactory.create(school_class=school_class, term=term)
        for child in children:
            take(child, check_up, wrong=3)
    DownloadFactory.create(school_class=school_class, children=children, ready=True)
    roster.remove(ChildFactory.create(school_class=school_class), None)


def every_page(target: Ids) -> Iterator[PageRequest]:
    """All requests. Some of the answers are not pages."""
    for name, page in PAGES.items():
        seers = [person for person, kinds in SEEN_BY.items() if page.kind in kinds]
        url = address(name, target)
        if "GET" in page.methods:
            yield from (PageRequest(person, _short(name), url) for person in seers)
        for query in page.states:
            yield PageRequest(seers[0], _short(name), url + query.format_map(target))
        if page.loss and page.loss.words and "GET" not in page.methods:
            post, data = first_loss(name)
            yield PageRequest(post.who, _short(name), url, data)
    normal = {**target, "assignment_id": target["given_id"]}
    yield PageRequest("Alice", "edit_assignment", address("classrooms:edit_assignment", normal))
    yield PageRequest(
        "Alice", "try_assignment", address("classrooms:try_assignment", target), {"preset": "first"}
    )
    reason = {"reason": "parents", "child": target["child_id"]}
    yield PageRequest("Ada", "school_child", address("classrooms:school_child", target), reason)


def is_page(answer: Any) -> bool:
    """Whether the answer is a whole page, and not a file, a part of a page or a redirect."""
    is_html = answer.headers["content-type"].startswith("text/html")
    return is_html and answer.status_code == 200 and "<main" in text_on(answer)


def _short(name: str) -> str:
    return name.removeprefix("classrooms:")
