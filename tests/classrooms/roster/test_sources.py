"""A school's OneRoster source: safe changes at night, changes that wait for a yes, and failures."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from classrooms.audit import Actor, What
from classrooms.locks import Changed
from classrooms.models import (
    AuditEntry,
    Child,
    Connection,
    Membership,
    RosterSource,
    School,
    SchoolClass,
    SourceClass,
    SourcePupil,
    User,
)
from classrooms.privacy import erasure
from classrooms.roster import merges, services, source_changes, sources, tasks
from classrooms.roster.oneroster import BASE
from tests.classrooms.people import client_of, member, names_in, text_on
from tests.classrooms.roster.oneroster_server import (
    CLIENT,
    TOKEN,
    Handler,
    SourceData,
    SourceServer,
    known_here,
    served,
)
from tests.clock import at
from tests.factories import ChildFactory, TeachingFactory

pytestmark = pytest.mark.django_db

Problem = RosterSource.Problem
MONDAY = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)


@pytest.fixture
def data() -> SourceData:
    data = SourceData()
    data.add_class("5b", "5B")
    data.add_class("6a", "6A")
    data.add("d", "Dora", "Bakker", "5b")
    data.add("e", "Emil", "Vos", "5b")
    data.add("f", "Finn", "de Wit", "6a")
    return data


@pytest.fixture
def server(
    data: SourceData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SourceServer]:
    with served(tmp_path, data) as running:
        known_here(monkeypatch, running)
        yield running


@pytest.fixture
def clock() -> Iterator[Any]:
    with at(MONDAY) as clock:
        yield clock


@pytest.fixture
def ada(school: School) -> User:
    """The admin of the school where Alice teaches."""
    return member(school, "ada@example.org", Membership.Role.ADMIN)


@pytest.fixture
def other_class(alice: User) -> SchoolClass:
    other = TeachingFactory.create(user=alice).school_class
    SchoolClass.objects.filter(pk=other.pk).update(name="6A")
    return SchoolClass.objects.get(pk=other.pk)


@pytest.fixture
def source(server: SourceServer, ada: User, clock: Any) -> RosterSource:
    """The source of Alice's school, connected but not yet read."""
    return sources.save_source(
        ada.membership.school,
        ada,
        Connection(server.address, server.token_address, CLIENT[0], org=""),
        CLIENT[1],
    )


@pytest.fixture
def next_night(source: RosterSource, clock: Any) -> Callable[[], RosterSource]:
    """A function that lets a day pass and the source be read, and returns the stored source."""

    def pass_by() -> RosterSource:
        clock.shift(timedelta(days=1))
        tasks.read_source(source.pk)
        source.refresh_from_db()
        return source

    return pass_by


@pytest.fixture
def roster(
    source: RosterSource,
    next_night: Callable[[], RosterSource],
    school_class: SchoolClass,
    other_class: SchoolClass,
    ada: User,
) -> RosterSource:
    """5B and 6A are linked, and somebody has confirmed their children."""
    next_night()
    link(source, {"5B": school_class, "6A": other_class})
    next_night()
    say(source, ada)
    return source


def link(source: RosterSource, classes: Mapping[str, SchoolClass | None]) -> None:
    by_title = {source_class.title: source_class.pk for source_class in source.classes.all()}
    sources.link_classes(source, {by_title[title]: to for title, to in classes.items()})


def questions_of(source: RosterSource, only: SchoolClass | None = None) -> dict[str, list[str]]:
    """The questions, with the answers that are offered."""
    return {
        question.text: [value.split()[0] for value, _label in question.options]
        for changes in source_changes.changes_of(source, only)
        for question in changes.questions
    }


def say(source: RosterSource, by: User, *answers: str) -> Mapping[str, int]:
    """Answer the questions in order. A question without an answer gets the preselected one."""
    questions = [
        question for changes in source_changes.changes_of(source) for question in changes.questions
    ]
    answers_by_field = dict(zip([q.field for q in questions], answers, strict=False))
    chosen = {}
    for question in questions:
        wanted = answers_by_field.get(question.field, question.answer)
        values = [value for value, _label in question.options]
        chosen[question.field] = next(value for value in values if value.startswith(wanted))
    return sources.apply_answers(source, by, chosen)


