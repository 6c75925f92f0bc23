"""Objects for tests, made in the database with as few arguments as the test needs."""

from datetime import timedelta
from typing import Any
from unittest.mock import patch

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from classrooms.assignments import playing, riddles, tables
from classrooms.checkups import services as checkups
from classrooms.checkups.models import CheckUp
from classrooms.classes import teachers
from classrooms.credentials import encrypt, new_code
from classrooms.downloads.models import FILE_KEPT_FOR, Download
from classrooms.models import (
    Assignment,
    Attempt,
    Child,
    GameTable,
    Group,
    Invitation,
    RosterSource,
    SchoolClass,
    Teaching,
    User,
    WrongTries,
)
from classrooms.progress.models import Chance
from games.bots import riddles as boards

# Classrooms

PASSWORD = "rows of three"


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User

    email = factory.Sequence(lambda n: f"teacher{n}@example.org")
    password = factory.django.Password(PASSWORD)


class SchoolClassFactory(DjangoModelFactory[SchoolClass]):
    class Meta:
        model = SchoolClass

    name = "5B"
    code = factory.LazyFunction(new_code)
    """A random code. Existing codes are not checked, because tests make thousands of classes."""
    names_shown = SchoolClass.NamesShown.ALWAYS
    """Names are shown at any hour, because no test may depend on the hour."""


class TeachingFactory(DjangoModelFactory[Teaching]):
    """The first teacher of a class owns it."""

    class Meta:
        model = Teaching

    school_class = factory.SubFactory(SchoolClassFactory)
    user = factory.SubFactory(UserFactory)
    role = factory.LazyAttribute(
        lambda made: (
            Teaching.Role.CO_TEACHER
            if made.school_class.teachings.exists()
            else Teaching.Role.OWNER
        )
    )


class InvitationFactory(DjangoModelFactory[Invitation]):
    class Meta:
        model = Invitation

    school_class = factory.LazyAttribute(lambda made: TeachingFactory.create().school_class)
    email = factory.Sequence(lambda n: f"colleague{n}@example.org")
    invited_by = factory.LazyAttribute(
        lambda made: made.school_class.teachers.get(teachings__role="owner")
    )
    ends_at = factory.LazyFunction(lambda: timezone.now() + teachers.INVITATION_LASTS)


class RosterSourceFactory(DjangoModelFactory[RosterSource]):
    class Meta:
        model = RosterSource

    address = "https://source.example"
    token_address = "https://source.example/token"  # nosec B105
    client_id = "the school"
    secret_encrypted = factory.LazyFunction(lambda: encrypt("six times seven"))


class ChildFactory(DjangoModelFactory[Child]):
    class Meta:
        model = Child

    school_class = factory.SubFactory(SchoolClassFactory)
    name = factory.Sequence(lambda n: f"Child {n}")


class GroupFactory(DjangoModelFactory[Group]):
    class Meta:
        model = Group
        skip_postgeneration_save = True

    school_class = factory.SubFactory(SchoolClassFactory)
    name = factory.Sequence(lambda n: f"Group {n}")

    @factory.post_generation
    def children(self: Group, create: bool, extracted: Any, **kwargs: Any) -> None:
        self.children.set(extracted or ())


class WrongTriesFactory(DjangoModelFactory[WrongTries]):
    class Meta:
        model = WrongTries

    class Params:
        count = 1

    child = factory.SubFactory(ChildFactory)
    times = factory.LazyAttribute(lambda made: [int(timezone.now().timestamp())] * made.count)


class AssignmentFactory(DjangoModelFactory[Assignment]):
    class Meta:
        model = Assignment

    school_class = factory.SubFactory(SchoolClassFactory)
    options = factory.LazyFunction(lambda: {"tables": [2, 5, 10], "offers": False})


