"""Checks of today's code on the school that the old code made: its rows, Dora and Emil, the queue,
and the adults.

`test_upgrade.py` runs `check_all` in a process of its own, with a school's settings. The checks
follow each other on one database.
"""

import base64
import json
import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from time import monotonic, sleep, time
from typing import Any, Final
from unittest import mock

from allauth.mfa import app_settings
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from celery import signals
from celery.contrib.testing.worker import start_worker
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.core import mail
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse

from classrooms.checks.models import Check, Sitting
from classrooms.downloads.models import Download
from classrooms.models import AuditEntry, Child, SchoolClass, Teaching, User, WeeklyMail
from classrooms.progress import evidence
from classrooms.progress.models import ChildDay, ProgressLock, TableDay
from classrooms.progress.rebuild import compare_game, rebuild
from classrooms.progress.tasks import rebuild_marked
from games.models import Entry, Game
from games.play import services as play
from nmbrs_edu.celery import app
from nmbrs_edu.middleware import PREFIX
from tests.classrooms.progress.answering import everything
from tests.upgrade.loading import Vendor, facts_of


@dataclass
class School:
    """The facts about the old school, and the browsers that stay open from one check to the
    next."""

    facts: dict[str, Any]
    alice: Client = field(init=False)
    dora: Client = field(init=False)
    emil: Client = field(init=False)

    def __post_init__(self) -> None:
        self.alice = browser(sessionid=self.facts["session"])
        dora = self.facts["dora"]
        self.dora = browser(True, child=dora["token"], csrftoken=dora["csrf"])
        self.emil = browser(device=self.facts["emil"]["device"])

    @property
    def game(self) -> Game:
        return Game.objects.get(pk=self.facts["game"]["id"])

    @property
    def school_class(self) -> SchoolClass:
        return SchoolClass.objects.get(pk=self.facts["class"])


def browser(is_strict: bool = False, /, **cookies: str) -> Client:
    """A browser with cookies under the names of the old code. If `is_strict`, its posts need a CSRF
    token."""
    headers = {
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "192.0.2.7",
        "Referer": "https://testserver/",
    }
    client = Client(is_strict, headers=headers)
    for name, value in cookies.items():
        client.cookies[name] = value
    return client


def see(answer: Any, status: int, words: str = "") -> None:
    assert answer.status_code == status, f"{answer.status_code} {answer.headers}"
    assert words in answer.text, answer.text


def go_to(answer: Any, address: str) -> None:
    see(answer, 302)
    assert answer.headers["Location"] == address, answer.headers["Location"]


def sign_in(client: Client, email: str, password: str) -> Any:
    return client.post(reverse("account_login"), {"login": email, "password": password})


def code_of(secret: str, later: int = 0) -> str:
    """The code that an authenticator app shows now, or `later` half-minutes later."""
    counter = int(time()) // app_settings.TOTP_PERIOD + later
    return format_hotp_value(hotp_value(secret, counter))


@contextmanager
def clock_of_cookies(made_at: str) -> Iterator[None]:
    """Set the clock so that signed cookies are new, as if the old code had just run. They last two
    years."""
    now = (datetime.fromisoformat(made_at) + timedelta(minutes=1)).timestamp()
    with mock.patch("django.core.signing.time") as clock:
        clock.time.return_value = now
        yield


PLAYED: Final = ChildDay.objects.order_by("child", "day").values_list(
    "child", "day", "rounds", "turns", "checks"
)


def every_migration_was_made(school: School) -> None:
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []


def looks_at_pictures_went_into_the_log(school: School) -> None:
    looks = AuditEntry.objects.filter(what="looked", class_id=school.school_class.pk)
    found = sorted(
        (page, child_id is None, is_part)
        for page, child_id, is_part in looks.values_list("page", "child_id", "is_part")
    )
    of_both = [("cards", False, True), ("cards", False, True), ("cards", True, False)]
    assert found == [*of_both, ("pictures", False, False)], found


def nothing_is_left_of_axes(school: School) -> None:
    tables = connection.introspection.table_names()
    assert [name for name in tables if name.startswith("axes")] == []


def children_are_found_by_typed_names(school: School) -> None:
    children = school.school_class.children.values_list("plain_name", flat=True)
    assert sorted(children) == ["dora", "emil"], children


# A round that was over