def stored_rows() -> Any:
    """Everything that is stored of the source and the children, except the times of the tries."""
    return (
        list(SourcePupil.objects.order_by("pk").values()),
        list(SourceClass.objects.order_by("pk").values()),
        list(Child.all_objects.order_by("pk").values("pk", "name", "school_class", "removed_at")),
        RosterSource.objects.values("reached_at", "changed_since").get(),
    )


# What happens by itself


def test_the_first_time_everything_waits_for_a_yes(
    source: RosterSource, next_night: Any, school_class: SchoolClass, ada: User
) -> None:
    next_night()
    assert [source_class.title for source_class in source.classes.all()] == ["5B", "6A"]
    link(source, {"5B": school_class})
    next_night()
    assert names_in(school_class) == []
    assert questions_of(source) == {
        "On the list: Dora Bakker": ["new", "later", "out"],
        "On the list: Emil Vos": ["new", "later", "out"],
    }
    assert say(source, ada) == {"new": 2, "renamed": 0, "moved": 0, "gone": 0}
    assert names_in(school_class) == ["Dora", "Emil"]
    assert questions_of(source) == {}


def test_existing_children_are_recognised(
    source: RosterSource, next_night: Any, school_class: SchoolClass, ada: User
) -> None:
    for name in ("Dora B.", "Emil"):
        ChildFactory.create(school_class=school_class, name=name)
    next_night()
    link(source, {"5B": school_class})
    next_night()
    assert questions_of(source) == {}
    say(source, ada)
    next_night()
    assert names_in(school_class) == ["Dora B.", "Emil"]


def test_a_child_added_at_night_is_logged_as_by_the_site(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass
) -> None:
    data.add("g", "Gus", "Smit", "5b")
    next_night()
    assert names_in(school_class) == ["Dora", "Emil", "Gus"]
    assert questions_of(roster) == {}
    entry = AuditEntry.objects.filter(what=What.ADDED).latest("pk")
    assert (entry.actor, entry.class_id) == (Actor.SITE, school_class.pk)


def test_another_spelling_is_adopted_and_another_name_waits(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass, ada: User
) -> None:
    data.rename("d", "Dóra")
    data.rename("e", "Emilia")
    next_night()
    assert names_in(school_class) == ["Dóra", "Emil"]
    assert questions_of(roster) == {
        "The source now says Emilia for Emil.": ["rename", "out", "later"]
    }
    say(roster, ada, "out")
    next_night()
    assert (names_in(school_class), questions_of(roster)) == (["Dóra", "Emil"], {})
    data.rename("e", "Emiel")
    next_night()
    say(roster, ada, "rename")
    assert names_in(school_class) == ["Dóra", "Emiel"]


def test_a_name_chosen_by_the_teacher_is_kept(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass
) -> None:
    services.rename(school_class.children.get(name="Dora"), "Dodo", None)
    data.add("g", "Gus", "Smit", "5b")
    next_night()
    assert names_in(school_class) == ["Dodo", "Emil", "Gus"]
    assert questions_of(roster) == {}


def test_initials_stay_with_another_spelling(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass
) -> None:
    services.rename(school_class.children.get(name="Dora"), "Dora B.", None)
    data.rename("d", "Dóra")
    next_night()
    assert names_in(school_class) == ["Dóra B.", "Emil"]


# Changes that wait for a decision


@pytest.mark.parametrize("given", ["Emil", "Émil", "Emiel"])
def test_a_name_similar_to_another_childs_waits(
    roster: RosterSource,
    data: SourceData,
    next_night: Any,
    school_class: SchoolClass,
    ada: User,
    given: str,
) -> None:
    data.add("g", given, "Smit", "5b")
    next_night()
    assert names_in(school_class) == ["Dora", "Emil"]
    ((_text, offered),) = questions_of(roster).items()
    assert offered == ["new", "later", "out"]
    say(roster, ada, "new")
    assert len(names_in(school_class)) == 3
    assert questions_of(roster) == {}


