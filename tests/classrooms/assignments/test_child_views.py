"""A child's own page: what is to be played, in which order, and what begins when they tap."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.assignments import playing
from classrooms.assignments.choice import Choice
from classrooms.assignments.presets import PRESETS
from classrooms.lesson.game_hooks import link_after_guided_round
from classrooms.models import Assignment, Attempt, Child, SchoolClass
from games.coach.guided_rounds import STEPS, guided_step
from games.coach.hints import LAST_STEP
from games.engine.round import MATCH_OVER, OVER_PHASES
from games.models import Game, Seat
from tests.classrooms.at_tables import play_round
from tests.classrooms.people import client_of_child, text_on
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    CheckUpFactory,
    ChildFactory,
    GroupFactory,
    TableFactory,
)
from tests.games.players import play_out

pytestmark = pytest.mark.django_db


def start(child: Child, assignment: Assignment) -> str:
    url = reverse("classrooms:start", args=[assignment.pk])
    return str(client_of_child(child).post(url).headers["Location"])


def test_with_nothing_assigned_the_page_says_so(dora: Child) -> None:
    assert "nothing to play right now" in text_on(
        client_of_child(dora).get(reverse("classrooms:me"))
    )


def test_an_assignment_has_its_title_and_one_button(dora: Child, assignment: Assignment) -> None:
    text = text_on(client_of_child(dora).get(reverse("classrooms:me")))
    assert "2, 5 and 10 times tables" in text
    assert "0 of 3 rounds done" in text
    assert text.count(reverse("classrooms:start", args=[assignment.pk])) == 1


def test_a_game_that_a_child_left_waits_for_them(dora: Child, assignment: Assignment) -> None:
    client, waits = client_of_child(dora), "Your game waits for you."
    assert waits not in text_on(client.get(reverse("classrooms:me")))
    AttemptFactory.create(child=dora, assignment=assignment)
    assert waits in text_on(client.get(reverse("classrooms:me")))
    Game.objects.update(finished_at=timezone.now())
    assert waits not in text_on(client.get(reverse("classrooms:me")))


def test_a_game_has_the_name_of_its_assignment(dora: Child) -> None:
    """A game given to a single child names all of its tables, not only the one to practise."""
    assignment = AssignmentFactory.create(
        school_class=dora.school_class, is_for_everyone=False, options={"tables": [2, 7]}
    )
    assignment.children.add(dora)
    page = text_on(client_of_child(dora).get(start(dora, assignment)))
    assert "<title>2 and 7 times tables" in page


def test_the_assignment_due_first_comes_first(dora: Child, assignment: Assignment) -> None:
    today = dora.school_class.today()
    later = AssignmentFactory.create(
        school_class=dora.school_class, due_on=today + timedelta(days=9)
    )
    sooner = AssignmentFactory.create(
        school_class=dora.school_class, due_on=today + timedelta(days=2)
    )
    assigned = client_of_child(dora).get(reverse("classrooms:me")).context["assigned"]
    assert [item.assignment for item in assigned] == [sooner, later, assignment]


def test_the_latest_assignment_comes_before_an_older_open_game(
    dora: Child, assignment: Assignment
) -> None:
    AttemptFactory.create(child=dora, assignment=assignment)
    for model in (Assignment, Game):
        model.objects.update(created_at=timezone.now() - timedelta(days=2))
    latest = AssignmentFactory.create(school_class=dora.school_class)
    own = AssignmentFactory.create(school_class=dora.school_class, is_for_everyone=False)
    own.children.add(dora)
    AttemptFactory.create(child=dora, assignment=latest)
    assigned = client_of_child(dora).get(reverse("classrooms:me")).context["assigned"]
    assert [item.assignment for item in assigned] == [own, latest, assignment]


def test_a_match_begun_today_comes_before_a_game_given_today(
    dora: Child, assignment: Assignment
) -> None:
    Assignment.objects.update(created_at=timezone.now() - timedelta(days=2))
    AssignmentFactory.create(school_class=dora.school_class)
    AttemptFactory.create(child=dora, assignment=assignment)
    assigned = client_of_child(dora).get(reverse("classrooms:me")).context["assigned"]
    assert [item.button for item in assigned] == ["Go on", "Play"]


def test_begun_assignments_come_first_and_finished_ones_last(
    dora: Child, assignment: Assignment
) -> None:
    soon = dora.school_class.today() + timedelta(days=1)
    finished, due = (
        AssignmentFactory.create(school_class=dora.school_class, due_on=soon) for _ in range(2)
    )
    attempt = AttemptFactory.create(child=dora, assignment=finished)
    Game.objects.filter(pk=attempt.game_id).update(finished_at=timezone.now())
    for begun_again in (finished, assignment):
        AttemptFactory.create(child=dora, assignment=begun_again)
    assigned = client_of_child(dora).get(reverse("classrooms:me")).context["assigned"]
    assert [item.assignment for item in assigned] == [assignment, due, finished]
    assert [item.button for item in assigned] == ["Go on", "Play", "Go on"]


def test_a_child_who_was_away_at_the_end_finds_the_way_to_it(dora: Child, emil: Child) -> None:
    game = TableFactory.create(children=[dora, emil]).game
    assert game
    client, link = client_of_child(dora), "See how your last game ended"
    assert link not in text_on(client.get(reverse("classrooms:me")))
    play_round(game, [emil, dora])
    Seat.objects.filter(game=game, player=dora.player).update(away_since=timezone.now())
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now())
    assert link in text_on(client.get(reverse("classrooms:me")))
    client.get(reverse("games:page", args=[game.pk]))
    assert link not in text_on(client.get(reverse("classrooms:me")))


def test_a_game_finished_today_stays_in_sight_beside_the_next(
    dora: Child, assignment: Assignment
) -> None:
    AssignmentFactory.create_batch(3, school_class=dora.school_class)
    start(dora, assignment)
    page = client_of_child(dora).get(reverse("classrooms:me"))
    assert page.context["first"].assignment == assignment
    Game.objects.update(finished_at=timezone.now())
    page = client_of_child(dora).get(reverse("classrooms:me"))
    assert page.context["first"].assignment != assignment
    assert assignment in [item.assignment for item in page.context["in_sight"]]
    assert f"{page.context['before'].title}: done! This game comes next." in text_on(page)
    Game.objects.update(finished_at=timezone.now() - timedelta(days=1))
    page = client_of_child(dora).get(reverse("classrooms:me"))
    assert assignment in [item.assignment for item in page.context["more"]]
    assert "done!" not in text_on(page)


def test_the_last_day_of_a_game_is_called_today(dora: Child, assignment: Assignment) -> None:
    today = dora.school_class.today()
    for days, text in (
        (0, "today is the last day to play"),
        (1, f"until {today + timedelta(1):%A}"),
    ):
        Assignment.objects.update(due_on=today + timedelta(days=days))
        assert text in text_on(client_of_child(dora).get(reverse("classrooms:me")))


def test_ended_and_foreign_assignments_are_not_listed(dora: Child) -> None:
    AssignmentFactory.create(school_class=dora.school_class, ended_at=timezone.now())
    AssignmentFactory.create()
    assert client_of_child(dora).get(reverse("classrooms:me")).context["assigned"] == []


@pytest.mark.parametrize("put_away", ["ended", "over", "coming"])
def test_a_game_that_cannot_be_played_is_refused_with_a_message(dora: Child, put_away: str) -> None:
    today, day = dora.school_class.today(), timedelta(days=1)
    fields: dict[str, dict[str, Any]] = {
        "ended": {"ended_at": timezone.now()},
        "over": {"due_on": today - day},
        "coming": {"starts_on": today + day},
    }
    assignment = AssignmentFactory.create(school_class=dora.school_class, **fields[put_away])
    client = client_of_child(dora)
    answer = client.post(reverse("classrooms:start", args=[assignment.pk]), follow=True)
    assert answer.redirect_chain == [("/me/", 302)]
    assert "That game has finished" in text_on(answer)
    assert answer.context["assigned"] == []
    assert not Game.objects.exists()


def test_the_first_and_the_last_day_are_included(dora: Child) -> None:
    today = dora.school_class.today()
    assignment = AssignmentFactory.create(
        school_class=dora.school_class, starts_on=today, due_on=today
    )
    assert start(dora, assignment).startswith("/games/")


def test_a_child_sees_assignments_of_their_class_group_and_their_own(
    dora: Child, assignment: Assignment
) -> None:
    emil = ChildFactory.create(name="Emil", school_class=dora.school_class)
    group = GroupFactory.create(school_class=dora.school_class, children=[emil])
    for_emil = AssignmentFactory.create(school_class=dora.school_class, is_for_everyone=False)
    for_emil.groups.add(group)
    for_dora = AssignmentFactory.create(school_class=dora.school_class, is_for_everyone=False)
    for_dora.children.add(dora)

    def seen_by(child: Child) -> set[Assignment]:
        page = client_of_child(child).get(reverse("classrooms:me"))
        return {item.assignment for item in page.context["assigned"]}

    assert seen_by(dora) == {assignment, for_dora}
    assert seen_by(emil) == {assignment, for_emil}
    group.children.add(dora)
    assert seen_by(dora) == {assignment, for_dora, for_emil}


def test_an_assignment_for_another_child_is_not_found(dora: Child) -> None:
    others = AssignmentFactory.create(school_class=dora.school_class, is_for_everyone=False)
    url = reverse("classrooms:start", args=[others.pk])
    assert client_of_child(dora).post(url).status_code == 404


@pytest.mark.parametrize(
    ("own", "assigned", "steps"),
    [("", 2, 2), ("", 0, 0), ("all", 0, LAST_STEP), ("none", 4, 0)],
)
def test_hints_follow_the_settings_of_the_child(
    dora: Child, own: str, assigned: int, steps: int
) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class, hint_steps=assigned)
    start(dora, assignment)
    assert Game.objects.get().hint_steps == assigned
    Child.objects.filter(pk=dora.pk).update(hints=own)
    start(dora, assignment)
    assert Game.objects.get().hint_steps == steps


def test_a_child_with_larger_cards_has_them_on_the_games_page(
    dora: Child, assignment: Assignment
) -> None:
    page = start(dora, assignment)
    assert ' larger"' not in text_on(client_of_child(dora).get(page))
    Child.objects.filter(pk=dora.pk).update(has_larger_cards=True)
    assert ' larger"' in text_on(client_of_child(dora).get(page))


def test_a_finished_match_can_be_followed_by_another(dora: Child, assignment: Assignment) -> None:
    first = start(dora, assignment)
    Game.objects.update(finished_at=timezone.now())
    page = client_of_child(dora).get(reverse("classrooms:me"))
    assert "Play again" in text_on(page)
    assert start(dora, assignment) != first


def test_texts_are_read_to_a_child_in_the_language_of_the_class(dora: Child) -> None:
    dora.school_class.language = "nl"
    dora.school_class.save()
    response = client_of_child(dora).get(
        reverse("classrooms:me"), headers={"Accept-Language": "de"}
    )
    assert 'lang="nl"' in text_on(response)


def test_a_game_is_played_by_the_rules_of_its_assignment(dora: Child) -> None:
    assignment = AssignmentFactory.create(
        school_class=dora.school_class,
        bots=2,
        rounds=2,
        hint_steps=0,
        options={"tables": [4]},
    )
    game = AttemptFactory.create(child=dora, assignment=assignment).game
    assert game.ruleset.tables == (4,)
    assert game.ruleset.rounds == 2
    assert game.hint_steps == 0
    assert [seat.player for seat in game.seats.order_by("number")] == [
        dora.player,
        None,
        None,
    ]


# The language of a child


def choose(client: Client, code: str) -> None:
    client.post(reverse("classrooms:language"), {"language": code})


def test_the_chosen_language_is_kept_on_every_device(dora: Child) -> None:
    choose(client_of_child(dora), "sv")
    assert 'lang="sv"' in text_on(client_of_child(dora).get(reverse("classrooms:me")))


def test_an_unsupported_language_changes_nothing(dora: Child) -> None:
    choose(client_of_child(dora), "fr")
    dora.refresh_from_db()
    assert dora.language == ""


def test_the_doors_language_holds_inside(dora: Child) -> None:
    client = client_of_child(dora)
    client.cookies["django_language"] = "de"
    assert 'lang="de"' in text_on(client.get(reverse("classrooms:me")))
    choose(client, "nl")
    assert 'lang="nl"' in text_on(client.get(reverse("classrooms:me")))


LEARN = 'action="/me/learn/"'
BIG_BUTTON = 'btn-wide"'


def big_button(child: Child) -> str:
    """The form of the first big button on the child's page."""
    text = text_on(client_of_child(child).get(reverse("classrooms:me")))
    return text[: text.index(BIG_BUTTON)].rpartition("<form")[2]


