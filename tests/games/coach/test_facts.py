from games.coach.facts import derive, fact, facts_of


def test_a_fact_is_the_same_in_either_order() -> None:
    assert fact(8, 6) == fact(6, 8) == (6, 8)


def test_two_to_twelve_have_66_facts() -> None:
    assert len(facts_of(range(2, 13))) == 66


def test_the_facts_of_a_table_are_twice_to_ten_times_it() -> None:
    assert facts_of([7]) == [(n, 7) for n in range(2, 8)] + [(7, 8), (7, 9), (7, 10)]


def test_the_table_of_one_has_no_facts_to_learn() -> None:
    assert facts_of([1]) == []


def way_to(times: int, table: int, *secure: tuple[int, int]) -> tuple[int, str, int]:
    way = derive(times, table, set(secure))
    assert way.times * way.table == times * table
    return way.known, way.way, way.steps


def test_one_table_more_than_a_fact_that_the_child_knows() -> None:
    assert way_to(6, 6, (5, 6)) == (5, "more", 1)


def test_a_secure_fact_comes_before_a_stepping_stone() -> None:
    assert way_to(6, 8, (7, 8), (4, 9)) == (7, "less", 1)


def test_one_table_is_nearer_than_doubling_and_doubling_nearer_than_two() -> None:
    assert way_to(8, 7, (4, 7), (6, 7)) == (4, "double", 0)
    assert way_to(8, 7, (4, 7), (7, 9), (7, 7)) == (7, "more", 1)


def test_without_secure_facts_the_way_begins_at_what_all_learn_first() -> None:
    assert way_to(9, 7) == (10, "less", 1)
    assert way_to(4, 7) == (5, "less", 1)
    assert way_to(3, 7) == (2, "more", 1)
    assert way_to(5, 7) == (10, "half", 0)
    assert way_to(2, 7) == (1, "more", 1)


def test_the_fact_itself_is_no_way_to_it() -> None:
    assert way_to(5, 6, (5, 6))[0] != 5


def test_every_fact_has_a_way() -> None:
    for table in range(2, 13):
        for times in range(1, 13):
            way = derive(times, table, ())
            moved = {"more": way.steps, "less": -way.steps, "double": way.known, "half": -times}[
                way.way
            ]
            assert way.known + moved == times, (times, table)
