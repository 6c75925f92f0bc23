"""What grew in a child's collection in a round, said at its end.

Rows and answers are read from the logs. How far a picture was before is counted later, by a worker
that nobody waits for: while other rounds of the child are not counted yet, nothing is said of
pictures, and the child sees on its list what is new.
"""

from collections.abc import Iterator, Mapping

from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext, ngettext

from classrooms.checks.sittings import stamps_of_round
from classrooms.checks.words import new_stamps, stamp
from classrooms.collection.pieces import FOUND_ALONE, PIECES, Picture
from classrooms.models import Attempt
from classrooms.progress.models import Chance, TableMastery
from classrooms.progress.pipeline.evidence import IS_BEHIND
from games.coach.times_tables import TABLES_TO_12
from games.play.hooks import Grown
from games.play.round_story import WITHOUT_HELP, RoundStory


def grown_in_round(attempt: Attempt, story: RoundStory) -> Iterator[Grown]:
    """The pictures with new pieces, then the new stamps."""
    for picture in _pictures(attempt, story):
        text, template = _new_pieces(picture), "collection/_picture.html"
        yield Grown(text, template, picture, is_whole=picture.is_whole)
    facts = stamps_of_round(attempt)
    if facts:
        yield Grown(new_stamps(facts), "collection/_stamps.html", [stamp(one) for one in facts])


def _pictures(attempt: Attempt, story: RoundStory) -> list[Picture]:
    found = {table: rows for table, rows in story.without_help if table in TABLES_TO_12}
    if not found or _is_anything_else_uncounted(attempt):
        return []
    before = _rows_before(attempt, found)
    pictures = []
    for table, rows in found.items():
        had = before.get(table, 0)
        if had < PIECES:
            pictures.append(Picture(table, had + rows, new=min(rows, PIECES - had)))
    return pictures


def _is_anything_else_uncounted(attempt: Attempt) -> bool:
    """Whether a round of the child that is not the last one of this game is not counted yet."""
    this, mark = Q(game=attempt.game_id), "game__evidence_mark"
    of_this = Q(**{mark: None}, game__round__gt=1) | Q(game__round__gt=F(f"{mark}__rounds") + 1)
    uncounted = (IS_BEHIND & ~this) | (of_this & this)
    return Attempt.objects.filter(uncounted, child=attempt.child_id).exists()


def _rows_before(attempt: Attempt, tables: Mapping[int, int]) -> dict[int, int]:
    """The rows found without help before this round. One query, since the round may be counted at
    any moment."""
    counted = (
        Chance.objects.filter(
            game=attempt.game_id,
            round=attempt.game.round,
            table=OuterRef("table"),
            outcome__in=WITHOUT_HELP,
        )
        .order_by()
        .values("table")
        .annotate(rows=Count("pk"))
        .values("rows")
    )
    known = TableMastery.objects.filter(child=attempt.child_id, table__in=tables)
    before = known.annotate(rows_before=FOUND_ALONE - Coalesce(Subquery(counted), 0))
    return dict(before.values_list("table", "rows_before"))


def _new_pieces(picture: Picture) -> str:
    values = {"n": picture.new, "table": picture.name}
    if picture.is_whole:
        return gettext("Your picture of the %(table)s is finished!") % values
    return (
        ngettext(
            "A new piece for your picture of the %(table)s!",
            "%(n)d new pieces for your picture of the %(table)s!",
            picture.new,
        )
        % values
    )
