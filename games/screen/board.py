"""Prepares a player's view of a game for the templates. Nothing on it reveals hidden cards."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final
from uuid import uuid4

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext

from games.coach.hints import Hint
from games.coach.times_tables import TABLES_TO_10, describe
from games.engine.actions import DrawClosed, DrawOpen, Take
from games.engine.cards import card_text
from games.engine.plays import open_ends
from games.engine.round import OVER, TO_TAKE, View
from games.engine.ruleset import Ruleset
from games.engine.sequences import members
from games.engine.table import Line, Play
from games.engine.text.notation import parse_action
from games.models import Entry, Seat
from games.play import presence
from games.play.log import new_rows
from games.play.news import mark_of
from games.play.posted_move import Need
from games.play.services import Outcome
from games.screen import refusal_words, round_end, turn_strip, words
from games.screen.card_drawing import TableDrawing, face, felt_classes
from games.screen.garden import Garden, garden
from games.screen.guided_words import guide, step_text
from games.screen.hint_pictures import number_line
from games.screen.hint_words import hint_notice, missed_panel
from games.screen.others_steps import (
    Step,
    StepsOfOthers,
    figures_of_steps,
    steps_of_others,
    who_says,
)
from games.screen.player_faces import own_face
from games.screen.view_models import (
    Board,
    Button,
    Felt,
    Guide,
    HandCard,
    HandPanel,
    HandTop,
    Highlights,
    MarketCard,
    Notice,
    Over,
    OwnPlay,
    Piles,
    PlayChoice,
    Player,
    Sentence,
    Sign,
    Speech,
    TableIsland,
    TableOfSeveral,
    TakenCard,
)
from games.screen.words import FAMILY_NAMES, manner, steps_name, table_name


def board(outcome: Outcome, *, chosen: Sequence[str] = (), needs: Need | None = None) -> Board:
    """The board for an outcome. `chosen` has the cards and rows that were chosen, as posted;
    `needs` says what the player still has to choose (`posted_move.PostedMove`)."""
    view, ruleset, game = outcome.view, outcome.view.ruleset, outcome.game
    others = steps_of_others(outcome)
    notice = _notice(outcome, needs)
    over = round_end.end_of_round(outcome) if view.phase in OVER else None
    kept = frozenset(chosen if _stays_chosen(outcome, notice) else ())
    islands = _islands(outcome, others, kept)
    guided = guide(outcome, islands) if game.guided else None
    lit = _highlights(outcome.hint, guided)
    if over is not None:
        islands = tuple(lit_in_order(islands, over, after=len(others.new)))
    players = tuple(_players(outcome, others))
    nearly_used_up = turn_strip.is_nearly_used_up(view)
    last = turn_strip.last_turn(view, nearly_used_up=nearly_used_up)
    goal = None if over else words.goal_of(view)
    speech = _speech(outcome, notice, others, over, guided, players, last)
    if over is None and speech.own_play and speech.own_play.moved:
        islands = tuple(_mark_moved(islands, speech.own_play.moved))
    grows = outcome.is_table and over is None and goal is None
    return Board(
        game_id=game.pk,
        seen=game.version,
        key=uuid4(),
        title=_title(outcome),
        edition=ruleset.edition,
        round=_round_text(outcome),
        my_turn=view.may_act,
        felt=_felt(outcome, tuple(map(lit.light, islands)), guided),
        hand=_hand(outcome, guided, kept, lit),
        players=players,
        piles=_piles(outcome, others.new, lit.move, nearly_used_up=nearly_used_up),
        buttons=_lit_buttons(turn_strip.buttons(outcome), guided),
        answers=_lit_buttons(turn_strip.answers(outcome), guided),
        speech=speech,
        choices=tuple(_choice(play, outcome) for play in outcome.result.choices),
        over=over,
        notes=() if game.one_turn or guided else tuple(words.notes(ruleset)),
        steps=len(others.new),
        figures=figures_of_steps(outcome, others.new),
        counting=_counting(outcome),
        rules=rules_for_the_script(ruleset),
        goal=goal,
        one_turn=game.one_turn,
        is_hand=game.is_hand,
        several=_table_of_several(outcome, players, others) if outcome.is_table else None,
        garden=_garden(outcome, islands, speech.own_play) if grows else None,
    )


# What lies on the table and in the hand


def _islands(
    outcome: Outcome, others: StepsOfOthers, chosen: Collection[str]
) -> tuple[TableIsland, ...]:
    view = outcome.view
    waits = outcome.is_table and view.phase not in OVER
    can_lengthen = view.phase == "play" if view.may_act else waits
    drawing = TableDrawing(
        view.table,
        view.ruleset,
        new=others.cards_laid(outcome.since),
        chosen=chosen,
        ends=open_ends(view.position) if can_lengthen else {},
    )
    return tuple(drawing.islands(outcome.stored.snapshot.layout))


def _mark_moved(islands: Iterable[TableIsland], moved: Collection[str]) -> Iterator[TableIsland]:
    """The islands, where the jokers that the player has just moved are marked."""
    for island in islands:
        cards = [replace(card, own=int(card.face.card in moved)) for card in island.cards]
        yield replace(island, cards=tuple(cards))


def _felt(outcome: Outcome, islands: tuple[TableIsland, ...], guided: Guide | None) -> Felt:
    """The table. An empty one shows an example; in one turn it does not, because that could be the
    row in the hand."""
    size = felt_classes(outcome.stored.snapshot.layout)
    cloth = own_face(outcome.seats[outcome.seat].face).cloth
    if islands:
        return Felt(islands, size, cloth)
    if guided is not None or outcome.game.one_turn:
        row = guided.row if guided else ()
        return Felt((), size, cloth, gettext("Your row will be here."), row)
    ruleset = outcome.view.ruleset
    return Felt((), size, cloth, words.first_row(ruleset), words.example(ruleset))


def _hand(
    outcome: Outcome, guided: Guide | None, chosen: frozenset[str], lit: Highlights
) -> HandPanel:
    view, game = outcome.view, outcome.game
    if guided is not None:
        chosen |= guided.chosen
    ends = outcome.hint is not None and not outcome.hint.rows
    ends |= guided is not None and lit.move == "discard"
    shown = (face(card, view.ruleset) for card in view.hand)
    return HandPanel(
        HandTop(
            turn_strip.strip(view, ends=ends, one_turn=game.one_turn, riddle=bool(game.riddle)),
            " ".join(map(str, view.ruleset.tables or TABLES_TO_10)),
            view.ruleset.with_pot,
        ),
        tuple(HandCard(card, card.value in chosen, card.value in lit.cards) for card in shown),
        dealt=_is_dealt(outcome),
        may_add=view.position.may_use_table,
    )


def _stays_chosen(outcome: Outcome, notice: Notice | None) -> bool:
    """Whether what was chosen stays chosen: after a look, a notice or taking a card."""
    if outcome.since is not None:
        return True
    return notice.kind != "stale" if notice else _has_just_taken(outcome)


def _has_just_taken(outcome: Outcome) -> bool:
    """Whether this move took a card."""
    acts = [entry for entry in outcome.entries if entry.seat is not None]
    if outcome.view.phase != "play" or len(acts) != 1 or acts[0].kind != Entry.Kind.ACT:
        return False
    action = parse_action(acts[0].text, outcome.view.ruleset)
    return isinstance(action, DrawOpen | DrawClosed | Take)


def _is_dealt(outcome: Outcome) -> bool:
    """Whether the hand is new, because the player has not done anything in this round yet."""
    if outcome.view.phase in OVER:
        return False
    new = outcome.since or 0
    return any(entry.kind == Entry.Kind.DEAL and entry.number > new for entry in outcome.entries)


def _piles(outcome: Outcome, steps: Sequence[Step], lit: str, *, nearly_used_up: bool) -> Piles:
    view = outcome.view
    return Piles(
        pot=view.ruleset.with_pot,
        left=view.left,
        open_card=None if view.open_top is None else face(view.open_top, view.ruleset),
        may_draw=view.may_act and view.phase in TO_TAKE,
        asked=view.may_act and view.phase in ("offer", "knock"),
        step=next((step.number for step in reversed(steps) if step.puts_down), 0),
        lit=lit,
        counted=_pile_label(view, nearly_used_up=nearly_used_up),
        market=tuple(_market(outcome, steps, lit)),
    )


def _market(outcome: Outcome, steps: Sequence[Step], lit: str) -> Iterator[MarketCard]:
    """The cards of the market, each with the step of the others' turns that put it there, and the
    card that lay there before."""
    ruleset, laid = outcome.view.ruleset, outcome.view.table.laid
    came = {card: (step, gone) for step in steps for card, gone in step.turned_up}
    for card in outcome.view.market:
        shown, taken = face(card, ruleset), None
        step, gone = came.pop(shown.card, (None, None))
        number = step.number if step else 0
        while step is not None and gone is not None:
            taken = TakenCard(face(gone, ruleset), step.seat, step.number, gone in laid)
            step, gone = came.pop(taken.face.card, (None, None))
        yield MarketCard(shown, number, lit == f"take-{shown.card}", taken)


def _pile_label(view: View, *, nearly_used_up: bool) -> str:
    values = {"n": "{n}"}
    if view.left and nearly_used_up:
        return gettext("Few left")
    if view.ruleset.piles is not None:
        return gettext("Left · %(n)s") % values
    has_pot = view.ruleset.with_pot
    return gettext("Pot · %(n)s") % values if has_pot else gettext("Pile · %(n)s") % values


# What is said


def _speech(
    outcome: Outcome,
    notice: Notice | None,
    others: StepsOfOthers,
    over: Over | None,
    guided: Guide | None,
    players: Sequence[Player],
    last: str,
) -> Speech:
    """What the page says. A screen reader says after the move, unless there is a notice: the
    player's row, the row that they missed, what the others did, and what can be done now."""
    view, own = outcome.view, _own_play(outcome)
    missed = outcome.result.missed if over is None else None
    panel = missed_panel(missed, view.ruleset) if missed else None
    to_do = _to_do(outcome, over, guided, last)
    said = [own.praise, own.earned] if own else []
    said += [panel.text] if panel else []
    for step in others.new:
        who = who_says(outcome.seats[step.seat].name, is_stand_in=step.is_stand_in)
        said.append(words.explained(who, step.full))
    if outcome.is_table:
        said += [
            f"{player.name}: {player.sign.words}"
            for player in players
            if player.sign and not player.you
        ]
    goal = words.goal_of(view)
    if goal and over is None and (own or others.new):
        said += [goal.said, goal.left]
    return Speech(
        to_do=to_do,
        is_known=over is None and guided is None and not last and _is_known(outcome),
        live=notice.text if notice else " ".join(filter(None, (*said, to_do))),
        notice=notice,
        guide=guided,
        own_play=own,
        missed=panel,
    )


