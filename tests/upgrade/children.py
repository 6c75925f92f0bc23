"""Checks that Dora, in the middle of her round, and Emil, who comes back, go on."""

from django.urls import reverse

from classrooms.checks.models import Check, Sitting
from classrooms.models import Child
from classrooms.progress.rebuild import compare_game
from games.models import Action
from games.play import services
from nmbrs_edu.cookies import PREFIX
from tests.upgrade.school import School, browser, clock_of_cookies, go_to, see

# Dora, in the middle of her round


def a_childs_session_opens_its_game(school: School) -> None:
    page = school.dora.get(reverse("games:page", args=[school.game.pk]))
    see(page, 200, "at-lay")
    assert f"{PREFIX}child" in page.cookies, page.cookies


def the_hint_is_still_on_show(school: School) -> None:
    outcome = services.look(school.game.pk, Child.objects.get(name="Dora").player)
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
    made = Action.objects.get(game=school.game, key=dora["form"]["key"])
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
    assert last
    assert Check.objects.count() == before + 1
    assert last.right