def test_the_first_play_of_an_edition_begins_with_a_guided_round(
    dora: Child, assignment: Assignment
) -> None:
    assert LEARN in big_button(dora)
    playing.start_guided_round(dora, "simplified", STEPS)
    Game.objects.update(phase=MATCH_OVER)
    assert LEARN not in big_button(dora)
    other = AssignmentFactory.create(school_class=dora.school_class, edition="classic")
    Assignment.objects.filter(pk=other.pk).update(due_on=dora.school_class.today())
    assert LEARN in big_button(dora)


def test_an_unfinished_guided_round_goes_on(dora: Child, assignment: Assignment) -> None:
    game = playing.start_guided_round(dora, "simplified", 2)
    assert LEARN in big_button(dora)
    client_of_child(dora).post(reverse("classrooms:learn"), {"edition": "simplified"})
    assert Game.objects.get() == game
    client_of_child(dora).post(f"{reverse('classrooms:learn')}?edition=simplified&step=1")
    assert Game.objects.get() != game


def test_a_child_who_can_already_play_starts_the_real_game(
    dora: Child, assignment: Assignment
) -> None:
    text = text_on(client_of_child(dora).get(reverse("classrooms:me")))
    assert "I can already play" in text
    start(dora, assignment)
    text = text_on(client_of_child(dora).get(reverse("classrooms:me")))
    assert "I can already play" not in text
    assert "How do you play?" in text