def _is_known(outcome: Outcome) -> bool:
    """Whether a player knows without reading what they can do now."""
    view = outcome.view
    is_news = outcome.is_table and (turn_strip.begins(view) or turn_strip.who_left(outcome))
    return not (view.is_reached or is_news) and turn_strip.is_known(view)


def _notice(outcome: Outcome, needs: Need | None) -> Notice | None:
    ruleset, result = outcome.view.ruleset, outcome.result
    if result.stale:
        return Notice("stale", refusal_words.refused("stale", ruleset))
    if result.refusal is not None:
        text = refusal_words.refusal(result.refusal, ruleset)
        shown = result.refusal.code == "not-a-sequence" and result.refusal.twice is None
        row = result.refusal.row_table
        own = result.refusal.numbers
        line = number_line(row.numbers if row else own, own) if shown else None
        return Notice("refusal", text, line)
    if lacks := needs or result.error:
        return Notice("refusal", refusal_words.refused(lacks, ruleset))
    if result.choices:
        asked = gettext("Which row do you mean?")
        if len(result.choices) == 1:
            asked = gettext("Do you mean this row?")
        elif all(play.swaps for play in result.choices):
            asked = gettext("Where does the joker go?")
        return Notice("choices", asked)
    if outcome.hint is not None and not (outcome.hint.rows or outcome.view.may_act):
        return Notice("hint", gettext("No row yet. Wait and see what comes."))
    if outcome.hint is not None:
        return hint_notice(outcome.hint, ruleset, too_soon=result.too_soon)
    return None


