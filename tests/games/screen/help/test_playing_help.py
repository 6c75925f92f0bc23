"""The help on a game's page: pictures of plays that the rules of this game allow."""

import pytest

from games.engine.ruleset import EDITIONS
from games.screen.help.playing_help import playing_help

TABLES = ((2, 5, 10), (3, 4), (7,), (16,), tuple(range(2, 11)))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("tables", TABLES)
def test_each_row_in_the_pictures_is_of_a_table_that_is_practised(
    edition: str, tables: tuple[int, ...]
) -> None:
    for item in playing_help(edition, tables):
        for row in item.drawn.rows if item.drawn else ():
            numbers = [int(number) for number in row.numbers.split()]
            assert numbers[1] - numbers[0] in tables
            assert numbers[0] % (numbers[1] - numbers[0]) == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_plays_of_a_turn_have_a_picture_with_the_laid_cards_marked(edition: str) -> None:
    drawn = {item.moment: item.drawn for item in playing_help(edition, (2, 5, 10))}
    for moment in ("lay", "add", "cross", "swap"):
        picture = drawn[moment]
        assert picture is not None
        assert any(card.new for card in picture.cards)


def test_in_editions_with_a_pot_nobody_takes_from_a_pile() -> None:
    assert "take" in [item.moment for item in playing_help("classic", (2, 5, 10))]
    assert "take" not in [item.moment for item in playing_help("blocks", (2, 5, 10))]