def test_two_new_children_with_one_name_wait(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass, ada: User
) -> None:
    data.add("g", "Gus", "Smit", "5b")
    data.add("h", "Gus", "Kok", "5b")
    next_night()
    assert names_in(school_class) == ["Dora", "Emil"]
    assert len(questions_of(roster)) == 2
    say(roster, ada, "new", "new")
    assert names_in(school_class) == ["Dora", "Emil", "Gus K.", "Gus S."]


def test_nobody_is_removed_without_a_yes(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass, ada: User
) -> None:
    data.leave("d", "5b")
    for _night in range(3):
        next_night()
        assert names_in(school_class) == ["Dora", "Emil"]
    assert questions_of(roster) == {
        "The source no longer lists Dora in this class.": ["later", "out", "gone"]
    }
    say(roster, ada)
    assert names_in(school_class) == ["Dora", "Emil"]
    say(roster, ada, "gone")
    assert names_in(school_class) == ["Emil"]
    assert questions_of(roster) == {}
    assert Child.all_objects.get(name="Dora").removed_at


@pytest.mark.parametrize(
    "change",
    [lambda data: data.leave("d", "5b"), lambda data: data.add("g", "Emil", "Test", "5b")],
    ids=["kept", "left out"],
)
def test_a_pupil_who_is_kept_or_left_out_is_asked_about_once(
    roster: RosterSource,
    data: SourceData,
    next_night: Any,
    school_class: SchoolClass,
    ada: User,
    change: Callable[[SourceData], None],
) -> None:
    change(data)
    next_night()
    say(roster, ada, "out")
    next_night()
    assert (names_in(school_class), questions_of(roster)) == (["Dora", "Emil"], {})


def test_a_move_waits_and_keeps_the_progress(
    roster: RosterSource,
    data: SourceData,
    next_night: Any,
    school_class: SchoolClass,
    other_class: SchoolClass,
    ada: User,
) -> None:
    dora = school_class.children.get(name="Dora")
    data.leave("d", "5b")
    data.enrol("d", "6a")
    next_night()
    assert (names_in(school_class), names_in(other_class)) == (["Dora", "Emil"], ["Finn"])
    assert questions_of(roster) == {
        "Dora is in 5B. The source now lists them here.": ["move", "later", "out"]
    }
    say(roster, ada, "move")
    assert (names_in(school_class), names_in(other_class)) == (["Emil"], ["Dora", "Finn"])
    assert other_class.children.get(name="Dora") == dora
    next_night()
    assert questions_of(roster) == {}


def test_a_child_in_two_classes_of_the_source_stays_in_theirs(
    roster: RosterSource, data: SourceData, next_night: Any, other_class: SchoolClass
) -> None:
    data.enrol("d", "6a")
    next_night()
    assert names_in(other_class) == ["Finn"]
    assert questions_of(roster) == {}


def test_many_new_children_in_one_night_wait(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass
) -> None:
    for number in range(source_changes.MOST_ADDED_AUTOMATICALLY + 1):
        data.add(f"n{number}", "ABCDEFGHIJKLMN"[number] * 6, "New", "5b")
    next_night()
    assert names_in(school_class) == ["Dora", "Emil"]
    assert len(questions_of(roster)) == source_changes.MOST_ADDED_AUTOMATICALLY + 1


def test_a_class_that_is_suddenly_a_different_one_waits(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass
) -> None:
    """For instance, the source begins a new year."""
    for pupil in ("d", "e"):
        data.leave(pupil, "5b")
    data.add("g", "Gus", "Smit", "5b")
    next_night()
    assert names_in(school_class) == ["Dora", "Emil"]
    assert len(questions_of(roster)) == 3


def test_an_empty_source_removes_nobody(
    roster: RosterSource, data: SourceData, next_night: Any, ada: User
) -> None:
    before = stored_rows()
    copies = dict(data.enrollments), dict(data.students)
    data.enrollments.clear()
    RosterSource.objects.update(read_all_at=None)
    assert next_night().problem == Problem.NOBODY
    data.students.clear()
    assert next_night().problem == Problem.NOBODY
    assert stored_rows() == before
    page = client_of(ada).get(reverse("classrooms:school_source", args=[roster.school_id]))
    assert "The source lists nobody. No child was removed." in text_on(page)
    data.enrollments, data.students = copies
    assert next_night().problem == ""
    assert questions_of(roster) == {}


