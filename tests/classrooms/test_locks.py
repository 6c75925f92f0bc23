import threading

import pytest
from django.db import connections

from classrooms.locks import Changed, OutOfOrder, lock
from classrooms.models import Child
from tests.factories import ChildFactory, SchoolClassFactory


@pytest.mark.django_db
def test_rows_come_back_as_they_are_now_and_in_the_order_given() -> None:
    dora = ChildFactory.create(name="Dora")
    Child.objects.filter(pk=dora.pk).update(name="Dorothea")
    with lock(dora, dora.school_class) as (now, school_class):
        assert now.name == "Dorothea"
        assert now.school_class is school_class


@pytest.mark.django_db
def test_a_row_that_is_gone_is_a_change() -> None:
    dora = ChildFactory.create()
    Child.everyone.filter(pk=dora.pk).delete()
    with pytest.raises(Changed), lock(dora):
        pass


@pytest.mark.django_db
def test_a_class_is_not_locked_after_a_child_unless_it_was_before() -> None:
    dora = ChildFactory.create()
    with lock(dora.school_class, dora), lock(dora.school_class):
        pass
    with lock(dora), pytest.raises(OutOfOrder), lock(dora.school_class):
        pass
    with lock(SchoolClassFactory.create()), lock(dora):
        pass


@pytest.mark.django_db(transaction=True)
def test_the_second_reads_what_the_first_has_done() -> None:
    dora, emil = ChildFactory.create_batch(2, school_class=SchoolClassFactory.create())
    waits, seen = threading.Event(), []

    def second() -> None:
        waits.set()
        with lock(emil, dora) as (_emil, now):
            seen.append(now.name)
        connections.close_all()

    with lock(dora, emil) as (first, _emil):
        thread = threading.Thread(target=second)
        thread.start()
        waits.wait()
        thread.join(0.2)
        assert not seen
        first.name = "Dorothea"
        first.save()
    thread.join(60)
    assert seen == ["Dorothea"]
