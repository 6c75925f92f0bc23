"""The pages of rules and the help in a game, with their pictures."""

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.ruleset import EDITIONS, edition
from games.screen.help_pages import EXAMPLES, example, playing_help, rules_page
from games.screen.view_models import TableCard
from tests.classrooms.people import text_on


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_example_is_a_play_of_the_edition_and_drawn(name: str, kind: str) -> None:
    drawing = example(kind, EDITIONS[name])  # type: ignore[arg-type]
    assert drawing.hand
    places = [card.place for card in drawing.after.cards]
    assert len(places) == len(set(places))
    new = [card for card in drawing.after.cards if card.laid_at_step]
    assert new
    assert len(drawing.after.cards) > len(drawing.before.cards if drawing.before else ())


def test_only_the_laid_cards_are_marked() -> None:
    drawing = example("insert", EDITIONS["simplified"])
    assert [card.face.number for card in drawing.after.cards if card.laid_at_step] == ["15", "25"]
    assert [row.numbers for row in drawing.after.rows] == [(10, 15, 20, 25, 30)]


def place(card: TableCard) -> tuple[str, str]:
    column, row = card.place.split()
    return column, row


@pytest.mark.parametrize("name", EDITIONS)
def test_the_page_of_each_edition_says_what_differs(name: str) -> None:
    ruleset = EDITIONS[name]
    page = rules_page(ruleset)
    text = " ".join((*page.goal, *page.turn, *page.rows, *page.end))
    assert ("pot" in text) == ruleset.has_pot
    assert ("card" in text) != ruleset.has_pot
    assert ("knock" in text) == (ruleset.drawing == "knock")
    assert ("youngest" in text) == (ruleset.drawing == "youngest first")
    assert ("penalty" in text) == (ruleset.scoring == "penalty")
    assert ("0 or 1" in text) == (ruleset.counts_back_to == (0, 1))
    assert ("first row of a round" in text) == ruleset.opening


def test_everyone_may_read_the_rules(client: Client, db: None) -> None:
    answer = client.get(reverse("rules", args=["blocks"]))
    assert answer.status_code == 200
    assert text_on(answer).count('class="drawn"') == len(EXAMPLES) * 2 - 2
    assert client.get(reverse("rules", args=["poker"])).status_code == 404


def test_the_rules_of_a_game_are_those_it_is_played_by() -> None:
    ruleset = edition("simplified", tables=(2, 5, 10), offers=False, market=3, refill=True, piles=2)
    page = rules_page(ruleset, is_game=True)
    text = " ".join((*page.turn, *page.rows, *page.end))
    assert "2, 5 or 10 times table" in text
    for untrue in ("still a row", "the others may take it", "Your teacher can choose", "4 times"):
        assert untrue not in text
    assert "any open one" in text
    assert "filled up" in text
    assert "become a new pile 1 time" in text
    assert "someone has no cards left" not in text
    assert "Whoever earned most" in text
    assert "cost nothing" in text
    assert "lose 1 point" not in text
    until = edition("simplified", tables=(2, 5, 10), piles=1, most_rows=10)
    end = " ".join(rules_page(until, is_game=True).end)
    assert "When the pile is empty, the round is over." in end
    assert "10 rows lie on the table" in end
    assert "someone has no cards left" in end


@pytest.mark.parametrize("tables", [(2, 5, 10), (3, 4, 6), (7,), (6, 7, 8, 9)])
def test_each_example_of_a_game_is_legal_in_it(tables: tuple[int, ...]) -> None:
    ruleset = edition("simplified", tables=tables)
    page = rules_page(ruleset, is_game=True)
    rows = {row.numbers for play in page.plays for row in play.example.after.rows}
    assert len(page.plays) >= 4
    for numbers in rows:
        assert numbers[1] - numbers[0] in tables


TABLES = ((2, 5, 10), (3, 4), (7,), (16,), tuple(range(2, 11)))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("tables", TABLES)
def test_pictures_have_rows_of_practised_tables(edition: str, tables: tuple[int, ...]) -> None:
    for item in playing_help(edition, tables):
        for row in item.drawing.rows if item.drawing else ():
            numbers = row.numbers
            assert numbers[1] - numbers[0] in tables
            assert numbers[0] % (numbers[1] - numbers[0]) == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_pictures_of_plays_mark_the_laid_cards(edition: str) -> None:
    drawings = {item.moment: item.drawing for item in playing_help(edition, (2, 5, 10))}
    for moment in ("lay", "add", "cross", "swap"):
        picture = drawings[moment]
        assert any(card.laid_at_step for card in picture.cards)


def test_editions_with_a_pot_do_not_speak_of_piles() -> None:
    assert "take" in [item.moment for item in playing_help("classic", (2, 5, 10))]
    assert "take" not in [item.moment for item in playing_help("blocks", (2, 5, 10))]
