"""The evidence in the logs, its counts and the levels. A rebuild makes all of it again."""

from typing import Final

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from classrooms.models import Assignment, Child, SchoolClass
from classrooms.questions.models import Sitting
from games.models import Game

# The counts of the evidence.

CHANCE_COUNTS: Final = ("at_once", "later", "hinted", "tried", "missed", "joker")
"""The fields of `ChanceCounts`: how a chance ended."""
ANSWER_COUNTS: Final = ("recalled", "derived", "hinted", "guessed")
"""The fields of `FactDay` and `FactMastery` that say how an answer was found."""


class ChanceCounts(models.Model):
    """The numbers of chances by outcome (`Chance.Outcome`)."""

    at_once = models.PositiveIntegerField(default=0)
    later = models.PositiveIntegerField(default=0)
    hinted = models.PositiveIntegerField(default=0)
    tried = models.PositiveIntegerField(default=0)
    missed = models.PositiveIntegerField(default=0)
    joker = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class TableDay(ChanceCounts):
    """The counts of one child for one times table on one day."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="table_days")
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="+")
    table = models.PositiveSmallIntegerField()
    day = models.DateField()
    last_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("school_class", "day")),)
        constraints = (
            models.UniqueConstraint(
                fields=("child", "school_class", "table", "day"), name="table_day_once"
            ),
        )


class FactDay(models.Model):
    """The answers of one child to one fact on one day: to short questions that ask for low × high,
    in either order. The four ways of finding an answer add up to `asked`."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="fact_days")
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="+")
    low = models.PositiveSmallIntegerField()
    high = models.PositiveSmallIntegerField()
    day = models.DateField()
    asked = models.PositiveIntegerField(default=0)
    recalled = models.PositiveIntegerField(default=0)
    derived = models.PositiveIntegerField(default=0)
    hinted = models.PositiveIntegerField(default=0)
    guessed = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("school_class", "day")),)
        constraints = (
            models.UniqueConstraint(
                fields=("child", "school_class", "low", "high", "day"), name="fact_day_once"
            ),
        )


class ChildDay(models.Model):
    """What one child played on one day."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="days")
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    rounds = models.PositiveIntegerField(default=0)
    turns = models.PositiveIntegerField(default=0)
    hints = models.PositiveIntegerField(default=0)
    hint_turns = models.PositiveIntegerField(default=0)  # turns in which they asked for a hint
    tries = models.PositiveIntegerField(default=0)  # refused plays
    checks = models.PositiveIntegerField(default=0)
    checks_right = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("school_class", "day")),)
        constraints = (
            models.UniqueConstraint(fields=("child", "school_class", "day"), name="child_day_once"),
        )


class ChildAssignment(ChanceCounts):
    """What one child played of one assignment, and their chances in it. `tries` counts refused
    plays."""

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="assignment_counts")
    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="child_counts"
    )
    rounds = models.PositiveIntegerField(default=0)
    turns = models.PositiveIntegerField(default=0)
    hints = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    checks = models.PositiveIntegerField(default=0)
    checks_right = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("child", "assignment"), name="child_assignment_once"),
        )


# The evidence in the logs, and how far the logs have been read.

RULES: Final = 10
"""The number of the rules that turn logs into evidence (docs/mastery.md, *Chances*) and answers
into levels. Increase it when they change: then everything is counted again."""


class ProgressLock(models.Model):
    """The row to lock while a child's evidence and counts are written, so that workers take
    turns."""

    child = models.OneToOneField(
        Child, on_delete=models.CASCADE, primary_key=True, related_name="progress_lock"
    )
    stale = models.BooleanField(default=False, db_index=True)
    """Whether the counts include games, answers or a class that have been erased since."""
    to_rebuild = models.BooleanField(default=False, db_index=True)
    """Whether all logs of the child must be read again, for example after an upgrade or a change of
    the class's time zone."""
    rules = models.PositiveSmallIntegerField(default=RULES, db_default=1)
    """The `RULES` by which everything was counted. If an older web process writes the row, the
    database inserts 1: the first rules."""


def must_be_rebuilt(lock: str) -> models.Q:
    """The condition that all logs of a child must be read again. `lock` is the prefix by which the
    filtered model reaches the child's `ProgressLock`. The condition compares `RULES`: if a
    migration marked the children, a worker of the older release could still rebuild them."""
    return models.Q(**{f"{lock}to_rebuild": True}) | models.Q(**{f"{lock}rules__lt": RULES})