def _to_do(outcome: Outcome, over: Over | None, guided: Guide | None, last: str) -> str:
    """What the player can do now, or how the round has ended."""
    if over is not None:
        return over.said
    if outcome.game.one_turn:
        return turn_strip.to_do_in_one_turn(outcome.view, riddle=outcome.game.riddle)
    if guided is not None:
        return guided.text
    to_do = turn_strip.to_do(outcome.view, [seat.name for seat in outcome.seats], last)
    passed_over = sum(entry.data.get("passed over", 0) for entry in outcome.entries)
    if passed_over and last:
        to_do = f"{words.passed_over(passed_over)} {to_do}"
    if outcome.view.is_reached:
        whole = gettext("The bridge is whole!")
        to_do = f"{whole} {to_do}"
    if outcome.is_table:
        return " ".join(_at_table(outcome, to_do))
    return f"{words.filled_up(outcome.result.filled)} {to_do}".lstrip()


def _at_table(outcome: Outcome, to_do: str) -> Iterator[str]:
    """What is said at a table of several players: also whose turn it is."""
    if _had_stand_in(outcome):
        yield gettext("A bot has played for you.")
    yield from turn_strip.who_left(outcome)
    if outcome.result.filled:
        yield words.filled_up(outcome.result.filled)
    if whose := turn_strip.whose_turn(outcome):
        yield whose
        return
    if turn_strip.begins(outcome.view):
        yield gettext("It is your turn!")
    yield to_do


