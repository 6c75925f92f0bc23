"""Games and their logs. A player is only a UUID: this app knows no teachers, classes, children."""

import uuid
from functools import cached_property
from typing import ClassVar, Final

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.coach.deals import PLAIN, Kindness
from games.engine.ruleset import Ruleset, ruleset_from_data
from games.engine.text.record import EntryKind, PublicData


class Game(models.Model):
    """One match. Its log of entries (`Entry`) is the truth; `snapshot` is only for speed.

    `version` is the number of the last entry. `seed` decides everything random. Neither the seed
    nor the snapshot ever leaves the server.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    ruleset_data = models.JSONField()
    engine_version = models.CharField(max_length=12)
    seed = models.BigIntegerField()
    hint_steps = models.PositiveSmallIntegerField(default=0)
    # The kindness of the deals (`games.coach.deals.Kindness`).
    kind_decks = models.PositiveSmallIntegerField(default=PLAIN.decks)
    kind_tables = models.JSONField(default=list)
    kind_draws = models.PositiveSmallIntegerField(default=PLAIN.draws_counted)
    kind_orders = models.PositiveSmallIntegerField(default=PLAIN.orders_compared)
    shows_missed_rows = models.BooleanField(default=False, db_column="missed_rows")
    """Whether the site shows players, after a turn, a row that they missed in it."""
    is_guided = models.BooleanField(default=False, db_column="lesson")
    """Whether this is a guided round (`games.coach.guided_rounds`)."""
    has_shared_deal = models.BooleanField(default=False, db_column="shared_deal")
    """Whether others play the same deal: the bots choose by seed and position alone
    (`games.play.shared_deals`)."""
    has_one_turn = models.BooleanField(default=False, db_default=False, db_column="one_turn")
    """Whether the player has one turn of a round that others have begun
    (`games.coach.begun_rounds`)."""
    riddle_cards = models.PositiveSmallIntegerField(default=0, db_default=0, db_column="riddle")
    """How many cards can be laid in that turn if it is a riddle (`games.bots.riddles`), otherwise
    0."""
    # Only a table of several players uses the next six (`games.play.presence`).
    answer_seconds = models.PositiveSmallIntegerField(default=20, db_default=20)
    """The time to answer an offer or to knock; 0 for no limit."""
    turn_seconds = models.PositiveSmallIntegerField(default=0, db_default=0)
    """The time for a turn; 0 for no limit."""
    news = models.PositiveIntegerField(default=0, db_default=0)
    """Rises by one with each change that the other players can see."""
    awaited_seat = models.PositiveSmallIntegerField(null=True, db_column="at_turn")
    """The seat for which the table waits."""
    waits_since = models.DateTimeField(null=True)
    """Since when the table waits for it; null in games of earlier releases."""
    due_at = models.DateTimeField(null=True)
    """When that seat's time is over; null without a limit."""
    version = models.PositiveIntegerField(default=0)
    phase = models.CharField(max_length=12, default="draw")
    round = models.PositiveSmallIntegerField(default=1)
    snapshot = models.JSONField(null=True)
    round_winners = models.JSONField(default=list)
    """The seat that won each finished round, null for none. Like `snapshot` only for speed."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    moved_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=("moved_at",))]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_hand(self) -> bool:
        """Whether this is one hand for everybody: one turn that is no riddle."""
        return self.has_one_turn and not self.riddle_cards

    @property
    def kindness(self) -> Kindness:
        return Kindness(self.kind_decks, self.kind_draws, tuple(self.kind_tables), self.kind_orders)

    @kindness.setter
    def kindness(self, kindness: Kindness) -> None:
        self.kind_decks = kindness.decks
        self.kind_draws = kindness.draws_counted
        self.kind_tables = list(kindness.tables)
        self.kind_orders = kindness.orders_compared

    @cached_property
    def ruleset(self) -> Ruleset:
        return ruleset_from_data(self.ruleset_data)


class Seat(models.Model):
    """The place of a player or a bot in a game. `bot` is the name of the bot in
    `games.bots.registry`."""

    # The index of `seat_once` serves look-ups by game.
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    player = models.UUIDField(null=True, db_index=True)
    bot = models.CharField(max_length=20, blank=True)
    name = models.CharField(max_length=40, blank=True)
    face = models.CharField(max_length=40, blank=True)
    # Only a table of several players uses these (`games.play.presence`).
    hint_steps = models.PositiveSmallIntegerField(null=True)
    """The most steps of a hint for this player; null for those of the game."""
    here_until = models.DateTimeField(null=True)
    """The player counts as present until then."""
    away_since = models.DateTimeField(null=True, db_column="away")
    """When a bot began to play for the player; null while they play themselves."""
    answered_at = models.DateTimeField(null=True, db_column="knocked_at")
    """When they answered while others still may: knocked, or asked for the next round."""
    sign = models.CharField(max_length=12, blank=True, default="", db_default="")
    """The last sign that the player gave the others (`games.play.signs.SIGNS`). If it is shown
    only in the turn of one seat, that seat follows after a colon."""
    sign_turn = models.PositiveIntegerField(default=0, db_default=0)
    """The number of the player's turn in which they gave the sign (`signs.turn_number`)."""
    sign_count = models.PositiveSmallIntegerField(default=0, db_default=0)
    """How many signs they have given in that turn."""

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="seat_once"),
            models.UniqueConstraint(
                fields=("game", "player"),
                condition=models.Q(player__isnull=False),
                name="player_seated_once",
            ),
            models.CheckConstraint(
                condition=models.Q(player__isnull=True) ^ models.Q(bot=""),
                name="seat_of_player_or_bot",
            ),
        )

    def __str__(self) -> str:
        return f"{self.number}: {self.bot or self.player}"

    @property
    def most_hint_steps(self) -> int:
        return self.game.hint_steps if self.hint_steps is None else self.hint_steps


UNASKED: Final[PublicData] = {"unasked": True}
"""The `data` of a pass that the game made for a seat without asking: it had just put the card down
(5.1) or, at a table of several players, the time to answer was over."""


class Entry(models.Model):
    """One entry of a game's log, which is never changed. `text` is as in
    `engine.text.record.LogEntry`, and `data` is its `PublicData`."""

    # The index of `action_once` serves look-ups by game. So each move writes one index fewer.
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="entries", db_index=False)
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=[(k.value, k.title()) for k in EntryKind])
    seat = models.PositiveSmallIntegerField(null=True)
    text = models.TextField(blank=True)
    data = models.JSONField(default=dict)
    missed = models.TextField(null=True)  # noqa: DJ001
    """The text of the row that the site then showed the player as missed; empty for none, null if
    an earlier release did not say (`games.engine.text.record.LogEntry`)."""
    at = models.DateTimeField(default=timezone.now)
    key = models.UUIDField(null=True)
    """The key of the post that made this entry and the following ones without a key. A key is
    stored once, so a post is carried out once."""

    class Meta:
        db_table = "games_action"
        verbose_name_plural = _("log entries")
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="action_once"),
            models.UniqueConstraint(
                fields=("game", "key"), condition=models.Q(key__isnull=False), name="key_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.number} {self.kind} {self.text}"

    @property
    def is_unasked(self) -> bool:
        return bool(self.data.get("unasked"))
