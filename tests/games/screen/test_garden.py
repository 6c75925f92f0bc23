"""The garden at the end of a match."""

from games.screen.pictures.garden import FEW, MOST, MOST_PETALS, PETALS_OF_OTHERS, WIDTH, garden


def test_without_a_row_there_is_no_garden() -> None:
    assert garden([]) is None


def test_each_row_is_a_flower_with_as_many_petals_as_its_table() -> None:
    grown = garden([7, 2, 10])
    assert grown is not None
    assert [(flower.label, len(flower.petals)) for flower in grown.flowers] == [
        ("2", 2),
        ("7", 7),
        ("10", 10),
    ]


def test_a_row_of_no_table_has_no_number() -> None:
    grown = garden([0, 23])
    assert grown is not None
    assert [(flower.label, len(flower.petals)) for flower in grown.flowers] == [
        ("", PETALS_OF_OTHERS),
        ("23", MOST_PETALS),
    ]


def test_no_flower_stands_outside_the_picture_or_on_another() -> None:
    for number in range(1, MOST + 5):
        grown = garden([7] * number)
        assert grown is not None
        width, height = grown.width, grown.height
        assert len(grown.flowers) == min(number, MOST)
        assert len({(flower.x, flower.y // 88) for flower in grown.flowers}) == len(grown.flowers)
        for flower in grown.flowers:
            assert 22 <= flower.x <= width - 22
            assert 22 <= flower.y <= height - 22


def test_few_flowers_are_twice_as_large() -> None:
    few, more = garden([5] * FEW), garden([5] * (FEW + 1))
    assert few is not None
    assert more is not None
    assert (few.width, more.width) == (WIDTH // 2, WIDTH)
