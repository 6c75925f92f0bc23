"""Merging makes one child of two, and undoing it restores every row of both."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from classrooms.checkups import services as checkups
from classrooms.locks import ActRefused
from classrooms.models import AuditEntry, Child, ChildSession, Merge, SchoolClass, Tombstone, User
from classrooms.privacy import erasure
from classrooms.privacy.export import DECLARED_TABLES, rows_of
from classrooms.privacy.tasks import erase_removed
from classrooms.progress import evidence
from classrooms.progress.models import CHANCE_COUNTS, Chance, ChildDay, TableDay
from classrooms.progress.rebuild import REBUILT_MODELS
from classrooms.progress.tasks import look_for_dirty
from classrooms.questions.models import Typed
from classrooms.roster import merges, moves, services
from games.models import Game, Seat
from tests.classrooms.checkups.answering import answer_all
from tests.classrooms.people import acts, client_of, client_of_child, text_on, url_of
from tests.classrooms.progress.answering import answer
from tests.classrooms.progress.playing import begin_with_a_row
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    CheckUpFactory,
    ChildFactory,
    GroupFactory,
    TeachingFactory,
)

pytestmark = pytest.mark.django_db
COUNTED = {model._meta.label for model in REBUILT_MODELS} - {"progress.Played", "progress.Chance"}
"""These rows are made again from the evidence, so their keys may change."""
GROWING = {"classrooms.AuditEntry", "progress.ProgressLock"}
ENDED = {"classrooms.ChildSession"}
"""The merged child has to sign in again."""


def all_rows(*children: Child) -> Mapping[str, list[Any]]:
    """Every row about these children, of every table, also secret ones."""
    by_table = {}
    for declared in DECLARED_TABLES:
        if declared.model in GROWING | ENDED:
            continue
        rows = [row for child in children for row in rows_of(child, declared).values()]
        for row in rows:
            if declared.model in COUNTED:
                row.pop("id", None)
        by_table[declared.model] = sorted(map(repr, rows))
    return by_table


@pytest.fixture
def pair() -> tuple[Child, Child]:
    """Two children of a class with rows in every table that a merge touches."""
    assignment = AssignmentFactory.create(options={"offers": False})
    school_class: SchoolClass = assignment.school_class
    twin, dora = ChildFactory.create_batch(2, school_class=school_class)
    check_ups = [CheckUpFactory.create(school_class=school_class) for _ in range(3)]
    for child, counts in ((twin, (3, 1, 1)), (dora, (1, 2, 0))):
        begin_with_a_row(child, assignment).play_turn()
        answer(child, 6, 7, assignment=assignment)
        Typed.objects.create(child=child, digits=2, ms=900)
        client_of_child(child)
        for check_up, count in zip(check_ups, counts, strict=True):
            if count:
                own = checkups.begin(child, check_up, has_script=True)
                answer_all(own, until=count)
    GroupFactory.create(school_class=school_class, children=[twin, dora])
    GroupFactory.create(school_class=school_class, children=[twin])
    AssignmentFactory.create(school_class=school_class).children.add(twin)
    look_for_dirty()
    return twin, dora


def test_merge_and_undo_leave_the_same_rows_as_before(pair: tuple[Child, Child]) -> None:
    twin, dora = pair
    before = all_rows(twin, dora)
    assert [table for table, rows in before.items() if not rows and table in COUNTED] == []
    merge = merges.merge(twin, dora, None)
    look_for_dirty()
    assert all_rows(twin, dora) != before
    merges.undo(merge, None)
    look_for_dirty()
    twin.refresh_from_db()
    assert all_rows(twin, dora) == before
    assert not Merge.objects.exists()


def test_play_after_the_merge_goes_with_its_game(pair: tuple[Child, Child]) -> None:
    twin, dora = pair
    assignment = twin.attempts.get().assignment
    merge = merges.merge(twin, dora, None)
    begin_with_a_row(dora, assignment).play_turn()
    look_for_dirty()
    merges.undo(merge, None)
    look_for_dirty()
    assert (twin.attempts.count(), dora.attempts.count()) == (1, 2)
    for child in pair:
        for model in (Chance, ChildDay):
            rows = model._default_manager.filter(child=child)
            assert rows.exists(), (child, model)
        assert not Chance.objects.filter(child=child).exclude(game__attempt__child=child).exists()


def test_a_merged_child_is_signed_out_and_at_no_table() -> None:
    attempt = AttemptFactory.create()
    twin = attempt.child
    dora = ChildFactory.create(school_class=twin.school_class)
    Child.objects.filter(pk=twin.pk).update(last_game=attempt.game)
    client_of_child(twin)
    client_of_child(dora)
    merges.merge(twin, dora, None)
    assert [session.child for session in ChildSession.objects.all()] == [dora]
    assert Child.all_objects.get(pk=twin.pk).last_game is None


def test_merges_of_a_merged_child_are_undone_one_after_the_other() -> None:
    emil, dora, finn = ChildFactory.create_batch(3, school_class=ChildFactory.create().school_class)
    attempt = AttemptFactory.create(child=emil)
    first, second = merges.merge(emil, dora, None), merges.merge(dora, finn, None)
    with pytest.raises(ActRefused, match="merged"):
        merges.undo(first, None)
    merges.undo(second, None)
    merges.undo(first, None)
    assert emil.attempts.get() == attempt
    assert Seat.objects.filter(player=emil.player, game=attempt.game).exists()


def test_a_merged_child_is_erased_with_the_other() -> None:
    dora = ChildFactory.create()
    attempt = AttemptFactory.create(child=ChildFactory.create(school_class=dora.school_class))
    merges.merge(attempt.child, dora, None)
    erasure.erase_child(dora, None)
    assert not Child.all_objects.exists()
    assert not Game.objects.exists()
    assert Tombstone.objects.count() == 2
    names = AuditEntry.objects.values_list("child_id", flat=True)
    assert not {dora.pk, attempt.child.pk} & set(names)


def test_erasing_a_class_erases_its_merged_children() -> None:
    dora = ChildFactory.create()
    merges.merge(ChildFactory.create(school_class=dora.school_class), dora, None)
    erasure.erase_class(dora.school_class, None)
    assert not Child.all_objects.exists()


def test_the_games_of_both_become_those_of_one() -> None:
    first = AttemptFactory.create()
    twin = ChildFactory.create(school_class=first.child.school_class)
    second = AttemptFactory.create(child=twin, assignment=first.assignment)
    merges.merge(twin, first.child, None)
    assert Child.objects.get() == first.child
    assert set(first.child.attempts.all()) == {first, second}
    assert Game.objects.count() == 2
    players = Seat.objects.exclude(player=None).values_list("player", flat=True)
    assert set(players) == {first.child.player}


def test_the_kept_child_goes_on_with_both_games() -> None:
    dora = ChildFactory.create()
    attempt = AttemptFactory.create(child=ChildFactory.create(school_class=dora.school_class))
    merges.merge(attempt.child, dora, None)
    assert client_of_child(dora).get(f"/games/{attempt.game_id}/").status_code == 200


def test_the_reports_count_everything_for_the_remaining_child() -> None:
    assignment = AssignmentFactory.create()
    twin, dora = ChildFactory.create_batch(2, school_class=assignment.school_class)
    hand = begin_with_a_row(twin, assignment)
    hand.play_turn()
    evidence.process_game(hand.attempt.game_id)
    before = _counts(twin)
    assert before
    merges.merge(twin, dora, None)
    look_for_dirty()
    assert _counts(dora) == before
    assert not _counts(twin)


def _counts(child: Child) -> list[tuple[int, ...]]:
    days = TableDay.objects.filter(child=child).order_by("table")
    return list(days.values_list("table", *CHANCE_COUNTS))


# Two entries of one child are shown side by side before they are merged, and for a week the teacher
# can undo it


def test_both_entries_are_shown_before_they_are_merged(
    alice: User, dora: Child, emil: Child
) -> None:
    AttemptFactory.create(child=emil)
    ChildDay.objects.create(
        child=dora,
        school_class=dora.school_class,
        day=dora.school_class.today(),
        last_at=timezone.now(),
    )
    page = client_of(alice).get(url_of("merge_child", emil), {"into": str(dora.pk)})
    assert [entry["child"] for entry in page.context["entries"]] == [emil, dora]
    assert [(side["matches"], side["days"]) for side in page.context["entries"]] == [(1, 0), (0, 1)]
    assert "Merge Emil into Dora" in text_on(page)
    assert f"{url_of('merge_child', dora)}?into={emil.pk}" in text_on(page)
    assert Child.objects.count() == 2


def test_two_entries_of_one_child_can_be_merged(alice: User, dora: Child, emil: Child) -> None:
    attempt = AttemptFactory.create(child=emil)
    client = client_of(alice)
    client.post(url_of("merge_child", emil), {"into": dora.pk})
    assert Child.objects.get() == dora
    assert dora.attempts.get() == attempt
    assert acts().get().what == AuditEntry.What.MERGED
    page = client.get(url_of("children", dora.school_class))
    assert "Emil into Dora" in text_on(page)
    assert url_of("bring_child_back", emil) not in text_on(page)
    assert client.post(url_of("bring_child_back", emil)).status_code == 404
    client.post(url_of("remove_child", dora))
    client.post(url_of("bring_child_back", dora))
    assert Child.objects.get() == dora


def test_one_post_undoes_the_merge(alice: User, dora: Child, emil: Child) -> None:
    attempt = AttemptFactory.create(child=emil)
    client = client_of(alice)
    page = client.post(url_of("merge_child", emil), {"into": dora.pk}, follow=True)
    assert url_of("undo_merge", emil) in text_on(page)
    page = client.post(url_of("undo_merge", emil), follow=True)
    assert "Emil and Dora are two separate children again." in text_on(page)
    assert emil.attempts.get() == attempt
    assert acts().last().what == AuditEntry.What.MERGE_UNDONE
    page = client.post(url_of("undo_merge", emil), follow=True)
    assert "That can no longer be undone." in text_on(page)


def test_a_child_cannot_be_merged_into_a_stranger_or_themselves(alice: User, dora: Child) -> None:
    finn = TeachingFactory.create(school_class__name="6A").school_class.children.create(name="Finn")
    client = client_of(alice)
    assert client.post(url_of("merge_child", dora), {"into": finn.pk}).status_code == 404
    for nonsense in ("", "x", str(dora.pk)):
        page = client.post(url_of("merge_child", dora), {"into": nonsense})
        assert "Choose a child." in text_on(page)
    assert Child.objects.count() == 2


def test_the_page_says_what_prevents_an_undo(alice: User, dora: Child, emil: Child) -> None:
    client = client_of(alice)
    client.post(url_of("merge_child", emil), {"into": dora.pk})
    namesake = ChildFactory.create(school_class=dora.school_class, name="emil")
    page = client.post(url_of("undo_merge", emil), follow=True)
    assert "There is now another Emil in " in text_on(page)
    client.post(url_of("merge_child", dora), {"into": namesake.pk})
    page = client.post(url_of("undo_merge", emil), follow=True)
    assert "Dora was merged too." in text_on(page)
    client.post(url_of("undo_merge", dora))
    other = TeachingFactory.create(user=alice, school_class__name="6B").school_class
    moves.move([dora], other, None)
    page = client.post(url_of("undo_merge", emil), follow=True)
    assert "Dora is now in another class." in text_on(page)
    assert Merge.objects.filter(child=emil).exists()


def test_after_a_week_nothing_is_left_to_undo(alice: User, dora: Child, emil: Child) -> None:
    client = client_of(alice)
    services.rename(emil, "Emile", alice)
    client.post(url_of("merge_child", emil), {"into": dora.pk})
    Merge.objects.update(at=timezone.now() - timedelta(days=6))
    erase_removed()
    assert Merge.objects.exists()
    Merge.objects.update(at=timezone.now() - timedelta(days=8))
    erase_removed()
    assert Child.all_objects.get() == dora
    assert set(acts().values_list("child_id", flat=True)) == {dora.pk}
    page = client.get(url_of("children", dora.school_class))
    assert not page.context["merges"]
