"""Which rows of a list are no pupil's, and why. `RULES`, at the end, has all of it in order."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Final, NamedTuple

from classrooms.child_names import plain_name
from classrooms.roster.importing import cells
from classrooms.roster.importing.columns import Columns
from classrooms.roster.importing.grid import Grid, Row

_WORD: Final = re.compile(r"[^\W\d_]+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_DIGIT_OR_COLON: Final = re.compile(r"[\d:]")
_REMARK: Final = re.compile(r"\((.+)\)|\s[-–]\s(.+)|\s([A-Z]{3,})$")
_TEST: Final = re.compile("|".join(cells.WORDS["test"]), re.IGNORECASE)
_DATUM: Final = re.compile(r"[\d/]|\S+@")
_SIGN_OF_A_NOTE: Final = re.compile(r"\w\s*:(?!//)|www\.|^\w+://|^[©®]")
_FIGURE: Final = re.compile(r"\d{1,3}([.,/]\d+)?\s?%?")
_YEAR_OR_DAY: Final = re.compile(r"\d{4}|[:=]|\d{1,2}[./-]\d{1,2}")
_YOUNGEST_PUPIL: Final = timedelta(days=550)


def gettext_noop(text: str) -> str:
    """Marks a text for translation, without Django."""
    return text


Reason = str
"""Why a row is no pupil's, as the teacher reads it; "" if it is a pupil's."""
HEADINGS: Final = gettext_noop("headings")
LEAVERS: Final = gettext_noop("a title above pupils who have left")
LEFT: Final = gettext_noop("has left, or is not here yet")
ADULT: Final = gettext_noop("an adult")
NO_NAME: Final = gettext_noop("has no name")
_WITHIN_A_PART: Final = frozenset({"", HEADINGS, LEFT, ADULT, NO_NAME})
"""The reasons that end no part of a list."""


@dataclass(frozen=True)
class NameList:
    """A list, and what the rules ask about all of it. `today` is the day on which it was read."""

    grid: Grid
    columns: Columns
    today: date

    @cached_property
    def heading(self) -> Row:
        head = self.columns.head
        return self.grid.rows[head - 1] if head else Row(0, ())

    @cached_property
    def says_students(self) -> bool:
        """Whether the column of roles says of somebody that they are a pupil."""
        return any(_is_student(row.cell(self.columns.role)) for row in self.grid.rows)

    @cached_property
    def is_polite(self) -> bool:
        """Whether the list calls most pupils "Mr" or "Ms"."""
        names = [self.columns.name_in(row) for row in self.grid.rows[self.columns.head :]]
        return sum(map(bool, map(cells.is_addressed, names))) * 2 > len(names)

    @cached_property
    def days(self) -> list[date]:
        """The days that stand beside names, too late for a birthday."""
        asides = (cells.without_date(self.columns.name_in(row))[1] for row in self.grid.rows)
        days = (day for aside in asides if (day := cells.day_of(aside)))
        return [day for day in days if abs(self.today - day) < _YOUNGEST_PUPIL]

    @cached_property
    def often(self) -> set[str]:
        return self.grid.often

    @cached_property
    def titles(self) -> set[int]:
        """The numbers of the rows above the headings. If a sheet repeats the headings, for another
        class or page, rows of the same form stand above them again."""
        rows, head = self.grid.rows, self.columns.head
        titles = set(range(head - 1))
        for number in range(head, len(rows) if titles else 0):
            if rows[number].cells == self.heading.cells:
                before = range(number - 1, head - 1, -1)
                above = zip(before, rows[head - 2 :: -1], strict=False)
                titles |= {n for n, title in above if self._are_alike(rows[n], title)}
        return titles

    def _are_alike(self, row: Row, title: Row) -> bool:
        """Whether this row is filled like a title, with fewer cells than the headings or with the
        title's first word."""
        forms = [[bool(cell) for cell in each.cells] for each in (row, title)]
        is_short = sum(forms[0]) < sum(map(bool, self.heading.cells))
        words = [" ".join(each.cells).split()[0] for each in (row, title)]
        return forms[0] == forms[1] and (is_short or words[0] == words[1])

    @cached_property
    def _is_full(self) -> list[bool]:
        """Of each row whether it has several cells."""
        return [sum(map(bool, row.cells)) > 1 for row in self.grid.rows]

    @cached_property
    def last_full(self) -> int:
        """The number of the row from which on none has several cells, if most have."""
        full, count = self._is_full, len(self._is_full)
        return count - full[::-1].index(True) if sum(full) * 2 > count else count

    @cached_property
    def last_with_all(self) -> int:
        """The number of the last row, or of the first after all those with family names and
        classes."""
        rows, columns = self.grid.rows, (self.columns.family, self.columns.group)
        full = [n for n, row in enumerate(rows, start=1) if any(map(row.cell, columns))]
        return min(len(rows) - 1, full[-1] if full and None not in columns else len(rows))

    @cached_property
    def end_of_list(self) -> int:
        """The number of the first row of another list, or of the title above it."""
        count = len(self.grid.rows)
        begins = filter(self.begins_table, range(max(self.columns.head, 1), count))
        end = next((number for number in begins if not self._goes_on(number)), count)
        while end < count and not self._is_full[end - 1]:
            end -= 1
        return end

    def begins_table(self, number: int) -> bool:
        """Whether this row has the headings of a further table, one of them above the names."""
        row, before = self.grid.rows[number], self.grid.rows[number - 1]
        cell = row.cell(self.columns.name) if self.columns.head else ""
        if cells.meaning(cell)[1] not in cells.NAMED or cells.is_name_too(cell):
            return False
        roles = [cells.meaning(cell)[1] for cell in row.cells if cell]
        known = sum(map(bool, roles))
        is_apart = row.line - before.line > 1 or sum(map(bool, before.cells)) == 1
        is_data = any(_DATUM.match(cell) or cells.is_class(cell) for cell in row.cells)
        is_known = known == len(roles) or (is_apart and known * 2 >= len(roles) and not is_data)
        return len(roles) > 1 and is_known

    def _goes_on(self, number: int) -> bool:
        """Whether the headings of this row stand above the same columns as those of the list, and
        somebody new."""
        row, used = self.grid.rows[number], [c for c in self.columns[:3] if c is not None]
        if row.cells == self.heading.cells or len(used) < 2:
            return len(used) > 1
        of_row, of_list = (
            [cells.meaning(each.cell(c))[1] for c in used] for each in (row, self.heading)
        )
        above, below = (
            {(self.columns.name_in(each), each.cell(self.columns.family)) for each in rows}
            for rows in (self.grid.rows[:number], self.grid.rows[number + 1 :])
        )
        return of_row == of_list and not below <= above


