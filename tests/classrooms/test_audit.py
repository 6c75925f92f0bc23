import pytest
from django.test import Client
from django.urls import reverse

from classrooms.audit import What, audit
from classrooms.models import AuditEntry, Child, User
from classrooms.roster import services
from tests.classrooms.people import acts

pytestmark = pytest.mark.django_db


def test_an_entry_about_nothing_is_refused(alice: User) -> None:
    with pytest.raises(ValueError, match="a child, a class or an account"):
        audit(alice, What.LOOKED)


def test_an_entry_outlives_its_objects_and_names_no_child(alice: User, dora: Child) -> None:
    audit(alice, What.ERASED, child=dora)
    child_id, school_class = dora.pk, dora.school_class
    services.remove(dora)
    school_class.delete()
    alice.delete()
    entry = AuditEntry.objects.get(what=What.ERASED)
    assert (entry.user, entry.child_id) == (None, child_id)
    assert "Dora" not in str(entry)


def test_the_operator_reads_the_log_and_searches_it(
    admin_client: Client, alice: User, dora: Child, emil: Child
) -> None:
    audit(alice, What.LOOKED, child=dora)
    audit(alice, What.EXPORTED, child=emil)
    url = reverse("admin:classrooms_auditentry_changelist")
    page = admin_client.get(url, {"q": str(emil.pk)}).text
    assert str(emil.pk) in page
    assert str(dora.pk) not in page
    assert str(dora.pk) in admin_client.get(url, {"q": "alice@"}).text


def test_nobody_changes_the_log_by_hand(admin_client: Client, alice: User, dora: Child) -> None:
    entry = audit(alice, What.LOOKED, child=dora)
    change = reverse("admin:classrooms_auditentry_change", args=[entry.pk])
    assert admin_client.get(change).status_code == 200
    assert admin_client.post(change, {"what": "erased"}).status_code == 403
    delete = reverse("admin:classrooms_auditentry_delete", args=[entry.pk])
    assert admin_client.post(delete, {"post": "yes"}).status_code == 403
    assert acts().get().what == "looked"
