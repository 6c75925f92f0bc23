"""Number lines: where everything is placed."""

from games.screen.pictures.number_line import number_line


def test_numbers_stand_as_far_apart_as_they_are() -> None:
    line = number_line((10, 20, 40))
    assert line is not None
    first, second, third = (point.x for point in line.points)
    assert abs((third - second) - 2 * (second - first)) <= 2
    assert [jump.label for jump in line.jumps] == ["+10", "+20"]


def test_labels_that_have_room_stand_at_one_height() -> None:
    line = number_line((35, 40, 45))
    assert line is not None
    assert len({point.y for point in line.points}) == 1
    assert not line.close


def test_labels_that_are_too_close_take_turns_and_all_lie_in_the_picture() -> None:
    line = number_line((2, 4, 6, 50))
    assert line is not None
    first, second, third, _ = (point.y for point in line.points)
    assert first == third != second
    _, top, width, height = map(int, line.box.split())
    assert all(top <= point.y <= top + height and 0 <= point.x <= width for point in line.points)
    assert all(top < jump.y for jump in line.jumps)


def test_a_jump_too_narrow_for_its_label_has_none() -> None:
    line = number_line((1, 2, 100))
    assert line is not None
    assert [jump.label for jump in line.jumps] == ["", "+98"]


def test_one_number_alone_makes_no_line() -> None:
    assert number_line((5,)) is None