def test_a_class_that_suddenly_lists_nobody_stays_as_it_is(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass, ada: User
) -> None:
    data.leave("d", "5b")
    data.leave("e", "5b")
    assert next_night().problem == ""
    assert names_in(school_class) == ["Dora", "Emil"]
    assert questions_of(roster) == {}
    page = client_of(ada).get(reverse("classrooms:school_source", args=[roster.school_id]))
    assert "The source now lists nobody in this class. Nothing was changed." in text_on(page)


def test_a_class_missing_in_the_source_stays_as_it_is(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass, ada: User
) -> None:
    data.classes["5b"] |= {"status": "tobedeleted", "dateLastModified": "2026-03-01T00:00:00.000Z"}
    RosterSource.objects.update(read_all_at=None)
    next_night()
    assert names_in(school_class) == ["Dora", "Emil"]
    page = client_of(ada).get(reverse("classrooms:school_source", args=[roster.school_id]))
    assert "The source no longer has this class." in text_on(page)


def test_an_unusable_name_waits_with_the_reason(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass
) -> None:
    data.add("g", "G<us>", "Smit", "5b")
    next_night()
    assert names_in(school_class) == ["Dora", "Emil"]
    assert questions_of(roster) == {
        "On the list: G<us> Smit. This name cannot be used.": ["later", "out"]
    }


def test_a_pupil_begins_and_ends_on_their_day(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass, clock: Any
) -> None:
    """No record of the source changes on that day, so everything is read on it."""
    today = timezone.localdate()
    data.add("g", "Gus", "Smit")
    first, last = today + timedelta(days=2), today + timedelta(days=4)
    data.enrol("g", "5b", beginDate=str(first), endDate=str(last))
    next_night()
    assert names_in(school_class) == ["Dora", "Emil"]
    next_night()
    assert names_in(school_class) == ["Dora", "Emil", "Gus"]
    for _night in range(2):
        next_night()
        assert questions_of(roster) == {}
    next_night()
    assert list(questions_of(roster)) == ["The source no longer lists Gus in this class."]


# What is stored, and what is deleted with a child


def test_only_names_and_keyed_hashes_are_stored(roster: RosterSource, server: SourceServer) -> None:
    row = SourcePupil.objects.get(name="Dora")
    assert (row.name, row.family, len(row.key_hash)) == ("Dora", "Bakker", 64)
    text = repr(
        [list(model.objects.values()) for model in (SourcePupil, SourceClass, RosterSource)]
    )
    for secret in ("pupils.example", "+31", "9-8-7", "uuid-d", "'d'", "5b/d", TOKEN):
        assert secret not in text
    students = [query for path, query in server.asked if path == f"{BASE}/students"]
    assert students
    for query in students:
        assert "email" not in query["fields"]
        assert "givenName" in query["fields"]


def test_an_erased_child_is_forgotten_and_not_added_again(
    roster: RosterSource,
    data: SourceData,
    next_night: Any,
    school_class: SchoolClass,
    other_class: SchoolClass,
) -> None:
    own = SourcePupil.objects.get(name="Dora")
    SourcePupil.objects.create(
        source_class=SourceClass.objects.get(school_class=other_class),
        key_hash=own.key_hash,
        name=own.name,
        family=own.family,
    )
    erasure.erase_child(school_class.children.get(name="Dora"), None)
    rows = SourcePupil.objects.filter(is_left_out=True)
    columns = rows.values_list("name", "family", "known_name", "child")
    assert list(columns) == [("", "", "", None)] * 2
    RosterSource.objects.update(read_all_at=None)
    data.enrol("d", "6a")
    next_night()
    assert names_in(school_class) == ["Emil"]
    assert questions_of(roster) == {}
    assert not SourcePupil.objects.filter(name="Dora").exists()


