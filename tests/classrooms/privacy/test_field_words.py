"""Each field of the tables with data of a child is named in words."""

import pytest
from django.utils.translation import override

from classrooms.models import Child
from classrooms.privacy.export import DECLARED, _page, all_of, fields_of
from classrooms.privacy.words import FIELDS, field_words


def test_each_exported_field_has_words_and_no_others_do() -> None:
    exported = {field.attname for declared in DECLARED for field in fields_of(declared)}
    assert FIELDS.keys() == exported


def test_words_are_in_the_language_of_the_reader() -> None:
    assert field_words("answered_at") == "answered at"
    with override("de"):
        assert field_words("answered_at") == "beantwortet am"


@pytest.mark.django_db
def test_the_page_has_the_words_beside_the_name(dora: Child) -> None:
    with override("nl"):
        page = _page(dora, all_of(dora))
    assert '<th scope="col">verwijderd op<br><code>removed_at</code></th>' in page
