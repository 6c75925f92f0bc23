"""A trial language is offered where the operator asks for it, and is then complete for a child."""

from collections.abc import Iterator

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from classrooms.models import Child
from nmbrs_edu.settings.languages import ALL, FOLDER, offered_languages
from tests.classrooms.people import client_of, client_of_child, text_on
from tests.factories import (
    AssignmentFactory,
    AttemptFactory,
    ChildFactory,
    SchoolClassFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    translation.activate("en")


@pytest.fixture
def french(settings: LazySettings) -> None:
    settings.LANGUAGES = offered_languages(["fr"])


@pytest.fixture
def dora() -> Child:
    return ChildFactory.create(name="Dora", school_class=SchoolClassFactory.create(language="fr"))


def pages_of(dora: Child) -> dict[str, str]:
    """A child's pages, from the code to the table."""
    door, inside = Client(), client_of_child(dora)
    names = reverse("classrooms:names", args=[dora.school_class.code])
    assignment = AssignmentFactory.create(school_class=dora.school_class)
    game = AttemptFactory.create(child=dora, assignment=assignment).game
    return {
        "names": text_on(door.get(names)),
        "code": text_on(door.get("/")),  # This device has shown the names of the class.
        "list": text_on(inside.get(reverse("classrooms:me"))),
        "table": text_on(inside.get(reverse("games:page", args=[game.pk]))),
    }


def test_each_language_has_a_folder_and_each_folder_a_language() -> None:
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir()}
    assert folders | {"en"} == ALL.keys()


def test_a_trial_is_offered_only_if_configured() -> None:
    assert [code for code, _ in offered_languages()] == ["en", "nl", "de", "sv"]
    assert offered_languages(["fr"]) == [*offered_languages(), ("fr", "Français (non relu)")]
    with pytest.raises(ValueError, match="not in locale/languages"):
        offered_languages(["xx"])


@pytest.mark.usefixtures("french")
def test_a_child_finds_every_page_in_the_trial(dora: Child) -> None:
    pages = pages_of(dora)
    for name, says in {
        "code": "Quel est le code de ta classe\N{NO-BREAK SPACE}?",
        "names": "Qui es-tu\N{NO-BREAK SPACE}?",
        "list": "Bonjour Dora",
        "table": "Touche la pioche ou une carte visible.",
    }.items():
        assert '<html lang="fr"' in pages[name], name
        assert says in pages[name], name
    assert 'value="fr" lang="fr" aria-current="true">Français</button>' in pages["list"]


def test_english_replaces_a_trial_that_is_removed(dora: Child) -> None:
    dora.language = "fr"
    dora.save()
    for name, text in pages_of(dora).items():
        assert '<html lang="en"' in text, name
        assert 'value="fr"' not in text, name


@pytest.mark.usefixtures("french")
def test_a_teacher_sees_that_nobody_has_reviewed_a_trial() -> None:
    page = text_on(client_of(UserFactory.create()).get(reverse("classrooms:new_class")))
    assert '<option value="fr">Français (non relu)</option>' in page
    assert 'lang="fr">Français (non relu)</button>' in page


@pytest.mark.usefixtures("french")
def test_texts_that_a_trial_has_not_translated_are_in_english() -> None:
    client = client_of(UserFactory.create())
    client.cookies["django_language"] = "fr"
    page = text_on(client.get(reverse("classrooms:new_class")))
    assert '<html lang="fr"' in page
    assert "The children’s language" in page