def _had_stand_in(outcome: Outcome) -> bool:
    """Whether a bot has played for the player since their last move."""
    return any(
        entry.seat == outcome.seat and entry.kind == Entry.Kind.STAND_IN
        for entry in outcome.entries
    )


def _own_play(outcome: Outcome) -> OwnPlay | None:
    """The row that the player laid with this move; None if they did not lay one."""
    view = outcome.view
    for entry in outcome.entries:
        if entry.seat == outcome.seat and entry.kind == Entry.Kind.ACT and "laid" in entry.data:
            seen = entry.data
            numbers = " ".join(map(str, seen["numbers"]))
            # In a guided round the coach explains the points; in a riddle only cards count.
            is_plain = not outcome.game.guided and not outcome.game.riddle
            earned = words.earned(seen, view.ruleset) if is_plain else ""
            if is_plain and words.counts_blocks(view.ruleset):
                earned = words.blocks_left(len(seen["laid"]), view.counts[outcome.seat])
            action = parse_action(entry.text, view.ruleset)
            moved = action.moved if isinstance(action, Play) else ()
            return OwnPlay(
                seen["points"],
                numbers,
                words.praise(seen, view.ruleset),
                earned,
                words.jokers_now(moved),
                frozenset(card_text(laid.card) for laid in moved),
            )
    return None


def _round_text(outcome: Outcome) -> str:
    view, ruleset = outcome.view, outcome.view.ruleset
    if outcome.game.guided:
        return step_text(ruleset)
    if outcome.game.one_turn:
        return words.tables_title(ruleset.tables or ())
    values = {"round": view.round, "rounds": ruleset.rounds, "target": ruleset.target}
    if ruleset.rounds is None:
        return gettext("round %(round)d, playing to %(target)d") % values
    return gettext("round %(round)d of %(rounds)d") % values


def _title(outcome: Outcome) -> str:
    if outcome.game.guided:
        return gettext("How to play")
    if outcome.game.riddle:
        return gettext("The riddle of the day")
    if outcome.game.one_turn:
        return gettext("One hand for everybody")
    return words.title(outcome.view.ruleset)


