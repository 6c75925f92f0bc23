"""The form of an assignment: what it offers, which game it makes, which errors it names."""

from dataclasses import replace
from itertools import islice, product
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.template.loader import get_template
from django.urls import reverse

from classrooms.assignments import playing, services
from classrooms.assignments.choice import DEFAULT_CHOICE, choice_of, details, more_rows
from classrooms.assignments.forms import AssignForm
from classrooms.models import Assignment, SchoolClass, User
from games.bots.registry import CAST, LEVELS
from games.coach.deals import PLAIN
from games.coach.goals import first_goal
from games.coach.hints import LAST_STEP
from games.engine.ruleset import EDITIONS, edition
from tests.classrooms.assignments.posting import FORM, TO_POINTS, post_form
from tests.classrooms.people import client_of, client_of_child, text_on, url_of
from tests.counts import times
from tests.factories import ChildFactory

pytestmark = pytest.mark.django_db


def test_the_form_offers_the_first_tables(alice: User, school_class: SchoolClass) -> None:
    form = client_of(alice).get(url_of("assign_detail", school_class)).context["form"]
    assert {name: form[name].initial for name in form.fields} == {
        "edition": "simplified",
        "rows": "tables",
        "tables": (2, 5, 10),
        "families": (),
        "focus": (),
        "facts": (),
        "bots": 1,
        "bot": "companion",
        "has_kind_deals": True,
        "rounds": "3",
        "target": 100,
        "hint_steps": LAST_STEP,
        "shows_missed_rows": True,
        "has_questions": True,
        "chairs": 1,
        "seating": "open",
        "waits_for_classmates": "yes",
        "answer_seconds": 20,
        "turn_seconds": 0,
        "note": "",
        "offers": False,
        "doubling": "",
        "opening": "",
        "more_rows": "yes",
        "together": "",
        "starts_on": None,
        "due_on": None,
        "weekly": False,
    }


def test_a_form_posted_unchanged_makes_what_it_shows(
    alice: User, school_class: SchoolClass
) -> None:
    url = url_of("assign_detail", school_class)
    form = client_of(alice).get(url).context["form"]
    data = {form[name].html_name: form[name].value() for name in form.fields}
    client_of(alice).post(url, {name: value for name, value in data.items() if value})
    assignment = Assignment.objects.get()
    printed = edition("simplified", tables=(2, 5, 10), offers=False, rounds=3)
    assert assignment.ruleset == replace(printed, **more_rows(printed, 2), opening=False)
    assert (assignment.ruleset.market, assignment.ruleset.refill, assignment.ruleset.opening) == (
        4,
        True,
        False,
    )
    assert (assignment.ruleset.hand_size(2), assignment.ruleset.hand_size(3)) == (6, 5)
    assert (assignment.ruleset.most_turns, assignment.ruleset.piles) == (6, None)
    assert choice_of(assignment).more_rows
    assert (assignment.bots, assignment.bot, assignment.has_kind_deals) == (1, "companion", True)
    assert (assignment.hint_steps, assignment.shows_missed_rows, assignment.has_questions) == (
        LAST_STEP,
        True,
        True,
    )


@pytest.mark.parametrize(
    ("query", "chosen"), [("7", (2, 7)), ("3,4,6", (3, 4, 6)), ("99", None), ("x", None)]
)
def test_a_link_can_ask_for_a_table(
    alice: User, school_class: SchoolClass, query: str, chosen: tuple[int, ...] | None
) -> None:
    url = url_of("assign_detail", school_class)
    form = client_of(alice).get(url, {"tables": query}).context["form"]
    assert form["tables"].initial == (chosen or (2, 5, 10))


def test_the_first_assignment_leads_to_the_cards_and_others_to_the_list(
    alice: User, school_class: SchoolClass
) -> None:
    ChildFactory.create(school_class=school_class)
    for page in ("cards", "assignments"):
        answer = post_form(alice, school_class)
        assert answer.headers["Location"] == url_of(page, school_class)


@pytest.mark.parametrize(
    ("changes", "tables", "back"),
    [
        ({}, (2, 5), None),
        ({"rows": "zero"}, None, (0,)),
        ({"rows": "one"}, None, (1,)),
        ({"rows": "zero-or-one"}, None, (0, 1)),
        ({"edition": "advanced", "rows": "anything"}, None, None),
        ({"rows": "anything"}, None, None),
    ],
)
def test_the_choice_of_rows_becomes_rules_of_the_game(
    alice: User,
    school_class: SchoolClass,
    changes: dict[str, str],
    tables: tuple[int, ...] | None,
    back: tuple[int, ...] | None,
) -> None:
    post_form(alice, school_class, **changes)
    ruleset = Assignment.objects.get().ruleset
    assert ruleset.edition == changes.get("edition", "simplified")
    assert (ruleset.tables, ruleset.counts_back_to) == (tables, back)
    assert ruleset.rounds == 3
    assert not ruleset.offers


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_every_edition_can_be_played_with_a_shared_goal(
    alice: User, school_class: SchoolClass, name: str
) -> None:
    post_form(alice, school_class, edition=name, together="gentle")
    assignment = Assignment.objects.get()
    assert assignment.together == "gentle"
    assert assignment.ruleset.goal == first_goal(assignment.ruleset, 2)
    assert assignment.ruleset.most_turns == 6
    assert "together, gentle" in details(assignment)


