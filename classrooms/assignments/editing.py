"""Changes an assignment while children play: its days, audience, hints, rounds and note. A game
that has begun keeps its rounds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext, ngettext

from classrooms.assignments.audience import Audience, members, named_children
from classrooms.assignments.choice import Choice, choice_of
from classrooms.assignments.forms import AssignForm
from classrooms.assignments.services import ensure_given_once, lock_assignment
from classrooms.bounds import ensure_room_for_assignment
from classrooms.locks import Changed
from classrooms.models import Assignment, Child
from games.screen.words import listed

CHANGEABLE_FIELDS: Final = ("rounds", "target", "hint_steps", "note", "starts_on", "due_on")
"""The settings that can be changed. A game by other rules would be another assignment."""
FIELDS_OF_ONE_DEAL: Final = ("note", "starts_on", "due_on")
"""The settings that can be changed if all children play one deal."""
MOST_NAMED: Final = 4
"""A sentence names at most this many children; of more it gives the number."""


class ChangeForm(AssignForm):
    """The form for the settings of an assignment that can be changed, with their present values."""

    def __init__(self, assignment: Assignment, data: QueryDict | None = None) -> None:
        self.assignment = assignment
        choice = replace(
            choice_of(assignment), starts_on=assignment.starts_on, due_on=assignment.due_on
        )
        super().__init__(assignment.school_class, data, begin_with=choice)
        self.fields["hint_steps"].help_text = gettext("Also applies to games that children reopen.")
        for name in self.fields.keys() - set(
            FIELDS_OF_ONE_DEAL if assignment.is_one_deal else CHANGEABLE_FIELDS
        ):
            del self.fields[name]
        has_begun = assignment.starts_on is None or assignment.starts_on <= self.today
        if has_begun or assignment.series:
            del self.fields["starts_on"]
        self.fields["due_on"].required = assignment.series is not None

    def _check_days(self, cleaned: dict[str, Any]) -> None:
        is_weekly = self.assignment.series is not None
        first_day = self.assignment.starts_on
        super()._check_days({"starts_on": first_day, "weekly": is_weekly, **cleaned})


def effect_on_players(assignment: Assignment) -> str:
    """What a change means for children who have begun the assignment, as a sentence."""
    players = Child.objects.filter(attempts__assignment=assignment)
    open_now = players.filter(attempts__game__finished_at=None).distinct()
    children = [child for child in open_now if child.school_class_id == assignment.school_class_id]
    new = gettext("Your choices apply to new games.")
    if children:
        text = ngettext(
            "%(names)s is in the middle of a game, which simply carries on.",
            "%(names)s are in the middle of a game, which simply carries on.",
            len(children),
        ) % {"names": names_of(children)}
        return f"{text} {new}"
    return new if players.exists() else gettext("Nobody has started yet.")


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """What a change of an assignment means for its children. Some no longer have it, some have it
    from now on, and some are no longer in its audience but keep it because they have begun it."""

    removed_children: Sequence[Child]
    new_children: Sequence[Child]
    kept_children: Sequence[Child]
    has_other_rounds: bool

    @property
    def words(self) -> str:
        sentences = [gettext("Saved.")]
        if self.removed_children:
            text = ngettext(
                "%(names)s no longer sees this assignment.",
                "%(names)s no longer see this assignment.",
                len(self.removed_children),
            )
            sentences.append(text % {"names": names_of(self.removed_children)})
        if self.kept_children:
            text = ngettext(
                "%(names)s has already started and keeps this assignment.",
                "%(names)s have already started and keep this assignment.",
                len(self.kept_children),
            )
            sentences.append(text % {"names": names_of(self.kept_children)})
        if self.new_children:
            sentences.append(
                gettext("Added for %(names)s.") % {"names": names_of(self.new_children)}
            )
        if self.has_other_rounds:
            sentences.append(gettext("Games that have started keep their number of rounds."))
        return " ".join(sentences)


def names_of(children: Sequence[Child], limit: int = MOST_NAMED) -> str:
    """The names of the children in a list, or their number if there are more than `limit`."""
    if len(children) > limit:
        return ngettext("%(n)d child", "%(n)d children", len(children)) % {"n": len(children)}
    return listed([child.name for child in children])


def change_assignment(assignment: Assignment, choice: Choice, audience: Audience) -> ChangeResult:
    """Change the settings that can be changed, and the audience. Children who have begun the
    assignment keep it. The coming weeks of a series change too, except for their days. Raises
    `Changed` if the assignment was ended or has other days than the page showed, and
    `bounds.LimitReached` if it was over and the class has no room for it."""
    days_before = _days_of(assignment)
    with lock_assignment(assignment):
        if assignment.ended_at or _days_of(assignment) != days_before:
            raise Changed
        if assignment.due_on and assignment.due_on < assignment.school_class.today():
            ensure_room_for_assignment(assignment.school_class)
        children = list(assignment.school_class.children.all())
        before = members(assignment, children)
        chosen = children if audience.is_whole_class else named_children(audience, children)
        begun_keys = set(assignment.attempts.values_list("child", flat=True))
        kept = [child for child in before if child.pk in begun_keys and child not in chosen]
        rounds = (assignment.rounds, assignment.options.get("target"))
        coming_weeks = _coming_weeks(assignment)
        assignment.starts_on, assignment.due_on = choice.starts_on, choice.due_on
        for week in (assignment, *coming_weeks):
            _set_choice(week, choice)
            week.is_for_everyone = audience.is_whole_class
            week.save()
        audience.assign_to(*coming_weeks)
        Audience(audience.groups, [*audience.children, *kept]).assign_to(assignment)
        after = [child for child in children if child in chosen or child in kept]
        new_children = [child for child in after if child not in before]
        if new_children:
            ensure_given_once(assignment)
    return ChangeResult(
        removed_children=[child for child in before if child not in after],
        new_children=new_children,
        kept_children=kept,
        has_other_rounds=bool(begun_keys)
        and rounds != (assignment.rounds, assignment.options.get("target")),
    )


def _days_of(assignment: Assignment) -> tuple[object, ...]:
    return assignment.series, assignment.starts_on, assignment.due_on


def _coming_weeks(assignment: Assignment) -> list[Assignment]:
    if assignment.series is None:
        return []
    weeks = assignment.school_class.assignments.filter(series=assignment.series)
    return list(weeks.filter(starts_on__gt=assignment.starts_on))


def _set_choice(assignment: Assignment, choice: Choice) -> None:
    options = {name: value for name, value in assignment.options.items() if name != "target"}
    assignment.options = options | ({"target": choice.target} if choice.rounds is None else {})
    assignment.rounds = choice.rounds
    assignment.hint_steps = choice.hint_steps
    assignment.note = choice.note
