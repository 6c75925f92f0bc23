import pytest

from classrooms.credentials import decrypt_pictures
from classrooms.models import Child
from classrooms.privacy import erasure
from classrooms.roster import services
from games.models import Game
from tests.factories import (
    AttemptFactory,
    SchoolClassFactory,
)


@pytest.mark.django_db
def test_children_are_added_with_pictures_of_their_own() -> None:
    school_class = SchoolClassFactory.create()
    added = services.add_children(school_class, ["Dora", "Emil"])
    assert [child.name for child in school_class.children.all()] == ["Dora", "Emil"]
    assert all(len(decrypt_pictures(child.pictures_encrypted)) == 3 for child in added)
    assert len({child.player for child in added}) == 2


@pytest.mark.django_db
def test_erasing_a_child_erases_its_games() -> None:
    attempt = AttemptFactory.create()
    erasure.erase_child(attempt.child)
    assert not Game.objects.exists()
    assert not Child.everyone.exists()