class Part(NamedTuple):
    """A row that begins a part of the list: a title, a sum or a note."""

    number: int
    reason: Reason


class ListRow:
    """A row of a list, as the rules look at it, and the last part that begins above it."""

    def __init__(self, whole: NameList, number: int, part: Part) -> None:
        self.whole, self.number, self.part = whole, number, part
        self.columns, self.row = whole.columns, whole.grid.rows[number]
        self.name = self.columns.name_in(self.row)
        self.family, self.group = map(self.row.cell, (self.columns.family, self.columns.group))
        self.filled = [cell for cell in self.row.cells if cell]
        self.lettered = [cell for cell in self.filled if _LETTER.search(cell)]
        remark = _REMARK.search(self.name)
        self.remark = "".join(filter(None, remark.groups())) if remark else ""
        # The cell that may be a title, unless a family name or a class shows that it is a pupil's.
        self.title = self.name
        if len(self.lettered) == 1 and self.lettered != [self.group]:
            self.title = self.lettered[0]
        elif self.family or (self.group and len(self.filled) == len(self.row.cells)):
            self.title = ""
        self.text, self.aside = cells.without_date(self.title)
        self.words = tuple(filter(None, map(plain_name, self.text.split())))
        self.is_alone = self.filled == [self.title]
        self.is_first = number == self.columns.head == 0
        self.is_last = number >= whole.last_with_all

    # The rules.

    def stands_above_headings(self) -> bool:
        return self.number in self.whole.titles

    def is_of_another_list(self) -> bool:
        return self.number >= self.whole.end_of_list

    def stands_below_list(self) -> bool:
        return self.part.number >= self.whole.last_full and self.part.reason != LEAVERS

    def has_headings(self) -> bool:
        return self.row.cells == self.whole.heading.cells or self.whole.begins_table(self.number)

    def heads_leavers(self) -> bool:
        rows = self.whole.grid.rows
        is_apart = self.number > 0 and self.row.line - rows[self.number - 1].line > 1
        is_sure = self.whole.grid.width > 1 or self.filled[0].endswith(":")
        is_title = is_sure and len(self.filled) == 1
        return is_apart and is_title and cells.says(self.filled[0], "left")

    def has_no_name(self) -> bool:
        """A row with a class but no name stands for somebody."""
        is_name_alone = self.columns.family is None and self.columns.group is None
        return not (self.name or self.family or self.group or is_name_alone)

    def has_left_school(self) -> bool:
        columns = self.columns
        status, *others = map(
            self.row.cell, (columns.status, columns.enabled, columns.begin, columns.end)
        )
        if status.isdigit():  # of 2 the heading says what it means
            status = f"{self.whole.heading.cell(columns.status)} {status}"
        return has_left(self.whole.today, status or self.remark, *others)

    def has_role_of_adult(self) -> bool:
        role = self.row.cell(self.columns.role)
        is_other = self.whole.says_students and bool(role) and not _is_student(role)
        return is_other or cells.says(role or self.remark, "teachers")

    def is_called_mr_or_ms(self) -> bool:
        return cells.is_addressed(self.name) > 0 and not self.whole.is_polite

    def stands_below_each_name(self) -> bool:
        return not self.whole.often.isdisjoint(self.filled)

    def begins_like_title(self) -> bool:
        """Whether it begins with words such as "Total". One such word may be a name, but not if a
        number or a day is beside it."""
        words = self.words
        known = [n for n in range(1, len(words) + 1) if words[:n] in cells.NO_PUPIL]
        is_numbered = self.text != self.title.strip() or bool(_DIGIT_OR_COLON.search(self.text))
        if len(words) == 1 and cells.is_name_too(words[0]) and not is_numbered:
            return any(map(_FIGURE.fullmatch, self.filled))
        return bool(known) and (known[-1] > 1 or known[-1] == len(words) or is_numbered)

    def has_word_of_note(self) -> bool:
        return any(stem in word for word in self.words for stem in cells.WORDS["stems"])

    def is_last_number(self) -> bool:
        is_number = len(self.filled) == 1 and not self.lettered
        return is_number and self.is_last and self.columns.group is not None

    def has_figures_below_list(self) -> bool:
        """Perhaps it is a sum. With a birthday or a longer number it is a new pupil."""
        is_alone = self.lettered == [self.title] and not self.group
        figures = [cell for cell in self.filled if cell != self.title]
        is_sum = is_alone and bool(figures) and all(map(_FIGURE.fullmatch, figures))
        return is_sum and self.is_last and None not in (self.columns.family, self.columns.group)

    def counts_pupils(self) -> bool:
        """Such as "2 pupils"."""
        is_counted = self.is_alone and self.text[:1].isdigit()
        return is_counted and cells.meaning(cells.bare(self.text))[1] in cells.NAMED

    def is_class(self) -> bool:
        return self.is_alone and cells.is_class(self.title)

    def has_sign_of_note(self) -> bool:
        return self.is_alone and bool(_SIGN_OF_A_NOTE.search(self.text))

    def has_year_or_day(self) -> bool:
        return self.is_alone and len(self.words) > 1 and bool(_YEAR_OR_DAY.search(self.text))

    def is_long_without_family_name(self) -> bool:
        is_long = len(self.words) > 2 or any(map(str.isdigit, self.text))
        return is_long and self.is_alone and self.columns.family is not None

    def is_title_of_names(self) -> bool:
        is_above = self.is_first and self.is_alone
        return is_above and len(self.words) > 1 and cells.is_title(self.title)

    def is_beside_only_day(self) -> bool:
        """Whether this title, at the edge of the list, has a day, and no name has one so late."""
        is_in_table = self.columns.family is not None and bool(self.words)
        is_edge = self.is_first or self.is_last or is_in_table
        is_dated = self.is_alone and is_edge and bool(self.aside)
        return is_dated and [cells.day_of(self.aside)] == self.whole.days

    def is_sentence(self) -> bool:
        most = 3 if self.columns.group is None else 2
        return self.is_alone and len(self.words) > most and cells.is_sentence(self.text)

    def is_test_account(self) -> bool:
        """Whether all words say that it is a pupil of a test: "Student, Test", "Testschüler 2"."""
        name = f"{self.name} {self.family}"
        if not _TEST.search(name):
            return False
        plain = (plain_name(word).rstrip("0123456789") for word in re.split(r"[\s,]+", name))
        words = [word for word in plain if word]
        tests = [next((t for t in cells.WORDS["test"] if word.startswith(t)), "") for word in words]
        rest = [word.removeprefix(test) for word, test in zip(words, tests, strict=True)]
        named = all(not word or cells.meaning(word)[1] in cells.NAMED for word in rest)
        return named and any(tests) and (len(words) > 1 or rest != [""])

    def stands_below_leavers(self) -> bool:
        return self.part.reason == LEAVERS


