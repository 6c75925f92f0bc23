"""The children of a class: adding, renaming, removing, their cards, and tries at sign-in."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from classrooms.credentials import decrypt_pictures
from classrooms.models import AuditEntry, Child, KeptAct, SchoolClass, User, WrongTries
from classrooms.roster import services
from classrooms.signin import cards
from classrooms.signin.services import TRIES, sign_in, sign_in_by_card
from tests.classrooms.people import (
    acts,
    client_of,
    client_of_child,
    pictures_of,
    text_on,
    undo_of,
    url_of,
)
from tests.factories import (
    AttemptFactory,
    ChildFactory,
    SchoolClassFactory,
    TeachingFactory,
    WrongTriesFactory,
)

pytestmark = pytest.mark.django_db


def test_the_first_children_lead_on_to_assigning(alice: User, school_class: SchoolClass) -> None:
    response = client_of(alice).post(url_of("children", school_class), {"names": "Dora\nEmil\n"})
    assert response.headers["Location"] == url_of("assign", school_class)
    assert school_class.children.count() == 2


def test_a_wrong_line_is_named_with_a_link_and_adds_nobody(
    alice: User, school_class: SchoolClass, dora: Child
) -> None:
    url = url_of("children", school_class)
    response = client_of(alice).post(url, {"names": "Emil\ndora\nF<b>"})
    lines = response.context["changes"].classes[0].change.lines
    (wrong,) = [line for line in lines if line.problem]
    assert wrong.number == 3
    field = f"name-{wrong.pupil.row}"
    assert f'<a href="#{field}">' in text_on(response)
    assert f'<input type="text" class="name-input" id="{field}"' in text_on(response)
    assert "1 child is in the class already and is not added again" in text_on(response)
    assert "Emil" in text_on(response)
    assert school_class.children.get() == dora


def test_a_child_has_others_only_if_the_class_has_more_children(alice: User, dora: Child) -> None:
    def has_others() -> bool:
        return bool(client_of(alice).get(url_of("child", dora)).context["has_others"])

    ChildFactory.create()
    assert not has_others()
    ChildFactory.create(school_class=dora.school_class)
    assert has_others()


def test_the_cards_of_a_moved_child_stay_the_same(alice: User, dora: Child, emil: Child) -> None:
    before = {child: child.pictures_encrypted for child in (dora, emil)}
    client = client_of(alice)
    cards_of = url_of("signing_in", dora.school_class)
    page = client.post(cards_of, {"do": "card"}, follow=True)
    Child.objects.filter(pk=emil.pk).update(school_class=SchoolClassFactory.create())
    client.post(undo_of(page))
    for child in (dora, emil):
        child.refresh_from_db()
    assert dora.pictures_encrypted == before[dora]
    assert emil.pictures_encrypted != before[emil]


def test_a_child_can_be_renamed(alice: User, dora: Child) -> None:
    client_of(alice).post(url_of("child", dora), {"name": " Dora  B "})
    dora.refresh_from_db()
    assert dora.name == "Dora B"


def test_a_former_name_is_not_given_back_to_a_removed_child(alice: User, dora: Child) -> None:
    url = url_of("child", dora)
    client = client_of(alice)
    assert "Undo" not in text_on(client.post(url, {"name": dora.name}, follow=True))
    page = client.post(url, {"name": "Dora B"}, follow=True)
    services.remove(dora, None)
    assert "can no longer be undone" in text_on(client.post(undo_of(page), follow=True))


def test_an_act_that_another_release_kept_can_no_longer_be_undone(alice: User, dora: Child) -> None:
    url = url_of("child", dora)
    client = client_of(alice)
    page = client.post(url, {"name": "Dora B"}, follow=True)
    KeptAct.objects.update(kind="child renamed")
    assert "can no longer be undone" in text_on(client.post(undo_of(page), follow=True))


def test_children_are_added_with_their_own_pictures() -> None:
    school_class = SchoolClassFactory.create()
    added = services.add_children(school_class, ["Dora", "Emil"], None)
    assert [child.name for child in school_class.children.all()] == ["Dora", "Emil"]
    assert all(len(decrypt_pictures(child.pictures_encrypted)) == 3 for child in added)
    assert len({child.player for child in added}) == 2


# A teacher removes a child, brings them back and erases them


def test_a_removed_child_is_on_no_list_and_signed_out(alice: User, dora: Child) -> None:
    child = client_of_child(dora)
    client_of(alice).post(url_of("remove_child", dora))
    assert child.get(reverse("classrooms:me")).status_code == 302
    door = child.get(reverse("classrooms:names", args=[dora.school_class.code]))
    assert "Dora" not in text_on(door)


def test_a_removed_child_whose_name_is_taken_stays_removed(alice: User, dora: Child) -> None:
    client = client_of(alice)
    client.post(url_of("remove_child", dora))
    ChildFactory.create(school_class=dora.school_class, name="DORA")
    page = client.get(url_of("children", dora.school_class))
    assert text_on(page).index('href="#removed-heading"') < text_on(page).index('id="roster"')
    page = client.post(url_of("bring_child_back", dora), follow=True)
    assert "another Dora" in text_on(page)
    assert Child.objects.count() == 1


def test_erasing_first_says_what_it_means(alice: User, dora: Child) -> None:
    AttemptFactory.create(child=dora)
    client = client_of(alice)
    page = client.get(url_of("erase_child", dora))
    assert "1 game" in text_on(page)
    assert "This cannot be undone" in text_on(page)
    client.post(url_of("erase_child", dora))
    assert not Child.all_objects.exists()
    assert acts().get().what == AuditEntry.What.ERASED


def test_a_removed_child_can_be_erased_at_once(alice: User, dora: Child) -> None:
    client = client_of(alice)
    client.post(url_of("remove_child", dora))
    client.post(url_of("erase_child", dora))
    assert not Child.all_objects.exists()


def test_a_name_of_another_child_is_refused(alice: User, dora: Child, emil: Child) -> None:
    wrong = client_of(alice).post(url_of("child", dora), {"name": "EMIL"})
    assert "already in this class" in text_on(wrong)
    assert 'value="EMIL"' in text_on(wrong)


def test_a_name_is_restored_unless_it_was_changed_again(alice: User, dora: Child) -> None:
    client = client_of(alice)
    for name, after, back in (("Dodo", "Dodo", "Dora"), ("Dodo", "Dotty", "Dotty")):
        client.post(url_of("child", dora), {"name": name})
        undo = url_of("undo", dora.school_class, KeptAct.objects.get().key)
        services.rename(dora, after, None)
        client.post(undo)
        dora.refresh_from_db()
        assert dora.name == back


def test_a_name_is_restored_only_to_its_child_in_its_class(
    alice: User, dora: Child, emil: Child
) -> None:
    client = client_of(alice)
    client.post(url_of("child", dora), {"name": "Dodo"})
    undo = url_of("undo", dora.school_class, KeptAct.objects.get().key)
    elsewhere = TeachingFactory.create(user=alice).school_class
    Child.objects.filter(pk=dora.pk).update(school_class=elsewhere)
    Child.objects.filter(pk=emil.pk).update(name="Dodo")
    client.post(undo)
    assert list(Child.objects.values_list("name", flat=True)) == ["Dodo", "Dodo"]


def test_the_roster_is_sorted_and_filtered_by_its_address(
    alice: User, dora: Child, emil: Child
) -> None:
    AttemptFactory.create(child=emil)
    client = client_of(alice)
    list_of = url_of("children", dora.school_class)

    def names(address: str) -> list[str]:
        return [child.name for child in client.get(list_of + address).context["table"].rows]

    assert names("?sort=-name") == ["Emil", "Dora"]
    assert names("?show=unplayed") == ["Dora"]
    assert names("?q=em") == ["Emil"]
    assert names("?sort=played") == ["Emil", "Dora"]


@pytest.fixture
def signing_in_address(school_class: SchoolClass) -> str:
    return url_of("signing_in", school_class)


def signing_in_url(child: Child) -> str:
    return url_of("child_signing_in", child)


def test_showing_pictures_is_logged(alice: User, dora: Child) -> None:
    client = client_of(alice)
    page = client.get(url_of("child", dora))
    assert "#picture-" not in text_on(page)
    assert not AuditEntry.objects.filter(what="looked").exists()
    pictures = client.post(url_of("child_pictures", dora))
    assert tuple(picture for picture, _name in pictures.context["pictures"]) == pictures_of(dora)
    assert AuditEntry.objects.get(what="looked").child_id == dora.pk


def test_a_lost_card_opens_nothing_once_its_child_has_a_new_one(
    alice: User, dora: Child, emil: Child
) -> None:
    lost, emils = cards.cards_of([dora, emil])
    page = client_of(alice).post(signing_in_url(dora), {"do": "card"}, follow=True)
    dora.refresh_from_db()
    assert sign_in(dora, lost.pictures, "tablet") == "wrong"
    assert sign_in_by_card(dora, lost.token, "tablet") is None
    assert cards.cards_of([emil]) == [emils]
    (new,) = cards.cards_of([dora])
    (link,) = re.findall(r'href="([^"]+)">Print the new card', text_on(page))
    (card,) = client_of(alice).get(link).context["cards"]
    assert card == new


def test_all_children_are_given_new_cards(
    alice: User, dora: Child, emil: Child, signing_in_address: str
) -> None:
    finn = ChildFactory.create()
    before = {child: child.pictures_encrypted for child in (dora, emil, finn)}
    client_of(alice).post(signing_in_address, {"do": "card"})
    for child in before:
        child.refresh_from_db()
    with_others = [child for child, was in before.items() if child.pictures_encrypted != was]
    assert with_others == [dora, emil]


def test_a_removed_child_comes_back_without_their_former_card(
    alice: User, dora: Child, signing_in_address: str
) -> None:
    client = client_of(alice)
    (card,) = cards.cards_of([dora])
    services.remove(dora, None)
    client.post(signing_in_address, {"do": "card"})
    removed = Child.all_objects.get(pk=dora.pk)
    assert removed.pictures_encrypted != dora.pictures_encrypted
    services.bring_back(removed, None)
    assert Client().post(reverse("classrooms:card", args=[card.token])).status_code == 404


def test_signing_everyone_out_affects_nobody_else(
    alice: User, dora: Child, signing_in_address: str
) -> None:
    child, foreign = client_of_child(dora), client_of_child(ChildFactory.create())
    client_of(alice).post(signing_in_address, {"do": "sign-out"})
    assert child.get(reverse("classrooms:me")).headers["Location"] == "/"
    assert foreign.get(reverse("classrooms:me")).status_code == 200


def test_the_teacher_sees_which_child_must_wait_and_ends_the_wait(
    alice: User, dora: Child, signing_in_address: str
) -> None:
    WrongTriesFactory.create(child=dora, count=TRIES)
    client = client_of(alice)
    assert f"{TRIES} wrong tries for Dora" in text_on(client.get(signing_in_address))
    child_page = url_of("child", dora)
    assert f"{TRIES} wrong tries for Dora" in text_on(client.get(child_page))
    client.post(signing_in_url(dora), {"do": "lift"})
    assert (
        "wrong tries for Dora" not in text_on(client.get(signing_in_address)).partition("</ul>")[2]
    )
    assert not WrongTries.objects.exists()


def test_clearing_the_tries_of_a_class_affects_no_other(
    alice: User, dora: Child, signing_in_address: str
) -> None:
    WrongTriesFactory.create(child=dora, count=TRIES)
    foreign = WrongTriesFactory.create(count=TRIES)
    client_of(alice).post(signing_in_address, {"do": "lift"})
    assert WrongTries.objects.get() == foreign


def test_all_cards_show_name_code_pictures_and_qr_code(alice: User, dora: Child) -> None:
    response = client_of(alice).get(url_of("cards", dora.school_class))
    assert dora.school_class.spaced_code in text_on(response)
    assert "Dora" in text_on(response)
    for picture in pictures_of(dora):
        assert f'href="#picture-{picture}"' in text_on(response)
    assert '<svg viewBox="0 0 ' in text_on(response)


@pytest.mark.parametrize("name", ["cards", "letters", "cards_pdf", "letters_pdf"])
def test_a_look_at_cards_is_logged_for_each_child(
    alice: User, dora: Child, emil: Child, name: str
) -> None:
    client_of(alice).get(url_of(name, dora.school_class))
    looks = AuditEntry.objects.filter(user=alice, page=name.removesuffix("_pdf"))
    assert {look.child_id for look in looks} == {None, dora.pk, emil.pk}
    assert looks.get(is_part=False).detail == {"count": 2}


@pytest.mark.parametrize("name", ["cards", "letters"])
def test_the_cards_of_one_child_can_be_requested(
    alice: User, dora: Child, emil: Child, name: str
) -> None:
    url = url_of(name, dora.school_class)
    client = client_of(alice)
    text = text_on(client.get(url, {"child": str(dora.pk)}))
    assert "Dora" in text
    assert "Emil" not in text
    for strange in ("x", "", uuid4(), ChildFactory.create().pk):
        assert client.get(url, {"child": str(strange)}).status_code == 404


def test_the_page_of_a_child_knows_who_owns_the_class(alice: User, dora: Child) -> None:
    along = TeachingFactory.create(school_class=dora.school_class)
    TeachingFactory.create(user=along.user, role="owner")
    for user, owns in ((alice, True), (along.user, False)):
        assert client_of(user).get(url_of("child", dora)).context["is_owner"] is owns
