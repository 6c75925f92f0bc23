"""How translations are written: each rule on a planted fault, and on text that keeps it."""

import pytest

from scripts.translations import LANGUAGES
from scripts.wording import AVOIDED, faults, messages

PLANTED = [
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
]


@pytest.mark.parametrize(("language", "english", "text", "about"), PLANTED)
def test_a_planted_fault_is_found(language: str, english: str, text: str, about: str) -> None:
    (fault,) = faults(language, english, text)
    assert about in fault


@pytest.mark.parametrize(
    ("language", "english", "text"),
    [
        ("nl", "No row for me.", "Geen reeks voor mij."),
        ("nl", "Play nmbrs!", "nmbrs! spelen"),
        ("nl", "Three small steps of two minutes.", "Drie kleine stappen van twee minuten."),
        ("de", "Tick groups.", "Kreuzen Sie Gruppen an."),
        ("sv", "Line %(line)d", "Rad %(line)d"),
        ("sv", "At most %(bots)d bots", "Högst %(bots)d bottar"),
        ("de", "Such as 6 × 7.", "Zum Beispiel 6\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}7."),
        ("nl", "<a href='%(url)s'>Back</a>", "<a href='%(url)s'>Terug</a>"),
        ("sv", "Dear parents of %(name)s,", "Hej, du som är förälder till %(name)s!"),
    ],
)
def test_what_keeps_the_rules_has_no_fault(language: str, english: str, text: str) -> None:
    assert list(faults(language, english, text)) == []


def test_each_language_has_words_to_avoid() -> None:
    assert AVOIDED.keys() == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_form_of_each_message_is_read(language: str) -> None:
    read = list(messages(language))
    assert len(read) > 2_000
    assert {"%(n)d bot", "%(n)d bots"} <= {english for english, _ in read}
