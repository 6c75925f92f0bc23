"""Every pupil on a list is found, under the right name, whatever made the list: no name is wrong,
nobody is lost without a word, and there is hardly ever a question."""

from collections import Counter
from datetime import date
from random import Random

from classrooms.child_names import tidy
from classrooms.roster.importing.file_process import read_file
from classrooms.roster.importing.grid import Unreadable
from tests.counts import times
from tests.world.lists import Listed, made

LISTS = times(300, 5_000)
WITHOUT_A_QUESTION = 0.97
TODAY = date(2026, 11, 27)


def result(listed: Listed) -> str:
    """What happens to the list: "right", "asks", or what is wrong without a word."""
    try:
        sheet = read_file(listed.data, TODAY)
    except Unreadable as problem:
        return f"asks: {problem}"
    if not sheet.columns.sure or sheet.grid.rivals:
        return "asks"
    read = [(pupil.name, pupil.family) for pupil in sheet.pupils]
    meant = [(given, "" if listed.alone else family) for given, family in listed.pupils]
    if read != [(tidy(given), tidy(family)) for given, family in meant]:
        return f"wrong: {set(read) - set(meant)} for {set(meant) - set(read)}"
    return "right"


def test_no_name_is_wrong_and_nobody_lost_and_hardly_a_list_asks() -> None:
    random = Random(40)
    results: Counter[str] = Counter()
    wrong = []
    for number in range(LISTS):
        listed = made(random)
        became = result(listed)
        results[became.partition(":")[0]] += 1
        if became.startswith("wrong"):
            wrong.append((number, listed.words, became))
    print(dict(results))
    assert wrong == []
    assert results["right"] >= WITHOUT_A_QUESTION * LISTS, results
