"""Assignments of a class, the matches of each child, and the tables at which children meet."""

import uuid
from typing import Any, ClassVar, Final

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from msgspec import Struct, convert, field

from classrooms.models.children import Child, Group
from classrooms.models.classes import SchoolClass
from games.bots import companion
from games.coach.begun_rounds import BegunRound
from games.coach.goals import with_goal
from games.coach.hints import LAST_STEP
from games.engine.ruleset import Ruleset, edition, ruleset_from_data


class AssignedManager(models.Manager["Assignment"]):
    """The assignments that teachers gave: no riddles and no hands for everybody."""

    def get_queryset(self) -> models.QuerySet["Assignment"]:
        return super().get_queryset().filter(one_turn__isnull=True)


class HandManager(models.Manager["Assignment"]):
    """The hands for everybody, the latest first."""

    def get_queryset(self) -> models.QuerySet["Assignment"]:
        hands = super().get_queryset().filter(one_turn__isnull=False, riddle_on=None)
        return hands.order_by("-created_at", "-pk")


NOBODY_MISSED: Final = "not shown"  # as stored since the first hands


class OneTurn(Struct):
    """`Assignment.one_turn` of a hand or a riddle: the round that others have begun, as data.
    `nobody_missed` says that nobody missed a row of the hand: the teacher ended it without showing
    its rows, or no child answered."""

    round: dict[str, Any]
    number: int = 0  # of a hand: its place in the lesson, from 1
    tables: tuple[int, ...] = ()  # of a hand: the times tables that it is about
    row: tuple[int, ...] = ()  # of a hand: the missed row that it shows again, if any
    nobody_missed: bool = field(default=False, name=NOBODY_MISSED)
    child_count: int | None = field(default=None, name="came")  # of a shown hand: how many had come
    most_cards: int = field(default=0, name="most")  # of a riddle: how many cards can be laid

    @property
    def begun(self) -> BegunRound:
        return BegunRound.from_data(self.round)


class Seating(models.TextChoices):
    """Who sits at a table of an assignment: children in the order of coming, of one group, or of
    about equal strength."""

    OPEN = "open", _("whoever comes")
    GROUPS = "groups", _("groups")
    LEVEL = "level", _("equal strength")


