"""A child's collection: a picture for each times table, and a stamp for each fact that they kept.

Both are computed from counts that only grow, so nothing is ever taken away and nothing is stored.
Neither luck nor time spent counts. A piece is a row found without help. A stamp is a fact known on
three days, the last of them at least two weeks after the first.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext, ngettext

from classrooms.models import Attempt, Child, SchoolClass
from classrooms.progress.evidence import ATTEMPT_IS_BEHIND, HAS_NEW_ROUND
from classrooms.progress.goals import GOAL_STEP, goal_of
from classrooms.progress.models import Chance, FactDay, TableDay, TableMastery
from classrooms.progress.rows import ROWS_FOUND
from classrooms.questions.services import STAMP_DAYS, is_stamp, stamps_of_round
from classrooms.questions.words import new_stamps, stamp
from games.coach.times_tables import TABLES_TO_10, TABLES_TO_12, Fact
from games.play.hooks import CollectionGrowth
from games.play.round_story import WITHOUT_HELP, RoundStory
from games.screen.player_faces import CLOTHS
from games.screen.words import table_name, with_explanation

PIECES: Final = 12
"""The pieces of a picture, in `COLUMNS` columns. A row found without help uncovers one."""
COLUMNS: Final = 4
PIECE: Final = 30
"""The side of a piece, in units of the drawing."""
_PLACES: Final = sorted(
    ((PIECE * (n % COLUMNS), PIECE * (n // COLUMNS)) for n in range(PIECES)),
    key=lambda place: (place[0] - 45) ** 2 + (place[1] - 30) ** 2,
)
"""The places of the pieces, from the middle outwards, because the edges of a picture are empty."""
MOST_NEARLY_STAMPS: Final = 3
"""At most this many of the facts that may soon become stamps are shown."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of a times table. `rows` counts the rows found without help so far."""

    table: int
    rows: int
    today: int = 0  # the number of rows found today
    new: int = 0  # the number of pieces uncovered just now

    @property
    def name(self) -> str:
        return table_name(self.table)

    @property
    def drawing(self) -> int:
        """The number of its drawing, one of ten in `icons/collection.svg`."""
        return self.table % 10

    @property
    def cloth(self) -> str:
        """The name of the picture as a tablecloth, in a child's face."""
        return CLOTHS[self.drawing]

    @property
    def pieces(self) -> int:
        return min(self.rows, PIECES)

    @property
    def is_whole(self) -> bool:
        return self.rows >= PIECES

    @property
    def covers(self) -> list[tuple[int, int]]:
        """The top left corners of the pieces that are still covered."""
        return _PLACES[self.pieces :]

    @property
    def uncovered(self) -> list[tuple[int, int]]:
        """The top left corners of the new pieces."""
        return _PLACES[self.pieces - self.new : self.pieces]

    @property
    def text(self) -> str:
        if self.is_whole:
            return ngettext("%(n)d row found", "%(n)d rows found", self.rows) % {"n": self.rows}
        return gettext("%(n)d of %(all)d pieces") % {"n": self.pieces, "all": PIECES}


@dataclass(frozen=True, slots=True)
class Stamps:
    """The child's stamps in order, those that are new today, and the facts known on two days."""

    kept: Sequence[Fact]
    today: Sequence[Fact]
    soon: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class Collection:
    pictures: Sequence[Picture]
    stamps: Sequence[tuple[str, bool]]  # facts in words, in order, and whether each is new today
    soon: Sequence[str]  # the facts known on two days

    @property
    def count(self) -> str:
        n = len(self.stamps)
        return ngettext("%(n)d stamp", "%(n)d stamps", n) % {"n": n}


@dataclass(frozen=True, slots=True)
class CollectionSummary:
    """The summary of a child's collection above their list of games."""

    picture: Picture | None  # the picture to finish next; None if none is begun
    next_step: str  # what finishes it; empty if no picture of the game is begun
    new_stamps: str  # today's stamps, in words
    of_class: Picture | None  # the picture of the class, if its goal is known
    class_step: str