_NOTE: Final = gettext_noop("a title, a sum or a note")
RULES: Final[tuple[tuple[Callable[[ListRow], bool], Reason], ...]] = (
    (ListRow.stands_above_headings, gettext_noop("above the headings")),
    (ListRow.is_of_another_list, gettext_noop("part of another list")),
    (ListRow.stands_below_list, gettext_noop("below the end of the list")),
    (ListRow.has_headings, HEADINGS),
    (ListRow.heads_leavers, LEAVERS),
    (ListRow.has_no_name, NO_NAME),
    (ListRow.has_left_school, LEFT),
    (ListRow.has_role_of_adult, ADULT),
    (ListRow.is_called_mr_or_ms, ADULT),
    (ListRow.stands_below_each_name, gettext_noop("repeated below each name")),
    (ListRow.begins_like_title, _NOTE),
    (ListRow.has_word_of_note, _NOTE),
    (ListRow.is_last_number, _NOTE),
    (ListRow.has_figures_below_list, _NOTE),
    (ListRow.counts_pupils, _NOTE),
    (ListRow.is_class, gettext_noop("a class")),
    (ListRow.has_sign_of_note, _NOTE),
    (ListRow.has_year_or_day, _NOTE),
    (ListRow.is_long_without_family_name, _NOTE),
    (ListRow.is_title_of_names, _NOTE),
    (ListRow.is_beside_only_day, _NOTE),
    (ListRow.is_sentence, _NOTE),
    (ListRow.is_test_account, gettext_noop("an account for tests")),
    (ListRow.stands_below_leavers, LEFT),
)
"""Each row is asked in this order. The first rule that applies gives the reason why it is passed
over; a row to which none applies is a pupil's."""


