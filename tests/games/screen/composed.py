"""Every composed sentence over the range of its placeholders, in the active language.

The order is the same in each language, so that the texts can be compared.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast, get_args

from classrooms.progress import words as figure_words
from classrooms.progress.child_figures import USUAL_PERIOD
from classrooms.progress.class_report import Freshness
from classrooms.progress.models import Chance
from classrooms.progress.standing_out import OutKind, Outlier
from games.bots.registry import LEVELS
from games.coach.guided_rounds import Advice, guided_ruleset
from games.coach.hints import Hint
from games.coach.refusals import Refusal
from games.coach.rows import MissedRow
from games.coach.statements.contrasts import Contrast, Part
from games.coach.statements.odd_play import Oddity
from games.coach.times_tables import Derivation, RowTable, describe
from games.engine.actions import Claim, Discard, DrawOpen, Knock
from games.engine.cards import JOKERS, LaidCard, card_text, is_joker
from games.engine.play_application import form
from games.engine.ruleset import EDITIONS, Ruleset, edition
from games.engine.table import Line
from games.engine.text.notation import parse_card, parse_play
from games.play.round_story import RoundStory
from games.screen import (
    bot_words,
    guided_words,
    hint_words,
    refusal_words,
    round_end,
    turn_strip,
    words,
)
from tests.games.positions import position


class Composed(NamedTuple):
    """A text with its kind, whether a child reads it, and whether it consists of whole
    sentences."""

    kind: str
    text: str
    child: bool = True
    sentence: bool = True


class Values(SimpleNamespace):
    """A stand-in for a view or a database row, with only what a sentence reads."""

    def __getattr__(self, name: str) -> None:
        return None


SIMPLIFIED, BLOCKS = EDITIONS["simplified"], EDITIONS["blocks"]
FREE: Final = next(each for each in EDITIONS.values() if each.ending == "free")
FAMILIES: Final = edition("simplified", families=["squares", "primes", "triangular"])
RULESETS: Final = (*EDITIONS.values(), FAMILIES)
ROWS: Final = (
    (2, 4, 6),
    (12, 16, 20),
    (24, 48, 72),
    (12, 24, 36, 48),
    tuple(range(7, 71, 7)),
    (13, 26, 39),
    (1, 2, 3),
    (5, 9, 13),
    (3, 14, 25),
    (1, 4, 9),
    (1, 3, 6),
    (2, 3, 5),
    (10, 22, 34),
    (20, 50, 80),
)
COUNTS: Final = (1, 2, 5)
JOKER: Final = JOKERS[0]
LISTS: Final = ((), (24,), (24, 28))


def composed() -> Iterator[Composed]:
    """All of them."""
    for kind, texts, child, sentence in (
        ("row label", _row_labels, True, False),
        ("title of a game", _titles, True, False),
        ("first row", _first_rows, True, True),
        ("hint", _hints, True, True),
        ("refusal", _refusals, True, True),
        ("said by a player", _said, True, True),
        ("missed row", _missed, True, True),
        ("what to do", _to_do, True, True),
        ("guided round", _guided, True, True),
        ("counts at the end", _ends, True, True),
        ("said at the end", _last_words, True, True),
        ("card", _cards, True, False),
        ("what stands out", _out, False, False),
        ("playing oddly", _oddities, False, False),
        ("what became of a row", _became, False, False),
        ("how fresh a report is", _freshness, False, False),
        ("a fact or table asked", _asked, False, False),
    ):
        seen: set[str] = set()
        for text in texts():
            if text:
                seen.add(text)
                yield Composed(kind, text, child, sentence)
        assert seen, kind


def _row_tables() -> Iterator[RowTable]:
    return map(describe, ROWS)


def _row_labels() -> Iterator[str]:
    for ruleset, row in product((SIMPLIFIED, BLOCKS, FAMILIES), _row_tables()):
        yield words.row_label(row, ruleset)


def _titles() -> Iterator[str]:
    for ruleset in RULESETS:
        yield words.title(ruleset)
    for tables in ([7], [3, 4], [2, 5, 10], list(range(2, 13))):
        yield words.tables_title(tables)
        yield words.title(edition("simplified", tables=tables))
    yield words.title(edition("simplified", families=["squares"]))


def _first_rows() -> Iterator[str]:
    for ruleset in RULESETS:
        yield words.first_row(ruleset)
    for tables in ([7], [3, 4], [2, 5, 10]):
        yield words.first_row(edition("simplified", tables=tables))
        yield words.first_row(edition("blocks", tables=tables))


def _line(numbers: Sequence[int]) -> Line:
    return Line.of(LaidCard(number, number) for number in numbers)


def _hints() -> Iterator[str]:
    for ruleset, shown in _shown_hints():
        yield hint_words.hint(shown, ruleset)
    one = Hint(2, 1, None, card=12)
    yield hint_words.hint_notice(one, SIMPLIFIED, too_soon=True).text


def _shown_hints() -> Iterator[tuple[Ruleset, Hint]]:
    takes = ("", "open card", "pile", "any card")
    ways = ("hand", "table", "swap")
    for ruleset, take in product((SIMPLIFIED, BLOCKS, FREE), takes):
        yield ruleset, Hint(1, 0, None, take=take)  # type: ignore[arg-type]
        for way, rows, jokers in product(ways, (1, 2, 5, 6), (0, 1, 2)):
            yield ruleset, Hint(1, rows, None, way, jokers, take=take)  # type: ignore[arg-type]
    for way, card, put_in in product(ways, (12, JOKER), LISTS):
        yield SIMPLIFIED, Hint(2, 1, None, way, card=card, put_in=put_in)  # type: ignore[arg-type]
    used: tuple[dict[str, Any], ...] = (
        {},
        {"crossed": (16,)},
        {"crossed": (16, 20)},
        {"taken": (_line((12, 16, 20)),)},
        {"crossed": (7,), "taken": (_line((12, 16, 20)),)},
    )
    for start, jump, put_in, uses in product((None, 12), (None, 1, 4), LISTS, used):
        yield SIMPLIFIED, Hint(3, 1, None, put_in=put_in, start=start, jump=jump, **uses)
    for ruleset, row, start, uses in product(
        (SIMPLIFIED, FAMILIES), _row_tables(), (None, 12), used
    ):
        if start is not None or row.times_table is not None:
            yield ruleset, Hint(4, 1, None, start=start, row_table=row, **uses)
    for put_in, wild in product(LISTS[1:], LISTS[1:]):
        yield SIMPLIFIED, Hint(5, 1, None, put_in=put_in, wild=wild)
    for way_on, wild in product(_derivations(), LISTS):
        yield SIMPLIFIED, Hint(5, 1, None, derivation=way_on, wild=wild)
    for wild in LISTS:
        yield SIMPLIFIED, Hint(5, 1, None, neighbours=(13, 22), wild=wild)
    for ruleset, row, wild, put_in, uses in product(
        (SIMPLIFIED, BLOCKS, FAMILIES), _row_tables(), LISTS, LISTS, used
    ):
        yield ruleset, Hint(6, 1, None, put_in=put_in, wild=wild, row_table=row, **uses)


def _derivations() -> Iterator[Derivation]:
    for table in (2, 7, 12):
        yield Derivation(6, table, 5, "more", 1)
        yield Derivation(7, table, 5, "more", 2)
        yield Derivation(9, table, 10, "less", 1)
        yield Derivation(8, table, 10, "less", 2)
        yield Derivation(6, table, 3, "double", 0)
        yield Derivation(5, table, 10, "half", 0)


def _refusals() -> Iterator[str]:
    for ruleset, reason in product((SIMPLIFIED, BLOCKS), sorted(refusal_words.REASONS)):
        yield refusal_words.refused(reason, ruleset)
    yield refusal_words.refusal(Refusal("already-crossed", crossed_before=12), SIMPLIFIED)
    for lies in ((12, 16), (12, 16, 20)):
        yield refusal_words.refusal(Refusal("same-island", in_one_row=lies), SIMPLIFIED)
    yield refusal_words.refusal(Refusal("same-island"), SIMPLIFIED)
    rulesets = [
        *RULESETS,
        edition("simplified", tables=[4]),
        edition("simplified", tables=[3, 4, 6]),
        edition("simplified", tables=[4], families=["squares"]),
        edition("simplified", tables=[3, 4], families=["squares", "triangular"]),
    ]
    for ruleset, refused in product(rulesets, _no_rows()):
        yield refusal_words.refusal(refused, ruleset)


def _no_rows() -> Iterator[Refusal]:
    code: Final = "not-a-sequence"
    yield Refusal(code, put_in=24)
    yield Refusal(code, (12, 12, 16), twice=12)
    for jokers in (2, 3):
        yield Refusal(code, jokers=jokers)
        yield Refusal(code, (13,), jokers=jokers)
    for numbers in ((12, 16, 21), (1, 4, 9, 17), (5, 40)):
        jumps = tuple(b - a for a, b in pairwise(numbers))
        yield Refusal(code, numbers, jumps, jokers=1)
    for row, jokers in product(_row_tables(), (1, 2)):
        if row.step is not None:
            jumps = tuple(row.step for _ in row.numbers[1:])
            yield Refusal(code, row.numbers, jumps, even=True, row_table=row, jokers=jokers)
            fewer = row.numbers[:2]
            yield Refusal(code, fewer, (row.step,), even=True, row_table=row, jokers=jokers)
    for jokers in (1, 2):
        yield Refusal(code, (12, 20), (8,), even=True, jokers=jokers)


def _said() -> Iterator[str]:
    for ruleset, card in product((SIMPLIFIED, BLOCKS), (1, 36, JOKER)):
        seen = {"card": card_text(card)}
        shown = parse_card(seen["card"], ruleset)
        actions: tuple[Any, ...] = (DrawOpen(), Claim(), Discard(shown))
        if ruleset.with_pot:
            actions = (Knock(), Discard(shown))
        for action in actions:
            yield words.act(action, seen, ruleset)
    for ruleset, (at, play) in product((SIMPLIFIED, FAMILIES), _plays()):
        laid = [each.number for each in parse_play(play, ruleset).hand]
        line = form(at, parse_play(play, ruleset)).line
        for points in (0, 1, 6):
            seen_of = {"numbers": list(line.numbers), "laid": laid, "points": points}
            yield words.act(parse_play(play, ruleset), seen_of, ruleset)
    for ruleset, cards in product((SIMPLIFIED, edition("classic")), (1, 3)):
        yield words.earned({"points": 6, "laid": range(cards)}, ruleset)
    for swapped, last in product(LISTS, (False, True)):
        yield words.besides({"swapped": list(swapped), "last": last})
    for level in LEVELS:
        yield words.manner(level)
    yield from (str(text) for text in words.PRAISE.values())


def _plays() -> Iterator[tuple[Any, str]]:
    """Positions with a play of each form: of the hand, with a joker, added, across and swapped."""
    yield position("12 16 20"), "12 16 20"
    yield position("7 14 21 28 35 42 49"), "7 14 21 28 35 42 49"
    yield position("12 16 a"), "12 16 a=20"
    yield position("12 a b"), "12 a=16 b=20"
    yield position("24", "12-16-20"), "24 to 12-16-20"
    yield position("a", "12-16-20"), "a=24 to 12-16-20"
    yield position("24 28", "12-16-20"), "24 28 to 12-16-20"
    yield position("15 25", "10-20-30"), "15 25 across 20"
    yield position("28 24", "16-20-a=24"), "a=28 to 16-20-a=24 swap 24 for a"


def _missed() -> Iterator[str]:
    for ruleset, numbers in product((SIMPLIFIED, FAMILIES), ROWS):
        cards = tuple(LaidCard(number, number) for number in numbers)
        for touches, own in ((False, cards), (True, cards[:1]), (True, cards[:2])):
            play = cast(Any, Values(touches_table=touches))
            row = MissedRow(play, describe(numbers), cards, own)
            yield hint_words.missed_panel(row, ruleset).text
            put_down = replace(row, put_down=own[0].card)
            yield hint_words.missed_panel(put_down, ruleset).text


def _to_do() -> Iterator[str]:
    for ruleset, phase, card, passed, number in product(
        RULESETS,
        ("draw", "redraw", "play", "offer", "knock", "wait"),
        (24, JOKER, None),
        ((), (True,)),
        (1, 2),
    ):
        if card is None and phase in ("offer", "knock"):
            continue
        for opens in (True, False):
            view = Values(
                may_act=phase != "wait",
                phase=phase,
                ruleset=ruleset,
                open_top=card,
                passed=passed,
                turn=0,
                seat=int(opens),
                counts=(5, 5),
                round=number,
                turns=(0, 0),
                closed_count=2 - len(passed),
                is_last_pile=bool(passed),
                left=2 * opens,
                position=Values(may_use_table=not opens),
                table=Values(lines=() if opens else (1,)),
            )
            yield turn_strip.to_do(cast(Any, view), ["Dora"])


def _guided() -> Iterator[str]:
    for at, play in _plays():
        parsed = parse_play(play, at.ruleset)
        view = cast(Any, Values(position=at, ruleset=at.ruleset, table=at.table))
        for has_place in (True, False):
            yield guided_words._advise_play(parsed, view, has_place=has_place, chosen=())
        own = [laid.card for laid in parsed.hand]
        if not parsed.touches_table and not any(map(is_joker, own)):
            yield guided_words._advise_play(parsed, view, has_place=False, chosen=own)
    learned = [guided_ruleset(name) for name in ("simplified", "blocks")]
    for card, turns, hand, ruleset in product((24, JOKER), (0, 1), ((24,), (24, 28)), learned):
        view = cast(Any, Values(turns=(turns,), seat=0, hand=hand, ruleset=ruleset))
        yield guided_words._advise_putting_down(Advice("put down", card=card), view)
        for kind in ("take", "answer"):
            say: Callable[[Advice, Any], str] = guided_words._advise_answer
            if kind == "take":
                yield guided_words._advise_taking(Advice("take", card=card), view)
                yield guided_words._advise_taking(Advice("take"), view)
            else:
                yield say(Advice("answer", card=card), view)
                yield say(Advice("answer"), view)
    for card in (24, JOKER):
        yield guided_words._remark_on_lost_card(card)
        yield guided_words._remark_on_taking(card_text(card), SIMPLIFIED)
    for ruleset, lost in product(RULESETS, COUNTS):
        scores = (0, ruleset.start + lost)
        view = cast(Any, Values(ruleset=ruleset, scores=scores, seat=0, round_winner=0))
        yield guided_words._cost_of_bot(view)


def _ends() -> Iterator[str]:
    for rows in ((0, 1), (1, 0), (1, 1), (2, 5)):
        own = [Values(way="laid")] * rows[0] + [Values(way="added")] * rows[1]
        yield round_end._rows_found(cast(Any, own))


def _last_words() -> Iterator[str]:
    crossed = [(1, (), _row((8, 16, 24))), (0, (), _row((14, 34), (24,)))]
    stories = (
        RoundStory((), turns=1),
        RoundStory((), plays=tuple(cast(Any, crossed)), turns=2),
        RoundStory((), plays=tuple(cast(Any, [(1 - s, c, w) for s, c, w in crossed])), turns=2),
        RoundStory((), plays=cast(Any, tuple(crossed[:1])), given=frozenset({16}), turns=2),
        RoundStory((), turns=2),
    )
    for story, winner, face in product(stories, (0, 1, None), bot_words.SOUNDS):
        said = bot_words.last_words(story, 0, 1, winner)
        yield bot_words.in_character(face, said)
    yield bot_words.in_character("owl", words.row_laid(*_a_row_laid()), thanks_for=16)


def _row(laid: tuple[int, ...], crossed: tuple[int, ...] = ()) -> Values:
    return Values(laid=laid, swapped=(), crossed=crossed)


def _a_row_laid() -> tuple[Any, dict[str, Any], Ruleset]:
    seen = {"numbers": [12, 16, 20], "laid": [12, 16, 20], "points": 3}
    return parse_play("12 16 20", SIMPLIFIED), seen, SIMPLIFIED


def _cards() -> Iterator[str]:
    for kind, card, number in product(("plain", "valued", "block"), (1, 36, JOKER), (None, 24)):
        yield words.card_label(card, cast(Any, kind), number)
    for ruleset, count in product((SIMPLIFIED, BLOCKS), (0, *COUNTS)):
        yield words.cards_held(count, ruleset)


def _oddities() -> Iterator[str]:
    kinds = ("tries without a row", "always asks for a hint", "answers far off", "away for weeks")
    for kind, seen in product(kinds, (1, 9, 30)):
        yield figure_words.oddity(Oddity(cast(Any, kind), seen, 30))
    for table, of in product((0, 2, 12), (1, 30)):
        yield figure_words.oddity(Oddity("only one table", of, of, table))


def _out() -> Iterator[str]:
    for apart in (-9.0, 9.0):
        found = Contrast(Part(18, 47), Part(14, 14), apart, 2.0, 30.0)
        for kind, table in product(("change", "apart"), (None, 2, 12)):
            yield figure_words.what_stands_out(Outlier(cast(Any, kind), [], found, table))
    found = Contrast(Part(18, 47), Part(1, 1), -9.0, 2.0, 30.0)
    for table in (2, 12):
        yield figure_words.what_stands_out(Outlier("table", [], found, table))
    yield figure_words.what_stands_out(Outlier("fact", [], found, fact=(6, 8)))
    for kind in get_args(OutKind):
        fact = (6, 8) if kind == "fact" else None
        yield figure_words.how_it_stands_out(Outlier(kind, [], found, fact=fact), USUAL_PERIOD)


def _became() -> Iterator[str]:
    for outcome, n, hint in product(Chance.Outcome.values, COUNTS, (0, 1, 6)):
        chance = Chance(outcome=outcome, first_turn=1, last_turn=n, tries=n, hint_step=hint)
        yield figure_words.what_became(chance)


def _freshness() -> Iterator[str]:
    for waiting, unreadable, rebuilding in product((0, 1, 5), (0, 1, 5), (False, True)):
        yield figure_words.freshness(Freshness(None, waiting, unreadable, rebuilding))


def _asked() -> Iterator[str]:
    for right, table in product((True, False), (0, 2, 12)):
        check = Values(numbers=(12, 16, 20), answer=table, step=4, right=right)
        yield figure_words.named_table(cast(Any, check))
