"""A class with as many children as it may have can still be changed."""

from urllib.parse import urlencode

import pytest
from django.urls import reverse

from classrooms import bounds
from classrooms.http import LARGEST_FORM
from classrooms.models import Child, SchoolClass, User
from tests.classrooms.people import client_of

pytestmark = pytest.mark.django_db


def test_the_settings_of_every_child_of_a_full_class_are_saved(
    alice: User, school_class: SchoolClass
) -> None:
    names = (f"Child {number}" for number in range(bounds.MOST_CHILDREN))
    Child.objects.bulk_create(Child(school_class=school_class, name=name) for name in names)
    keys = [str(key) for key in school_class.children.values_list("pk", flat=True)]
    ticks = dict.fromkeys(("child", "untimed", "larger", "checks"), keys)
    hints = {f"hints-{key}": Child.Hints.ALL for key in keys}
    body = urlencode(ticks | hints, doseq=True)
    assert len(body) < LARGEST_FORM
    answer = client_of(alice).post(
        reverse("classrooms:agreed_with_children", args=[school_class.pk]),
        body,
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.status_code == 302
    assert school_class.children.filter(larger=True, hints="all").count() == bounds.MOST_CHILDREN
