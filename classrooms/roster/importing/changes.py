"""Pupils → changes. A list of children whom the class already has is an update. If it is not
certain which child a pupil is, the teacher chooses."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, takewhile
from typing import Final, Literal

from classrooms.child_names import LONGEST_NAME, WrongLine, check_names, name_key, plain_name, tidy
from classrooms.roster.importing.pupils import Pupil

NEW: Final = "new"
RENAMED: Final = "-renamed"  # after a child's key: the child gets the name on the list
_MOST_CHOICES: Final = 5
_MOST_PAIRS: Final = 20_000
_MATCH_ROUNDS: Final = 4  # each match leaves fewer children for the other pupils
_FEWEST_NEAR_LETTERS: Final = 4
_MOST_INITIAL_LETTERS: Final = 3
_UNCERTAIN: Final = -1  # the fit of two names if one of them has more words
Kind = Literal["new", "there", "moved", "unknown", "left out"]
Fit = tuple[int, bool]
"""How well two names fit: the number of letters of the family name that are the same, and whether
the first names are spelled alike. A greater fit is better."""
Fits = dict[int, dict[str, Fit]]
"""The fits by the pupil's place and the child's key."""


@dataclass(frozen=True, slots=True)
class KnownChild:
    """A child in one of the teacher's classes."""

    key: str
    name: str
    class_key: str
    class_name: str


@dataclass(frozen=True, slots=True)
class PupilLine:
    """A pupil on the list, their place on it, and the change that it makes for them."""

    pupil: Pupil
    place: int
    kind: Kind
    name: str  # their name from now on
    child: KnownChild | None = None  # the known child that they are
    could_be: Sequence[KnownChild] = ()  # the known children among whom the teacher chooses
    answer: str = ""
    is_typed: bool = False
    problem: str = ""

    @property
    def number(self) -> int:
        return self.pupil.line

    @property
    def is_wrong(self) -> bool:
        return bool(self.problem) or self.kind == "unknown"

    @property
    def has_name(self) -> bool:
        return self.kind in ("new", "unknown", "left out")

    @property
    def choices(self) -> list[tuple[KnownChild, str]]:
        """The children who may be the pupil, each with the name on the list if it differs."""
        names = [(child, listed_spelling(self.pupil, child)) for child in self.could_be]
        return [
            (child, "" if name_key(name) == name_key(child.name) else name) for child, name in names
        ]


@dataclass(frozen=True, slots=True)
class Change:
    """The changes that a list makes in a class, with one line for each pupil."""

    lines: Sequence[PupilLine] = ()

    @property
    def new(self) -> list[str]:
        """The names of the children who are added."""
        return [line.name for line in self.lines if line.kind == "new" and not line.problem]

    @property
    def there(self) -> list[KnownChild]:
        """The children who are in the class already."""
        return [line.child for line in self.lines if line.child and line.kind == "there"]

    @property
    def moved(self) -> list[KnownChild]:
        """The children who come from another class."""
        return [line.child for line in self.lines if line.child and line.kind == "moved"]

    @property
    def renamed(self) -> list[tuple[KnownChild, str]]:
        return [(c, line.name) for line in self.lines if (c := line.child) and line.name != c.name]

    @property
    def wrong(self) -> int:
        """The number of lines that must be corrected."""
        return sum(line.is_wrong for line in self.lines)


@dataclass(frozen=True, slots=True)
class ClassNow:
    """A class before a list changes it."""

    present: Sequence[KnownChild]
    elsewhere: Sequence[KnownChild]  # children of other classes who may move to this one
    listed_keys: Collection[str]  # of all classes on the list
    taken_names: Sequence[str]  # further names in the class


@dataclass(frozen=True, slots=True)
class _Candidates:
    """By place: the child who certainly is the pupil; otherwise the children who may be the pupil,
    and the default answer."""

    certain: Mapping[int, KnownChild]
    could_be: Mapping[int, Sequence[KnownChild]]
    default: Mapping[int, str]