def test_a_removed_child_does_not_come_back_by_itself(
    roster: RosterSource, next_night: Any, school_class: SchoolClass
) -> None:
    services.remove(school_class.children.get(name="Dora"), None)
    RosterSource.objects.update(read_all_at=None)
    next_night()
    assert (names_in(school_class), questions_of(roster)) == (["Emil"], {})


def test_a_merged_pupil_is_recognised_as_the_remaining_child(
    roster: RosterSource, next_night: Any, school_class: SchoolClass
) -> None:
    dora = school_class.children.get(name="Dora")
    other = ChildFactory.create(school_class=school_class, name="Dora twice")
    merged = merges.merge(dora, other, None)
    assert SourcePupil.objects.get(name="Dora").child == other
    next_night()
    assert (names_in(school_class), questions_of(roster)) == (["Dora twice", "Emil"], {})
    merges.undo(merged, None)
    assert SourcePupil.objects.get(name="Dora").child == dora


def test_erasing_a_class_deletes_its_list(
    roster: RosterSource, next_night: Any, school_class: SchoolClass
) -> None:
    erasure.erase_class(school_class, None)
    assert [row.name for row in SourcePupil.objects.all()] == ["Finn"]
    assert next_night().problem == ""


def test_unlinking_deletes_the_list_and_keeps_the_children(
    roster: RosterSource, next_night: Any, school_class: SchoolClass, ada: User
) -> None:
    link(roster, {"5B": None})
    assert [row.name for row in SourcePupil.objects.all()] == ["Finn"]
    sources.end_source(roster, ada)
    assert not SourcePupil.objects.exists()
    assert names_in(school_class) == ["Dora", "Emil"]


def test_a_class_that_leaves_the_school_loses_its_list(
    roster: RosterSource, next_night: Any, alice: User, school_class: SchoolClass
) -> None:
    Membership.objects.filter(user=alice).delete()
    next_night()
    assert not SourcePupil.objects.exists()
    assert not roster.classes.exclude(school_class=None).exists()
    assert names_in(school_class) == ["Dora", "Emil"]


def test_a_class_of_another_school_cannot_be_linked(roster: RosterSource) -> None:
    stranger = TeachingFactory.create().school_class
    with pytest.raises(Changed):
        link(roster, {"5B": stranger})


def test_an_archived_class_is_left_alone(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass
) -> None:
    SchoolClass.objects.filter(pk=school_class.pk).update(archived_at=timezone.now())
    data.add("g", "Gus", "Smit", "5b")
    next_night()
    assert (names_in(school_class), questions_of(roster)) == (["Dora", "Emil"], {})


# Pages, changes since the last night, and failures


def many(data: SourceData, count: int) -> None:
    for number in range(count):
        first = "".join(chr(97 + int(digit)) for digit in f"{number:03}")
        data.add(f"p{number}", f"Kim{first}", "Jansen", "5b" if number % 2 else "6a")


@pytest.mark.parametrize(
    ("total", "link_header"), [(True, True), (True, False), (False, True), (False, False)]
)
def test_six_hundred_pupils_come_in_pages(
    source: RosterSource,
    server: SourceServer,
    data: SourceData,
    next_night: Any,
    school_class: SchoolClass,
    ada: User,
    total: bool,
    link_header: bool,
) -> None:
    """This holds whatever the source says about its pages."""
    many(data, 597)
    server.says_total, server.says_next = total, link_header
    next_night()
    link(source, {"5B": school_class})
    assert next_night().problem == ""
    in_class = [row for row in data.enrollments.values() if row["class"]["sourcedId"] == "5b"]
    assert SourcePupil.objects.count() == len(in_class)
    pages = [query["offset"] for path, query in server.asked if path == f"{BASE}/students"]
    assert pages[:6] == ["0", "100", "200", "300", "400", "500"]


def test_after_the_first_night_only_changes_are_requested(
    roster: RosterSource,
    server: SourceServer,
    data: SourceData,
    next_night: Any,
    school_class: SchoolClass,
    ada: User,
) -> None:
    many(data, 60)
    next_night()
    say(roster, ada)
    server.asked.clear()
    data.now = MONDAY + timedelta(days=4)
    data.add("g", "Gus", "Smit", "5b")
    data.rename("d", "Dóra")
    next_night()
    lists = [query for path, query in server.asked if path != "/token"]
    assert len(lists) == 3
    assert all(query["filter"].startswith("dateLastModified>'2026-") for query in lists)
    assert {"Gus", "Dóra"} <= set(names_in(school_class))