def a_finished_round_is_counted_again_in_the_background(school: School) -> None:
    """Evidence by turn became chances, and facts are folded over answers. The logs are read again,
    and nothing that was played or answered is lost."""
    assert ProgressLock.objects.filter(to_rebuild=True).count() == ProgressLock.objects.count() > 0
    played = list(PLAYED.all())
    assert not TableDay.objects.exists()
    rebuild_marked()
    assert not ProgressLock.objects.filter(to_rebuild=True).exists()
    assert list(PLAYED.all()) == played
    before = everything()
    assert before["Chance"], before
    assert before["TableDay"], before
    assert before["FactDay"], before
    assert before["FactMastery"], before
    assert rebuild(Child.objects.get(name="Emil")) == 1
    after = everything()
    assert after == before, (before, after)


def the_logs_of_both_games_replay_to_their_snapshots(school: School) -> None:
    games = list(Game.objects.all())
    assert len(games) == 2
    assert [difference for game in games if (difference := compare_game(game))] == []


# Dora, in the middle of her round


def a_childs_session_opens_its_game(school: School) -> None:
    page = school.dora.get(reverse("games:page", args=[school.game.pk]))
    see(page, 200, "at-lay")
    assert f"{PREFIX}child" in page.cookies, page.cookies


def the_hint_is_still_on_show(school: School) -> None:
    outcome = play.look(school.game.pk, Child.objects.get(name="Dora").player)
    assert outcome.hint_step == 1, outcome.hint_step
    assert outcome.hint is not None


def a_move_that_was_made_before_is_not_made_again(school: School) -> None:
    form = school.facts["dora"]
    token = {"csrfmiddlewaretoken": form["form"]["csrfmiddlewaretoken"]}
    answer = school.dora.post(
        reverse("games:act", args=[school.game.pk]), {**form["sent"], **token}
    )
    see(answer, 302)
    assert school.game.version == school.facts["game"]["version"]


def a_page_that_lay_open_makes_the_next_move(school: School) -> None:
    dora = school.facts["dora"]
    move = {**dora["form"], "move": "discard", "card": dora["card"]}
    act = reverse("games:act", args=[school.game.pk])
    see(school.dora.post(act, move, headers={"HX-Request": "true"}), 200, 'hx-swap-oob="innerHTML"')
    made = Entry.objects.get(game=school.game, key=dora["form"]["key"])
    assert made.number == school.facts["game"]["version"] + 1, made
    assert dora["card"] in made.text, made
    assert compare_game(school.game) is None


# Emil, who comes back


def pictures_open_the_door_on_a_known_device(school: School) -> None:
    emil = school.facts["emil"]
    page = reverse("classrooms:pictures", args=[school.facts["code"], emil["id"]])
    with clock_of_cookies(school.facts["made_at"]):
        for number, picture in enumerate(emil["pictures"], start=1):
            last = school.emil.post(page, {"picture": picture, "step": number})
    go_to(last, reverse("classrooms:me"))
    see(school.emil.get(reverse("classrooms:me")), 200, "Emil")


def a_printed_qr_code_signs_the_child_in(school: School) -> None:
    for name, token in school.facts["qr"].items():
        client = browser()
        card = reverse("classrooms:card", args=[token])
        see(client.get(card), 200, name)
        go_to(client.post(card), reverse("classrooms:me"))
        see(client.get(reverse("classrooms:me")), 200, name)


def half_answered_checks_go_on_where_they_were(school: School) -> None:
    open_sitting = school.facts["sitting"]
    kind, numbers = open_sitting["questions"][open_sitting["done"]]
    assert kind == "fact", kind
    page = reverse("classrooms:check", args=[school.facts["round"]])
    see(school.emil.get(page), 200)
    before = Check.objects.count()
    answer = {"number": open_sitting["done"], "answer": numbers[0] * numbers[1], "ms": 2000}
    see(school.emil.post(page, answer), 200)
    sitting = Sitting.objects.get(pk=open_sitting["id"])
    assert sitting.done == len(open_sitting["questions"]), sitting.done
    assert sitting.closed_at
    last = Check.objects.order_by("pk").last()
    assert Check.objects.count() == before + 1
    assert last.right


OLD_TASKS: Final = {
    "classrooms.downloads.make",
    "classrooms.progress.look_at_game",
    "classrooms.progress.look_at_sitting",
    "classrooms.progress.send_weekly_mail",
}
SECONDS: Final = 180