def change_of(
    pupils: Sequence[Pupil],
    now: ClassNow,
    answers: Mapping[int, str],
    typed: Mapping[int, str],
    say: Callable[[WrongLine, int], str],
) -> Change:
    """The changes that these pupils make in a class. By place, `answers` has the teacher's answer
    who a pupil is, and `typed` the name that the teacher typed. An empty name leaves the line out.
    `say` turns a problem with a name into a sentence."""
    candidates = _candidates(pupils, now)
    child_at, answer_at = _choose_children(candidates, answers)
    names_here = {child.key: child.name for child in now.present}
    names = names_here | {
        child.key: listed_spelling(pupils[place], child)
        for place, child in child_at.items()
        if answer_at.get(place, "").endswith(RENAMED)
    }
    taken = [*names.values(), *now.taken_names]
    new_names = _names_for(pupils, [p for p in range(len(pupils)) if p not in child_at], taken)
    lines: list[PupilLine] = []
    for place, pupil in enumerate(pupils):
        child, possible = child_at.get(place), candidates.could_be.get(place, ())
        line = PupilLine(pupil, place, "new", pupil.name, child, possible, answer_at.get(place, ""))
        if child is None:
            line = _line_without_child(line, new_names[place], typed.get(place))
        elif child.key in names_here:
            line = replace(line, kind="there", name=names[child.key])
        else:
            name = child.name
            if name_key(name) in map(name_key, taken):
                name = _names_for(pupils, [place], taken)[place]
            taken.append(name)
            line = replace(line, kind="moved", name=name)
        lines.append(line)
    new_children = ((line.place, line.name) for line in lines if line.kind == "new")
    for wrong in check_names(new_children, taken).wrong:
        on_line = pupils[int(wrong.detail)].line if wrong.problem == "on line" else 0
        lines[wrong.line] = replace(lines[wrong.line], problem=say(wrong, on_line))
    return Change(lines)


def _candidates(pupils: Sequence[Pupil], now: ClassNow) -> _Candidates:
    sure, maybe = match(dict(enumerate(pupils)), now.present)
    unmatched = {p: pupils[p] for p in range(len(pupils)) if p not in sure and p not in maybe}
    arrivals, perhaps = match(unmatched, now.elsewhere, allows_near=False)
    certain = {
        p: c for p, c in sure.items() if name_key(listed_spelling(pupils[p], c)) == name_key(c.name)
    }
    could_be: dict[int, list[KnownChild]] = {p: [c] for p, c in sure.items() if p not in certain}
    could_be |= maybe | {p: [c] for p, c in arrivals.items()}
    could_be |= {p: possible[:_MOST_CHOICES] for p, possible in perhaps.items()}
    default = {p: c.key for p, c in sure.items()} | dict.fromkeys(perhaps, NEW)
    default |= {p: c.key if c.class_key in now.listed_keys else NEW for p, c in arrivals.items()}
    claims = Counter(child.key for possible in maybe.values() for child in possible)
    single = {p: c.key for p, (c, *others) in maybe.items() if not others and claims[c.key] == 1}
    if len(single) * 2 > len(pupils):
        default |= single  # The list has family names and the class has none, or the reverse.
    return _Candidates(certain, could_be, default)


def _choose_children(
    candidates: _Candidates, answers: Mapping[int, str]
) -> tuple[dict[int, KnownChild], dict[int, str]]:
    """By place: the child who is the pupil, and the answer that was used. The teacher's answers
    come before the default answers. No child is two pupils."""
    child_at, answer_at = dict(candidates.certain), dict[int, str]()
    used = {child.key for child in child_at.values()}
    for wishes in (answers, candidates.default):
        for place, possible in candidates.could_be.items():
            wish = "" if place in answer_at else wishes.get(place, "")
            for child in possible:
                if child.key == wish.removesuffix(RENAMED) and child.key not in used:
                    answer_at[place], child_at[place] = wish, child
                    used.add(child.key)
            if wish == NEW:
                answer_at[place] = NEW
    for place, possible in candidates.could_be.items():
        if place not in child_at and all(child.key in used for child in possible):
            answer_at[place] = NEW
    return child_at, answer_at


