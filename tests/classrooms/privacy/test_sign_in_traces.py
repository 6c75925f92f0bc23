from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classrooms.classes import teachers
from classrooms.models import ChildSession, Invitation, KnownDevice, WrongTries
from classrooms.privacy.erasure import forget_old_sign_ins
from classrooms.signin import services
from classrooms.signin.children_only import DEVICE_LASTS
from tests.clock import at
from tests.factories import (
    PASSWORD,
    ChildFactory,
    InvitationFactory,
    UserFactory,
    WrongTriesFactory,
)

pytestmark = pytest.mark.django_db


def forget_after(time: timedelta) -> None:
    with at(timezone.now() + time):
        forget_old_sign_ins()


def test_what_still_counts_is_kept() -> None:
    dora = ChildFactory.create()
    token = services.sign_in_by_card(dora, "tablet").token
    WrongTriesFactory.create(child=dora)
    forget_old_sign_ins()
    assert services.child_of(token) == dora
    assert KnownDevice.objects.exists()
    assert WrongTries.objects.exists()


def test_after_a_day_neither_sessions_nor_tries_are_left_but_the_device_is_known() -> None:
    dora = ChildFactory.create()
    services.sign_in_by_card(dora, "tablet")
    WrongTriesFactory.create(child=dora)
    forget_after(timedelta(hours=25))
    assert not ChildSession.objects.exists()
    assert not WrongTries.objects.exists()
    assert KnownDevice.objects.exists()


def test_a_device_that_nobody_uses_is_forgotten() -> None:
    services.sign_in_by_card(ChildFactory.create(), "tablet")
    forget_after(DEVICE_LASTS + timedelta(days=1))
    assert not KnownDevice.objects.exists()


def test_the_addresses_of_adults_go_with_their_sessions(client: Client) -> None:
    alice = UserFactory.create()
    client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
    forget_old_sign_ins()
    assert UserSession.objects.get().user == alice
    forget_after(timedelta(days=15))
    assert not UserSession.objects.exists()


def test_an_invitation_is_kept_as_long_as_its_entries_in_the_log() -> None:
    InvitationFactory.create()
    forget_after(timedelta(days=settings.AUDIT_DAYS))
    assert Invitation.objects.exists()
    forget_after(timedelta(days=settings.AUDIT_DAYS) + teachers.LASTS)
    assert not Invitation.objects.exists()
