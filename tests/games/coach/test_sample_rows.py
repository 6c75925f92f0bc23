"""The sample rows agree with the rules that they illustrate."""

from hypothesis import given
from hypothesis import strategies as st

from games.coach.sample_rows import sample, samples
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.sequences import FAMILIES, jump_of
from tests.counts import for_each
from tests.games.rounds import tries

BACK = (None, (0,), (1,), (0, 1))


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Rulesets of every edition with every possible choice of rows."""
    tables = draw(st.none() | st.sets(st.integers(1, 16), min_size=1))
    backs = BACK if tables is None else (None, (0,), (0, 1))
    return edition(
        draw(st.sampled_from(sorted(EDITIONS))),
        tables=tables,
        counts_back_to=draw(st.sampled_from(backs)),
        families=draw(st.sets(st.sampled_from(FAMILIES))),
    )


@tries(40, 1000)
@given(rulesets())
def test_samples_of_legal_rows_are_legal_and_of_refused_rows_refused(ruleset: Ruleset) -> None:
    allowed, refused = samples(ruleset)
    for row_sample in allowed:
        assert row_sample.fault is None
        assert ruleset.sequences.is_valid(row_sample.numbers)
    for row_sample in refused:
        assert row_sample.fault is not None
        assert not ruleset.sequences.is_valid(row_sample.numbers)
    for row_sample in (*allowed, *refused):
        assert 1 <= row_sample.numbers[0] < row_sample.numbers[-1] <= ruleset.highest


@tries(40, 1000)
@given(rulesets())
def test_the_reason_is_the_true_one(ruleset: Ruleset) -> None:
    for row_sample in samples(ruleset)[1]:
        jump, offset = row_sample.row.jump, row_sample.row.offset
        match row_sample.fault:
            case "too short":
                assert len(row_sample.numbers) == 2
            case "unequal":
                assert jump_of(row_sample.numbers) is None
            case "other jump":
                assert ruleset.tables is not None
                assert jump not in ruleset.tables
            case "beside table":
                assert ruleset.tables is not None
                assert jump in ruleset.tables
                assert offset
            case "counts back":
                assert ruleset.counts_back_to is not None
                assert offset not in ruleset.counts_back_to


@tries(40, 1000)
@given(rulesets())
def test_each_agreed_family_and_an_even_row_are_shown(ruleset: Ruleset) -> None:
    allowed, _ = samples(ruleset)
    assert {family for row_sample in allowed for family in row_sample.families} == set(
        ruleset.families
    )
    assert any(row_sample.row.jump for row_sample in allowed)


@for_each(
    [
        ((12, 16, 20), {"tables": (4, 5)}, None),
        ((11, 16, 21), {"tables": (4, 5)}, "beside table"),
        ((10, 30, 50), {"tables": (2, 5, 10)}, "other jump"),
        ((14, 20, 26), {"counts_back_to": (0, 1)}, "counts back"),
        ((11, 16, 21), {"counts_back_to": (0, 1)}, None),
        ((13, 17, 30), {}, "unequal"),
        ((9, 16, 25), {}, "unequal"),
        ((9, 16, 25), {"families": ("squares",)}, None),
        ((12, 16), {}, "too short"),
    ]
)
def test_rows_of_the_rulebook(
    numbers: tuple[int, ...], options: dict[str, object], fault: str | None
) -> None:
    assert sample(numbers, edition("classic", **options)).fault == fault  # type: ignore[arg-type]