def test_an_unchanged_pupil_is_fetched_by_id(
    roster: RosterSource,
    server: SourceServer,
    data: SourceData,
    next_night: Any,
    school_class: SchoolClass,
) -> None:
    data.add("g", "Gus", "Smit")
    data.now = MONDAY - timedelta(days=1)
    data.add("h", "Hugo", "Kok", "6a")
    next_night()
    data.now = MONDAY + timedelta(days=2)
    data.enrol("g", "5b")
    server.asked.clear()
    next_night()
    assert f"{BASE}/students/g" in server.paths()
    assert "Gus" in names_in(school_class)


@pytest.mark.parametrize("word", ["filter", "fields"])
def test_a_source_that_knows_no_filter_or_fields_is_read_without(
    roster: RosterSource,
    server: SourceServer,
    data: SourceData,
    next_night: Any,
    school_class: SchoolClass,
    word: str,
) -> None:
    def refuse(handler: Handler, path: str, query: Mapping[str, str]) -> bool:
        if word not in query:
            return False
        handler.say(400, {"imsx_codeMajor": "failure"})
        return True

    server.answer = refuse
    data.add("g", "Gus", "Smit", "5b")
    assert next_night().problem == ""
    assert "Gus" in names_in(school_class)


def test_everything_is_read_again_each_week(
    roster: RosterSource, server: SourceServer, data: SourceData, next_night: Any
) -> None:
    """Some sources delete a record outright and do not list the deletion among their changes."""
    del data.enrollments["5b/d"]
    for _night in range(6):
        next_night()
        assert questions_of(roster) == {}
    next_night()
    assert list(questions_of(roster)) == ["The source no longer lists Dora in this class."]


def answers(status: int, body: Any = b"{}", **headers: str) -> Any:
    def answer(handler: Handler, path: str, query: Mapping[str, str]) -> bool:
        if path == "/token":
            return False
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        handler.say(status, body, named)
        return True

    return answer


def cut_off(handler: Handler, path: str, query: Mapping[str, str]) -> bool:
    """Break off the second page of the pupils."""
    if not path.endswith("/students") or query.get("offset") == "0":
        return False
    handler.send_response(200)
    handler.send_header("Content-Length", "90000")
    handler.end_headers()
    handler.wfile.write(b'{"users": [{"sourcedId": "x",')
    handler.close_connection = True
    return True


def same_page(handler: Handler, path: str, query: Mapping[str, str]) -> bool:
    if not path.endswith("/enrollments"):
        return False
    handler._list("enrollments", {**query, "offset": "0"})
    return True


def fewer(handler: Handler, path: str, query: Mapping[str, str]) -> bool:
    """End the list before the number of records that it states."""
    if not path.endswith("/enrollments") or query.get("offset") == "0":
        return False
    handler.say(200, {"enrollments": []}, {"X-Total-Count": "700"})
    return True


def unstorable(handler: Handler, path: str, query: Mapping[str, str]) -> bool:
    if not path.endswith("/classes"):
        return False
    handler.say(200, {"classes": [{"sourcedId": "5b", "title": "5\0B"}]}, {"X-Total-Count": "1"})
    return True


def wrong_secret(handler: Handler, path: str, query: Mapping[str, str]) -> bool:
    if path == "/token":
        handler.say(400, {"error": "invalid_client"})
    return path == "/token"


