"""The tests run on what a school runs on."""

from typing import Any

import pytest
from django.db import connection

from nmbrs_edu.tasks import answer


@pytest.mark.django_db
def test_the_database_is_postgresql() -> None:
    assert connection.vendor == "postgresql"


def test_a_task_goes_through_a_real_worker(worker: Any) -> None:
    sent = answer.apply_async(args=["through the queue"], ignore_result=False)
    assert sent.get(timeout=20) == "through the queue"
