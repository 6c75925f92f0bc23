"""Each file of the corpus ends in the right roster or in the right error, and never half-way."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.http import HttpResponse, QueryDict
from django.test import RequestFactory

from classrooms.http import LARGEST_BODY, LargestBodyMiddleware
from classrooms.models import Child, SchoolClass, User
from classrooms.roster.import_preview import ChosenList, ListChanges, compare
from classrooms.roster.importing.grid import MOST_FILE_BYTES
from classrooms.roster.importing.reading import read_file
from tests.classrooms.people import client_of, names_in, text_on, url_of
from tests.classrooms.roster.importing.corpus import FILES, File, fields_of, right
from tests.classrooms.roster.importing.uploading import lines, post, upload
from tests.counts import times
from tests.factories import ChildFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]


def outcome_of(file: File) -> tuple[bool, ...]:
    return bool(file.error), bool(file.wrong), file.choose is not None, "Fay" in file.names


@pytest.mark.parametrize(
    "file",
    times(tuple({outcome_of(file): file for file in FILES}.values()), FILES),
    ids=lambda file: file.name,
)
def test_each_file_ends_as_expected(file: File, alice: User, school_class: SchoolClass) -> None:
    ChildFactory.create(school_class=school_class, name="Fay")
    client = client_of(alice)
    with_fay = "Fay" in file.names
    if with_fay:
        Child.objects.all().delete()
    preview = upload(client, school_class, file.data, file.called)
    assert preview.status_code == 200
    if "chosen" not in preview.context:
        (error,) = preview.context["file_form"].errors["file"]
        assert not file.names
        assert not file.wrong
        assert file.error in error
        assert names_in(school_class) == ["Fay"]
        return
    if file.choose is not None:
        assert preview.context["chosen"].must_choose_group
        preview = post(client, school_class, preview, do="again", **{"class": file.choose})
    if preview.context["chosen"].must_choose_columns:
        preview = post(client, school_class, preview, do="again")
    wrong = {line.number: line.problem for line in lines(preview) if line.problem}
    if file.name == "noise":
        assert wrong
    else:
        assert wrong.keys() == file.wrong.keys()
        assert all(part in wrong[number] for number, part in file.wrong.items())
    added = post(client, school_class, preview, do="add")
    if wrong:
        assert added.status_code == 200
        assert names_in(school_class) == ["Fay"]
    else:
        assert added.status_code == 302
        assert names_in(school_class) == sorted([*file.names, *([] if with_fay else ["Fay"])])


def test_each_file_is_read_as_expected(alice: User, school_class: SchoolClass) -> None:
    ChildFactory.create(school_class=school_class, name="Fay")
    for file in FILES:
        if not (file.names or file.wrong):
            with pytest.raises(ValidationError, match=re.escape(file.error) or None):
                read_file(file.data, alice.pk)
            continue
        chosen, changes = compare(alice, read_file(file.data, alice.pk), school_class)
        if file.choose is not None:
            chosen, changes = change_preview(alice, chosen, changes, **{"class": file.choose})
        if chosen.must_choose_columns:
            chosen, changes = change_preview(alice, chosen, changes)
        change = changes.classes[0].change
        wrong = {line.number: line.problem for line in change.lines if line.problem}
        there = ["Fay"] if "Fay" in file.names else []
        assert wrong.keys() == file.wrong.keys(), file.name
        assert all(part in wrong[number] for number, part in file.wrong.items()), file.name
        assert wrong or sorted([*change.new, *there]) == sorted(file.names), file.name


def change_preview(
    user: User, chosen_list: ChosenList, changes: ListChanges | None, **more: str
) -> tuple[ChosenList, ListChanges | None]:
    """Change the preview, and return the new one."""
    posted = QueryDict(mutable=True)
    page = SimpleNamespace(context={"chosen": chosen_list, "changes": changes})
    posted.update(fields_of(page) | {"do": "again"} | more)
    return compare(user, chosen_list.sheet, chosen_list.school_class, posted)


def test_a_hundred_megabytes_are_refused_before_they_are_read(
    alice: User, school_class: SchoolClass
) -> None:
    class Unread:
        def read(self, *args: object) -> bytes:
            raise AssertionError("it was read")

    request = RequestFactory().post(
        url_of("upload_children", school_class),
        content_type="multipart/form-data; boundary=x",
    )
    request.META["CONTENT_LENGTH"] = str(100_000_000)
    request._stream = Unread()  # type: ignore[assignment]
    middleware = LargestBodyMiddleware(lambda request: HttpResponse(str(request.POST)))
    answer = middleware(request)
    assert answer.status_code == 413
    assert "at most 1 MB" in answer.content.decode()
    assert MOST_FILE_BYTES < LARGEST_BODY


def test_a_body_without_a_length_is_never_read(alice: User, school_class: SchoolClass) -> None:
    """A client can send a body in chunks without an end."""

    class Endless:
        def read(self, *args: object) -> bytes:
            raise AssertionError("it was read")

        readline = read

    url = url_of("upload_children", school_class)
    body: Any = {"wsgi.input": Endless(), "CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"}
    kind = "multipart/form-data; boundary=x"
    answer: Any = client_of(alice).generic("POST", url, content_type=kind, **body)
    assert "Choose a file." in text_on(answer)
    assert names_in(school_class) == []


def test_a_line_corrected_in_the_preview_is_added_with_the_rest(
    alice: User, school_class: SchoolClass
) -> None:
    client = client_of(alice)
    preview = upload(client, school_class, b"Name\nEmma\nEmma\n=x\nDora")
    mended = {"name-2": "Emma B.", "name-3": ""}
    assert post(client, school_class, preview, do="add", **mended).status_code == 302
    assert names_in(school_class) == ["Dora", "Emma", "Emma B."]


def test_a_line_without_a_name_is_marked_and_left_out_unless_one_is_typed(
    alice: User, school_class: SchoolClass
) -> None:
    client = client_of(alice)
    preview = upload(client, school_class, b"Name;Points\n;5\nDora;5\n;4")
    problems = [line.problem for line in lines(preview)]
    assert ["no name" in problem for problem in problems] == [True, False, True]
    post(client, school_class, preview, do="add", **{"name-3": "Emil"})
    assert names_in(school_class) == ["Dora", "Emil"]


def test_a_wrong_correction_stays_in_its_field_and_nobody_is_added(
    alice: User, school_class: SchoolClass
) -> None:
    client = client_of(alice)
    preview = upload(client, school_class, b"Name\nEmma\nEmma\nDora")
    next_page = post(client, school_class, preview, do="add", **{"name-2": "Em@"})
    line = next(line for line in lines(next_page) if line.number == 3)
    assert (line.name, "contains “@”" in line.problem) == ("Em@", True)
    assert names_in(school_class) == []


def test_other_columns_can_be_chosen(alice: User, school_class: SchoolClass) -> None:
    client = client_of(alice)
    preview = upload(client, school_class, right("", "Dora;Bakker\nEmil;Visser").data)
    next_page = post(client, school_class, preview, do="again", name="1", family="", headed="on")
    assert [line.name for line in lines(next_page)] == ["Visser"]


@pytest.mark.parametrize("sealed", ["", "x", "x:y:z"])
def test_a_preview_that_we_did_not_make_adds_nobody(
    alice: User, school_class: SchoolClass, sealed: str
) -> None:
    url = url_of("add_shown_children", school_class)
    answer = client_of(alice).post(url, {"sheet": sealed, "do": "add", "name-1": "Dora"})
    assert answer.status_code == 302
    assert names_in(school_class) == []


def test_a_name_added_meanwhile_is_not_added_again(
    alice: User, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(alice)
    preview = upload(client, school_class, b"Name\nDora\nEmil")
    ChildFactory.create(school_class=school_class, name="Emil")
    post(client, school_class, preview, do="add")
    assert names_in(school_class) == ["Dora", "Emil"]
    next_page = upload(client, school_class, b"Name\nDora\nEmil")
    assert [line.kind for line in lines(next_page)] == ["there", "there"]
    assert 'value="add"' not in text_on(next_page)


@pytest.mark.parametrize(
    ("pasted", "names"),
    [
        ("Vorname;Nachname\nEmil;Visser\nDora;Bakker", ["Emil", "Dora"]),
        ("Emil\nF<b>", ["Emil", "F<b>"]),
        ("Bakker, Dora\nVisser, Emil", ["Dora", "Emil"]),
        ("Naam\nDora\nEmil", ["Dora", "Emil"]),
        ("Dora\n12. März 2016", ["Dora", ""]),
        ('"Smith, Ann";4A\n"Jones, Bob";4A', ["Ann", "Bob"]),
        ('"Smith, Ann",4A\n"Jones, Bob",4A', ["Ann", "Bob"]),
    ],
)
def test_a_pasted_list_with_problems_is_shown_first(
    alice: User, school_class: SchoolClass, pasted: str, names: list[str]
) -> None:
    page = client_of(alice).post(url_of("children", school_class), {"names": pasted})
    assert [line.name for line in lines(page)] == names
    assert names_in(school_class) == []


@pytest.mark.parametrize(
    ("pasted", "names"),
    [
        ("Emil\tVisser\nDora\tBakker\n", ["Emil", "Dora"]),
        ("4A;Ann;Smith\n4A;Bob;Jones", ["Ann", "Bob"]),
    ],
)
def test_a_list_with_unknown_columns_shows_its_rows_and_asks(
    alice: User, school_class: SchoolClass, pasted: str, names: list[str]
) -> None:
    client = client_of(alice)
    page = client.post(url_of("children", school_class), {"names": pasted})
    assert "Say which column has the names" in text_on(page)
    assert lines(page) == []
    assert 'value="add"' not in text_on(page)
    next_page = post(client, school_class, page, do="again")
    assert [line.name for line in lines(next_page)] == names
    assert names_in(school_class) == []


def test_the_question_about_columns_shows_the_line_that_has_two(
    alice: User, school_class: SchoolClass
) -> None:
    names_of_one = [f"Child{letter}" for letter in "abcdefghij"]
    url = url_of("children", school_class)
    page = client_of(alice).post(url, {"names": "\n".join([*names_of_one, "Finn\tGroep 4"])})
    assert '<tr><td translate="no">Finn</td><td translate="no">Groep 4</td></tr>' in text_on(page)


def test_a_list_of_plain_names_is_added_at_once(alice: User, school_class: SchoolClass) -> None:
    url = url_of("children", school_class)
    added = client_of(alice).post(url, {"names": "Dora\nEmma B.\nAnne-Marie\n"})
    assert added.status_code == 302
    assert names_in(school_class) == ["Anne-Marie", "Dora", "Emma B."]