def test_one_deal_does_not_start_with_the_guided_round(dora: Child) -> None:
    AssignmentFactory.create(school_class=dora.school_class, deal_seed=5)
    assert LEARN not in big_button(dora)


def test_one_game_is_large_and_the_others_are_behind_more_games(dora: Child) -> None:
    first, *others, last = (
        AssignmentFactory.create(school_class=dora.school_class) for _ in range(4)
    )
    start(dora, first)
    text = text_on(client_of_child(dora).get(reverse("classrooms:me")))
    before, _, after = text.partition('<details class="more-games"')
    for part, there in ((before, [first, last]), (after, others)):
        assert part.count('<li class="panel assigned-game') == 2
        assert all(
            reverse("classrooms:start", args=[assignment.pk]) in part for assignment in there
        )


def test_of_the_games_to_learn_the_one_with_the_lowest_numbers_is_first(
    dora: Child, assignment: Assignment
) -> None:
    blocks = AssignmentFactory.create(
        school_class=dora.school_class, **PRESETS["blocks"].choice.columns
    )
    assigned = client_of_child(dora).get(reverse("classrooms:me")).context["assigned"]
    assert [item.assignment for item in assigned] == [assignment, blocks]


def test_a_child_begins_with_the_easiest_tables(dora: Child, assignment: Assignment) -> None:
    harder = AssignmentFactory.create(
        school_class=dora.school_class, options={"tables": [3, 4, 6], "offers": False}
    )
    assigned = client_of_child(dora).get(reverse("classrooms:me")).context["assigned"]
    assert [item.assignment for item in assigned] == [assignment, harder]
    start(dora, assignment)
    Game.objects.update(finished_at=timezone.now())
    newest = AssignmentFactory.create(
        school_class=dora.school_class, options={"tables": [7, 8], "offers": False}
    )
    assigned = client_of_child(dora).get(reverse("classrooms:me")).context["assigned"]
    assert [item.assignment for item in assigned] == [newest, harder, assignment]