class GameEvidence(models.Model):
    """How far the log of a game has been read, for all its children. The game is dirty if its log
    goes further.

    Reading starts after entry `start_entry`, which ended the last of the `rounds`. `start` is the
    state after that entry, None after the last round of a match.
    """

    game = models.OneToOneField(
        Game, on_delete=models.CASCADE, primary_key=True, related_name="evidence_mark"
    )
    upto_entry = models.PositiveIntegerField()
    upto_at = models.DateTimeField()
    rounds = models.PositiveSmallIntegerField(default=0)  # how many rounds had ended by then
    start_entry = models.PositiveIntegerField(default=0)
    start = models.JSONField(null=True)
    problem = models.CharField(max_length=40, blank=True)  # the code of the rule that refused it

    class Meta:
        verbose_name_plural = _("games counted")


class SittingEvidence(models.Model):
    """How many answered questions of a sitting are counted. The sitting is dirty if more are
    answered."""

    sitting = models.OneToOneField(
        Sitting, on_delete=models.CASCADE, primary_key=True, related_name="evidence_mark"
    )
    upto = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name_plural = _("questions counted")


class Evidence(models.Model):
    """Evidence about a child in the log of a game. `school_class` is the class of the game; `day`
    is in the time zone of that class."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="+")
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, related_name="+")
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    round = models.PositiveSmallIntegerField()
    entry = models.PositiveIntegerField()  # the last entry that shows the evidence
    at = models.DateTimeField()

    class Meta:
        abstract = True


class Played(Evidence):
    """What a child played of a round on one day. `hints_asked`, `turns_with_hint` and
    `tries_refused` count only turns that have ended. `points` and `won` are set only on the day on
    which the round ended; `won` is None if all played together, or if a bot played a turn for the
    child."""

    rounds_ended = models.PositiveSmallIntegerField(default=0)  # 1 if the round ended on this day
    turns_ended = models.PositiveSmallIntegerField(default=0)
    hints_asked = models.PositiveSmallIntegerField(default=0)
    turns_with_hint = models.PositiveSmallIntegerField(default=0)
    tries_refused = models.PositiveSmallIntegerField(default=0)
    points = models.IntegerField(null=True)  # won or lost in the round
    won = models.BooleanField(null=True)

    class Meta:
        verbose_name_plural = _("rounds played")
        indexes = (models.Index(fields=("child", "day")),)
        constraints = (
            models.UniqueConstraint(
                fields=("game", "child", "round", "day"), name="played_of_child_once"
            ),
        )


class Chance(Evidence):
    """A child's opportunity to lay a row, as `games.coach.chances` finds it. It ended on `day`, at
    the time `at`. `thinking_ms` is the time until the child laid the row, from the start of their
    turn or from their last row in it; None if unknown."""

    class Outcome(models.TextChoices):
        AT_ONCE = "at once", _("at once")
        LATER = "later", _("later")
        WITH_HINT = "with a hint", _("with a hint")
        AFTER_TRIES = "after tries", _("after tries")
        WITH_JOKER = "with a joker", _("with a joker")
        MISSED = "missed", _("missed")
        TAKEN_UP = "taken up", _("taken up by another row")

    table = models.PositiveSmallIntegerField()  # 0 for rows of no table
    outcome = models.CharField(max_length=12, choices=Outcome.choices)
    first_turn = models.PositiveSmallIntegerField()
    last_turn = models.PositiveSmallIntegerField()
    tries = models.PositiveSmallIntegerField(default=0)
    hint_step = models.PositiveSmallIntegerField(default=0)
    entries = models.JSONField()  # the entries of the log that show the chance
    row = models.TextField()
    numbers = models.JSONField()
    thinking_ms = models.PositiveIntegerField(null=True)

    class Meta:
        verbose_name = _("possible row")
        verbose_name_plural = _("possible rows")
        indexes = (
            models.Index(fields=("child", "day", "table")),
            models.Index(fields=("child", "table", "at")),
        )

    @property
    def is_found(self) -> bool:
        """Whether the row was found without help, as figures count it."""
        return self.outcome in FOUND

    @property
    def is_laid(self) -> bool:
        return self.outcome not in (self.Outcome.MISSED, self.Outcome.TAKEN_UP)

    @property
    def turns_open(self) -> int:
        """How many turns ended while the row could be laid."""
        return self.last_turn - self.first_turn + (not self.is_laid)


FOUND: Final = (Chance.Outcome.AT_ONCE, Chance.Outcome.LATER)
"""The outcomes that count as found without help."""
IN_SHARES: Final = (
    *FOUND,
    Chance.Outcome.WITH_HINT,
    Chance.Outcome.AFTER_TRIES,
    Chance.Outcome.MISSED,
)
"""The outcomes that count as chances: the whole of which a share is found."""
LAID: Final = ~models.Q(outcome__in=(Chance.Outcome.MISSED, Chance.Outcome.TAKEN_UP))
"""The condition that a chance's row was laid, with or without help."""


