"""Every address is of one kind, and nginx's maps sort it as who may open it says."""

import re
from typing import Final
from uuid import uuid4

import pytest
from django.urls import resolve

from classrooms.http import LARGEST_OF_A_CHILD, WITH_A_LIST, largest
from nmbrs_edu.http import kinds
from scripts.proxy import maps, sizes
from tests.permission_table import DECLARED, OTHERS, address, names_in

OF_WHOM: Final = {
    "open": {"other", "door", "child", "health"},
    "door": {"door"},
    "child": {"child"},
    "game": {"game", "child"},
    "admin": {"operator"},
}
"""By who may open it; all others are pages of adults."""
FILES: Final = frozenset(
    f"classrooms:{name}"
    for name in (
        *("cards_pdf", "letters_pdf", "class_report", "child_report", "export_class", "download"),
        *("school_csv", "school_class_csv", "school_zip"),
    )
)
"""Answers that are files made for the one who asks."""
SIZES: Final = {"4m": 4 * 1024**2, "200k": 200 * 1024}
NAMES: Final = {name for page in DECLARED for name in names_in(page)} | {"ended_id", "played_id"}
NOBODY: Final = {name: uuid4() for name in NAMES - OTHERS.keys()} | {"user_id": 7, "entry": 7}


def found(map_of: str, asked: str) -> list[str]:
    """All values of this map of nginx whose expression fits; "" stands for none."""
    lines = "\n".join(maps()).partition(f"${map_of} {{")[2].partition("}\n")[0].splitlines()
    entries = [re.fullmatch(r' *"~(.+)" (\w+);', line) for line in lines]
    return [entry[2] for entry in entries if entry and re.search(entry[1], asked)]


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_an_address_is_of_one_kind_that_fits_those_who_may_open_it(name: str) -> None:
    who, methods = DECLARED[name]
    path = address(name, NOBODY)
    (kind,) = found("kind", path) or ["door" if path == "/" else "other"]
    assert kind in OF_WHOM.get(who, {"adult"})
    assert kind == kinds()[path.split("/")[1]]
    page = resolve(path)
    assert page.view_name == name or name.startswith(("account_", "mfa_"))
    if name in FILES:
        assert found("work", f"{methods[-1].replace('HEAD', 'GET')} {path}") == ["heavy"]
    if who in ("link", "invitation"):
        assert found("work", f"GET {path}") == ["guess"]
    if name in WITH_A_LIST:
        assert found("work", f"POST {path}") == ["heavy"]


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_nginx_lets_a_body_through_that_the_site_takes(name: str) -> None:
    page, text = resolve(address(name, NOBODY)), "\n".join(sizes())
    allowed = re.findall(r'location ~ "(.+)" {\n +client_max_body_size (\w+);', text)
    sized = (SIZES[size] for path, size in allowed if re.search(path, address(name, NOBODY)))
    assert next(sized, 64 * 1024) >= (
        largest(page) if kinds()[page.route.split("/")[0]] == "adult" else LARGEST_OF_A_CHILD
    )


def test_a_class_code_a_name_and_a_card_are_guesses() -> None:
    for asked in ("POST /play/", "POST /play/BCDFGHJK/name/", "GET /q/x", "POST /q/x"):
        assert found("work", asked) == ["guess"]
    assert found("work", "GET /play/BCDFGHJK/") == []


def test_the_poll_beside_a_file_is_not_heavy() -> None:
    assert found("work", f"GET /classes/{uuid4()}/downloads/part/") == []
