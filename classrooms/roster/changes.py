"""What a list changes in a class: who is new, who is there already, and who is not on the list. The
same list again is an update: nobody has to mend a line for a child who is there."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from classrooms.child_names import check_names, plain_name, same
from classrooms.roster import forms
from classrooms.roster.importing.pupils import Pupil, spellings


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the preview: the name in its field, what is wrong with it, and what was done to it.
    `is_typed`: the name is as somebody typed it."""

    pupil: Pupil
    field: str
    name: str
    problem: str = ""
    is_typed: bool = False

    @property
    def number(self) -> int:
        return self.pupil.line

    @property
    def is_emptied(self) -> bool:
        return self.is_typed and not self.name.strip()

    @property
    def letters_added(self) -> bool:
        return not self.is_typed and self.name != self.pupil.given

    @property
    def aside(self) -> str:
        return "" if self.is_typed else self.pupil.aside


@dataclass(frozen=True, slots=True)
class Change:
    """What a list changes in a class. `lines`: all who are new or have a wrong name; `new`: the
    names that are added; `there`: who is in the class already; `gone`: who is in the class and not
    on the list."""

    lines: Sequence[Line] = ()
    new: Sequence[str] = ()
    there: Sequence[str] = ()
    gone: Sequence[str] = ()

    @property
    def wrong(self) -> int:
        """How many lines must be mended."""
        return sum(bool(line.problem) for line in self.lines)

    @property
    def will_be(self) -> int:
        """How many are added once every wrong name has been mended."""
        return len(self.new) + sum(bool(line.problem and line.name.strip()) for line in self.lines)


def change_of(
    pupils: Sequence[Pupil],
    taken: Sequence[str],
    field: Callable[[int, Pupil], str],
    typed: Callable[[str], str | None],
) -> Change:
    """What these pupils change in a class with the `taken` names. `field` names the field of a
    pupil at its place in the list, and `typed` says what somebody typed there: a field that was
    emptied by hand is a line left out."""
    there = matches(pupils, taken)
    lines = []
    for place, pupil in enumerate(pupils):
        name = typed(field(place, pupil))
        if name == pupil.name != "":
            name = None  # Nobody changed it.
        if name is None and place in there:
            continue
        shown = pupil.name if name is None else name
        lines.append(Line(pupil, field(place, pupil), shown, is_typed=name is not None))
        there.pop(place, None)
    kept = [(place, line) for place, line in enumerate(lines) if not line.is_emptied]
    checked = check_names(((place, line.name) for place, line in kept), taken)
    problems = {
        wrong.line: forms.wrong_name(
            wrong, on_line=lines[int(wrong.detail)].number if wrong.problem == "on line" else 0
        )
        for wrong in checked.wrong
    }
    marked = [
        Line(line.pupil, line.field, line.name, problems.get(place, ""), line.is_typed)
        for place, line in enumerate(lines)
    ]
    found = set(there.values())
    gone = [name for name in taken if name not in found]
    return Change(marked, checked.names, list(there.values()), gone if found else ())


def matches(pupils: Sequence[Pupil], taken: Iterable[str]) -> dict[int, str]:
    """Of each pupil that is in the class already, by its place in the list, the name there. First
    those of the same name, then those who are there with more or fewer letters of the family name
    or other accents, where nobody else can be meant."""
    left = {same(name): name for name in taken}
    found: dict[int, str] = {}
    for place, pupil in enumerate(pupils):
        if pupil.name and (name := left.pop(same(pupil.name), None)):
            found[place] = name
    for keys_of in (spellings, lambda pupil: [plain_name(pupil.name)]):
        keys = same if keys_of is spellings else plain_name
        alike: dict[str, list[str]] = defaultdict(list)
        for name in left.values():
            alike[keys(name)].append(name)
        meant: dict[str, list[int]] = defaultdict(list)
        for place, pupil in enumerate(pupils):
            could = {name for key in keys_of(pupil) if key for name in alike.get(key, ())}
            if place not in found and len(could) == 1:
                meant[could.pop()].append(place)
        for name, places in meant.items():
            if len(places) == 1:
                found[places[0]] = left.pop(same(name))
    return found
