from datetime import timedelta

import pytest
from django.utils import timezone

from classrooms.models import Attempt, Child, SchoolClass
from classrooms.privacy import erasure
from classrooms.privacy.tasks import erase_removed
from classrooms.roster import services
from games.models import Action, Game
from tests.factories import AssignmentFactory, AttemptFactory, ChildFactory, SchoolClassFactory

pytestmark = pytest.mark.django_db


def test_a_removed_child_is_erased_after_thirty_days_and_not_before() -> None:
    dora, emil = AttemptFactory.create().child, ChildFactory.create()
    services.remove(dora)
    services.remove(emil)
    long_ago = timezone.now() - erasure.REMOVED_KEPT_FOR - timedelta(minutes=1)
    Child.everyone.filter(pk=dora.pk).update(removed_at=long_ago)
    erase_removed()
    assert Child.everyone.get() == emil
    assert not Game.objects.exists()
    erase_removed()
    assert Child.everyone.get() == emil


def test_erasing_a_class_leaves_nothing_of_it_behind() -> None:
    attempt = AttemptFactory.create()
    school_class = attempt.child.school_class
    services.remove(ChildFactory.create(school_class=school_class))
    other = AttemptFactory.create()
    erasure.erase_class(school_class)
    assert SchoolClass.objects.get() == other.child.school_class
    assert Child.everyone.get() == other.child
    assert Game.objects.get() == other.game
    assert not Action.objects.exclude(game=other.game).exists()


def test_what_a_child_that_moved_on_played_in_an_erased_class_is_erased_too() -> None:
    attempt = AttemptFactory.create()
    old, new = attempt.child.school_class, SchoolClassFactory.create()
    assert services.move(attempt.child, new)
    here = AttemptFactory.create(
        child=attempt.child, assignment=AssignmentFactory.create(school_class=new)
    )
    erasure.erase_class(old)
    assert Attempt.objects.get() == here
    assert Game.objects.get() == here.game
    assert Child.objects.get() == attempt.child
