"""How translations are written: each rule on a planted fault, and on text that keeps it."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from scripts.translations import (
    LANGUAGES,
    ROOT,
    TRIALS,
    catalogue_in,
    half,
    lacking_for_children,
    missing,
    trial_status,
)
from scripts.wording import AVOIDED, faults, messages, misnamed, names_of, unfilled
from scripts.wording_places import (
    CARDS,
    CHILDREN,
    MAY_BE_LONGER,
    MIXED,
    PARENTS,
    Place,
    misaddressed,
    places,
    said_in,
    too_long,
    translated_in,
)
from tests.counts import for_each

PLANTED = [
    ("en", "The child is erased.", "The child is erased.", "delete"),
    ("en", "No newcomers", "No newcomers", "new devices"),
    ("en", "Kind deals", "Kind deals", "helpful deals"),
    ("en", "A quick check", "A quick check", "short questions"),
    ("en", "That's all.", "That's all.", "apostrophe"),
    ("en", "Such as 6 × 7.", "Such as 6 × 7.", "no-break spaces"),
    ("en", "Press „Lay”.", "Press „Lay”.", "another language"),
    ("nl", "%(n)d block", "%(n)d blokje", "blok"),
    ("nl", "New devices", "Nieuwkomers", "nieuwe apparaten"),
    ("nl", "Assign", "Opgeven", "klaarzetten"),
    ("nl", "The overview", "De kaart", "overzicht"),
    ("de", "The overview", "Die Karte", "Übersicht"),
    ("de", "%(n)d block", "%(n)d Block", "Stein"),
    ("de", "Facts to ask first", "Aufgaben, die zuerst kommen", "Malaufgabe"),
    ("de", "Press “Lay”.", "Drücke „Legen”.", "another language"),
    ("sv", "Facts to ask first", "Tal som kommer först", "multiplikation"),
    ("sv", "Assign to %(group)s", "Dela ut till %(group)s", "tilldela"),
    ("sv", "The overview", "Kartan", "översikt"),
    ("nl", "No row for me.", "Geen rij voor mij.", "reeks"),
    ("nl", "Short questions", "Snelle vragen", "korte vragen"),
    ("nl", "jumps of %(n)d", "stappen van %(n)d", "sprongen van"),
    ("de", "A row may cross.", "Eine Reihe darf kreuzen.", "seitlich anlegen"),
    ("de", "Helpful deals", "Freundliches Geben", "günstig austeilen"),
    ("sv", "Take the open card.", "Ta det öppna kortet.", "uppvänt kort"),
    ("sv", "%(n)d bot", "%(n)d bot", "bott"),
    ("sv", "No row for me.", "Ingen rad för mig.", "serie"),
    ("de", "That was it.", "Das war's.", "apostrophe"),
    ("nl", "Press “Lay”.", 'Druk op "Leg".', "quotation mark"),
    ("sv", "Such as 6 × 7.", "Till exempel 6 × 7.", "no-break spaces"),
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
def test_a_planted_fault_is_found(language: str, english: str, text: str, about: str) -> None:
    (fault,) = faults(language, english, text)
    assert about in fault


@for_each(
    [
        ("nl", "No row for me.", "Geen reeks voor mij."),
        ("nl", "Play nmbrs!", "nmbrs! spelen"),
        ("nl", "Three small steps of two minutes.", "Drie kleine stappen van twee minuten."),
        ("de", "Tick groups.", "Kreuzen Sie Gruppen an."),
        ("sv", "Line %(line)d", "Rad %(line)d"),
        ("sv", "Type a number first.", "Skriv ett tal först."),
        ("de", "I took a block: %(block)s.", "Ich habe einen Stein: %(block)s."),
        ("nl", "A card for the overview", "Een kaart voor het overzicht"),
        ("sv", "At most %(bots)d bots", "Högst %(bots)d bottar"),
        ("de", "Such as 6 × 7.", "Zum Beispiel 6\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}7."),
        ("nl", "<a href='%(url)s'>Back</a>", "<a href='%(url)s'>Terug</a>"),
        ("sv", "Dear parents of %(name)s,", "Hej, du som är förälder till %(name)s!"),
        ("fr", "Play nmbrs!", "Joue à nmbrs!"),
        ("fr", "At 12:30 look: %(n)d.", "À 12:30, regarde\N{NO-BREAK SPACE}: %(n)d."),
    ]
)
def test_what_keeps_the_rules_has_no_fault(language: str, english: str, text: str) -> None:
    assert list(faults(language, english, text)) == []


def test_each_language_has_words_to_avoid() -> None:
    assert AVOIDED.keys() == {"en", *LANGUAGES}


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_each_form_of_each_message_is_read(language: str) -> None:
    read = list(messages(language))
    assert len(read) > 2_000
    assert {"%(n)d bot", "%(n)d bots"} <= {english for english, _, _ in read}


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
def test_a_reader_addressed_wrongly_is_found(
    language: str, text: str, path: str, about: str
) -> None:
    (fault,) = misaddressed(language, text, {path})
    assert about in fault


@for_each(
    [
        ("de", "Drucken Sie die Karten.", GROWN_UP),
        ("de", "%(n)d Tipp, eine Frage, ein Versuch", GROWN_UP),
        ("de", "Leg deine Reihe.", CHILD),
        ("de", "Sie sind alle 4 größer.", CHILD),
        ("de", "Alle können Sie sehen.", MIXED[0]),
        ("nl", "Kies je klas.", GROWN_UP),
        ("nl", "Houd deze brief voor uzelf.", PARENTS[0]),
        ("sv", "Välj din klass.", GROWN_UP),
        ("fr", "Choisissez votre classe.", GROWN_UP),
    ]
)
def test_a_reader_addressed_rightly_is_no_fault(language: str, text: str, path: str) -> None:
    assert list(misaddressed(language, text, {path})) == []


def test_what_a_child_reads_too_may_say_du() -> None:
    assert list(misaddressed("de", "Wer bist du?", {GROWN_UP, CHILD})) == []


@for_each([*CHILDREN, *CARDS, *MIXED, *PARENTS])
def test_the_places_of_readers_exist(path: str) -> None:
    assert (ROOT / path).exists()


def test_a_button_that_does_not_exist_is_found() -> None:
    names = names_of(["Lay this row", "%(card)s ablegen"])
    assert list(misnamed("en", "", "Tap “Lay this row”.", names)) == []
    assert list(misnamed("en", "", "Tap “lay this row”, then “%(onto)s”.", names)) == []
    assert list(misnamed("de", "", "Dann „{card} ablegen“.", names)) == []
    (fault,) = misnamed("sv", "Tap “Lay”.", "Tryck på ”Lägg ut”.", names)
    assert "Lägg ut" in fault


def test_an_example_is_no_button() -> None:
    english = "For example “Ms Jansen”."
    assert list(misnamed("nl", english, "Bijvoorbeeld “juf Jansen”.", names_of([]))) == []
    (fault,) = misnamed("nl", english, "“juf Jansen” of “Opslaan”.", names_of([]))
    assert "Opslaan" in fault


LONG = {
    "a button under the hand": ("Put one down", "Leg er nu maar eens eentje weg"),
    "a pile": ("On offer", "Wil je deze?"),
    "a tab": ("Assignments", "Aufträge der Klasse"),
    "the words beside a row": ("%(table)d times table", "Einmaleins mit %(table)d"),
}


@pytest.mark.parametrize("place", places(ROOT), ids=lambda place: place.name)
def test_a_text_too_long_for_its_place_is_found(place: Place) -> None:
    english, text = LONG[place.name]
    (fault,) = too_long(english, text, [place])
    assert fault.endswith(f"for {place.name} at most {place.most}")
    assert list(too_long(english, text[: place.most - 2], [place])) == []
    assert list(too_long("Another text", text, [place])) == []


def test_a_text_may_be_longer_for_a_reason() -> None:
    shown = {text for place in places(ROOT) for text in place.texts}
    assert MAY_BE_LONGER.keys() <= shown
    assert list(too_long("triangular numbers", "driehoeksgetallen", places(ROOT))) == []


def test_the_texts_of_a_place_are_found_in_the_sources(tmp_path: Path) -> None:
    code, template = tmp_path / "code.py", tmp_path / "page.html"
    code.write_text('NAMES = [_("One")]\ndef f():\n    return gettext("Two")\ndef g(): _("No")\n')
    assert list(said_in(code, "NAMES", "f")) == ["One", "Two"]
    template.write_text(
        '<b>{% translate "One" %}</b>'
        "<b>{% blocktranslate with n=2 %}Two {{ n }}{% endblocktranslate %}</b>"
    )
    assert list(translated_in(template, "<b>")) == ["One", "Two %(n)s"]


@pytest.mark.parametrize("language", [*LANGUAGES, *TRIALS])
def test_the_head_of_a_catalogue_is_filled_in(language: str) -> None:
    assert list(unfilled(catalogue_in(ROOT, language))) == []


def test_an_empty_head_is_found() -> None:
    new = Catalog(locale="nl", last_translator="FULL NAME <EMAIL@ADDRESS>", language_team="")
    assert list(unfilled(new)) == [
        "PO-Revision-Date is not filled in",
        "Last-Translator is not filled in",
        "Language-Team is not filled in",
    ]


def test_of_a_trial_only_what_is_there_is_asked_for() -> None:
    trial = Catalog(locale="fr")
    trial.add("Take", "Prendre")
    trial.add("Lay")
    trial.add(("%(n)d row", "%(n)d rows"), ("%(n)d suite", ""))
    trial.add("Add", "Ajouter", flags=["fuzzy"])
    assert half(trial) == ["('%(n)d row', '%(n)d rows')"]
    assert {"Lay", "Add"} <= set(missing(trial))
    assert trial_status(trial) == "a trial, 1 of 4 messages translated"


def test_what_children_still_lack_is_listed_with_its_files() -> None:
    trial = Catalog(locale="fr")
    trial.add("Take", "Prendre", locations=[("games/a.py", 0)])
    trial.add("Lay", locations=[("games/a.py", 0)])
    trial.add("Cut", locations=[(CARDS[0], 0)])
    trial.add("Classes", locations=[(GROWN_UP, 0)])
    assert lacking_for_children(trial) == ["Lay  [games/a.py]", f"Cut  [{CARDS[0]}]"]


AMBIGUOUS = {
    *("none", "done", "stuck", "pausing", "playing", "at", "all", "other", "From"),
    *("Open", "Add", "Join", "Link", "Leave", "Keep", "Show"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_of_several_meanings_has_a_context_or_a_comment(language: str) -> None:
    of_words = [each for each in catalogue_in(ROOT, language) if each.id in AMBIGUOUS]
    assert {each.id for each in of_words} == AMBIGUOUS
    assert [each.id for each in of_words if not each.context and not each.auto_comments] == []
