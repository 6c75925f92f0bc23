"""The next steps of children: a suggestion given with one tap, everyone's next step, the plan of
each Monday."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

import pytest
from django.db import connection
from django.db.models import Sum
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from classrooms.assignments import services as assignments
from classrooms.assignments.audience import Audience, members
from classrooms.assignments.playing import continue_or_start
from classrooms.assignments.presets import preset_for_tables
from classrooms.assignments.services import GivenAlready
from classrooms.assignments.status import overview, playable_assignments
from classrooms.checkups.models import CheckUpAnswer
from classrooms.classes.tasks import repeat_weekly
from classrooms.demo.model_children import MIDDLE, STRONG, WEAK, ModelChild, ModelChooser
from classrooms.demo.past_games import PastGame, play_out, store_games
from classrooms.models import Assignment, Attempt, Child, SchoolClass, User
from classrooms.progress import next_steps
from classrooms.progress.class_page import ClassPage, class_page
from classrooms.progress.findings import Need
from classrooms.progress.given_steps import GivenStep, NextStep, recent_steps, with_outcomes
from classrooms.progress.models import ProgressLock, TableDay
from classrooms.progress.next_steps import everyones_steps, give_steps, take_plan_back
from classrooms.progress.tasks import look_for_dirty
from classrooms.questions.models import Check
from classrooms.ui.dates import written
from games.coach.mastery import FEWEST_FOR_A_LEVEL
from games.coach.statements.contrasts import Share
from games.coach.times_tables import TABLES_TO_12, fact_of
from games.models import Game
from games.play.starting import NewSeat
from tests.classrooms.checkups.answering import take
from tests.classrooms.people import client_of, text_on, undo_of, url_of
from tests.classrooms.progress.answering import answer, play_day, rows
from tests.classrooms.progress.playing import Hand, begin
from tests.clock import at
from tests.counts import times
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChanceFactory,
    CheckUpFactory,
    ChildFactory,
    GroupFactory,
    SchoolClassFactory,
)

SIGN = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
pytestmark = pytest.mark.django_db
TABLE_7: Final = NextStep(7)


def class_page_of(school_class: SchoolClass) -> ClassPage:
    return class_page(school_class, QueryDict())


def page_text(client: Client, school_class: SchoolClass) -> str:
    return text_on(client.get(url_of("class", school_class)))


def tap(client: Client, page: str, label: str) -> Any:
    label = " ".join(label.split())
    for form in re.findall(r"<form.*?</form>", page, re.DOTALL):
        if f'aria-label="{label}"' in " ".join(form.split()):
            (address,) = re.findall(r'action="([^"]+)"', form)
            fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
            return client.post(address, fields, follow=True)
    raise AssertionError(f"no button {label!r}")


@pytest.fixture
def needy_class(dora: Child, emil: Child, school_class: SchoolClass) -> SchoolClass:
    """Dora and Emil find few rows of the 7 times table."""
    AssignmentFactory.create(school_class=school_class)
    for child in (dora, emil):
        rows(child, 7, found=1, missed=9)
        play_day(child, turns=5)
    return school_class


def test_a_low_figure_of_few_rows_comes_after_a_surer_one(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    rows(dora, 7, found=1, missed=2)
    rows(emil, 7, found=4, missed=6)
    for child in (dora, emil):
        play_day(child, turns=5)
    first, second, *_ = everyones_steps(school_class).lines
    assert (first.child, second.child) == (emil, dora)
    assert (first.first.need, second.first.need) == (Need.GUESS, Need.GUESS)


def test_the_table_with_the_lowest_figure_comes_first(
    dora: Child, school_class: SchoolClass
) -> None:
    rows(dora, 4, found=4, missed=3)
    rows(dora, 3, found=3, missed=5)
    assert plan_of(school_class)["Dora"] == ["3 times table"]


def test_a_child_who_has_not_begun_the_game_of_the_class_gets_no_other(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    assert {line.first is None for line in everyones_steps(school_class).lines} == {False}
    AssignmentFactory.create(school_class=school_class)
    play_day(dora, turns=5)
    lines = {line.child: line for line in everyones_steps(school_class).lines}
    assert lines[dora].first
    assert lines[emil].first is None
    assert lines[emil].reason == "has not begun a game yet"


def test_a_class_that_begins_gets_no_card_for_what_may_be_chance(
    dora: Child, school_class: SchoolClass
) -> None:
    rows(dora, 7, found=1, missed=2)
    play_day(dora, turns=5)
    assert [card.kind for card in class_page_of(school_class).cards] == ["guess"]
    ChildFactory.create_batch(2, school_class=school_class)
    assert not class_page_of(school_class).cards


def test_a_table_with_many_missed_rows_comes_after_worse_facts_and_stays(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    AssignmentFactory.create(school_class=school_class)
    rows(dora, 7, found=7, missed=5)
    for child in (dora, emil):
        play_day(child, turns=5)
        for _ in range(4):
            answer(child, 6, 8, right=False)
    look_for_dirty()
    cards = class_page_of(school_class).cards
    assert [(card.kind, card.children) for card in cards][:2] == [
        ("fact", [dora]),
        ("fact", [emil]),
    ]
    next_steps.give_steps(school_class, {NextStep(facts=((6, 8),)): [dora]})
    assert "7 times table" in [card.title for card in class_page_of(school_class).cards]


# A suggestion is given with one tap


def test_one_tap_gives_a_suggestion_and_its_card_moves_down(
    alice: User, dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    client = client_of(alice)
    page_after = tap(client, page_text(client, needy_class), "Give: 7 times table, to Dora, Emil")
    assert page_after.redirect_chain == [(url_of("class", needy_class), 302)]
    assignment = Assignment.objects.get(is_for_everyone=False)
    assert set(assignment.children.all()) == {dora, emil}
    assert assignment.due_on == needy_class.today() + timedelta(days=6)
    titles = {item.assignment: item.title for item in playable_assignments(dora)}
    assert titles[assignment] == "2 and 7 times tables"
    page = class_page_of(needy_class)
    assert not [card for card in page.cards if card.kind == "table"]
    (card,) = page.given_cards
    assert card.title == "2 and 7 times tables"
    (progress,) = overview(needy_class, [assignment])
    assert progress.title == "2 and 7 times tables"
    assert ": 2 and 7 times tables. With the 2 times table" in text_on(page_after)
    assert card.reason.startswith("Given today · 2\u00a0not started")
    assert "Given today · 2\u00a0not started" in text_on(page_after)


def test_a_given_suggestion_can_be_undone(alice: User, needy_class: SchoolClass) -> None:
    client = client_of(alice)
    before = [card.title for card in class_page_of(needy_class).cards]
    page = tap(client, page_text(client, needy_class), "Give: 7 times table, to Dora, Emil")
    assert "Taken back from 2 children." in text_on(client.post(undo_of(page), follow=True))
    assert not Assignment.objects.filter(is_for_everyone=False).exists()
    assert [card.title for card in class_page_of(needy_class).cards] == before
    assert "can no longer be undone" in text_on(client.post(undo_of(page), follow=True))


def test_a_step_can_be_taken_back_from_one_child(
    alice: User, dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    client = client_of(alice)
    tap(client, page_text(client, needy_class), "Give: 7 times table, to Dora, Emil")
    assignment = Assignment.objects.get(is_for_everyone=False)
    url = url_of("withdraw_assignment", needy_class, assignment.pk)
    posted = {"on-class": "1", "child": str(dora.pk)}
    page = client.post(url, posted, follow=True)
    assert "No longer assigned to Dora: 2 and 7 times tables." in text_on(page)
    assert list(assignment.children.all()) == [emil]
    client.post(undo_of(page))
    assert set(assignment.children.all()) == {dora, emil}
    for child in (dora, emil):
        client.post(url, posted | {"child": str(child.pk)})
    assert not Assignment.objects.filter(pk=assignment.pk).exists()


def test_undoing_ends_a_begun_game_and_keeps_it(
    alice: User, dora: Child, needy_class: SchoolClass
) -> None:
    client = client_of(alice)
    page = tap(client, page_text(client, needy_class), "Give: 7 times table, to Dora, Emil")
    attempt = AttemptFactory.create(
        child=dora, assignment=Assignment.objects.get(is_for_everyone=False)
    )
    assert "what was played is kept" in text_on(client.post(undo_of(page), follow=True))
    attempt.assignment.refresh_from_db()
    assert attempt.assignment.ended_at
    assert attempt.assignment not in [item.assignment for item in playable_assignments(dora)]


def test_a_suggestion_can_be_given_on_a_childs_page(
    alice: User, dora: Child, needy_class: SchoolClass
) -> None:
    client, own = client_of(alice), url_of("progress", needy_class, dora.pk)
    page = tap(client, text_on(client.get(own)), "Give: 7 times table, to Dora")
    assert page.redirect_chain == [(own, 302)]
    assert "Given today · not started" in text_on(page)
    assert list(Assignment.objects.get(is_for_everyone=False).children.all()) == [dora]


def test_a_card_says_how_far_each_child_is(
    dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    fay = ChildFactory.create(school_class=needy_class, name="Fay")
    assignments.give(needy_class, {TABLE_7.choice: [dora, emil, fay]})
    assignment = Assignment.objects.get(is_for_everyone=False)
    for child in (dora, emil):
        AttemptFactory.create(child=child, assignment=assignment)
    Game.objects.filter(attempt__child=dora).update(finished_at=timezone.now())
    (card,) = class_page_of(needy_class).given_cards
    assert card.reason == "Given today · 1\u00a0done · 1\u00a0started · 1\u00a0not started"


def test_a_step_with_a_result_comes_before_one_that_was_just_given(
    dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    with at(timezone.now() - timedelta(days=7)):
        assignments.give(needy_class, {TABLE_7.choice: [dora]})
    attempt = AttemptFactory.create(child=dora)
    for entry in range(3):
        ChanceFactory.create(attempt=attempt, entry=entry, table=7)
    assignments.give(needy_class, {NextStep(3).choice: [emil]})
    titles = [card.title for card in class_page_of(needy_class).given_cards]
    assert titles == ["2 and 7 times tables", "2 and 3 times tables"]


def test_given_steps_belong_to_children_of_the_class(
    dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    assignments.give(needy_class, {TABLE_7.choice: [dora, emil]})
    other = ChildFactory.create()
    assignments.give(other.school_class, {TABLE_7.choice: [other]})
    Child.objects.filter(pk=emil.pk).update(removed_at=timezone.now())
    (card,) = class_page_of(needy_class).given_cards
    assert card.children == [dora]


def test_nothing_is_given_to_children_of_other_classes(
    alice: User, school_class: SchoolClass
) -> None:
    url = url_of("give_step", school_class)
    other = ChildFactory.create()
    page = client_of(alice).post(url, {"step": "7", "children": other.pk}, follow=True)
    assert "Nothing was given." in text_on(page)
    assert not Assignment.objects.exists()


# The same open assignment is never given twice


def test_only_children_without_the_assignment_are_given_it(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    assignments.give(school_class, {TABLE_7.choice: [dora]})
    ((_assignment, children),) = assignments.give(school_class, {TABLE_7.choice: [dora, emil]})
    assert children == [emil]


@pytest.mark.parametrize("way", ["by name", "in a group", "with the class"])
def test_no_page_assigns_a_game_to_a_child_who_has_it(
    dora: Child, emil: Child, school_class: SchoolClass, way: str
) -> None:
    group = GroupFactory.create(school_class=school_class, children=[dora])
    audience = {
        "by name": Audience(children=[dora]),
        "in a group": Audience(groups=[group]),
        "with the class": Audience(),
    }[way]
    game = preset_for_tables([7]).choice
    assignments.assign(school_class, game, audience)
    with pytest.raises(GivenAlready):
        assignments.assign(school_class, replace(game, note="Well"), Audience(children=[dora]))
    with pytest.raises(GivenAlready):
        assignments.give(school_class, {game: [dora]})
    if way == "with the class":
        with pytest.raises(GivenAlready):
            assignments.assign(school_class, game)
    else:
        everyone = assignments.assign(school_class, game)
        assert members(everyone, [dora, emil]) == [emil]


def test_another_game_or_other_days_are_not_the_same_assignment(
    dora: Child, school_class: SchoolClass
) -> None:
    today, game = school_class.today(), preset_for_tables([7]).choice
    assignments.assign(school_class, replace(game, due_on=today), Audience(children=[dora]))
    assignments.assign(school_class, replace(game, rounds=1), Audience(children=[dora]))
    later = replace(game, starts_on=today + timedelta(days=1))
    assignments.assign(school_class, later, Audience(children=[dora]))
    assert Assignment.objects.count() == 3


def test_a_change_brings_no_child_a_game_twice(
    alice: User, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    assignments.give(school_class, {TABLE_7.choice: [dora]})
    due_on = school_class.today() + timedelta(days=6)
    other = assignments.assign(
        school_class, replace(TABLE_7.choice, due_on=due_on), Audience(children=[emil])
    )
    url = url_of("edit_assignment", school_class, other.pk)
    data = {"children": [dora.pk, emil.pk], "rounds": 3, "hint_steps": 6, "due_on": due_on}
    page = client_of(alice).post(url, data, follow=True)
    assert "Nothing was given twice." in text_on(page)
    assert list(other.children.all()) == [emil]


# Results


def test_the_result_of_a_table_is_the_rows_found_since(
    dora: Child, school_class: SchoolClass
) -> None:
    rows(dora, 7, found=1, missed=9, ago=1)
    ((assignment, _got),) = assignments.give(school_class, {TABLE_7.choice: [dora]})
    del assignment.options["most_turns"]
    assignment.options["piles"] = 3  # until a row of 7 has come
    assignment.save()
    for seed in range(4):
        Hand(begin(dora, assignment, seed)).play_round()
    look_for_dirty()
    days = TableDay.objects.filter(child=dora, table=7, day=school_class.today())
    (step,) = with_outcomes(recent_steps(school_class, [dora]))
    finds = [day.at_once + day.later for day in days]
    of = [day.at_once + day.later + day.hinted + day.tried + day.missed for day in days]
    assert step.share_since == (sum(finds), sum(of))
    assert step.share_since.total


def test_the_result_of_a_fact_counts_either_order(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    now = timezone.now()
    for minutes in (1, 2, 3):
        answer(dora, 6, 7, right=False, at=now - timedelta(minutes=minutes))
    step = NextStep(facts=((6, 7), (7, 8)))
    assignments.give(school_class, {step.choice: [dora]})
    for first, second, right, hinted in (
        (6, 7, True, False),
        (7, 6, True, False),
        (8, 7, True, True),
        (7, 8, False, False),
        (6, 8, True, False),
    ):
        answer(dora, first, second, right=right, hinted=hinted)
    answer(emil, 6, 7)
    look_for_dirty()
    (given_step,) = with_outcomes(recent_steps(school_class, [dora, emil]))
    assert (given_step.share_since, given_step.share_before) == ((2, 4), (0, 3))
    sentence = "2 of 4 answers right without help since {}, this game included"
    assert given_step.outcome == sentence.format(written(school_class.today(), "j F"))
    own = with_outcomes(recent_steps(school_class, [dora]))
    assert [each.share_since for each in own] == [(2, 4)]


def test_a_result_is_beside_the_earlier_figure_once_both_have_enough_rows(
    dora: Child, school_class: SchoolClass
) -> None:
    """From "2 of 3, 11 of 13 before" teachers concluded that it had become worse."""
    step = NextStep(facts=((6, 7),))
    assignments.give(school_class, {step.choice: [dora]})
    (given_step,) = recent_steps(school_class, [dora])
    sentences = {
        (since, before): replace(
            given_step, shares_since_and_before={dora.pk: (Share(2, since), Share(9, before))}
        ).outcome
        for since, before in ((3, 13), (12, 3), (12, 12))
    }
    assert sentences[3, 13].startswith("2 of 3 answers right without help since ")
    assert sentences[12, 3].startswith("2 of 12 answers right without help since ")
    assert all(sentences[since].endswith(", this game included") for since in ((3, 13), (12, 3)))
    assert sentences[12, 12].endswith(", this game included; 9 of 12 in the 4 weeks before")


def test_children_given_the_same_twice_are_counted_once(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    group = GroupFactory.create(school_class=school_class, children=[dora, emil])
    step = NextStep(facts=((6, 7),))
    ((assignment, _got),) = assignments.give(school_class, {step.choice: [dora, emil]})
    assignment.groups.add(group)
    assignments.give(school_class, {TABLE_7.choice: [dora, emil]})
    for child in (dora, emil):
        for _ in range(2):
            answer(child, 6, 7)
    steps = with_outcomes(recent_steps(school_class, [dora, emil]))
    assert [(step.step.title, step.share_since) for step in steps] == [
        ("7 times table", (0, 0)),
        (f"6{SIGN}7", (4, 4)),
    ]


def test_each_of_several_children_has_their_own_result(
    alice: User, dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    """From "8 of 8" beside two names, a teacher concluded that each had found four."""
    assignments.give(school_class, {NextStep(facts=((6, 7),)).choice: [dora, emil]})
    for _ in range(4):
        answer(dora, 6, 7)
    (both,) = with_outcomes(recent_steps(school_class, [dora, emil]))
    (own,) = with_outcomes(recent_steps(school_class, [dora]))
    day = written(school_class.today(), "j F")
    result = f"4 of 4 answers right without help since {day}, this game included"
    assert (both.result, own.outcome) == ("", result)
    assert [text for _child, text, _is_unfinished in both.named_children] == [result, ""]
    assert page_text(client_of(alice), school_class).count(result) == 1


def test_a_step_that_is_over_shows_even_a_poor_result(
    dora: Child, school_class: SchoolClass
) -> None:
    for step in (TABLE_7, NextStep(facts=((6, 7),))):
        ((assignment, _got),) = assignments.give(school_class, {step.choice: [dora]})
        AttemptFactory.create(child=dora, assignment=assignment)
    Game.objects.filter(attempt__child=dora).update(finished_at=timezone.now())
    answer(dora, 6, 7)
    steps = with_outcomes(recent_steps(school_class, [dora]))
    day = written(school_class.today(), "j F")
    assert {step.step.title: step.result for step in steps} == {
        "7 times table": (
            f"7 times table: 0 rows that count (without a joker) since {day}: too few to say"
        ),
        f"6{SIGN}7": f"1 answer since {day}: too few to say",
    }


# Giving where the teacher looks


def test_a_table_can_be_given_where_its_rows_are_shown(
    alice: User, dora: Child, needy_class: SchoolClass
) -> None:
    client, label = client_of(alice), "Give: 7 times table, to Dora"
    cell = f"{url_of('class', needy_class)}?child={dora.pk}&table=7"
    moves = url_of("moves", needy_class, dora.pk, 7)
    for address in (cell, moves):
        page_after = tap(client, text_on(client.get(address)), label)
        assert "Given to Dora" in text_on(page_after)
        page = text_on(client.get(address))
        assert label not in page
        assert "Given today · not started" in page
        client.post(undo_of(page_after))


def test_the_page_of_a_child_with_nothing_to_finish_gives_the_next_step(
    alice: User, dora: Child, school_class: SchoolClass
) -> None:
    rows(dora, 2, found=10)
    ((assignment, _got),) = assignments.give(school_class, {TABLE_7.choice: [dora]})
    url = url_of("progress", school_class, dora.pk)
    assert "to Dora" not in text_on(client_of(alice).get(url))
    AttemptFactory.create(child=dora, assignment=assignment)
    Game.objects.filter(attempt__child=dora).update(finished_at=timezone.now())
    assert "times table, to Dora" in text_on(client_of(alice).get(url))


# Everyone's next step


def plan_of(school_class: SchoolClass) -> dict[str, list[str]]:
    return {
        line.child.name: [suggestion.step.title for suggestion in line.suggestions]
        for line in everyones_steps(school_class).lines
    }


def test_a_table_that_certainly_needs_practice_comes_before_facts(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    for child in (dora, emil):
        rows(child, 7, found=1, missed=9)
    for _ in range(3):
        answer(emil, 6, 8, right=False)
    take(dora, CheckUpFactory.create(school_class=school_class, tables=(6, 7)), wrong=1)
    fay = ChildFactory.create(school_class=school_class, name="Fay")
    for ago in (3, 2, 1):
        rows(fay, 2, found=10, ago=ago)
    look_for_dirty()
    plan = plan_of(school_class)
    assert [plan["Dora"][0], plan["Dora"][1].count("×")] == ["7 times table", 1]
    assert plan["Emil"][:2] == ["7 times table", f"6{SIGN}8"]
    assert plan["Fay"] == ["10 times table"]


def test_a_low_figure_comes_before_better_known_facts(
    dora: Child, emil: Child, school_class: SchoolClass
) -> None:
    rows(dora, 3, found=1, missed=2)
    for child, right in ((dora, True), (emil, False)):
        for good in (True, right, False):
            answer(child, 6, 8, right=good)
    look_for_dirty()
    lines = everyones_steps(school_class).lines
    first = [(line.child.name, line.reason) for line in lines if line.first]
    assert first == [
        (
            "Dora",
            "found 1 of 3 rows without help, last 4 weeks; may be chance",
        ),
        ("Emil", "2 of 3 answers to this fact wrong or with a hint"),
    ]
    assert plan_of(school_class)["Dora"] == ["3 times table", f"6{SIGN}8"]
    reasons = [card.reason for card in class_page_of(school_class).first_cards]
    assert reasons[:2] == [why for _name, why in first]


def test_given_steps_take_the_place_of_the_needs(
    alice: User, dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    client, url = client_of(alice), url_of("next_steps", needy_class)
    zoe = ChildFactory.create(school_class=needy_class, name="Zoe")
    rows(zoe, 3, found=0, missed=10)
    needed = [(card.title, card.reason) for card in class_page_of(needy_class).first_cards]
    assert [title for title, _why in needed] == ["3 times table", "7 times table"]
    client.post(url, form_data(text_on(client.get(url))))
    page = class_page_of(needy_class)
    assert not page.first_cards
    assert [(card.title, card.reason) for card in page.given_cards] == [
        (f"2 and {title}s", f"Given today · {state} · {why}")
        for (title, why), state in zip(needed, ("not started", "2\u00a0not started"), strict=True)
    ]
    text = page_text(client, needy_class)
    for title, name in (
        ("2 and 3 times tables", "Zoe"),
        ("2 and 7 times tables", "Dora"),
        ("2 and 7 times tables", "Emil"),
    ):
        assert f"Take back: {title}, from {name}" in text
    before_map = text[: text.index('id="map"')]
    for (_title, why), name in zip(needed, ("Zoe", "Dora"), strict=True):
        assert why in before_map
        assert name in before_map


def test_two_taps_give_all_and_one_undoes_it(alice: User, needy_class: SchoolClass) -> None:
    ChildFactory.create(school_class=needy_class, name="Fay")
    client, url = client_of(alice), url_of("next_steps", needy_class)
    assert f'href="{url}"' in page_text(client, needy_class)
    page = client.get(url)
    elsewhere = {f"step-{ChildFactory.create().pk}": "7"}
    page_after = client.post(url, form_data(text_on(page)) | elsewhere, follow=True)
    assert page_after.redirect_chain == [(url_of("class", needy_class), 302)]
    assert "already" not in text_on(page_after)
    steps = {
        given_step.step.title: [child.name for child in given_step.children]
        for given_step in recent_steps(needy_class, needy_class.children.all())
    }
    assert steps == {"7 times table": ["Dora", "Emil"]}
    assert "Nothing was given to Fay." in text_on(page_after)
    undone = client.post(undo_of(page_after), follow=True)
    assert "Taken back from 2 children." in text_on(undone)
    assert not Assignment.objects.filter(is_for_everyone=False).exists()
    needy_class.refresh_from_db()
    assert needy_class.steps_given_on is None


def test_the_steps_of_today_are_undone_from_the_class_page(
    alice: User, dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    client, url = client_of(alice), url_of("next_steps", needy_class)
    ChildFactory.create(name="Finn")
    fields = form_data(text_on(client.get(url))) | {f"step-{emil.pk}": ""}
    assert "Nothing was given to Emil." in text_on(client.post(url, fields, follow=True))
    page = page_text(client, needy_class)
    assert "Take all back" in page
    assert "Take all back" in text_on(client.get(url))
    (step,) = recent_steps(needy_class, [dora, emil])
    withdraw = url_of("withdraw_assignment", needy_class, step.assignment)
    assert page.count(f'action="{withdraw}"') == 1
    class_page = client.post(withdraw, {"on-class": "1"}, follow=True)
    assert class_page.redirect_chain == [(url_of("class", needy_class), 302)]
    client.post(undo_of(class_page), follow=True)
    assert recent_steps(needy_class, [dora, emil])
    undo_page = client.post(url, {"do": "take back"}, follow=True)
    assert "Take all back" not in text_on(undo_page)
    assert not recent_steps(needy_class, [dora, emil])
    assert "Take all back" in text_on(client.post(undo_of(undo_page), follow=True))
    assert recent_steps(needy_class, [dora, emil]) == [step]


def test_a_step_given_again_goes_on_with_the_matches_that_were_begun(
    dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    """A child who has finished the game gets it anew, so that it is not done at once."""
    (first,) = give_steps(needy_class, {TABLE_7: [dora, emil]}, to_all=True)
    begun = AttemptFactory.create(child=dora, assignment=first[0])
    take_plan_back(needy_class)
    needy_class.refresh_from_db()
    give_steps(needy_class, {TABLE_7: [dora, emil]}, to_all=True)
    (step,) = recent_steps(needy_class, [dora, emil])
    assert (step.assignment, step.stages) == (
        begun.assignment_id,
        {dora: "started", emil: "not started"},
    )
    assert continue_or_start(dora, begun.assignment) == begun.game
    AttemptFactory.create(child=emil, assignment=begun.assignment)
    Game.objects.filter(attempt__child=emil).update(finished_at=timezone.now())
    needy_class.refresh_from_db()
    take_plan_back(needy_class)
    give_steps(needy_class, {TABLE_7: [dora, emil]}, to_all=True)
    stages = {
        child: stage
        for step in recent_steps(needy_class, [dora, emil])
        for child, stage in step.stages.items()
    }
    assert stages == {dora: "started", emil: "not started"}


def test_a_step_that_was_taken_back_is_not_listed(
    alice: User, dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    """Given again to a child who had finished it, it stood there twice: "started" and "could be
    played until"."""
    give_steps(needy_class, {TABLE_7: [dora]}, to_all=True)
    AttemptFactory.create(child=dora, assignment=Assignment.objects.get(is_for_everyone=False))
    needy_class.refresh_from_db()
    take_plan_back(needy_class)
    assert recent_steps(needy_class, [dora, emil]) == []
    page = page_text(client_of(alice), needy_class)
    assert "Given lately" not in page
    assert "Give: 7 times table, to Dora, Emil" in page