def _line_without_child(line: PupilLine, name: str, typed: str | None) -> PupilLine:
    """The line of a pupil who is no known child. They are a new child with this name, unless the
    teacher has typed another name, has left them out, or has not yet chosen who they are."""
    kind: Kind = "unknown" if line.could_be and not line.answer else "new"
    if typed is None or (typed == name and name.strip()):
        return replace(line, kind=kind, name=name)
    return replace(line, kind=kind if typed.strip() else "left out", name=typed, is_typed=True)


def _names_for(
    pupils: Sequence[Pupil], new_places: Sequence[int], taken_names: Sequence[str]
) -> dict[int, str]:
    """The names of the new pupils, by place. Emma Bakker and Emma van Dam become Emma B. and Emma
    D., even if only one of them is new. If letters cannot tell names apart, they do not change."""
    alike: dict[str, list[int]] = defaultdict(list)
    for place, pupil in enumerate(pupils):
        alike[name_key(pupil.name)].append(place)
    names = {place: pupils[place].name for place in new_places}
    in_use = {name_key(name) for name in taken_names}
    used = in_use | set(map(name_key, names.values()))
    for first, places in alike.items():
        if first and (len(places) > 1 or first in in_use) and not names.keys().isdisjoint(places):
            lettered = letters_for({place: pupils[place] for place in places}, names.keys(), used)
            names |= {place: name for place, name in lettered.items() if place in names}
    return names


def letters_for(
    twins: Mapping[int, Pupil], new_places: Collection[int], taken_names: Collection[str]
) -> dict[int, str]:
    """The names of pupils with the same first name, with just enough letters of the family name to
    tell them apart; empty if that is impossible. `taken_names` has the names that no new pupil can
    have, in the form of `name_key`."""
    families = {place: without_particle(pupil.family) for place, pupil in twins.items()}
    for letters in range(1, min(max(map(len, families.values())), LONGEST_NAME) + 1):
        names = {
            place: f"{twins[place].name} {family[:letters].strip()}"
            + ("." if letters < len(family) else "")
            for place, family in families.items()
        }
        count = Counter(map(name_key, names.values()))
        keys = {place: name_key(names[place]) for place in names if place in new_places}
        if all(
            families[p] and count[key] == 1 and key not in taken_names for p, key in keys.items()
        ):
            return names
    return {}


def without_particle(family: str) -> str:
    """The family name without the small words before it: "Velde" for "van der Velde"."""
    words = family.split()
    while len(words) > 1 and words[0].islower():
        del words[0]
    return " ".join(words)


def match(
    pupils: Mapping[int, Pupil], pool: Sequence[KnownChild], *, allows_near: bool = True
) -> tuple[dict[int, KnownChild], dict[int, list[KnownChild]]]:
    """By place: the child who certainly is the pupil, and the children who may be the pupil. With
    `allows_near`, names that differ in one letter may fit too."""
    by_key = {child.key: child for child in pool}
    fits_of: Fits = defaultdict(dict)
    for place, child, quality in islice(_fitting_pairs(pupils, pool, allows_near), _MOST_PAIRS):
        fits_of[place][child.key] = max(quality, fits_of[place].get(child.key, quality))
    matches: dict[int, KnownChild] = {}
    for _round in range(_MATCH_ROUNDS):
        for quality in sorted(
            {f for by_child in fits_of.values() for f in by_child.values()}, reverse=True
        ):
            sure_pairs = _unique_pairs(fits_of, quality)
            matches |= {place: by_key[key] for place, key in sure_pairs.items()}
            used = set(sure_pairs.values())
            fits_of = {
                place: {key: f for key, f in by_child.items() if key not in used}
                for place, by_child in fits_of.items()
                if place not in sure_pairs
            }
    maybe = {p: [by_key[key] for key in by_child] for p, by_child in fits_of.items() if by_child}
    if allows_near and matches:
        used = {child.key for children in (matches.values(), *maybe.values()) for child in children}
        plain = [(child, plain_name(child.name)) for child in pool if child.key not in used]
        unmatched = sorted(pupils.keys() - matches.keys() - maybe.keys())
        for place in unmatched if len(plain) * len(unmatched) <= _MOST_PAIRS else ():
            name = plain_name(pupils[place].name)
            if like := [child for child, other_name in plain if is_near(name, other_name)]:
                maybe[place] = like
    return matches, maybe