def test_no_begun_game_is_folded_away(dora: Child) -> None:
    assignments = [AssignmentFactory.create(school_class=dora.school_class) for _ in range(3)]
    for assignment in assignments:
        start(dora, assignment)
    text = text_on(client_of_child(dora).get(reverse("classrooms:me")))
    assert text.count('<li class="panel assigned-game') == len(assignments)
    assert "more-games" not in text


def test_a_game_comes_before_a_check_up_until_it_is_done(
    dora: Child, assignment: Assignment
) -> None:
    CheckUpFactory.create(school_class=dora.school_class)
    text = text_on(client_of_child(dora).get(reverse("classrooms:me")))
    assert text.index("assigned-first") < text.index("check-up-to-do")
    start(dora, assignment)
    Game.objects.update(finished_at=timezone.now())
    text = text_on(client_of_child(dora).get(reverse("classrooms:me")))
    assert text.index("check-up-to-do") < text.index("assigned-first")
    assert text.partition("<dialog")[0].count("btn-primary btn-wide") == 1


def test_playing_again_takes_no_earned_round_away(dora: Child) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class, rounds=1)
    start(dora, assignment)
    play_out(Game.objects.get(), dora.player)
    start(dora, assignment)
    (item,) = client_of_child(dora).get(reverse("classrooms:me")).context["assigned"]
    assert item.is_open
    assert item.dots == [True]


