"""Luck and skill: what the cards offered a child and what the child found, each compared with the
other children of the class in the same games."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from classrooms.models import Assignment, Child
from classrooms.progress.figures.class_counts import ChildLine, Report
from classrooms.progress.figures.table_rows import FIGURES, Rows
from classrooms.progress.models import ChildAssignment
from games.coach.statements.certainty import (
    FALSE_FINDS,
    FALSE_OFFERS,
    Verdict,
    verdict_of_one,
    verdicts,
)
from games.coach.statements.others import NOTHING, Comparison, Part, compared
from games.models import Seat
from games.screen.words import title

FEWEST_TURNS: Final = 10
"""With fewer turns nothing is shown."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What the cards of one assignment offered the child. `usual_chances` and `usual_found`: what
    the others would have in as many turns, and find of as many chances; None without others."""

    assignment: Assignment
    turns: int
    rows: Rows
    usual_chances: float | None
    usual_found: float | None

    @property
    def title(self) -> str:
        """The title of the game."""
        return title(self.assignment.ruleset)

    @property
    def is_compared(self) -> bool:
        return self.usual_chances is not None


@dataclass(frozen=True, slots=True)
class Luck:
    """`offers`: the assignments of its class that the child has played, newest first. Those that
    others have played too are shown and added up, or all if there are none. `cards` and `finds`:
    the child's chances and finds in them against the others'; `cards_verdict` and `finds_verdict`:
    what may be said of these. `won`: rounds won of `rounds` played to their end."""

    offers: Sequence[Offer]
    cards: Comparison
    cards_verdict: Verdict
    finds: Comparison
    finds_verdict: Verdict
    won: int
    rounds: int

    @property
    def is_compared(self) -> bool:
        return any(offer.is_compared for offer in self.offers)

    @property
    def shown_offers(self) -> list[Offer]:
        shared = [offer for offer in self.offers if offer.is_compared]
        return shared or list(self.offers)

    @property
    def is_shown(self) -> bool:
        return self.turns >= FEWEST_TURNS and self.chances.is_shown

    @property
    def turns(self) -> int:
        return sum(offer.turns for offer in self.shown_offers)

    @property
    def chances(self) -> Rows:
        """The child's chances in the games shown."""
        together = Rows()
        for offer in self.shown_offers:
            together.add(offer.rows)
        return together


@dataclass(frozen=True, slots=True)
class LineLuck:
    """A child in the report of its class: its chances in so many turns, and its finds of so many
    chances of the tables that others have too, against the others'."""

    child: Child
    cards: Comparison
    cards_verdict: Verdict
    finds: Comparison
    finds_verdict: Verdict


def luck_of_class(report: Report) -> list[LineLuck]:
    """Luck and skill in the days of the report, without a query. Children with too little evidence
    are left out, and everyone if there is nobody to compare with or figures are incomplete."""
    if report.freshness.is_rebuilding:
        return []
    lines = [line for line in report.lines if line.turns and line.total.chances]
    cards = compared([{"": Part(line.total.chances, line.turns)} for line in lines], "offers")
    finds = compared(
        [
            {cell.table: Part(cell.rows.found, cell.rows.chances) for cell in line.cells}
            for line in lines
        ],
        "finds",
    )
    together = zip(
        lines,
        cards,
        verdicts(cards, FALSE_OFFERS),
        finds,
        verdicts(finds, FALSE_FINDS),
        strict=True,
    )
    return [
        LineLuck(line.child, offered, offered_verdict, found, found_verdict)
        for line, offered, offered_verdict, found, found_verdict in together
        if _is_shown(line) and NOTHING not in (offered, found)
    ]


def _is_shown(line: ChildLine) -> bool:
    return line.turns >= FEWEST_TURNS and line.total.is_shown


def luck_and_skill(child: Child) -> Luck:
    """Luck and skill in all games assigned to the child's class; in three queries. Children whose
    chances are being counted again are left out."""
    complete = ChildAssignment.objects.exclude(child__progress_lock__to_rebuild=True)
    counted = complete.filter(child=child, turns__gt=0)
    played = Assignment.objects.filter(
        school_class=child.school_class, pk__in=counted.values("assignment")
    )
    assignments = list(played.order_by("-created_at"))
    counts: dict[UUID, dict[UUID, tuple[int, Rows]]] = defaultdict(dict)
    stored = complete.filter(assignment__in=played, turns__gt=0)
    for pk, assignment, turns, *figures in stored.values_list(
        "child", "assignment", "turns", *FIGURES
    ):
        counts[pk][assignment] = turns, Rows(*figures)
    own = counts.pop(child.pk, {})
    children = [own, *counts.values()]
    cards = compared([_cards(each) for each in children], "offers")[0]
    finds = compared([_finds(each) for each in children], "finds")[0]
    offers = [
        Offer(each, *own[each.pk], cards.usual_of.get(each.pk), finds.usual_of.get(each.pk))
        for each in assignments
    ]
    return Luck(
        offers,
        cards,
        verdict_of_one(cards, len(children)),
        finds,
        verdict_of_one(finds, len(children)),
        *_rounds(child),
    )


def _cards(counts: Mapping[UUID, tuple[int, Rows]]) -> Mapping[UUID, Part]:
    return {kind: Part(rows.chances, turns) for kind, (turns, rows) in counts.items()}


def _finds(counts: Mapping[UUID, tuple[int, Rows]]) -> Mapping[UUID, Part]:
    return {kind: Part(rows.found, rows.chances) for kind, (_turns, rows) in counts.items()}


def _rounds(child: Child) -> tuple[int, int]:
    """How many rounds the child has won, and how many were played to their end."""
    seats = Seat.objects.filter(
        player=child.player, game__attempt__assignment__school_class=child.school_class
    ).values_list("number", "game__round_winners")
    winners = [(number, winner) for number, winners in seats for winner in winners]
    return sum(number == winner for number, winner in winners), len(winners)
