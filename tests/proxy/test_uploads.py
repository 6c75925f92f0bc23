"""Files made to keep the reader busy keep nobody from the door, and no teacher from a class."""

from contextlib import suppress

import pytest
import requests

from tests.classrooms.roster.importing.hostile import HOSTILE
from tests.factories import ChildFactory, TeachingFactory
from tests.proxy.site import Site

pytestmark = pytest.mark.django_db(transaction=True)

BROKEN_OFF = 8
PATIENCE = 1.2
"""Seconds after which a sender goes away."""


@pytest.mark.parametrize("name", ["15,000 sheets of one part", "c"])
def test_uploads_that_are_broken_off_stop_neither_class_codes_nor_teachers(
    site: Site, name: str
) -> None:
    """The first held a thread of those who serve adults for hours each."""
    data = HOSTILE[name]()
    sent_to = TeachingFactory.create()
    sender = site.signed_in(sent_to.user, "127.0.5.1")
    page = f"/classes/{sent_to.school_class.pk}/children/"
    token = sender.token(page)
    for _ in range(BROKEN_OFF):
        sender.close()
        with suppress(requests.Timeout):
            sender.post(
                f"{page}file/",
                data={"csrfmiddlewaretoken": token},
                files={"file": ("names.xlsx", data)},
                timeout=PATIENCE,
            )
    dora = ChildFactory.create()
    teaching = TeachingFactory.create(school_class=dora.school_class)
    anyone = site.browser("127.0.5.2")
    alice = site.signed_in(teaching.user, "127.0.5.2")
    code = {"code": dora.school_class.code}
    for _ in range(3):
        assert dora.name in anyone.post_form("/play/", code, page="/").text
        assert alice.get(f"/classes/{dora.school_class.pk}/").status_code == 200