def judged_rows(whole: NameList) -> Iterator[tuple[Row, Reason]]:
    """Each row, and why it is no pupil's."""
    part = Part(-1, "")
    for number, row in enumerate(whole.grid.rows):
        listed = ListRow(whole, number, part)
        reason = next((reason for applies, reason in RULES if applies(listed)), "")
        if reason not in _WITHIN_A_PART:
            part = Part(number, reason)
        yield row, reason


def _is_student(role: str) -> bool:
    return not cells.WORDS["students"].isdisjoint(map(plain_name, _WORD.findall(role)))


def has_left(today: date, status: str, enabled: str, begin: str, end: str) -> bool:
    """Whether somebody is not at the school now, or not yet. `end`: a day, or that there is one."""
    first, last = cells.day_of(begin), cells.day_of(end)
    is_said = (
        _says_left(status) or cells.says(enabled, "no") or cells.says(end, "yes") or _says_left(end)
    )
    return is_said or bool((first and first > today) or (last and last < today))


def _says_left(status: str) -> bool:
    """Also "Left on 1 May", but not "Left handed"."""
    word, _, more = status.partition(" ")
    since = any(map(str.isdigit, more)) or cells.says(more.partition(" ")[0], "since")
    return cells.says(status, "left") or (cells.says(word, "left") and since)