def messages_of_the_old_code_are_carried_out(school: School) -> None:
    """Dora's game and Emil's last answer are counted, the file is made, and no mail is sent
    twice."""
    done: list[str] = []
    failed: list[str] = []

    def note(sender: Any, **kwargs: Any) -> None:
        done.append(sender.name)

    def note_failed(**kwargs: Any) -> None:
        failed.append(repr(kwargs))

    app.loader.import_default_modules()
    signals.task_success.connect(note)
    for failure in (signals.task_failure, signals.task_unknown, signals.task_rejected):
        failure.connect(note_failed)
    with app.connection_for_write() as broker:
        queue = broker.default_channel.client
        queue.delete("celery", "long")
        queue.lpush("celery", *(message.encode() for message in school.facts["messages"]))
    with start_worker(app, perform_ping_check=False, shutdown_timeout=30):
        end = monotonic() + SECONDS
        while len(done) + len(failed) < len(OLD_TASKS) and monotonic() < end:
            sleep(0.05)
    assert failed == []
    assert set(done) == OLD_TASKS, done


def each_message_has_a_task_of_that_name(school: School) -> None:
    app.loader.import_default_modules()
    messages = [json.loads(message) for message in school.facts["messages"]]
    assert {message["headers"]["task"] for message in messages} == OLD_TASKS
    assert app.tasks.keys() >= OLD_TASKS
    args = {
        message["headers"]["task"]: json.loads(base64.b64decode(message["body"]))[0]
        for message in messages
    }
    assert args["classrooms.progress.look_at_game"] == [school.facts["game"]["id"]]
    assert args["classrooms.downloads.make"] == [school.facts["waiting"]]


def the_running_game_was_counted_by_its_message(school: School) -> None:
    assert not evidence.dirty_attempts().exists()
    before = everything()
    assert rebuild(Child.objects.get(name="Dora")) == 1
    assert everything() == before


def the_checks_were_counted_by_their_message(school: School) -> None:
    assert not evidence.dirty_sittings().exists()
    before = everything()
    rebuild(Child.objects.get(name="Emil"))
    assert everything() == before


def the_weekly_mail_was_not_sent_twice(school: School) -> None:
    sent = WeeklyMail.objects.get(pk=school.facts["weekly_mail"])
    assert (sent.state, sent.tries) == (WeeklyMail.State.SENT, 1)
    assert WeeklyMail.objects.count() == 1
    assert [message.subject for message in getattr(mail, "outbox", [])] == []


# Alice


def an_adult_signs_in_once_more(school: School) -> None:
    """The backend of the old session no longer exists, so the page leads to signing in and back."""
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
    """The old code required no second step of operators."""
    olga, index = browser(), reverse("admin:index")
    sign_in(olga, "olga@example.org", school.facts["password"])
    see(olga.get(index, follow=True), 200, "The operator’s pages need a second sign-in step.")
    page = olga.get(reverse("mfa_activate_totp"))
    (secret,) = re.findall('class="secret">([A-Z2-7]+)<', page.text)
    answer = olga.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    go_to(answer, reverse("mfa_view_recovery_codes"))
    way = olga.get(index, follow=True).redirect_chain[-1][0]
    # The code of half a minute later: each can be used once.
    go_to(olga.post(way, {"code": code_of(secret, later=1)}), index)
    see(olga.get(index), 200)


CHECKS: Final[tuple[Callable[[School], None], ...]] = (
    every_migration_was_made,
    looks_at_pictures_went_into_the_log,
    nothing_is_left_of_axes,
    children_are_found_by_typed_names,
    a_finished_round_is_counted_again_in_the_background,
    the_logs_of_both_games_replay_to_their_snapshots,
    a_childs_session_opens_its_game,
    the_hint_is_still_on_show,
    a_move_that_was_made_before_is_not_made_again,
    a_page_that_lay_open_makes_the_next_move,
    pictures_open_the_door_on_a_known_device,
    a_printed_qr_code_signs_the_child_in,
    half_answered_checks_go_on_where_they_were,
    each_message_has_a_task_of_that_name,
    messages_of_the_old_code_are_carried_out,
    the_running_game_was_counted_by_its_message,
    the_checks_were_counted_by_their_message,
    the_weekly_mail_was_not_sent_twice,
    an_adult_signs_in_once_more,
    the_password_is_the_same,
    a_ready_file_can_be_fetched,
    a_file_that_waited_was_made,
    an_archived_class_stays_so_and_can_be_restored,
    an_invitation_and_a_second_step_let_a_co_teacher_in,
    an_operator_sets_up_the_second_step_and_opens_the_admin_site,
)


def check_all(vendor: Vendor) -> None:
    """Print as JSON the error of each check, or "" if it passed."""
    school = School(facts_of(vendor))
    problems = {}
    for check in CHECKS:
        try:
            check(school)
            problems[check.__name__] = ""
        except Exception:
            problems[check.__name__] = traceback.format_exc()
    print(json.dumps(problems))
