"""What the sentences of a hint claim, and when that is true by the rules (docs/rules.md)."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from tests.games.engine.reference import At, CardLine, WrittenPlay, family, numbers_of

MANY: Final = 6
"""From here on rows are not counted: a handful is five."""
FAMILIES: Final = {
    "square numbers": "squares",
    "prime numbers": "primes",
    "triangular numbers": "triangular",
}


class Shown(NamedTuple):
    """A step: its text, the cards of hand and table that are lit, the labels on the number line,
    and the whole row where it is drawn."""

    text: str
    lit: frozenset[int]
    on_table: frozenset[int]
    labels: tuple[str, ...] = ()
    whole: CardLine = ()


class Case(NamedTuple):
    """A step being judged, with what holds of its play by the rules. Before a card is taken
    (`drawing`), the hand has the open card too."""

    at: At
    play: WrittenPlay
    row: tuple[int, ...]
    rows: int
    shown: Shown
    drawing: bool = False
    open_card: int | None = None

    @property
    def needed(self) -> frozenset[int]:
        """The open card, if the row needs it."""
        card = self.open_card
        needs = card is not None and card in self.own | {*self.put_in}
        return frozenset({card} if needs and card is not None else ())

    @property
    def put_in(self) -> list[int]:
        return sorted(number for _, number in self.play.swaps)

    @property
    def own(self) -> set[int]:
        freed = {joker for joker, _ in self.play.swaps}
        return {card for card, _ in self.play.hand} - freed

    @property
    def wild(self) -> list[int]:
        return [number for card, number in self.play.hand if card > 100]

    @property
    def used(self) -> set[int]:
        """The cards of the table that the play takes, crosses or swaps."""
        lying = [*self.play.across, *self.play.swaps]
        return {card for card, _ in (*lying, *(each for line in self.play.lines for each in line))}

    @property
    def seen(self) -> set[int]:
        """The numbers of the cards that are lit."""
        there = numbers_of(self.at.lines)
        return {card for card in self.shown.lit if card <= 100} | {
            there[card] for card in self.shown.on_table
        }

    @property
    def jump(self) -> int | None:
        jumps = {after - before for before, after in pairwise(self.row)}
        return jumps.pop() if len(jumps) == 1 else None

    def is_seen(self, number: str) -> bool:
        """Whether this number of the row is lit, or the row is of jokers alone."""
        if number == "your jokers":
            return len(self.wild) == len(self.row)
        return int(number) in self.row and int(number) in self.seen


def numbers_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _counted(case: Case, said: re.Match[str]) -> bool:
    place = where(case)
    if "Swap a joker" in said[0]:
        fits = place == "swap"
    elif "with what is on the table" in said[0]:
        fits = place == "table"
    else:
        fits = place == "hand"
    count = said["count"]
    return fits and (case.rows >= MANY if count.lower() == "lots of" else case.rows == int(count))


def _open_card_helps(case: Case, said: re.Match[str]) -> bool:
    place = {"with your cards": "hand", "on the table": "table"}.get(said["where"] or "", "swap")
    return _open_card_is_needed(case, said) and where(case) == place


def _open_card_is_needed(case: Case, _: re.Match[str]) -> bool:
    return case.drawing and bool(case.needed) and case.shown.lit >= case.needed


def _pile_comes_first(case: Case, said: re.Match[str]) -> bool:
    """Neither is the open card needed, nor is it a joker, which is worth taking."""
    joker = case.open_card is not None and case.open_card > 100
    return case.drawing and not case.needed and joker == (said["pile"] is None)


def where(case: Case) -> str:
    if case.play.swaps:
        return "swap"
    return "table" if case.play.lines or case.play.across else "hand"


def _with_jokers(case: Case, said: re.Match[str]) -> bool:
    jokers = sum(card > 100 for card in case.own)
    return jokers > 1 if said["several"] else jokers == 1


def _belongs(case: Case, said: re.Match[str]) -> bool:
    place = "table" if said["where"] == "makes a row with what is on the table" else "hand"
    card = said["card"]
    lit = case.shown.lit - case.needed or case.shown.lit
    if card == "a joker":
        known = all(one > 100 for one in lit) and lit <= case.own
    else:
        known = lit == {int(card)} and int(card) in case.own
    return known and where(case) == place


def _swapped(case: Case, said: re.Match[str]) -> bool:
    """The cards named are put in, lit, and the jokers that they are put in for are lit too."""
    freed = {joker for joker, _ in case.play.swaps}
    several = said["several"] is not None
    return (
        numbers_in(said["cards"]) == case.put_in != []
        and several == (len(freed) > 1)
        and case.shown.lit >= {*case.put_in}
        and case.shown.on_table >= freed
    )


def _jumps(case: Case, said: re.Match[str]) -> bool:
    return case.is_seen(said["card"]) and case.jump == int(said["jump"])


def _jumps_differ(case: Case, said: re.Match[str]) -> bool:
    return case.is_seen(said["card"]) and case.jump is None


def _in_table(case: Case, said: re.Match[str]) -> bool:
    table = int(said["table"])
    return (
        case.is_seen(said["card"])
        and case.jump == table
        and not any(number % table for number in case.row)
    )


def _of_jokers(case: Case, said: re.Match[str]) -> bool:
    table = int(said["table"])
    in_table = case.jump == table and not any(number % table for number in case.row)
    return in_table and len(case.wild) == len(case.row)


def _in_family(case: Case, said: re.Match[str]) -> bool:
    name = FAMILIES[said["family"]]
    whole = family(name, case.at.options.highest)
    here = [number for number in whole if case.row[0] <= number <= case.row[-1]]
    return case.is_seen(said["card"]) and name in case.at.options.families and here == [*case.row]


def _all_in_table(case: Case, said: re.Match[str]) -> bool:
    table = int(said["table"])
    return (
        case.is_seen(said["card"])
        and table > 1
        and case.jump != table
        and not any(number % table for number in case.row)
    )


def _beside_table(case: Case, said: re.Match[str]) -> bool:
    table, offset = int(said["table"]), int(said["offset"])
    return (
        case.is_seen(said["card"])
        and case.jump == table
        and 0 < offset < table
        and all(number % table == offset for number in case.row)
    )


def _in_no_table(case: Case, said: re.Match[str]) -> bool:
    return case.is_seen(said["card"]) and _shares_nothing(case.row)


def _shares_nothing(row: Sequence[int]) -> bool:
    return all(any(number % table for number in row) for table in range(2, row[-1] + 1))


def _derived(case: Case, said: re.Match[str]) -> bool:
    """Two sums that are right and practised, and end at a number of the row that is lit, or that a
    joker can be."""
    times, table, known, product = (int(said[name]) for name in ("times", "table", "known", "end"))
    if times * table != known or table != case.jump or product % table:
        return False
    if said["way"] in ("Double that is", "Half of that is"):
        fits = product == known * 2 if said["way"] == "Double that is" else product * 2 == known
    else:
        jumps = 2 if "jumps" in said["way"] else 1
        by = int(numbers_in(said["way"])[0])
        more = "more" in said["way"]
        fits = by == table and product == known + (jumps if more else -jumps) * table
    practised = _practised(case, times, table) and _practised(case, product // table, table)
    return fits and practised and product in case.row and _named(case, product)


def _practised(case: Case, one: int, other: int) -> bool:
    tables = {*(case.at.options.tables or range(2, 11))}
    factors = tables | {*range(1, 11)}
    return {one, other} <= factors and bool(tables & {one, other})


def _named(case: Case, number: int) -> bool:
    """Whether a number may be named: it is lit, or said to be what a joker can be."""
    can_be = re.search(r"So your jokers? can be ([\d, and]+)\.", case.shown.text)
    return number in case.seen or bool(can_be and number in numbers_in(can_be[1]))


def _in_this_row(case: Case, said: re.Match[str]) -> bool:
    return int(said["number"]) in case.row and int(said["number"]) in case.seen


def _lands(case: Case, said: re.Match[str]) -> bool:
    first, second, jump = int(said["first"]), int(said["second"]), int(said["jump"])
    return (
        (first, second) in pairwise(case.row)
        and second - first == jump
        and _named(case, first)
        and _named(case, second)
    )


def _can_be(case: Case, said: re.Match[str]) -> bool:
    numbers = numbers_in(said["numbers"])
    return (
        {*numbers} <= {*case.wild}
        and numbers == sorted(numbers)
        and (said["several"] is not None) == (len(numbers) > 1)
    )


def _are(case: Case, said: re.Match[str]) -> bool:
    return _can_be(case, said) and numbers_in(said["numbers"]) == sorted(case.wild)


def _uses(case: Case, said: re.Match[str]) -> bool:
    """Exactly what is crossed and taken, all of it lit."""
    ends = [(int(a), int(b)) for a, b in re.findall(r"the row from (\d+) to (\d+)", said["used"])]
    crossed = numbers_in(re.sub(r"the row from \d+ to \d+", "", said["used"]))
    taken = [line for line in case.at.lines if (line[0][1], line[-1][1]) in ends]
    return (
        sorted(crossed) == sorted(number for _, number in case.play.across)
        and sorted(ends) == sorted((line[0][1], line[-1][1]) for line in case.play.lines)
        and {*case.play.lines} <= {*taken}
        and case.shown.on_table >= case.used
    )


def _whole(case: Case, said: re.Match[str]) -> bool:
    facts = [(int(a), int(b)) for a, b in re.findall(r"(\d+) × (\d+)", said["facts"] or "")]
    if facts:
        if [a * b for a, b in facts] != [*case.row]:
            return False
        if not all(_practised(case, a, b) or a == b <= 10 for a, b in facts):
            return False
    name = said["name"] or ""
    if " times table" in name:
        table = int(numbers_in(name)[0])
        fits = case.jump == table and not any(number % table for number in case.row)
    elif name:
        fits = FAMILIES[name] in case.at.options.families
    elif said["table"]:
        fits = not any(number % int(said["table"]) for number in case.row)
    else:
        fits = _shares_nothing(case.row)
    return fits and numbers_in(said["row"]) == [*case.row]


_LIST: Final = r"\d+(?:, \d+)*(?: and \d+)?"
_CARD: Final = r"(?P<card>\d+|your jokers)"
_COUNT: Final = r"(?P<count>\d|[Ll]ots of)"

CLAIMS: Final[dict[str, tuple[str, Callable[[Case, re.Match[str]], bool]]]] = {
    rf"{_COUNT} rows? (?:is|are) hiding in your (?:card|block)s\.": ("count", _counted),
    rf"You can make {_COUNT} rows? with what is on the table\.": ("count", _counted),
    rf"Swap a joker: then you can make {_COUNT} rows?\.": ("count", _counted),
    r"Take the open card: (?:it makes a row (?P<where>with your cards|on the table)|"
    r"then you can swap a joker)\.": ("count", _open_card_helps),
    r"Take the open card\.": ("take", _open_card_is_needed),
    r"First take a card(?P<pile> from the pile)?\.": ("take", _pile_comes_first),
    r"Use your joker(?P<several>s)?\.": ("jokers", _with_jokers),
    r"Look here: (?P<card>\d+|a joker)\. "
    r"It (?P<where>belongs to a row|makes a row with what is on the table)\.": ("card", _belongs),
    rf"Look here: (?P<cards>{_LIST})\. "
    r"Swap (?:it|them) for the joker(?P<several>s)? on the table\.": ("card", _swapped),
    rf"Swap your (?P<cards>{_LIST}) for the joker(?P<several>s)?\.": ("swap", _swapped),
    rf"Put your (?P<cards>{_LIST}) where the joker(?P<several>s)? (?:is|are)\.": (
        "swap",
        _swapped,
    ),
    rf"Then the joker(?P<several>s)? can be (?P<numbers>{_LIST})\.": ("derived", _are),
    r"Use (?P<used>(?:(?:the row from \d+ to )?\d+(?:, | and )?)+) on the table\.": (
        "table",
        _uses,
    ),
    rf"Look at {_CARD} and make jumps of (?P<jump>\d+)\.": ("jumps", _jumps),
    rf"Look at {_CARD}\. This row is special: its jumps are not equal\.": ("jumps", _jumps_differ),
    rf"Look at {_CARD}\. It is in a row of the (?P<table>\d+) times table\.": ("name", _in_table),
    r"Your jokers make a row of the (?P<table>\d+) times table\.": ("name", _of_jokers),
    rf"Look at {_CARD}\. It is in a row of (?P<family>\w+ numbers)\.": ("name", _in_family),
    rf"Look at {_CARD}\. The whole row is in the (?P<table>\d+) times table\.": (
        "name",
        _all_in_table,
    ),
    rf"Look at {_CARD}\. Each number is (?P<offset>\d+) more than in the "
    r"(?P<table>\d+) times table\.": (
        "name",
        _beside_table,
    ),
    rf"Look at {_CARD}\. It makes a row that is not in any times table\.": ("name", _in_no_table),
    r"(?P<times>\d+)\s×\s(?P<table>\d+) is (?P<known>\d+)\. "
    r"(?P<way>Double that is|Half of that is|One more \d+ makes|Take away one \d+: that makes|"
    r"Two more jumps of \d+ make|Go back two jumps of \d+: that makes) (?P<end>\d+)\.": (
        "derived",
        _derived,
    ),
    r"So (?P<number>\d+) is in this row\.": ("so", _in_this_row),
    rf"So your joker(?P<several>s)? can be (?P<numbers>{_LIST})\.": ("so", _can_be),
    r"From (?P<first>\d+) a jump of (?P<jump>\d+) lands on (?P<second>\d+)\.": ("derived", _lands),
    rf"Here is the row\. (?P<row>{_LIST})(?:(?::|, in the|, a row of) "
    r"(?P<name>\d+ times table|\w+ numbers)(?:: (?P<facts>[\d ×,]+))?\.|"
    r"\. They are all in the (?P<table>\d+) times table\.|"
    r"\. This row is not in any times table\.)": ("row", _whole),
    rf"The joker(?P<several>s)? (?:is|are) (?P<numbers>{_LIST})\.": ("jokers", _are),
}
"""Everything that a hint says, what it is about, and when it is true."""