def test_a_game_with_a_shared_goal_has_no_target(alice: User, school_class: SchoolClass) -> None:
    page = post_form(alice, school_class, together="gentle", **TO_POINTS)
    assert page.context["form"].errors.keys() == {"rounds"}
    assert not Assignment.objects.exists()


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_every_edition_can_be_assigned(alice: User, school_class: SchoolClass, name: str) -> None:
    post_form(alice, school_class, edition=name, rows="anything")
    base = EDITIONS[name]
    back = None if name == "advanced" else base.counts_back_to
    assert Assignment.objects.get().ruleset == replace(
        base, offers=False, rounds=3, counts_back_to=back
    )


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"families": ["primes", "squares"]}, {"families": ("primes", "squares")}),
        ({"doubling": "same"}, {"doubling": ("same",)}),
        ({"doubling": "different"}, {"doubling": ("different",)}),
        ({"doubling": "both"}, {"doubling": ("different", "same")}),
        ({"doubling": "never"}, {"doubling": ()}),
        ({"opening": "no"}, {"opening": False}),
        ({"opening": "yes"}, {"opening": True}),
        ({"rounds": "target", "target": "60"}, {"rounds": None, "target": 60}),
        ({"rounds": "target", "target": ""}, {"rounds": None, "target": 100}),
        ({"rounds": "2", "target": "3"}, {"rounds": 2, "target": 100}),
        ({"offers": "on"}, {"offers": True}),
    ],
)
def test_each_option_becomes_a_rule_of_the_game(
    alice: User, school_class: SchoolClass, changes: dict[str, str], rules: dict[str, Any]
) -> None:
    post_form(alice, school_class, **changes)
    base = edition("simplified", tables=(2, 5), offers=False, rounds=3)
    assert Assignment.objects.get().ruleset == replace(base, **rules)


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"tables": []}, "tables", "Choose at least one times table."),
        (
            {"edition": "blocks", **TO_POINTS},
            "rounds",
            "This game is not played to a target score. Choose the number of rounds.",
        ),
        (
            {"edition": "blocks-simple", "bots": "6"},
            "bots",
            "This game can have at most 6 players: the child and 5 bots.",
        ),
        (
            {"edition": "blocks", "offers": "on"},
            "offers",
            "The blocks game has no open card to offer.",
        ),
        (
            {"edition": "blocks", "doubling": "same"},
            "doubling",
            "In the blocks game, rows earn no points, so there is nothing to double.",
        ),
        (
            {"edition": "classic", **TO_POINTS, "target": "50"},
            "target",
            "Everyone begins with 50 points: choose a higher target.",
        ),
    ],
)
def test_a_contradiction_is_an_error_of_its_field(
    alice: User, school_class: SchoolClass, changes: dict[str, Any], field: str, message: str
) -> None:
    due_on = school_class.today().isoformat()
    page = post_form(alice, school_class, **changes, due_on=due_on, families=["squares"])
    form = page.context["form"]
    assert form.errors == {field: [message]}
    assert message in text_on(page)
    assert not page.context["preview"].samples
    data = {**FORM, **changes, "due_on": due_on, "families": ["squares"]}
    values = {form[name].html_name: form[name].value() for name in form.fields}
    assert {name: values[name] for name in data} == {
        **data, "kind": True, "missed_rows": True, "checks": True,
        **({"offers": True} if "offers" in data else {}),
    }  # fmt: skip
    assert not Assignment.objects.exists()


def test_all_errors_are_shown_at_once(alice: User, school_class: SchoolClass) -> None:
    page = post_form(
        alice, school_class, edition="blocks", bots="7", offers="on", doubling="both", **TO_POINTS
    )
    assert sorted(page.context["form"].errors) == ["bots", "doubling", "offers", "rounds"]


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_every_choice_makes_a_game_or_is_an_error_of_a_field(name: str) -> None:
    choices = {
        "rows": ("tables", "zero", "one", "zero-or-one", "anything"),
        "tables": ([], ["12"]),
        "families": ([], ["squares", "primes", "triangular"]),
        "rounds": ("1", "target"),
        "bots": ("1", "7"),
        "doubling": ("", "never", "both"),
        "opening": ("", "no"),
    }
    school_class = SchoolClass()
    for chosen in islice(product(*choices.values()), 0, None, times(23, 1)):
        data = {**FORM, "edition": name, **dict(zip(choices, chosen, strict=True))}
        form = AssignForm(school_class, QueryDict(urlencode(data, doseq=True)))
        if form.is_valid():
            assert form.choice.ruleset().edition == name
        else:
            assert form.errors.keys() <= {"tables", "rounds", "bots", "doubling"}