# What the children can do, folded over the days of the counts.


class TableMastery(ChanceCounts):
    """What a child knows about a times table, folded over their days in all classes, and the counts
    of all chances so far.

    `known` is `games.coach.statements.table_levels.KnownTable` after the last `day`, from which
    today's level follows. `before` is the state without that day, so that each further game of the
    day costs no more than the first. `reached` is the level after that day. Since `reached_on` the
    child has found most rows, or has not.
    """

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="+")
    table = models.PositiveSmallIntegerField()
    day = models.DateField()
    known = models.JSONField()
    before = models.JSONField()
    reached = models.CharField(max_length=8)
    reached_on = models.DateField()
    last_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = _("levels at finding rows")
        constraints = (
            models.UniqueConstraint(fields=("child", "table"), name="table_mastery_once"),
        )


class FactMastery(models.Model):
    """What a child knows about a fact after all answers so far (`KnownFact` of
    `games.coach.questions.recall`), and the counts of the answers. `stability`, `difficulty`, `day`
    and `due_on` describe the memory of the fact; `day` is the day of the last answer.

    The level follows from these fields, the child's ability now and today's date. It is certainly
    `reached` up to the day `holds_until`, which is None if the fact is neither secure nor fluent.
    Since `reached_on` the child has known the fact by heart, or has not.
    """

    child = models.ForeignKey(Child, on_delete=models.CASCADE, related_name="+")
    low = models.PositiveSmallIntegerField()
    high = models.PositiveSmallIntegerField()
    stability = models.FloatField()
    difficulty = models.FloatField()
    day = models.DateField()
    due_on = models.DateField()
    ability = models.FloatField()  # the child's ability after the last answer
    lately = models.JSONField()  # the last days on which the fact was asked
    reached = models.CharField(max_length=8)  # the level that the last answers reach
    reached_on = models.DateField()
    holds_until = models.DateField(null=True)
    recalled = models.PositiveIntegerField(default=0)
    derived = models.PositiveIntegerField(default=0)
    hinted = models.PositiveIntegerField(default=0)
    guessed = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = _("levels of facts known by heart")
        constraints = (
            models.UniqueConstraint(fields=("child", "low", "high"), name="fact_mastery_once"),
        )


class FactAbility(models.Model):
    """A child's ability at facts (`games.coach.mastery.Ability`)."""

    child = models.OneToOneField(
        Child, on_delete=models.CASCADE, primary_key=True, related_name="fact_ability"
    )
    value = models.FloatField()
    answers = models.PositiveIntegerField()
    last_at = models.DateTimeField()
    last_answer = models.BigIntegerField()
    """The key of the last answer that `value` includes, given at `last_at`."""

    class Meta:
        verbose_name_plural = _("abilities at facts")


class Difference(models.Model):
    """A fault for the operator: a child whose stored progress differed from a rebuild or could not
    be rebuilt, or a game whose stored state differed from the replay of its log."""

    class What(models.TextChoices):
        PROGRESS = "progress", _("progress differs from a rebuild")
        LEDGER = "ledger", _("snapshot differs from the replay")
        REBUILD = "rebuild", _("rebuild failed")

    what = models.CharField(max_length=8, choices=What.choices)
    child = models.ForeignKey(Child, on_delete=models.CASCADE, null=True, related_name="+")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, related_name="+")
    told = models.TextField()  # how it differed, or why the rebuild failed
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-at",)
        verbose_name = _("difference found at night")
        verbose_name_plural = _("differences found at night")

    def __str__(self) -> str:
        return f"{self.what} {self.at:%Y-%m-%d}"
