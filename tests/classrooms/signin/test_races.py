"""A child taps twice, or a guesser tries from many devices at once."""

import pytest

from classrooms.assignments import playing
from classrooms.classes import teachers
from classrooms.models import Attempt, Invitation, SchoolClass, Teaching, User
from classrooms.signin import services
from games.models import Game
from tests.classrooms.people import confirmed
from tests.counts import at_once
from tests.factories import (
    AssignmentFactory,
    ChildFactory,
    TeachingFactory,
    UserFactory,
    WrongTriesFactory,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

AT_ONCE = 5


def test_play_tapped_at_once_starts_one_game() -> None:
    dora = ChildFactory.create(name="Dora")
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    games = at_once(lambda _: playing.continue_or_start(dora, assignment).pk, AT_ONCE)
    assert len(set(games)) == 1
    assert Game.objects.count() == Attempt.objects.count() == 1


def test_only_the_remaining_tries_of_many_at_once_are_checked() -> None:
    dora = ChildFactory.create(name="Dora")
    WrongTriesFactory.create(child=dora, count=services.TRIES - 2)
    answers = at_once(lambda n: services.sign_in(dora, ("no", "no", "no"), f"device {n}"), AT_ONCE)
    assert sorted(map(str, answers)) == ["too many"] * (AT_ONCE - 2) + ["wrong"] * 2


def owners_of(school_class: SchoolClass) -> set[User]:
    owned = Teaching.objects.filter(school_class=school_class, role=Teaching.Role.OWNER)
    return {teaching.user for teaching in owned.select_related("user")}


def test_a_link_used_several_times_at_once_admits_one() -> None:
    owner = TeachingFactory.create()
    invitation = teachers.invite(
        owner.school_class, "bob@example.org", Teaching.Role.CO_TEACHER, owner.user
    )
    colleagues = UserFactory.create_batch(AT_ONCE)
    opened = [Invitation.objects.get(pk=invitation.pk) for _ in colleagues]
    let_in = at_once(lambda n: teachers.accept(opened[n], colleagues[n]), AT_ONCE)
    assert sum(let_in) == 1
    assert owner.school_class.teachings.count() == 2


def test_either_a_hand_over_or_an_old_link_makes_an_owner() -> None:
    """Whichever comes first, the other act finds that Alice's right has ended."""
    owner = TeachingFactory.create()
    school_class, alice = owner.school_class, owner.user
    others = [TeachingFactory.create(school_class=school_class).user for _ in range(AT_ONCE - 1)]
    gus = confirmed(UserFactory.create(email="gus@example.org"))
    invitation = teachers.invite(school_class, gus.email, Teaching.Role.OWNER, alice)

    def do(number: int) -> bool:
        if number == 0:
            return teachers.accept(invitation, gus)
        try:
            teachers.hand_over(school_class, others[number - 1], alice)
        except teachers.NotAllowed:
            return False
        return True

    results = at_once(do, AT_ONCE)
    assert sum(results) == 1
    assert owners_of(school_class) == {gus if results[0] else others[results.index(True) - 1]}