def _choice(play: Play, outcome: Outcome) -> PlayChoice:
    view = outcome.view
    _, line = view.table.with_play(play)
    faces = tuple(
        (face(laid.card, view.ruleset, laid.number), laid in play.hand) for laid in line.cards
    )
    return PlayChoice(str(play), faces, _choice_name(play, line, view.ruleset))


def _choice_name(play: Play, line: Line, ruleset: Ruleset) -> str:
    name = words.row_name(describe(line.numbers), ruleset)
    if play.lines or not play.across:
        return name
    crossed = words.listed([laid.number for laid in play.across])
    return gettext("%(table)s, across %(crossed)s") % {"table": name, "crossed": crossed}


# Who sits there


def _counting(outcome: Outcome) -> str:
    """What the scores count, empty for points."""
    one_turn, ruleset = outcome.game.one_turn, outcome.view.ruleset
    return gettext("Cards laid") if one_turn else words.score_unit(ruleset)


def _players(outcome: Outcome, others: StepsOfOthers) -> Iterator[Player]:
    """The player first, then the others clockwise as they sit. Who has only one turn sees nobody
    else."""
    view, seats = outcome.view, outcome.seats
    points = "" if _counting(outcome) or view.goal is not None else gettext("points")
    for place in range(1 if outcome.game.one_turn else len(seats)):
        seat = seats[(outcome.seat + place) % len(seats)]
        you = seat.number == outcome.seat
        own = [step for step in others.steps if step.seat == seat.number]
        new = [step for step in own if step.number]
        says = tuple(Sentence(step.text, step.number, step.shrugs) for step in new or own)
        name = gettext("You") if you else seat.name
        who = who_says(name, is_stand_in=(new or own)[-1].is_stand_in) if says else name
        introduces = not you and not says and view.round == 1 and not view.turns[seat.number]
        yield Player(
            seat=seat.number,
            name=name,
            face=seat.face,
            you=you,
            score=_figure(view, seat.number),
            count=view.counts[seat.number],
            holds=words.cards_held(view.counts[seat.number], view.ruleset),
            says=(Sentence(manner(seat.bot)),) if introduces and manner(seat.bot) else says,
            turn=view.phase not in OVER and view.turn == seat.number,
            points=points,
            fresh=others.fresh and bool(new or not outcome.is_table),
            introduces=introduces,
            who=gettext("%(who)s:") % {"who": who} if says or introduces else "",
            other=not you and seat.player is not None,
            away=outcome.is_table and seat.player is not None and seat.away is not None,
            sign=_sign(outcome, seat),
        )


def _figure(view: View, seat: int) -> int | None:
    if view.goal is not None:
        return None
    return (view.counts if words.counts_blocks(view.ruleset) else view.scores)[seat]


def _sign(outcome: Outcome, seat: Seat) -> Sign | None:
    """The sign that a player gives the others until their next turn, or only in this one."""
    if not outcome.is_table:
        return None
    name, _, whose = seat.sign.partition(":")
    if name not in presence.signs(outcome.game, outcome.view, seat.number):
        return None
    if seat.sign_turn != presence.turn_of(outcome.view, seat.number):
        return None
    return Sign(name, words.sign(name)) if whose in ("", str(outcome.view.turn)) else None


def _table_of_several(
    outcome: Outcome, players: Sequence[Player], others: StepsOfOthers
) -> TableOfSeveral:
    game, view, seat = outcome.game, outcome.view, outcome.seat
    mark = mark_of(game.pk, seat)
    address = reverse("news", args=[game.pk, seat, mark, 0])
    waited = None if view.may_act else view.to_act
    return TableOfSeveral(
        poll=address.removesuffix("0"),
        news=presence.number_of_news(game, seat, timezone.now()),
        signs=tuple([Sign(name, words.sign(name)) for name in presence.signs(game, view, seat)]),
        may_sign=presence.signs_left(outcome.seats[seat], view) > 0,
        waits_for=next((player.silent for player in players if player.seat == waited), None),
        suits=_sign_that_suits(outcome, others),
    )


