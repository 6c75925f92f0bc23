"""What the rules of an assignment come to, shown while they are chosen."""

import re

import pytest
from django.urls import reverse

from classrooms.assignments.choice import MEANINGS, Choice
from classrooms.models import Assignment, SchoolClass, User
from games.coach.sample_rows import SampleRow, samples
from games.engine.ruleset import EDITIONS
from tests.classrooms.assignments.posting import FORM, posted
from tests.classrooms.people import client_of

pytestmark = pytest.mark.django_db


def samples_of(text: str) -> tuple[list[str], list[str]]:
    """The sample rows on a page: the ones that count, and the others."""
    found = [
        re.findall(rf'class="sample sample-{kind}"><strong>([^<]+)<', text)
        for kind in ("yes", "no")
    ]
    return found[0], found[1]


def rows_of(found: list[SampleRow]) -> list[str]:
    return [", ".join(map(str, one.numbers)) for one in found]


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_the_preview_shows_rows_of_the_rules_chosen(
    alice: User, school_class: SchoolClass, name: str
) -> None:
    url = reverse("classrooms:assign_preview", args=[school_class.pk])
    for rows in ("tables", "zero", "one", "zero-or-one", "anything"):
        chosen = {**FORM, "edition": name, "rows": rows}
        page = client_of(alice).get(url, chosen, headers={"HX-Request": "true"})
        made = Choice(edition=name, rows=rows, tables=(2, 5)).ruleset()
        allowed, refused = samples(made)
        assert samples_of(page.text) == (rows_of(allowed), rows_of(refused))
        assert str(MEANINGS[name]) in page.text
        assert "<form" not in page.text
        assert '<div id="live" hx-swap-oob="innerHTML">' in page.text


def test_the_preview_says_what_does_not_go_together(alice: User, school_class: SchoolClass) -> None:
    url = reverse("classrooms:assign_preview", args=[school_class.pk])
    page = client_of(alice).get(url, {**FORM, "tables": []})
    assert "Choose at least one times table." in page.text
    assert samples_of(page.text) == ([], [])


def test_a_day_that_is_over_leaves_the_preview_as_it_is(
    alice: User, school_class: SchoolClass
) -> None:
    page = posted(alice, school_class, due_on="2001-01-01")
    assert samples_of(page.text)[0]


def test_the_form_shows_samples_at_once_and_without_javascript_when_asked(
    alice: User, school_class: SchoolClass
) -> None:
    url = reverse("classrooms:assign_detail", args=[school_class.pk])
    assert samples_of(client_of(alice).get(url).text)[0] == ["6, 8, 10", "15, 20, 25", "30, 40, 50"]
    asked = client_of(alice).get(url, {"tables": "7"})
    assert "21, 28, 35" in samples_of(asked.text)[0]
    looked = posted(alice, school_class, edition="classic", rows="zero", look="1")
    assert samples_of(looked.text)[0] == ["12, 16, 20", "30, 40, 50", "15, 20, 25"]
    assert not Assignment.objects.exists()
