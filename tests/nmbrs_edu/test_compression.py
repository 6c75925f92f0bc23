"""No page that repeats its query beside a secret is compressed."""

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.models import Child, SchoolClass
from tests.classrooms.people import client_of
from tests.factories import AssignmentFactory, ChildFactory, TeachingFactory

pytestmark = pytest.mark.django_db
REPEATED = "a-text-from-the-address"
ACCEPTS = {"accept-encoding": "gzip"}


@pytest.fixture
def school_class() -> SchoolClass:
    return TeachingFactory.create().school_class


@pytest.fixture
def dora(school_class: SchoolClass) -> Child:
    return ChildFactory.create(school_class=school_class)


@pytest.mark.parametrize("name", ["live", "deal", "cards", "letters", "names", "children"])
def test_a_page_with_a_query_is_not_compressed_and_one_without_is(
    school_class: SchoolClass, dora: Child, name: str
) -> None:
    client = client_of(school_class.teachers.get())
    args: list[object] = [school_class.pk]
    if name == "names":
        client, args = Client(), [school_class.code]
    if name == "deal":
        args.append(AssignmentFactory.create(school_class=school_class, deal_seed=7).pk)
    url = reverse(f"classrooms:{name}", args=args)
    answer = client.get(url, {"screen": "big", "x": REPEATED}, headers=ACCEPTS)
    assert answer["Content-Encoding"] == "identity"
    assert REPEATED in answer.text
    assert client.get(url, headers=ACCEPTS)["Content-Encoding"] == "gzip"
