"""Checks that Alice, the co-teacher whom she asked in, and the operator get in and go on."""

import re
from hashlib import sha256

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.urls import reverse

from classrooms.downloads.models import Download
from classrooms.models import SchoolClass, Teaching, User
from tests.upgrade.school import School, browser, code_of, go_to, see, sign_in

# Alice


def an_adult_signs_in_once_more(school: School) -> None:
    """The old session is of a backend that is gone, so nobody is signed in by it: the page leads to
    signing in and back."""
    backend = school.alice.session[BACKEND_SESSION_KEY]
    assert backend not in settings.AUTHENTICATION_BACKENDS, backend
    page = reverse("classrooms:class", args=[school.school_class.pk])
    go_to(school.alice.get(page), f"{reverse('account_login')}?next={page}")


def the_password_is_the_same(school: School) -> None:
    answer = sign_in(school.alice, "alice@example.org", school.facts["password"])
    go_to(answer, reverse("classrooms:classes"))
    page = reverse("classrooms:class", args=[school.school_class.pk])
    see(school.alice.get(page), 200, "Dora")


def a_ready_file_can_be_fetched(school: School) -> None:
    ready = school.facts["ready"]
    page = reverse("classrooms:download", args=[school.school_class.pk, ready["id"]])
    answer = school.alice.get(page)
    assert answer.status_code == 200, answer.status_code
    assert sha256(answer.content).hexdigest() == ready["sha256"]


def a_file_that_waited_was_made(school: School) -> None:
    waiting = Download.objects.get(pk=school.facts["waiting"])
    assert waiting.state == Download.State.READY, (waiting.state, waiting.problem)
    page = reverse("classrooms:download", args=[school.school_class.pk, waiting.pk])
    answer = school.alice.get(page)
    assert answer.status_code == 200, answer.status_code
    assert answer.content.startswith(b"PK"), answer.content[:20]


def an_archived_class_stays_so_and_can_be_restored(school: School) -> None:
    archived = school.facts["archived"]
    school_class = SchoolClass.objects.get(pk=archived["id"])
    assert school_class.archived_at
    see(browser().get(reverse("classrooms:card", args=[archived["qr"]])), 404)
    see(school.alice.get(reverse("classrooms:class", args=[school_class.pk])), 200, "4B")
    restore = reverse("classrooms:restore_class", args=[school_class.pk])
    assert school.alice.post(restore).status_code == 302
    school_class.refresh_from_db()
    assert school_class.archived_at is None
    see(browser().get(reverse("classrooms:card", args=[archived["qr"]])), 200, "Fenna")


# Others


def an_invitation_and_a_second_step_let_a_co_teacher_in(school: School) -> None:
    link = reverse("classrooms:invitation", args=[school.facts["invitation"]])
    bob = browser()
    see(bob.get(link), 200, "5B")
    answer = sign_in(bob, "bob@example.org", school.facts["password"])
    go_to(answer, reverse("mfa_authenticate"))
    answer = bob.post(answer.headers["Location"], {"code": code_of(school.facts["secret_of_bob"])})
    go_to(answer, reverse("classrooms:classes"))
    go_to(bob.post(link), reverse("classrooms:class", args=[school.school_class.pk]))
    user = User.objects.get(email="bob@example.org")
    assert Teaching.objects.get(school_class=school.school_class, user=user).role == "co-teacher"


def an_operator_sets_up_the_second_step_and_opens_the_admin_site(school: School) -> None:
    """The old code asked operators for none."""
    olga, index = browser(), reverse("admin:index")
    sign_in(olga, "olga@example.org", school.facts["password"])
    see(olga.get(index, follow=True), 200, "The operator’s pages need a second sign-in step.")
    page = olga.get(reverse("mfa_activate_totp"))
    (secret,) = re.findall('class="secret">([A-Z2-7]+)<', page.text)
    answer = olga.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    go_to(answer, reverse("mfa_view_recovery_codes"))
    way = olga.get(index, follow=True).redirect_chain[-1][0]
    # The code of half a minute later: one is good once.
    go_to(olga.post(way, {"code": code_of(secret, later=1)}), index)
    see(olga.get(index), 200)