def test_giving_many_steps_asks_no_more_often_what_was_taken_back(
    dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    counts = []
    for tables in ((3,), (4, 5, 6, 7)):
        with CaptureQueriesContext(connection) as queries:
            give_steps(needy_class, {NextStep(table): [dora, emil] for table in tables})
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_button_is_the_main_one_only_while_there_is_something_to_give(
    alice: User, dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    client = client_of(alice)
    button = f'btn-primary" href="{url_of("next_steps", needy_class)}"'
    give_steps(needy_class, {TABLE_7: [dora]})
    assert button in page_text(client, needy_class)
    give_steps(needy_class, {TABLE_7: [emil]})
    assert button not in page_text(client, needy_class)


def test_children_who_get_nothing_new_are_named_with_what_they_have(
    alice: User, dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    assignments.give(needy_class, {TABLE_7.choice: [emil]})
    client, url = client_of(alice), url_of("next_steps", needy_class)
    fields = form_data(text_on(client.get(url)))
    assert not fields[f"step-{emil.pk}"]
    text = text_on(client.post(url, fields, follow=True))
    assert "Nothing new for Emil: a step that you gave earlier is not finished." in text
    assert "Nothing was given to" not in text
    assert "This is what each child would get" not in text_on(client.get(url))


def test_recent_steps_are_folded_if_there_are_several(
    alice: User, dora: Child, needy_class: SchoolClass
) -> None:
    fold = re.compile(r'<details class="[^"]*given"( open)?>')
    pages = []
    for table in (2, 3):
        assignments.give(needy_class, {NextStep(table).choice: [dora]})
        pages.append(page_text(client_of(alice), needy_class))
    assert [found[1] for page in pages if (found := fold.search(page))] == [" open", None]
    page = pages[-1]
    for table in (2, 3):
        title = "2 times table" if table == 2 else f"2 and {table} times tables"
        assert f"Take back: {title}, from Dora" in " ".join(page.split())


def form_data(page: str) -> dict[str, str]:
    """The fields that the form of the plan posts if nothing is changed."""
    fields = {"do": "give"}
    for name, options in re.findall(
        r'<select name="(step-[^"]+)".*?>(.*?)</select>', page, re.DOTALL
    ):
        (fields[name],) = re.findall(r'value="([^"]*)" selected', options)
    return fields


def test_a_child_with_an_unfinished_step_gets_no_other(
    alice: User, dora: Child, emil: Child, needy_class: SchoolClass
) -> None:
    ((assignment, _got),) = assignments.give(needy_class, {TABLE_7.choice: [dora, emil]})
    AttemptFactory.create(child=emil, assignment=assignment)
    Game.objects.filter(attempt__child=emil).update(finished_at=timezone.now())
    steps = everyones_steps(needy_class)
    assert {line.child: line.first and line.first.step for line in steps.lines} == {
        dora: None,
        emil: NextStep(2),
    }
    page = text_on(client_of(alice).get(url_of("next_steps", needy_class)))
    assert "2 and 7 times tables · Given today · not started" in page


def test_a_child_with_an_unfinished_step_gets_no_facts_beside_it(
    dora: Child, needy_class: SchoolClass
) -> None:
    for _ in range(4):
        answer(dora, 6, 8, right=False)
    look_for_dirty()
    assert "fact" in [card.kind for card in class_page_of(needy_class).cards]
    next_steps.give_steps(needy_class, everyones_steps(needy_class).default_steps)
    assert class_page_of(needy_class).cards == []
    game = AttemptFactory.create(child=dora, assignment=dora.assignments.get()).game
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now())
    assert [card.kind for card in class_page_of(needy_class).cards] == ["fact"]


def test_after_a_finished_step_both_pages_give_the_same_next_one(
    dora: Child, school_class: SchoolClass
) -> None:
    rows(dora, 3, found=1, missed=2)
    ((assignment, _got),) = assignments.give(school_class, {TABLE_7.choice: [dora]})
    assert class_page_of(school_class).cards == []
    game = AttemptFactory.create(child=dora, assignment=assignment).game
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now())
    (card,) = class_page_of(school_class).cards
    assert plan_of(school_class)["Dora"][0] == card.step.title == "3 times table"


def test_a_given_step_keeps_its_reason(alice: User, needy_class: SchoolClass) -> None:
    before = {line.child: line.reason for line in everyones_steps(needy_class).lines}
    next_steps.give_steps(needy_class, everyones_steps(needy_class).default_steps)
    after = {line.child: line.reason for line in everyones_steps(needy_class).lines}
    for child, why in before.items():
        own = url_of("progress", needy_class, child.pk)
        assert after[child].endswith(f"Given today · not started · {why}")
        assert f"Given today · not started · {why}" in text_on(client_of(alice).get(own))


# Each Monday

MONDAY: Final = datetime(2026, 11, 30, 8, tzinfo=UTC)


@pytest.fixture
def on_sunday(needy_class: SchoolClass, alice: User, dora: Child) -> Iterator[SchoolClass]:
    with at(MONDAY - timedelta(days=1)):
        yield needy_class


def choose_repetition(user: User, school_class: SchoolClass, how: str) -> Any:
    url = url_of("next_steps", school_class)
    return client_of(user).post(url, {"do": "repeat", "weekly": how}, follow=True)


def by_name() -> int:
    return Assignment.objects.filter(is_for_everyone=False).count()


def test_a_mondays_plan_waits_for_approval_if_the_teacher_chose_so(
    alice: User, on_sunday: SchoolClass
) -> None:
    assert "Saved." in text_on(choose_repetition(alice, on_sunday, "ask"))
    ready = "Ready for this week:"
    assert ready not in page_text(client_of(alice), on_sunday)
    for week in range(2):
        with at(MONDAY + timedelta(weeks=week)):
            repeat_weekly()
            assert by_name() == week
            client = client_of(alice)
            assert ready in page_text(client, on_sunday)
            url = url_of("next_steps", on_sunday)
            client.post(url, form_data(text_on(client.get(url))))
            assert ready not in page_text(client, on_sunday)
    with at(MONDAY + timedelta(days=1)):
        assert ready not in page_text(client_of(alice), on_sunday)


def test_a_mondays_plan_is_given_once(alice: User, on_sunday: SchoolClass) -> None:
    choose_repetition(alice, on_sunday, "give")
    repeat_weekly()
    assert by_name() == 0
    for moment, number in ((0, 1), (0, 1), (2, 1), (7, 2)):
        with at(MONDAY + timedelta(days=moment)):
            repeat_weekly()
            assert by_name() == number, moment
    choose_repetition(alice, on_sunday, "")
    with at(MONDAY + timedelta(weeks=2)):
        repeat_weekly()
        assert by_name() == 2


def test_a_given_plan_can_be_undone_for_a_week(
    alice: User, dora: Child, on_sunday: SchoolClass
) -> None:
    choose_repetition(alice, on_sunday, "give")
    url = url_of("next_steps", on_sunday)
    sentence = "Everyone’s next step was given on Monday 30 November."
    with at(MONDAY):
        assignments.give(on_sunday, {NextStep(9).choice: [dora]})
    with at(MONDAY + timedelta(minutes=1)):
        client = client_of(alice)
        assert sentence not in page_text(client, on_sunday)
        repeat_weekly()
        assert sentence in page_text(client, on_sunday)
    with at(MONDAY + timedelta(days=2)):
        choose_repetition(alice, on_sunday, "ask")
        choose_repetition(alice, on_sunday, "give")
        client = client_of(alice)
        assert sentence in page_text(client, on_sunday)
        text = text_on(client.post(url, {"do": "take back"}, follow=True))
        assert "Taken back from" in text
        assert sentence not in text
        repeat_weekly()
        (step,) = recent_steps(on_sunday, [dora])
        assert step.step == NextStep(9)
    with at(MONDAY + timedelta(weeks=1)):
        repeat_weekly()
        assert by_name() == 2


def test_an_archived_class_gets_no_plan(alice: User, dora: Child, on_sunday: SchoolClass) -> None:
    choose_repetition(alice, on_sunday, "give")
    SchoolClass.objects.filter(pk=on_sunday.pk).update(archived_at=timezone.now())
    with at(MONDAY):
        repeat_weekly()
        assert by_name() == 0
        SchoolClass.objects.filter(pk=on_sunday.pk).update(archived_at=None)
        progress = ProgressLock.objects.create(child=dora, to_rebuild=True)
        repeat_weekly()
        assert by_name() == 0
        progress.delete()
        repeat_weekly()
        assert by_name() == 1


def test_a_broken_class_stops_no_other_plan(
    alice: User, on_sunday: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_repetition(alice, on_sunday, "give")
    SchoolClassFactory.create(name="1A", weekly_steps="give")

    def fail_for_one(school_class: SchoolClass) -> Any:
        if school_class.name == "1A":
            raise ValueError
        return everyones_steps(school_class)

    monkeypatch.setattr(next_steps, "everyones_steps", fail_for_one)
    with at(MONDAY):
        repeat_weekly()
    assert by_name() == 1


# The whole cycle over some weeks, with a class of model children

MODELS: Final = (WEAK, MIDDLE, STRONG, MIDDLE)
WEEKS: Final = times(3, 6)


def play_as_model(child: Child, model: ModelChild, assignment: Assignment, random: Random) -> None:
    """Play a match of the assignment as the model child does, and answer its facts."""
    past = PastGame(
        replace(assignment.ruleset, rounds=1),
        [NewSeat(player=child.player, name=child.name), NewSeat(bot="beginner", name="Bo")],
        begins=timezone.now(),
        seed=random.getrandbits(32),
    )
    out = play_out(past, ModelChooser(model, random.getrandbits(32)))
    (game,) = store_games([out])
    Attempt.objects.create(
        assignment=assignment, child=child, game=game, created_at=game.created_at
    )
    for low, high in assignment.facts:
        right = random.random() < model.chance(high)
        answer(child, low, high, right=right, at=game.moved_at, assignment=assignment)


def counted_since(given_step: GivenStep, child: Child) -> tuple[int, int]:
    """What the child has shown since the step was given: the finds or right answers without help,
    and all possible rows or answers. By the counts of the map and the answers themselves."""
    if table := given_step.step.table:
        days = TableDay.objects.filter(child=child, table=table, day__gte=given_step.day)
        outcomes = ("at_once", "later", "hinted", "tried", "missed")
        sums = days.aggregate(**{name: Sum(name, default=0) for name in outcomes})
        return sums["at_once"] + sums["later"], sum(sums.values())
    checks = Check.objects.filter(child=child, kind="fact", answered_at__gte=given_step.at)
    own = [(check.fact_answer().factors, check.how in ("recalled", "derived")) for check in checks]
    in_check_ups = CheckUpAnswer.objects.filter(
        child_check_up__child=child, answered_at__gte=given_step.at
    )
    own += [((each.first, each.second), each.right) for each in in_check_ups]
    counted = [is_right for pair, is_right in own if fact_of(*pair) in given_step.step.facts]
    return sum(counted), len(counted)


def check_nobody_has_a_game_twice(school_class: SchoolClass) -> None:
    today = school_class.today()
    for child in school_class.children.all():
        own = [item.assignment for item in playable_assignments(child)]
        alike = Counter(
            (
                assignment.edition,
                str(assignment.options),
                str(assignment.facts),
                assignment.rounds,
                assignment.bots,
            )
            for assignment in own
        )
        assert max(alike.values(), default=1) == 1, (child, today, alike)


def check_given_steps(school_class: SchoolClass, page: str) -> int:
    """Check that the page shows each given step for four weeks, with what its children have done,
    that its results are the evidence, and that it is not suggested again. Return how many results
    there are."""
    steps = with_outcomes(recent_steps(school_class, school_class.children.all()))
    cards = class_page_of(school_class).cards
    suggested = [(card.step, card.children) for card in cards if card.step]
    outcomes = 0
    for assignment in Assignment.objects.filter(is_for_everyone=False):
        given_for = timezone.now() - assignment.created_at
        given = [step for step in steps if step.assignment == assignment.pk]
        assert len(given) == (given_for < timedelta(weeks=4))
    for step in steps:
        for child in step.children:
            attempts = Attempt.objects.filter(assignment=step.assignment, child=child)
            done = [attempt.game.finished_at is not None for attempt in attempts]
            stage = "done" if any(done) else "started" if done else "not started"
            own = step.of(child)
            assert (step.stages[child], own.share_since) == (stage, counted_since(step, child))
            assert own.outcome in page
            found, of = own.share_since
            assert own.outcome if of >= FEWEST_FOR_A_LEVEL else not own.outcome
            assert not own.outcome or f"{found} of {of} " in own.outcome
            outcomes += bool(own.outcome)
            for again, receivers in suggested if step.is_open else ():
                facts = {*step.step.facts} & {*again.facts}
                is_again = facts or (again.table and again.table == step.step.table)
                assert not (is_again and child in receivers), (again, step)
    return outcomes


def test_over_weeks_each_suggestion_is_given_fulfilled_or_gone(
    alice: User, school_class: SchoolClass
) -> None:
    random = Random(7)
    children = [
        ChildFactory.create(school_class=school_class, name=name)
        for name in ("Dora", "Emil", "Fay", "Gus")
    ]
    models = dict(zip(children, MODELS, strict=True))
    begins = MONDAY - timedelta(weeks=WEEKS)
    with at(begins - timedelta(days=4)):
        for child in children:
            play_day(child, turns=9)
            for table in (3, 7, 8) if models[child] is not STRONG else (8,):
                rows(child, table, found=1, missed=9)
            for _ in range(3):
                answer(child, 6, 8, right=False)
        look_for_dirty()
    suggested, outcomes = 0, 0
    for week in range(WEEKS):
        monday = begins + timedelta(weeks=week)
        with at(monday):
            client, page = client_of(alice), class_page_of(school_class)
            cards = [(card.step, card.names) for card in page.cards if card.step]
            suggested += len(cards)
            if week % 3 == 1:
                url = url_of("next_steps", school_class)
                client.post(url, form_data(text_on(client.get(url))))
            else:
                html = page_text(client, school_class)
                # A second tap comes from a page that shows the card still. In the third week one
                # card is left alone.
                for step, names in cards[week % 3 :] * 2:
                    tap(client, html, f"Give: {step.title}, to {names}")
                left = [card for card in class_page_of(school_class).cards if card.step]
                assert left if len(cards) > 1 and week % 3 else not left
            check_nobody_has_a_game_twice(school_class)
            if week == 1:
                check_up = CheckUpFactory.create(school_class=school_class, tables=(6, 7, 8))
        for day in (1, 3):
            with at(monday + timedelta(days=day)):
                for child in children:
                    if (week, day) == (1, 3):
                        take(child, check_up, wrong=9)
                    todo = [item for item in playable_assignments(child) if not item.is_done]
                    if todo and random.random() < 0.8:
                        play_as_model(child, models[child], todo[0].assignment, random)
                look_for_dirty()
                html = page_text(client_of(alice), school_class)
                outcomes += check_given_steps(school_class, html)
                check_nobody_has_a_game_twice(school_class)
    assert (suggested > WEEKS, outcomes > WEEKS) == (True, True), (suggested, outcomes)
    for day in range(3):
        with at(MONDAY + timedelta(weeks=4, days=day)):
            for child in children:
                for table in TABLES_TO_12:
                    rows(child, table, found=40)
                    for factor in (6, 7, 8):
                        answer(child, table, factor)
            look_for_dirty()
            page = class_page_of(school_class)
    assert (page.given_cards, [card.title for card in page.cards if card.step]) == ([], [])


@pytest.mark.parametrize("step", ["", "1", "13", "7x13", "six"])
def test_only_tables_and_facts_that_the_site_knows_are_given(
    alice: User, dora: Child, school_class: SchoolClass, step: str
) -> None:
    url = url_of("give_step", school_class)
    page = client_of(alice).post(url, {"step": step, "children": dora.pk}, follow=True)
    assert "Nothing was given." in text_on(page)
    assert not Assignment.objects.exists()