def _sign_that_suits(outcome: Outcome, others: StepsOfOthers) -> str:
    """The praise that is due: at the end of a round to all, in it to a player who has just laid a
    row; empty once the player has said it."""
    of_players = [step for step in others.steps if outcome.seats[step.seat].player]
    suits = "well-laid" if any(s.laid and not s.is_stand_in for s in of_players) else ""
    if outcome.view.phase in OVER:
        suits = "good-game"
    said = _sign(outcome, outcome.seats[outcome.seat])
    return "" if said and said.name == suits else suits


def _garden(outcome: Outcome, islands: Iterable[TableIsland], own: OwnPlay | None) -> Garden | None:
    """A flower for each new row of the round, from everyone at the table, as at its end. Those of
    rows that have just changed are marked."""
    laid = own.numbers if own else ""
    rows = [row for island in islands for row in island.rows]
    fresh = [row.numbers.split() for row in rows if row.new or row.numbers == laid]
    tables = [_table_of(numbers) for numbers in new_rows(outcome.game)]
    return garden(tables, marked=[_table_of(map(int, numbers)) for numbers in fresh])


def _table_of(numbers: Iterable[int]) -> int:
    """The times table of a row, 0 for none."""
    return describe(tuple(numbers)).times_table or 0


# What the script of the page knows of the rules


ANY_NUMBER: Final = 0


def rules_for_the_script(ruleset: Ruleset) -> str:
    """The rules as JSON, in the language of the page. In `names`, `{n}` stands for the number of
    the table or the step."""
    return _rules(ruleset, get_language())


@lru_cache(maxsize=256)
def _rules(ruleset: Ruleset, language: str | None) -> str:
    number = str(ANY_NUMBER)
    names: dict[str, str] = {family: str(FAMILY_NAMES[family]) for family in ruleset.families}
    names["table"] = table_name(ANY_NUMBER).replace(number, "{n}")
    names["steps"] = steps_name(ANY_NUMBER).replace(number, "{n}")
    names["neighbours"] = steps_name(1)
    rules = {
        "highest": ruleset.highest,
        "back": ruleset.counts_back_to,
        "tables": ruleset.tables,
        "families": {name: members(name, ruleset.highest) for name in ruleset.families},
        "keep": 0 if ruleset.may_empty_hand else 1,
        "names": names,
    }
    return json.dumps(rules, separators=(",", ":"), ensure_ascii=False)


# What lights up: what a hint or the coach of a guided round points at, and when a round is over,
# play by play, what the player laid


MOST_STEPS: Final = 31
"""The number of steps that the styles have: more than anybody lays."""


def _highlights(hint: Hint | None, guided: Guide | None) -> Highlights:
    if guided is not None:
        return guided.highlights
    if hint is None:
        return Highlights()
    take = {"open card": "draw-open", "pile": "draw-closed"}.get(hint.take, "")
    return Highlights(
        cards=frozenset(map(card_text, hint.lit)),
        on_table=frozenset(map(card_text, hint.on_table)),
        move=take if hint.market is None else f"take-{card_text(hint.market)}",
    )


def _lit_buttons(buttons: Iterable[Button], guided: Guide | None) -> tuple[Button, ...]:
    if guided is None:
        return tuple(buttons)
    return tuple([replace(button, lit=button.move == guided.highlights.move) for button in buttons])


def lit_in_order(islands: Iterable[TableIsland], end: Over, after: int) -> Iterator[TableIsland]:
    """The islands of an ended round. What the player laid lights up, play by play, after this many
    steps of the others."""
    laid = list(enumerate(end.laid, start=after + 1))
    steps_of = {card: min(at, MOST_STEPS) for at, (_, cards) in laid for card in cards}
    for island in islands:
        rows = []
        for row in island.rows:
            there = set(map(int, row.numbers.split()))
            steps = [at for at, (numbers, _) in laid if there.issuperset(numbers)]
            rows.append(replace(row, own=min(max(steps, default=0), MOST_STEPS)))
        lit = [replace(card, own=steps_of.get(card.face.card, 0)) for card in island.cards]
        yield replace(island, cards=tuple(lit), rows=tuple(rows))
