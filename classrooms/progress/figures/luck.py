"""Luck and skill: what the cards offered a child and what the child found, each compared with the
other children of the class in the same games."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from django.db.models import Q, Sum

from classrooms.models import Assignment, Child
from classrooms.progress.figures.class_counts import ChildLine, Report
from classrooms.progress.figures.table_rows import FIGURES, Rows
from classrooms.progress.models import ChildAssignment
from games.coach.mastery import FEWEST
from games.models import Seat
from games.screen.words import title

FEWEST_TURNS: Final = 10
"""With fewer turns nothing is shown; with fewer turns of the others nothing is compared."""
CLEARLY: Final = 0.2
"""The least difference to call it more or fewer: this share of the usual, and three rows."""

Compared = Literal["more", "as many", "fewer"]


@dataclass(frozen=True, slots=True)
class Offer:
    """What the cards of one assignment offered the child, and the other children."""

    assignment: Assignment
    turns: int
    rows: Rows
    others_turns: int
    others_rows: Rows

    @property
    def title(self) -> str:
        """The title of the game."""
        return title(self.assignment.ruleset)

    @property
    def is_compared(self) -> bool:
        return self.others_turns >= FEWEST_TURNS and self.others_rows.is_shown

    @property
    def usual_chances(self) -> float:
        """Rows that the others were offered in the same number of turns."""
        return self.turns * self.others_rows.chances / self.others_turns

    @property
    def usual_found(self) -> float:
        """Rows that the others would have found of the child's."""
        return self.rows.chances * self.others_rows.share


@dataclass(frozen=True, slots=True)
class Luck:
    """`offers`: the assignments of its class that the child has played, newest first. Those that
    others have played too are shown and added up, or all if there are none. `won`: rounds won of
    `rounds` played to their end."""

    offers: Sequence[Offer]
    won: int
    rounds: int

    @property
    def is_compared(self) -> bool:
        return any(offer.is_compared for offer in self.offers)

    @property
    def shown_offers(self) -> list[Offer]:
        compared = [offer for offer in self.offers if offer.is_compared]
        return compared or list(self.offers)

    @property
    def is_shown(self) -> bool:
        return self.turns >= FEWEST_TURNS and self.rows.is_shown

    @property
    def turns(self) -> int:
        return sum(offer.turns for offer in self.shown_offers)

    @property
    def rows(self) -> Rows:
        together = Rows()
        for offer in self.shown_offers:
            together.add(offer.rows)
        return together

    @property
    def usual_chances(self) -> int:
        return round(sum(offer.usual_chances for offer in self.shown_offers))

    @property
    def usual_found(self) -> int:
        return round(sum(offer.usual_found for offer in self.shown_offers))

    @property
    def cards(self) -> Compared:
        """How many rows the cards offered, compared with the others."""
        return _compared(self.rows.chances, self.usual_chances)

    @property
    def finds(self) -> Compared:
        """How many of them the child found, compared with the others."""
        return _compared(self.rows.found, self.usual_found)


@dataclass(frozen=True, slots=True)
class LineLuck:
    """A child in the report of its class. `usual_chances`: the rows that the others had in the same
    number of turns; `usual_found`: those that the others would have found of the child's."""

    child: Child
    turns: int
    rows: Rows
    usual_chances: int
    usual_found: int

    @property
    def cards(self) -> Compared:
        return _compared(self.rows.chances, self.usual_chances)

    @property
    def finds(self) -> Compared:
        return _compared(self.rows.found, self.usual_found)


def luck_of_class(report: Report) -> list[LineLuck]:
    """Luck and skill in the days of the report, without a query. Children with too little evidence
    are left out, and those whose classmates have too little."""
    all_turns = sum(line.turns for line in report.lines)
    lines = []
    for line in report.lines:
        others_turns = all_turns - line.turns
        others_chances = report.total.chances - line.total.chances
        if min(line.turns, others_turns) >= FEWEST_TURNS and line.total.is_shown:
            usual = round(line.turns * others_chances / others_turns)
            found = _usual_found(line, report)
            lines.append(LineLuck(line.child, line.turns, line.total, usual, found))
    return lines


def _usual_found(line: ChildLine, report: Report) -> int:
    """Rows that the others would have found. For a table that nobody else had, or that has no
    column, the child's own count is taken."""
    usual = float(line.total.found - sum(cell.rows.found for cell in line.cells))
    for cell, total in zip(line.cells, report.totals, strict=True):
        chances = total.rows.chances - cell.rows.chances
        share = (total.rows.found - cell.rows.found) / chances if chances else cell.rows.share
        usual += cell.rows.chances * share
    return round(usual)


def luck_and_skill(child: Child) -> Luck:
    """Luck and skill in all games assigned to the child's class; in two queries."""
    own, others = Q(child_counts__child=child), ~Q(child_counts__child=child)
    counted = ChildAssignment.objects.filter(child=child, turns__gt=0)
    played = Assignment.objects.filter(
        school_class=child.school_class, pk__in=counted.values("assignment")
    ).annotate(**_sums("own", own), **_sums("others", others))
    played = played.order_by("-created_at")
    won, rounds = _rounds(child)
    return Luck([_offer(each) for each in played], won, rounds)


def _sums(whose: str, which: Q) -> dict[str, Sum]:
    return {
        f"{whose}_{name}": Sum(f"child_counts__{name}", filter=which, default=0)
        for name in ("turns", *FIGURES)
    }


def _offer(assignment: Assignment) -> Offer:
    summed = vars(assignment)
    return Offer(
        assignment,
        summed["own_turns"],
        Rows(*(summed[f"own_{name}"] for name in FIGURES)),
        summed["others_turns"],
        Rows(*(summed[f"others_{name}"] for name in FIGURES)),
    )


def _rounds(child: Child) -> tuple[int, int]:
    """How many rounds the child has won, and how many were played to their end."""
    seats = Seat.objects.filter(
        player=child.player, game__attempt__assignment__school_class=child.school_class
    ).values_list("number", "game__round_winners")
    winners = [(number, winner) for number, winners in seats for winner in winners]
    return sum(number == winner for number, winner in winners), len(winners)


def _compared(own: int, usual: int) -> Compared:
    apart = own - usual
    if abs(apart) < max(FEWEST, CLEARLY * usual):
        return "as many"
    return "more" if apart > 0 else "fewer"