class TableFactory(DjangoModelFactory[GameTable]):
    """A table at which children play together, seated by the real service."""

    class Meta:
        model = GameTable

    @classmethod
    def _create(cls, model_class: type[GameTable], *args: object, **kwargs: Any) -> GameTable:
        children = kwargs["children"]
        assignment = kwargs.get("assignment") or AssignmentFactory.create(
            school_class=children[0].school_class, chairs=len(children)
        )
        for child in children:
            tables.sit(child, assignment.pk)
        return GameTable.objects.select_related("assignment__school_class", "game").get(
            game__attempt__child=children[0], assignment=assignment
        )


class AttemptFactory(DjangoModelFactory[Attempt]):
    """A match that a child has begun, dealt by the real service."""

    class Meta:
        model = Attempt

    child = factory.SubFactory(ChildFactory)
    assignment = factory.LazyAttribute(
        lambda made: AssignmentFactory.create(school_class=made.child.school_class)
    )

    @classmethod
    def _create(cls, model_class: type[Attempt], *args: object, **kwargs: Any) -> Attempt:
        game = playing.continue_or_start(kwargs["child"], kwargs["assignment"])
        return Attempt.objects.get(game=game)


class ChanceFactory(DjangoModelFactory[Chance]):
    """A row that a child found at once, today or `ago` days ago, in the match of an `attempt`."""

    class Meta:
        model = Chance

    class Params:
        attempt = factory.SubFactory(AttemptFactory)
        ago = 0

    child = factory.SelfAttribute("attempt.child")
    school_class = factory.SelfAttribute("child.school_class")
    assignment = factory.SelfAttribute("attempt.assignment")
    game = factory.SelfAttribute("attempt.game")
    day = factory.LazyAttribute(lambda made: made.school_class.today() - timedelta(days=made.ago))
    at = factory.LazyAttribute(lambda made: timezone.now() - timedelta(days=made.ago))
    round = entry = 1
    entries = factory.LazyAttribute(lambda made: [made.entry])
    first_turn = last_turn = factory.SelfAttribute("entry")
    table = 5
    outcome = Chance.Outcome.AT_ONCE
    numbers = factory.List([5, 10, 15])
    row = factory.LazyAttribute(lambda made: " ".join(map(str, made.numbers)))


def found_before(attempt: Attempt, rows: int, in_round: int = 9) -> None:
    for number in range(1, rows + 1):
        ChanceFactory.create(attempt=attempt, round=in_round, entry=number, numbers=[])


def make_riddle(school_class: SchoolClass) -> Assignment:
    """Make the riddle of this day, always from the same seed. It may be too easy or too hard,
    because the search for a good one takes seconds."""
    with patch.object(boards, "GRADING", ()), patch.object(riddles, "randbits", lambda bits: 0):
        return riddles.make_riddle(school_class)


class CheckUpFactory(DjangoModelFactory[CheckUp]):
    """A check-up given by the real service."""

    class Meta:
        model = CheckUp

    school_class = factory.SubFactory(SchoolClassFactory)
    tables = (6, 7, 8, 9)

    @classmethod
    def _create(cls, model_class: type[CheckUp], *args: object, **kwargs: Any) -> CheckUp:
        return checkups.give(**kwargs)


class DownloadFactory(DjangoModelFactory[Download]):
    """A requested file. If `ready`, it has content."""

    class Meta:
        model = Download
        skip_postgeneration_save = True

    class Params:
        ready = factory.Trait(
            state=Download.State.READY,
            content=b"a file",
            size=6,
            ready_at=factory.LazyFunction(timezone.now),
        )

    school_class = factory.SubFactory(SchoolClassFactory)
    kind = "class-tables"
    language = "en"
    ends_at = factory.LazyFunction(lambda: timezone.now() + FILE_KEPT_FOR)

    @factory.post_generation
    def children(self: Download, create: bool, extracted: Any, **kwargs: Any) -> None:
        children = [self.child] if self.child else []
        self.children.set([*children, *(extracted or ())])
