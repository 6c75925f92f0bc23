"""The audit log has an entry for whatever an adult does to a class."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from classrooms.models import AuditEntry
from tests.counts import for_each
from tests.pages import ADULTS, PAGES, Page, Post, address
from tests.permission_world import World, in_bundles, traceless

What = AuditEntry.What
LOGGED = [name for name, page in PAGES.items() if any(post.logs for post in page.posts)]


@contextmanager
def undone(world: World) -> Iterator[Callable[[], list[AuditEntry]]]:
    """Undo the acts in this context at its end. Yield a function that lists the entries since its
    start."""
    with traceless(world.clients.values()):
        last = AuditEntry.objects.order_by("-pk").values_list("pk", flat=True)[0]
        entries = AuditEntry.objects.exclude(what=What.SIGNED_IN).filter(is_part=False)
        yield lambda: list(entries.filter(pk__gt=last))


@for_each(PAGES.items())
def test_every_post_of_an_adult_is_logged_or_says_why_not(name: str, page: Page) -> None:
    is_act = page.kind in ADULTS and "POST" in page.methods
    assert (name in LOGGED) + bool(page.unlogged) == is_act


@in_bundles(LOGGED)
def test_an_act_is_logged_with_who_did_it(
    names: list[str], world: World, subtests: pytest.Subtests
) -> None:
    for name in names:
        for post in PAGES[name].posts:
            if post.logs:
                with subtests.test(f"{name}: {post.logs}"), undone(world) as entries:
                    _check_is_logged(name, post, world, entries)


def _check_is_logged(
    name: str, post: Post, world: World, entries: Callable[[], list[AuditEntry]]
) -> None:
    target, client = dict(world.targets["Alice's"]), world.clients[post.who]
    data = {**post.data, **(post.prepare(target) if post.prepare else {})}
    client = data.pop("session", client)
    before = {entry.pk for entry in entries()}
    who = client.session["_auth_user_id"]
    answer = client.post(address(name, target), data)
    assert answer.status_code in (200, 302)
    new = [entry for entry in entries() if entry.pk not in before]
    logged = [entry for entry in new if entry.what == post.logs]
    assert logged, [entry.what for entry in new]
    assert {str(entry.user_id) for entry in logged} == {who}
    if PAGES[name].in_class_log:
        assert target["class_id"] in {entry.class_id for entry in logged}


def test_an_export_is_logged_with_its_kind(world: World, subtests: pytest.Subtests) -> None:
    target = world.targets["Alice's"]
    for name, page in PAGES.items():
        if not page.is_export:
            continue
        with subtests.test(name), undone(world) as entries:
            assert world.clients["Alice"].get(address(name, target)).status_code == 200
            (entry,) = [entry for entry in entries() if entry.what == What.EXPORTED]
            assert entry.class_id == target["class_id"]
            assert entry.detail["file"]


def test_a_refused_stranger_leaves_no_entry(world: World, subtests: pytest.Subtests) -> None:
    for name in LOGGED:
        if PAGES[name].kind not in ("teacher", "owner", "school admin"):
            continue
        for post in PAGES[name].posts:
            with subtests.test(name), undone(world) as entries:
                answer = world.clients["Charlie"].post(
                    address(name, world.targets["Alice's"]), post.data
                )
                assert (answer.status_code, entries()) == (404, [])