def _unique_pairs(fits_of: Fits, quality: Fit) -> dict[int, str]:
    """By place: the key of the child, for each pair of a pupil and a child that fit this well to
    each other and to nobody else. `_UNCERTAIN` makes no pair certain."""
    pairs = [(p, k) for p, by_child in fits_of.items() for k, f in by_child.items() if f == quality]
    places, keys = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    return {p: k for p, k in pairs if places[p] == keys[k] == 1 and quality[0] != _UNCERTAIN}


def _fitting_pairs(
    pupils: Mapping[int, Pupil], children: Sequence[KnownChild], with_near: bool
) -> Iterator[tuple[int, KnownChild, Fit]]:
    """The place of each pupil, with each child who may be the pupil, and how well the names fit.
    With `with_near`, the first of several given names is enough."""
    places: dict[str, list[int]] = defaultdict(list)
    places_by: dict[str, list[int]] = defaultdict(list)
    families: dict[int, set[str]] = {}
    for place, pupil in pupils.items():
        places[plain_name(pupil.name)].append(place)
        families[place] = {name_key(pupil.family), name_key(without_particle(pupil.family))} - {""}
        words = pupil.name.split()
        for n in range(1, len(words)) if with_near or not pupil.family else ():
            places_by[plain_name(" ".join(words[:n]))].append(place)
    for child in children:
        for plain, first, family in _split_points(child.name):
            for place in places.get(plain, ()):
                letters = _family_letters(family, families[place])
                if letters is not None:
                    yield place, child, (letters, first == name_key(pupils[place].name))
        for place in places_by.get(plain_name(child.name), ()):
            yield place, child, (_UNCERTAIN, False)


@lru_cache(maxsize=20_000)
def _split_points(name: str) -> tuple[tuple[str, str, str], ...]:
    """Split a name after each of its words: `plain_name` and `name_key` of the first part, and the
    `name_key` of the rest. Cached, because each class of a list is compared with all children of
    a teacher."""
    words = tidy(name).split()
    firsts = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words) + 1)]
    return tuple((plain_name(first), name_key(first), name_key(family)) for first, family in firsts)


def _family_letters(rest: str, families: Collection[str]) -> int | None:
    """The number of letters at the start of one of these family names that `rest` consists of;
    `LONGEST_NAME` if it is the whole name; None if it is another family name."""
    letters = rest.removesuffix(".")
    if not rest or (not families and len(letters) <= _MOST_INITIAL_LETTERS):
        return _UNCERTAIN if rest else 0
    if rest in families:
        return LONGEST_NAME
    if any(family.startswith(letters) and family != letters for family in families):
        return len(letters)
    plain = plain_name(rest)
    return len(plain) if any(plain_name(f).startswith(plain) for f in families) else None


def listed_spelling(pupil: Pupil, child: KnownChild) -> str:
    """The child's name in the spelling of the list, with the same letters of the family name as
    before."""
    words = tidy(child.name).split()
    for n in range(1, len(words) + 1):
        if plain_name(" ".join(words[:n])) == plain_name(pupil.name):
            return " ".join([pupil.name, *words[n:]])
    return pupil.name


def is_near(a: str, b: str) -> bool:
    """Whether two plain names differ in one letter, or in the order of two letters."""
    if abs(len(a) - len(b)) > 1:
        return False
    alike = sum(
        len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
        for pairs in (zip(a, b, strict=False), zip(a[::-1], b[::-1], strict=False))
    )
    required = max(len(a), len(b)) - (2 if sorted(a) == sorted(b) else 1)
    return min(len(a), len(b)) >= _FEWEST_NEAR_LETTERS and alike >= required