def test_a_guided_round_leaves_no_evidence(dora: Child, assignment: Assignment) -> None:
    hers = client_of_child(dora)
    answer = hers.post(reverse("classrooms:learn"), {"edition": "simplified"})
    game = Game.objects.get()
    assert answer.headers["Location"] == reverse("games:page", args=[game.pk])
    assert "tap “Lay this row”" in text_on(hers.get(answer.headers["Location"]))
    assert game.is_guided
    assert not Attempt.objects.exists()


def test_a_guided_round_has_the_assigned_rules(dora: Child, assignment: Assignment) -> None:
    playing.start_guided_round(dora, "simplified", 3)
    assert Game.objects.get().ruleset.piles is None
    more = Choice(doubling=("same",))
    AssignmentFactory.create(school_class=dora.school_class, **more.columns)
    playing.start_guided_round(dora, "simplified", 3)
    ruleset = Game.objects.get().ruleset
    assert (ruleset.piles, ruleset.doubling) == (1, ("same",))


def test_each_guided_step_leads_to_the_next(dora: Child, assignment: Assignment) -> None:
    hers = client_of_child(dora)
    ways = []
    for step in (1, 2, 3):
        learn = f"{reverse('classrooms:learn')}?edition=simplified&step={step}"
        page = hers.post(learn).headers["Location"]
        Game.objects.update(phase="match over")
        link = link_after_guided_round(Game.objects.get(), dora.player)
        assert page == reverse("games:page", args=[Game.objects.get().pk])
        ways.append(link.url)
    learn = reverse("classrooms:learn")
    assert ways == [
        f"{learn}?edition=simplified&step=2",
        f"{learn}?edition=simplified&step=3",
        reverse("classrooms:start", args=[assignment.pk]),
    ]


def test_a_child_who_left_between_steps_goes_on_with_the_next(
    dora: Child, assignment: Assignment
) -> None:
    hers = client_of_child(dora)
    steps = []
    for _ in range(STEPS + 1):
        (item,) = hers.get(reverse("classrooms:me")).context["assigned"]
        hers.post(reverse("classrooms:learn"), {"edition": "simplified"})
        Game.objects.update(phase="match over")
        steps.append((item.has_guided_round, guided_step(Game.objects.get().ruleset)))
    assert steps == [(True, 1), (True, 2), (True, 3), (False, 1)]