class Assignment(models.Model):
    """A game assigned to a class, or, if it is not `is_for_everyone`, to some of its groups and
    children. It can be played from `starts_on` to `due_on`, by the class's clock.

    The riddle of a day (`riddle_on`) and a hand that a whole class looks at in a lesson are
    assignments too, but no list shows them. The manager `all_objects` includes both; `hands` has
    only the hands.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    school_class = models.ForeignKey(
        SchoolClass, on_delete=models.CASCADE, related_name="assignments"
    )
    is_for_everyone = models.BooleanField(
        _("for the whole class"), default=True, db_column="everyone"
    )
    groups = models.ManyToManyField(Group, related_name="assignments", blank=True)
    children = models.ManyToManyField(Child, related_name="assignments", blank=True)
    edition = models.CharField(max_length=20, default="simplified")
    options = models.JSONField(default=dict)
    focus = models.JSONField(_("times tables to practise most"), default=list, blank=True)
    """The times tables that kind deals and short questions prefer."""
    facts = models.JSONField(_("facts to ask first"), default=list, blank=True)
    """The pairs of factors that short questions ask first."""
    bots = models.PositiveSmallIntegerField(_("number of bots"), default=1)
    bot = models.CharField(_("bot"), max_length=20, default=companion.NAME)
    """The name of a bot in `games.bots.registry`, or of the companion, which adapts to the
    child."""
    has_kind_deals = models.BooleanField(_("helpful deals"), default=True, db_column="kind")
    hint_steps = models.PositiveSmallIntegerField(_("hint steps"), default=LAST_STEP)
    shows_missed_rows = models.BooleanField(
        _("show a missed row after a turn"), default=True, db_column="missed_rows"
    )
    has_questions = models.BooleanField(_("short questions"), default=True, db_column="checks")
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=3, null=True, blank=True)
    """None for a match that ends at the target in `options`."""
    together = models.CharField(
        _("one goal for all at the table"), max_length=10, default="", blank=True, db_default=""
    )
    """How hard the shared goal of all at the table is (`games.coach.goals`); empty if each plays
    for themselves."""
    chairs = models.PositiveSmallIntegerField(_("seats at a table"), default=1, db_default=1)
    """The seats at a table; 1 if each child plays alone. In a class with `may_sit_at_tables`,
    children may play those assignments together too."""
    seating = models.CharField(
        _("who sits together"),
        max_length=6,
        choices=Seating,
        default=Seating.OPEN,
        db_default="open",
    )
    waits_for_classmates = models.BooleanField(
        _("wait for classmates"), default=True, db_default=True, db_column="waits"
    )
    """Whether bots take the empty chairs only after a while."""
    answer_seconds = models.PositiveSmallIntegerField(
        _("seconds to answer an offer"), default=20, db_default=20
    )
    turn_seconds = models.PositiveSmallIntegerField(
        _("seconds for a turn at a table"), default=0, db_default=0
    )
    """0 for no limit."""
    note = models.CharField(_("note to the children"), max_length=140, default="", blank=True)
    starts_on = models.DateField(_("from"), null=True, blank=True)
    due_on = models.DateField(_("to be done by"), null=True, blank=True)
    deal_seed = models.BigIntegerField(null=True, editable=False)
    """The seed of the one deal that all children play first, or None. It never leaves the
    server."""
    series = models.UUIDField(null=True, editable=False)
    """An id that all weeks of a repeated assignment share."""
    riddle_on = models.DateField(null=True, editable=False)
    one_turn: "models.JSONField[dict[str, Any] | None]" = models.JSONField(
        null=True, default=None, editable=False
    )
    """The round that others have begun and in which each child plays one turn: a hand for everybody
    (`lesson.hands`) or a riddle (`assignments.riddles`). None for what teachers assign. It never
    leaves the server."""
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AssignedManager()
    hands: ClassVar[HandManager] = HandManager()
    all_objects: ClassVar[models.Manager["Assignment"]] = models.Manager()

    class Meta:
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        ordering = ("-created_at",)
        constraints = (
            models.UniqueConstraint(fields=("series", "starts_on"), name="week_of_series_once"),
            models.UniqueConstraint(fields=("school_class", "riddle_on"), name="riddle_once_a_day"),
        )

    def __str__(self) -> str:
        return f"{self.edition} {self.options}"

    @property
    def is_one_deal(self) -> bool:
        """Whether all children play the same deal first."""
        return self.deal_seed is not None

    @property
    def turn(self) -> OneTurn:
        """The turn of a hand or a riddle. Raises `ValidationError` for any other assignment."""
        return convert(self.one_turn, OneTurn)

    @property
    def ruleset(self) -> Ruleset:
        """The rules for the engine. Raises `RulesetError` if the options contradict each other."""
        if self.one_turn:
            return ruleset_from_data(self.turn.round["ruleset"])
        ruleset = edition(self.edition, **self.options, rounds=self.rounds)
        return with_goal(ruleset, self.bots + 1, self.together) if self.together else ruleset


class Attempt(models.Model):
    """A child's part in one match of an assignment. At a table of several children each has their
    own."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="attempts")
    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="attempts")
    game = models.ForeignKey(
        "games.Game",
        on_delete=models.CASCADE,
        related_name="attempts",
        related_query_name="attempt",
    )
    is_repeat = models.BooleanField(
        default=False, db_default=False, editable=False, db_column="again"
    )
    """Whether this is another try at the same riddle, which does not count as evidence."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("created_at",)
        indexes = (models.Index(fields=("child", "assignment")),)
        constraints = (models.UniqueConstraint(fields=("game", "child"), name="attempt_once"),)


class GameTable(models.Model):
    """A table at which children of a class play a match of an assignment together. Until it has a
    `game`, the children who sit there wait for others. No child is offered a table that a teacher
    has ended."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="tables")
    game = models.OneToOneField(
        "games.Game", on_delete=models.CASCADE, null=True, related_name="table"
    )
    opened_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        db_table = "classrooms_table"
        verbose_name = _("table of several children")
        verbose_name_plural = _("tables of several children")
        ordering = ("opened_at",)


class Chair(models.Model):
    """A child's place at a table. `seen_at` is when the child was last there. It is None for a
    chair that is kept for a child who has not come yet or has put the table aside. A child sits at
    one table at most."""

    table = models.ForeignKey(
        GameTable, on_delete=models.CASCADE, related_name="chairs_taken", db_index=False
    )
    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="chairs")
    seen_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("chair")
        verbose_name_plural = _("chairs")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("table", "child"), name="chair_once"),
            models.UniqueConstraint(
                fields=("child",), condition=models.Q(seen_at__isnull=False), name="child_sits_once"
            ),
        )

    @property
    def is_kept(self) -> bool:
        return self.seen_at is None