BROKEN: Mapping[str, tuple[Any, RosterSource.Problem]] = {
    "401": (answers(401), Problem.REFUSED),
    "403": (answers(403), Problem.REFUSED),
    "wrong secret": (wrong_secret, Problem.REFUSED),
    "404": (answers(404), Problem.MISSING),
    "429": (answers(429, Retry_After="7200"), Problem.BUSY),
    "500": (answers(500), Problem.DOWN),
    "503": (answers(503), Problem.DOWN),
    "redirect": (answers(302, Location="https://127.0.0.1/"), Problem.ELSEWHERE),
    "html": (answers(200, b"<html>"), Problem.UNREADABLE),
    "another JSON": (answers(200, {"classes": {"5b": "5B"}}), Problem.UNREADABLE),
    "no ids": (answers(200, {"classes": [{"title": "5B"}]}), Problem.UNREADABLE),
    "deep JSON": (answers(200, b"[" * 100_000), Problem.UNREADABLE),
    "NUL": (unstorable, Problem.UNREADABLE),
    "large": (answers(200, b" " * 5_000_000), Problem.TOO_LARGE),
    "cut off": (cut_off, Problem.CUT_OFF),
    "a loop": (same_page, Problem.PAGES),
    "fewer than said": (fewer, Problem.CUT_OFF),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_failed_reading_changes_nothing(
    kind: str,
    roster: RosterSource,
    server: SourceServer,
    data: SourceData,
    next_night: Any,
    ada: User,
) -> None:
    many(data, 150)
    data.leave("d", "5b")
    server.says_total = kind != "a loop"
    RosterSource.objects.update(read_all_at=None)
    before = stored_rows()
    server.answer, problem = BROKEN[kind]
    assert next_night().problem == problem
    assert stored_rows() == before
    page = client_of(ada).get(reverse("classrooms:school_source", args=[roster.school_id]))
    assert str(problem.label) in text_on(page)
    assert "Not read since" in text_on(page)
    assert len(server.asked) < 40
    server.answer, server.says_total = lambda *_all: False, True
    roster.refresh_from_db()
    assert next_night().problem == ""
    assert len(questions_of(roster)) > 1


def test_a_source_that_asks_to_wait_is_left_alone_until_then(
    roster: RosterSource, server: SourceServer, next_night: Any, clock: Any
) -> None:
    server.answer = answers(429, Retry_After=str(36 * 3600))
    next_night()
    server.asked.clear()
    server.answer = lambda *_all: False
    next_night()
    assert server.asked == []
    assert roster.problem == Problem.BUSY
    assert not sources.due_sources(timezone.now()).exists()
    next_night()
    assert roster.problem == ""


def test_the_nightly_task_reads_each_source_that_is_due(
    roster: RosterSource, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source_ids: list[int] = []
    monkeypatch.setattr(tasks.read_source, "delay", source_ids.append)
    tasks.look_for_sources()
    assert source_ids == []
    clock.shift(timedelta(days=1))
    tasks.look_for_sources()
    assert source_ids == [roster.pk]


def test_two_readings_at_once_do_the_same_as_one(
    roster: RosterSource, data: SourceData, next_night: Any, school_class: SchoolClass
) -> None:
    data.add("g", "Gus", "Smit", "5b")
    next_night()
    tasks.read_source(roster.pk)
    assert names_in(school_class) == ["Dora", "Emil", "Gus"]


def test_a_source_at_a_private_address_is_not_read(
    roster: RosterSource, server: SourceServer, next_night: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.asked.clear()
    monkeypatch.undo()
    RosterSource.objects.update(address="https://127.0.0.1:1", token_address="https://[::1]/token")
    assert next_night().problem == Problem.NOT_PUBLIC
    assert server.asked == []


def test_the_secret_is_in_no_log_and_no_page(
    roster: RosterSource, server: SourceServer, next_night: Any, ada: User, capfd: Any
) -> None:
    server.answer = answers(500)
    next_night()
    out, err = capfd.readouterr()
    client = client_of(ada)
    pages = [
        text_on(client.get(reverse(f"classrooms:{name}", args=[roster.school_id])))
        for name in ("school_source", "source_connection", "school_changes")
    ]
    for text in (out, err, *pages, roster.secret_encrypted):
        assert CLIENT[1] not in text
        assert "a secret:" not in text


def test_a_secret_under_a_lost_key_is_asked_for_again(
    roster: RosterSource, next_night: Any
) -> None:
    RosterSource.objects.update(secret_encrypted="gAAAAA")
    assert next_night().problem == Problem.SECRET