def test_a_child_who_goes_on_after_a_round_is_dealt_the_next(dora: Child) -> None:
    assignment = AssignmentFactory.create(school_class=dora.school_class, rounds=2)
    start(dora, assignment)
    game = Game.objects.get()
    assert play_out(game, dora.player).view.phase == "round over"
    start(dora, assignment)
    now = Game.objects.get()
    assert (now.round, now.phase in OVER_PHASES) == (2, False)


def test_assignments_of_the_same_name_show_their_dates(dora: Child, assignment: Assignment) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(
        created_at=timezone.now() - timedelta(days=8)
    )
    AssignmentFactory.create(school_class=dora.school_class)
    assigned = client_of_child(dora).get(reverse("classrooms:me")).context["assigned"]
    today = dora.school_class.today()
    assert {item.given_on for item in assigned} == {None, today - timedelta(days=8)}
    assert [item.is_new for item in assigned] == [item.given_on is None for item in assigned]


def test_assignments_of_the_same_name_and_date_are_numbered(
    dora: Child, assignment: Assignment
) -> None:
    second = AssignmentFactory.create(school_class=dora.school_class)
    assigned = client_of_child(dora).get(reverse("classrooms:me")).context["assigned"]
    titles = {item.assignment.pk: item.title for item in assigned}
    assert titles[assignment.pk].endswith(" (1)")
    assert titles[second.pk].endswith(" (2)")


def test_a_begun_assignment_is_no_longer_new(dora: Child, assignment: Assignment) -> None:
    start(dora, assignment)
    (item,) = client_of_child(dora).get(reverse("classrooms:me")).context["assigned"]
    assert not item.is_new


# Sounds are off until the child or their teacher turns them on, and never on in a quiet class


SOUNDS = "/me/sounds/"
SWITCH = 'id="sounds"'
SCRIPT = "js/sounds"


def game_of(child: Child) -> str:
    client = client_of_child(child)
    assignment = AssignmentFactory.create(school_class=child.school_class)
    started = client.post(reverse("classrooms:start", args=[assignment.pk]))
    return text_on(client.get(started["Location"]))


def test_a_child_turns_sounds_on_and_off_again(dora: Child) -> None:
    emil = ChildFactory.create(name="Emil", school_class=dora.school_class)
    page = game_of(dora)
    assert SWITCH in page
    assert "Turn sounds on" in page
    assert SCRIPT not in page
    client_of_child(dora).post(SOUNDS, {"sounds": "on"})
    assert dict(Child.objects.values_list("name", "sounds")) == {"Dora": True, "Emil": None}
    page = game_of(dora)
    assert "Turn sounds off" in page
    assert SCRIPT in page
    client_of_child(dora).post(SOUNDS, {"sounds": "off"})
    assert SCRIPT not in game_of(dora)
    assert SCRIPT not in game_of(emil)


def test_a_quiet_class_has_no_sounds_and_no_switch(dora: Child) -> None:
    Child.objects.update(sounds=True)
    SchoolClass.objects.update(is_quiet=True)
    page = game_of(dora)
    assert SWITCH not in page
    assert SCRIPT not in page


def test_a_childs_choice_holds_when_the_class_changes(dora: Child) -> None:
    for wanted in ("on", "off"):
        client_of_child(dora).post(SOUNDS, {"sounds": wanted})
        for of_class in (True, False):
            SchoolClass.objects.update(has_sounds=of_class)
            assert (SCRIPT in game_of(dora)) == (wanted == "on")


# How fast the others play is the child's own choice


SPEED = "/me/speed/"


def test_the_speed_is_kept_and_shown(dora: Child) -> None:
    client_of_child(dora).post(SPEED, {"speed": "slow"})
    dora.refresh_from_db()
    assert dora.speed == "slow"
    assert 'value="slow" aria-current="true"' in game_of(dora)
