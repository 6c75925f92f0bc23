"""Compares the journal, the log, the snapshots and the reports."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q

from classrooms.models import Child
from classrooms.progress import evidence
from classrooms.progress.rebuild import compare_child, compare_game
from games.engine.actions import End
from games.engine.text.record import act_entry
from games.models import UNASKED, Entry, Game, Seat
from scripts.load.child import JournalEntry

MOST_LISTED = 5
BOTS = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), player=None)
DUE = Q(kind=Entry.Kind.STAND_IN) | Q(data=UNASKED) | Q(text__startswith="knock") | Exists(BOTS)
"""The entries that a table of several makes by itself, each with a key that no page has sent."""


@dataclass(slots=True)
class Comparison:
    """The amount compared, and every difference as a sentence."""

    acknowledged: int = 0
    games: int = 0
    children: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    snapshots: list[str] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)

    @property
    def differences(self) -> list[str]:
        return [*self.lost, *self.twice, *self.snapshots, *self.reports]

    def __str__(self) -> str:
        figures = (
            f"{self.acknowledged:,} acknowledged moves, {self.games:,} games, "
            f"{self.children:,} children: {len(self.lost)} lost, {len(self.twice)} twice or on "
            f"another page's standing, {len(self.snapshots)} snapshots and {len(self.reports)} "
            f"reports differ"
        )
        return "\n".join([figures, *self.differences[:MOST_LISTED]])


def compare(journal: Sequence[JournalEntry], children: Sequence[Child]) -> Comparison:
    """Compare everything that these children saw done with what is stored about them."""
    players = [child.player for child in children]
    games = Game.objects.filter(seats__player__in=players).distinct()
    compared = Comparison()
    _compare_log(journal, list(games.values_list("pk", flat=True)), compared)
    for game in games.iterator():
        compared.games += 1
        if difference := compare_game(game):
            compared.snapshots.append(f"{game}: {difference.told}")
    # A round still being played is counted when it ends or the child has left.
    dirty = evidence.dirty_attempts().filter(child__in=children)
    evidence.process_games(list(dirty.values_list("game", flat=True)))
    for child in children:
        compared.children += 1
        if difference := compare_child(child):
            compared.reports.append(f"{child.pk}: {difference.told}")
    return compared


def _compare_log(
    journal: Sequence[JournalEntry], games: list[UUID], comparison: Comparison
) -> None:
    """Check that every move that a child saw done is in the log, and that each move in the log was
    sent once and carried out on the state that its page showed."""
    keyed = Entry.objects.filter(game__in=games, key__isnull=False).exclude(DUE)
    # Showing the rows of a hand for everybody ends all games of it.
    keyed = keyed.exclude(game__one_turn=True, text=act_entry(0, End()).text)
    logged: dict[tuple[str, str], list[int]] = {}
    for game, key, number in keyed.values_list("game", "key", "number").iterator():
        logged.setdefault((str(game), str(key)), []).append(number)
    entry_of: dict[tuple[str, str], JournalEntry] = {}
    for entry in journal:
        entry_of[entry.game, entry.key] = entry
        if entry.shown_in is not None:
            comparison.acknowledged += 1
            if (entry.game, entry.key) not in logged:
                comparison.lost.append(
                    f"{entry} is not in the log; {_logged_instead(entry, journal)}"
                )
    for move, numbers in logged.items():
        if move not in entry_of:
            comparison.twice.append(f"{move} is in the log, and nobody sent it")
        elif numbers != [entry_of[move].seen + 1] and not _is_next(entry_of[move], numbers):
            comparison.twice.append(f"{entry_of[move]} became the entries {numbers}")
    counted_games = Game.objects.filter(pk__in=games).annotate(logged=Count("entries"))
    for pk, version, entries in counted_games.values_list("pk", "version", "logged").iterator():
        if version != entries:
            comparison.twice.append(f"{pk} is at version {version} with {entries} entries")


def _is_next(entry: JournalEntry, numbers: Sequence[int]) -> bool:
    """Whether a move at a table of several was carried out once, and only invisible things had
    happened since its page: others were refused or asked for a hint."""
    seats = Entry.objects.filter(game=UUID(entry.game), number=numbers[0]).values("seat")
    since = Entry.objects.filter(game=UUID(entry.game), number__gt=entry.seen)
    entries = since.filter(number__lt=numbers[0]).exclude(
        ~Q(seat__in=seats), kind__in=(Entry.Kind.HINT, Entry.Kind.REFUSED)
    )
    return len(numbers) == 1 and numbers[0] > entry.seen and not entries.exists()


def _logged_instead(entry: JournalEntry, journal: Sequence[JournalEntry]) -> str:
    """A sentence about the entry that the log has in place of a lost move."""
    logged = Entry.objects.filter(game=UUID(entry.game), number=entry.seen + 1).first()
    if logged is None:
        return "nothing is at its place"
    senders = [str(sender) for sender in journal if str(logged.key) == sender.key]
    return f"at its place is {logged.text!r} of {senders or 'nobody'}"
