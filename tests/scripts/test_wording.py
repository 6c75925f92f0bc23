"""Rules about texts, each tried on a planted fault. `make check` applies them to all texts."""

import pytest

from scripts.translations import LANGUAGES, ROOT, TRIALS, catalogue_in
from scripts.wording import empty_fields, faults, messages, misnamed, quotable_texts
from scripts.wording_places import PARENTS, Place, misaddressed, places, too_long
from tests.counts import for_each

PLANTED = [
    ("en", "The child is erased.", "The child is erased.", "delete"),
    ("en", "That's all.", "That's all.", "apostrophe"),
    ("en", "Such as 6 × 7.", "Such as 6 × 7.", "no-break spaces"),
    ("en", "Press „Lay”.", "Press „Lay”.", "another language"),
    ("nl", "%(n)d block", "%(n)d blokje", "blok"),
    ("nl", "Assign", "Opgeven", "klaarzetten"),
    ("nl", "The overview", "De kaart", "overzicht"),
    ("de", "%(n)d block", "%(n)d Block", "Stein"),
    ("de", "Facts to ask first", "Aufgaben, die zuerst kommen", "Malaufgabe"),
    ("nl", "jumps of %(n)d", "stappen van %(n)d", "sprongen van"),
    ("sv", "%(n)d bot", "%(n)d bot", "bott"),
    ("sv", "No row for me.", "Ingen rad för mig.", "serie"),
    ("nl", "Press “Lay”.", 'Druk op "Leg".', "quotation mark"),
    ("de", "%(a)d × %(b)d", "%(a)d × %(b)d", "no-break spaces"),
    ("sv", "under %(n)d%%", "under %(n)d %%", "ordinary space before %"),
    ("nl", "Take a card.", "Pak een kaart", "end mark"),
    ("nl", "Groups", "Groepjes.", "full stop"),
    ("de", "%(name)s has %(n)d points.", "%(name)s hat Punkte.", "placeholders"),
    ("de", "{numbers}: jump {jump}", "{numbers}: Sprung {sprung}", "placeholders"),
    ("fr", "A row: {row}.", "Une suite : {row}.", "no-break space before"),
    ("fr", "Done? Take one.", "Fini? Prends-en une.", "no-break space before"),
    ("fr", "%(n)d%% right", "%(n)d%% justes", "no-break space before"),
    ("fr", "No row for me.", "Pas de rangée pour moi.", "suite"),
    ("fr", "Tap “Done”.", "Touche “Fini”.", "another language"),
    ("fr", "%(name)s has %(n)d points.", "%(name)s a des points.", "placeholders"),
]


@for_each(PLANTED)
def test_a_planted_fault_is_reported(language: str, english: str, text: str, about: str) -> None:
    (fault,) = faults(language, english, text)
    assert about in fault


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_each_form_of_each_message_is_checked(language: str) -> None:
    forms = list(messages(language))
    assert len(forms) > 2_000
    assert {"%(n)d bot", "%(n)d bots"} <= {english for english, _, _ in forms}


GROWN_UP, CHILD = "templates/classes/class.html", "templates/games/page.html"


@for_each(
    [
        ("de", "Drucke die Karten.", GROWN_UP, "Sie"),
        ("de", "Hier sind deine Klassen.", GROWN_UP, "Sie"),
        ("de", "Legen Sie eine Reihe.", CHILD, "du"),
        ("de", "Das ist Ihr Zug, und Ihnen hilft der Tipp.", CHILD, "du"),
        ("de", "Wähle einen Tag.", PARENTS[1], "Sie"),
        ("nl", "Kies uw klas.", GROWN_UP, "je"),
        ("nl", "Leg uw kaart.", CHILD, "je"),
        ("nl", "Zo oefen je met je kind.", PARENTS[0], "u"),
        ("fr", "Posez votre suite.", CHILD, "child"),
    ]
)
def test_a_wrong_form_of_address_is_reported(
    language: str, text: str, path: str, about: str
) -> None:
    (fault,) = misaddressed(language, text, {path})
    assert about in fault


def test_a_button_that_does_not_exist_is_reported() -> None:
    names = quotable_texts(["Lay this row", "%(card)s ablegen"])
    assert list(misnamed("en", "", "Tap “Lay this row”.", names)) == []
    assert list(misnamed("en", "", "Tap “lay this row”, then “%(onto)s”.", names)) == []
    assert list(misnamed("de", "", "Dann „{card} ablegen“.", names)) == []
    (fault,) = misnamed("sv", "Tap “Lay”.", "Tryck på ”Lägg ut”.", names)
    assert "Lägg ut" in fault


LONG = {
    "a button under the hand": ("Put one down", "Leg er nu maar eens eentje weg"),
    "a pile": ("On offer", "Wil je deze?"),
    "a tab": ("Assignments", "Aufträge der Klasse"),
    "the words beside a row": ("%(table)d times table", "Einmaleins mit %(table)d"),
}


@pytest.mark.parametrize("place", places(ROOT), ids=lambda place: place.name)
def test_a_text_too_long_for_its_place_is_reported(place: Place) -> None:
    english, text = LONG[place.name]
    (fault,) = too_long(english, text, [place])
    assert fault.endswith(f"for {place.name} at most {place.most}")
    assert list(too_long(english, text[: place.most - 2], [place])) == []
    assert list(too_long("Another text", text, [place])) == []


@pytest.mark.parametrize("language", [*LANGUAGES, *TRIALS])
def test_the_head_of_a_catalogue_is_complete(language: str) -> None:
    assert list(empty_fields(catalogue_in(ROOT, language))) == []