def test_a_folded_part_with_an_error_is_open(alice: User, school_class: SchoolClass) -> None:
    fine = post_form(alice, school_class, tables=[])
    assert '<details class="more">' in text_on(fine)
    wrong = post_form(alice, school_class, edition="blocks", offers="on")
    assert '<details class="more" open>' in text_on(wrong)


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_every_seat_of_an_edition_has_its_bots(
    alice: User, school_class: SchoolClass, name: str
) -> None:
    most = EDITIONS[name].most_players - 1
    post_form(alice, school_class, edition=name, bots=str(most))
    child = ChildFactory.create(school_class=school_class)
    seats = playing.continue_or_start(child, Assignment.objects.get()).seats.all()
    assert len({seat.name for seat in seats}) == len(seats) == most + 1


def test_every_bot_has_a_face_on_the_page() -> None:
    sprite = get_template("games/_sprite.svg").render()
    assert [face for _, face in CAST if f'id="face-{face}"' not in sprite] == []


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_a_teacher_can_choose_a_level_and_plain_luck(
    alice: User, school_class: SchoolClass, level: str
) -> None:
    post_form(alice, school_class, bot=level, kind="", bots="2")
    child = ChildFactory.create(school_class=school_class)
    game = playing.continue_or_start(child, Assignment.objects.get())
    assert [seat.bot for seat in game.seats.all()] == ["", level, level]
    assert (game.kind_decks, game.kind_draws) == (PLAIN.decks, PLAIN.draws_counted)


@pytest.mark.parametrize("field", ["edition", "bot", "rounds", "doubling", "opening", "families"])
def test_a_value_that_the_form_does_not_offer_is_refused(
    alice: User, school_class: SchoolClass, field: str
) -> None:
    page = post_form(alice, school_class, **{field: "chess"})
    assert list(page.context["form"].errors) == [field]


@pytest.mark.parametrize(
    ("changes", "title", "progress"),
    [
        ({}, "2 and 5 times tables", "0 of 3 rounds done"),
        ({"edition": "blocks"}, "Blocks: 2 and 5 times tables", "0 of 3 rounds done"),
        ({"rows": "zero"}, "All times tables", "0 of 3 rounds done"),
        ({"edition": "classic", **TO_POINTS}, "Classic: 2 and 5 times tables", "0 rounds done"),
    ],
)
def test_child_and_teacher_read_which_game_it_is(
    alice: User, school_class: SchoolClass, changes: dict[str, str], title: str, progress: str
) -> None:
    post_form(alice, school_class, **changes)
    child = ChildFactory.create(school_class=school_class)
    mine = text_on(client_of_child(child).get(reverse("classrooms:me")))
    assert title in mine
    assert progress in mine
    listed = url_of("assignments", school_class)
    assert title in text_on(client_of(alice).get(listed))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tables", []),
        ("tables", ["1"]),
        ("tables", ["13"]),
        ("bots", "0"),
        ("bots", "8"),
        ("rounds", "6"),
        ("rounds", "0"),
        ("rows", "primes"),
        ("due_on", "2001-01-01"),
        ("due_on", "soon"),
    ],
)
def test_options_that_make_no_game_are_refused(
    alice: User, school_class: SchoolClass, field: str, value: object
) -> None:
    assert field in post_form(alice, school_class, **{field: value}).context["form"].errors
    assert not Assignment.objects.exists()


def test_a_game_as_printed_has_exactly_those_rules(alice: User, school_class: SchoolClass) -> None:
    post_form(alice, school_class, more_rows="no", tables=["2", "5"])
    assignment = Assignment.objects.get()
    assert assignment.ruleset == edition("simplified", tables=(2, 5), offers=False, rounds=3)


def test_an_old_assignment_stays_as_printed(school_class: SchoolClass) -> None:
    assignment = services.assign(school_class, DEFAULT_CHOICE)
    assignment.options = {"tables": [2, 5, 10], "offers": False}
    copied = choice_of(assignment)
    assert not copied.more_rows
    assert copied.options == assignment.options


def test_with_the_numbers_to_100_hands_stay_as_large_as_printed() -> None:
    printed, rules = EDITIONS["classic"], replace(DEFAULT_CHOICE, edition="classic").ruleset()
    assert (rules.market, rules.refill, rules.piles) == (3, True, None)
    assert (rules.hand, rules.hand_of_two) == (printed.hand, printed.hand_of_two)


def test_offered_cards_need_no_market(alice: User, school_class: SchoolClass) -> None:
    post_form(alice, school_class, more_rows="yes", offers="on")
    rules = Assignment.objects.get().ruleset
    assert (rules.offers, rules.market, rules.refill) == (True, 0, True)