def collection_summary(child: Child, tables: Container[int] = ()) -> CollectionSummary:
    """What a child's list shows of their collection, in three queries. The next step is one that
    the first game of the list, with these `tables`, allows."""
    pictures = _shown(_pictures(child, today={}))
    of_game = [picture for picture in pictures if picture.table in tables] or pictures
    is_begun = any(picture.rows for picture in of_game)
    begun_pictures = [picture for picture in (of_game if is_begun else pictures) if picture.rows]
    picture = _nearest(of_game if is_begun else begun_pictures)
    goal, class_step = goal_of(child.school_class), ""
    if goal:
        rows_left = GOAL_STEP - goal.reached % GOAL_STEP
        class_step = ngettext(
            "Lay cards %(n)d more time together to finish the picture of your class.",
            "Lay cards %(n)d more times together to finish the picture of your class.",
            rows_left,
        ) % {"n": rows_left}
    return CollectionSummary(
        picture or next(iter(begun_pictures), None),
        _next_step(picture) if is_begun else "",
        new_stamps(_stamps(child).today),
        picture_of_class(child.school_class, goal.reached) if goal else None,
        class_step,
    )


def picture_of_class(school_class: SchoolClass, rows: int, new_rows: int = 0) -> Picture:
    """The picture of a class that has found this many rows in a week, the last `new_rows` of them
    just now. Each `GOAL_STEP` rows complete a picture."""
    number, rows_over = divmod(rows - new_rows, GOAL_STEP)
    before, now = (min(n * PIECES // GOAL_STEP, PIECES) for n in (rows_over, rows_over + new_rows))
    week = school_class.today().isocalendar().week
    return Picture(week + number, now, new=now - before)


def _next_step(nearest: Picture | None) -> str:
    """Say how many rows the nearest picture still needs, or that all are finished."""
    if nearest is None:
        return gettext("All pictures of this game are finished!")
    rows_left = PIECES - nearest.rows
    return ngettext(
        "Lay cards in the %(table)s %(n)d more time by yourself to finish its picture.",
        "Lay cards in the %(table)s %(n)d more times by yourself to finish its picture.",
        rows_left,
    ) % {"n": rows_left, "table": nearest.name}


def _nearest(pictures: Sequence[Picture]) -> Picture | None:
    """The unfinished picture with the most rows."""
    unfinished = [picture for picture in pictures if not picture.is_whole]
    return max(unfinished, key=lambda picture: picture.rows, default=None)


def _shown(pictures: Sequence[Picture]) -> list[Picture]:
    """The pictures of tables from 2 to 10, and of higher ones if the child has found a row."""
    return [picture for picture in pictures if picture.rows or picture.table in TABLES_TO_10]


def collection_of(child: Child) -> Collection:
    """A child's collection, in three queries."""
    stamps, today = _stamps(child), Counter[int]()
    days = TableDay.objects.filter(child=child, day=child.school_class.today())
    for table, rows in days.values_list("table", ROWS_FOUND):  # of each class in which they played
        today[table] += rows
    return Collection(
        _shown(_pictures(child, today)),
        [(stamp(known_fact), known_fact in stamps.today) for known_fact in stamps.kept],
        [stamp(known_fact) for known_fact in stamps.soon[:MOST_NEARLY_STAMPS]],
    )


def _pictures(child: Child, today: Mapping[int, int]) -> list[Picture]:
    """The pictures of all tables. `today` has the number of rows found today, by table."""
    rows = dict(TableMastery.objects.filter(child=child).values_list("table", ROWS_FOUND))
    return [Picture(table, rows.get(table, 0), today.get(table, 0)) for table in TABLES_TO_12]


def _stamps(child: Child) -> Stamps:
    days_of: dict[Fact, list[date]] = defaultdict(list)
    days = FactDay.objects.filter(Q(recalled__gt=0) | Q(derived__gt=0), child=child)
    for low, high, day in days.order_by("low", "high").values_list("low", "high", "day"):
        days_of[low, high].append(day)
    today = child.school_class.today()
    stamps = [known_fact for known_fact in days_of if is_stamp(days_of[known_fact])]
    return Stamps(
        stamps,
        [
            known_fact
            for known_fact in stamps
            if not is_stamp(day for day in days_of[known_fact] if day < today)
        ],
        [
            known_fact
            for known_fact in days_of
            if known_fact not in stamps and len(set(days_of[known_fact])) >= STAMP_DAYS - 1
        ],
    )


# The end of a round shows what the round added to a child's collection. Rows and answers are read
# from the logs, so that nobody waits for the worker that counts them. While other rounds of the
# child are not counted yet, the page says nothing about pictures; the child's list shows later what
# is new.


def picture_to_finish(child: Child, tables: Container[int]) -> CollectionGrowth | None:
    """The begun picture of these tables that lacks the fewest pieces, to try for in a round."""
    pictures = _pictures(child, today={})
    nearest = _nearest([each for each in pictures if each.rows and each.table in tables])
    if nearest is None:
        return None
    text = with_explanation(nearest.name, nearest.text)
    return CollectionGrowth(text, "collection/_picture.html", nearest)


def growth_in_round(attempt: Attempt, story: RoundStory) -> Iterator[CollectionGrowth]:
    """The pictures with new pieces, then the new stamps, or else the picture to finish
    next."""
    grown = _grown_pictures(attempt, story)
    for picture in grown:
        yield CollectionGrowth(
            _new_pieces(picture), "collection/_picture.html", picture, is_whole=picture.is_whole
        )
    facts = stamps_of_round(attempt)
    if facts:
        yield CollectionGrowth(
            new_stamps(facts),
            "collection/_stamps.html",
            tuple(stamp(known_fact) for known_fact in facts),
        )
    if attempt.game.riddle_cards or grown or facts:
        return
    tables = attempt.game.ruleset.tables or TABLES_TO_12
    pictures = _pictures(attempt.child, today={})
    shown = _nearest([each for each in pictures if each.rows and each.table in tables])
    if shown and not _is_anything_else_uncounted(attempt):
        yield CollectionGrowth(_next_step(shown), "collection/_picture.html", shown)


def _grown_pictures(attempt: Attempt, story: RoundStory) -> list[Picture]:
    found_alone = story.found_alone_by_table.items()
    rows_found = {table: rows for table, rows in found_alone if table in TABLES_TO_12}
    if not rows_found or _is_anything_else_uncounted(attempt):
        return []
    before = _rows_before(attempt, rows_found)
    pictures = []
    for table, rows in rows_found.items():
        rows_before = before.get(table, 0)
        if rows_before < PIECES:
            new = min(rows, PIECES - rows_before)
            pictures.append(Picture(table, rows_before + rows, new=new))
    return pictures


def _is_anything_else_uncounted(attempt: Attempt) -> bool:
    """Whether a finished round of the child, other than this game's last, is not counted yet."""
    is_this, mark = Q(game=attempt.game_id), "game__evidence_mark"
    of_this = Q(**{mark: None}, game__round__gt=1) | Q(game__round__gt=F(f"{mark}__rounds") + 1)
    uncounted = (ATTEMPT_IS_BEHIND & HAS_NEW_ROUND & ~is_this) | (of_this & is_this)
    return Attempt.objects.filter(uncounted, child=attempt.child_id).exists()


def _rows_before(attempt: Attempt, tables: Mapping[int, int]) -> dict[int, int]:
    """The number of rows found without help before this round, by table. There is only one query,
    because the round may be counted at any moment."""
    chances = (
        Chance.objects.filter(
            game=attempt.game_id,
            child=attempt.child_id,
            round=attempt.game.round,
            table=OuterRef("table"),
            outcome__in=WITHOUT_HELP,
        )
        .order_by()
        .values("table")
        .annotate(rows=Count("pk"))
        .values("rows")
    )
    levels = TableMastery.objects.filter(child=attempt.child_id, table__in=tables)
    before = levels.annotate(rows_before=ROWS_FOUND - Coalesce(Subquery(chances), 0))
    return dict(before.values_list("table", "rows_before"))


def _new_pieces(picture: Picture) -> str:
    values = {"n": picture.new, "table": picture.name}
    if picture.is_whole:
        return gettext("Your picture of the %(table)s is finished!") % values
    text = ngettext(
        "A new piece for your picture of the %(table)s!",
        "%(n)d new pieces for your picture of the %(table)s!",
        picture.new,
    )
    to_go = gettext("%(n)d to go!") % {"n": PIECES - picture.pieces}
    return f"{text % values} {to_go}"
