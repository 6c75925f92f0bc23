"""Prepares a player's view of a game for the templates. A board reveals no hidden card."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final
from uuid import uuid4

from django.utils.translation import gettext

from games.coach.hints import Hint
from games.coach.times_tables import TABLES_TO_10
from games.engine.actions import DrawClosed, DrawOpen, Take
from games.engine.cards import Card, card_text
from games.engine.plays import open_ends
from games.engine.round import DRAW_PHASES, OVER_PHASES, ROUND_OVER
from games.engine.ruleset import Ruleset
from games.engine.sequences import family_numbers
from games.engine.text.notation import parse_action
from games.engine.text.record import EntryKind
from games.engine.view import View
from games.play.posted_move import MissingChoice
from games.play.services import Outcome
from games.screen import turn_strip, words
from games.screen.card_drawing import TableDrawing, face, felt_classes
from games.screen.guided_words import guide_of
from games.screen.others_steps import (
    Step,
    StepsOfOthers,
    counts_of_steps,
    speaker_of,
    steps_of_others,
)
from games.screen.player_faces import own_face
from games.screen.round_end import end_of_round
from games.screen.several import garden_of_table, sign_of, table_of_several
from games.screen.speech import choice_of, notice_of, round_text, speech_of, title_of
from games.screen.turn_strip import EndNotice
from games.screen.view_models import (
    Board,
    Button,
    Felt,
    Guide,
    HandCard,
    HandPanel,
    HandTop,
    Highlights,
    Notice,
    OpenCard,
    Piles,
    Player,
    RoundEnd,
    TableIsland,
    TakenCard,
)
from games.screen.words import FAMILY_NAMES, jumps_name, table_name


def board(
    outcome: Outcome, *, taps: Sequence[str] = (), missing_choice: MissingChoice | None = None
) -> Board:
    """The board for an outcome. `taps` has the posted values of the chosen cards and rows.
    `missing_choice` is what the player still has to choose (`posted_move.PostedMove`)."""
    view, ruleset, game = outcome.view, outcome.view.ruleset, outcome.game
    others = steps_of_others(outcome)
    notice = notice_of(outcome, missing_choice)
    round_end = end_of_round(outcome) if view.phase in OVER_PHASES else None
    still_chosen = frozenset(taps if _keeps_choice(outcome, notice) else ())
    islands = _islands(outcome, others, still_chosen)
    guide = guide_of(outcome, islands) if game.is_guided else None
    highlights = _highlights(outcome.hint, guide, view.market)
    players = tuple(_players(outcome, others))
    end_notice = turn_strip.notice_of_end(view, of_table=outcome.has_several_players)
    speech = speech_of(outcome, notice, others, round_end, guide, players, end_notice)
    if round_end is not None:
        islands = tuple(light_plays_in_order(islands, round_end, after=len(others.new_steps)))
    elif speech.own_play and speech.own_play.moved_jokers:
        islands = tuple(_mark_moved_jokers(islands, speech.own_play.moved_jokers))
    return Board(
        game_id=game.pk,
        version=game.version,
        key=uuid4(),
        title=title_of(outcome),
        edition=ruleset.edition,
        round=round_text(outcome),
        is_my_turn=view.may_act,
        felt=_felt(outcome, tuple(map(highlights.light, islands)), guide),
        hand=_hand(outcome, guide, still_chosen, highlights, end_notice),
        players=players,
        piles=_piles(outcome, others.new_steps, highlights.move, end_notice),
        buttons=_light(turn_strip.buttons(outcome), highlights.move),
        answers=_light(turn_strip.answers(outcome), highlights.move),
        speech=speech,
        choices=tuple(choice_of(play, outcome) for play in outcome.result.choices),
        over=round_end,
        notes=() if game.has_one_turn or guide else tuple(words.special_rules(ruleset)),
        steps=len(others.new_steps),
        step_counts=counts_of_steps(outcome, others.new_steps),
        score_unit=_score_unit(outcome),
        rules=rules_for_the_script(ruleset),
        goal=end_notice.goal,
        has_one_turn=game.has_one_turn,
        is_hand=game.is_hand,
        several=table_of_several(outcome, players, others),
        garden=garden_of_table(outcome, islands, speech.own_play),
    )


def _islands(
    outcome: Outcome, others: StepsOfOthers, taps: Collection[str]
) -> tuple[TableIsland, ...]:
    view = outcome.view
    waits = outcome.has_several_players and view.phase not in OVER_PHASES
    can_lengthen = view.phase == "play" if view.may_act else waits
    drawing = TableDrawing(
        view.table,
        view.ruleset,
        laid_at=others.cards_laid(outcome.since),
        taps=taps,
        ends=open_ends(view.position) if can_lengthen else {},
    )
    return tuple(drawing.islands(outcome.snapshot.layout))


def _mark_moved_jokers(
    islands: Iterable[TableIsland], jokers: Collection[str]
) -> Iterator[TableIsland]:
    """Mark the jokers that the player has just moved."""
    for island in islands:
        cards = [
            replace(card, lights_at_step=int(card.face.card in jokers)) for card in island.cards
        ]
        yield replace(island, cards=tuple(cards))


def _felt(outcome: Outcome, islands: tuple[TableIsland, ...], guide: Guide | None) -> Felt:
    """The table. An empty table shows an example of a row, except in a game of one turn, where the
    example could be the row in the hand."""
    size = felt_classes(outcome.snapshot.layout)
    cloth = own_face(outcome.own_seat.face).cloth
    if islands:
        return Felt(islands, size, cloth)
    if guide is not None or outcome.game.has_one_turn:
        row = guide.row if guide else ()
        return Felt((), size, cloth, gettext("Your row will be here."), row)
    ruleset = outcome.view.ruleset
    return Felt((), size, cloth, words.first_row(ruleset), words.example(ruleset))


def _hand(
    outcome: Outcome,
    guide: Guide | None,
    taps: frozenset[str],
    highlights: Highlights,
    end_notice: EndNotice,
) -> HandPanel:
    view, game = outcome.view, outcome.game
    count_left = 0 if game.has_one_turn else end_notice.own_turns
    if guide is not None:
        taps |= guide.chosen_cards
    has_no_row = outcome.hint is not None and not outcome.hint.row_count
    is_nearly_done = has_no_row or (guide is not None and highlights.move == "discard")
    faces = (face(card, view.ruleset) for card in view.hand)
    new_cards = set(map(card_text, outcome.result.cards_refilled))
    return HandPanel(
        HandTop(
            turn_strip.strip(
                view,
                only_last_is_left=is_nearly_done,
                has_one_turn=game.has_one_turn,
                riddle=bool(game.riddle_cards),
            ),
            tuple(view.ruleset.tables or TABLES_TO_10),
            view.ruleset.has_pot,
            words.turns_left_text(count_left) if count_left else "",
        ),
        tuple(
            HandCard(
                card, card.value in taps, card.value in highlights.cards, card.card in new_cards
            )
            for card in faces
        ),
        is_dealt=_is_dealt(outcome),
        may_add=view.position.may_use_table,
    )


def _keeps_choice(outcome: Outcome, notice: Notice | None) -> bool:
    """Whether the chosen cards and rows stay chosen: after a look, a notice or taking a card."""
    if outcome.since is not None:
        return True
    if notice is not None:
        return notice.kind != "stale"
    acts = [entry for entry in outcome.entries if entry.seat is not None]
    if outcome.view.phase != "play" or len(acts) != 1 or acts[0].kind != EntryKind.ACT:
        return False
    return isinstance(
        parse_action(acts[0].text, outcome.view.ruleset), DrawOpen | DrawClosed | Take
    )


def _is_dealt(outcome: Outcome) -> bool:
    """Whether the hand has been dealt since the player's last move."""
    if outcome.view.phase in OVER_PHASES:
        return False
    since = outcome.since or 0
    return any(entry.kind == EntryKind.DEAL and entry.number > since for entry in outcome.entries)


def _piles(outcome: Outcome, steps: Sequence[Step], pile: str, end_notice: EndNotice) -> Piles:
    view, card = outcome.view, outcome.view.open_top
    step = next((step.number for step in reversed(steps) if step.puts_down), 0)
    is_lit = pile == "draw-open"
    return Piles(
        has_pot=view.ruleset.has_pot,
        cards_to_come=view.cards_to_come,
        open_card=None if card is None else OpenCard(face(card, view.ruleset), step, is_lit),
        may_draw=view.may_act and view.phase in DRAW_PHASES,
        is_offered=view.may_act and view.phase in ("offer", "knock"),
        lit_pile=pile,
        label_with_n=_pile_label(view, nearly_used_up=end_notice.is_nearly_used_up),
        market=tuple(_market(outcome, steps, pile)),
    )


def _market(outcome: Outcome, steps: Sequence[Step], lit_pile: str) -> Iterator[OpenCard]:
    """The cards of the market. Each has the step of the others' turns that put it there, and the
    card that lay in its place before."""
    ruleset, laid_cards = outcome.view.ruleset, outcome.view.table.laid_cards
    arrivals = {card: (step, before) for step in steps for card, before in step.turned_up}
    for card in outcome.view.market:
        card_face, leaver = face(card, ruleset), None
        step, before = arrivals.pop(card_face.card, (None, None))
        number = step.number if step else 0
        while step is not None and before is not None:
            leaver = TakenCard(face(before, ruleset), step.seat, step.number, before in laid_cards)
            step, before = arrivals.pop(leaver.face.card, (None, None))
        yield OpenCard(card_face, number, lit_pile == f"take-{card_face.card}", leaver)


def _pile_label(view: View, *, nearly_used_up: bool) -> str:
    values = {"n": "{n}"}
    if view.cards_to_come and nearly_used_up:
        return gettext("Few left")
    if view.ruleset.piles is not None:
        return gettext("Left · %(n)s") % values
    # A pile without a limit is filled again from the open pile, so its number says nothing.
    return gettext("Pot · %(n)s") % values if view.ruleset.has_pot else gettext("Pile")


def _score_unit(outcome: Outcome) -> str:
    """The unit of the scores; empty for points."""
    has_one_turn, ruleset = outcome.game.has_one_turn, outcome.view.ruleset
    return gettext("Cards laid") if has_one_turn else words.score_unit(ruleset)


def _players(outcome: Outcome, others: StepsOfOthers) -> Iterator[Player]:
    """The player who looks, then the others clockwise. A player with only one turn sees nobody
    else."""
    view, seats = outcome.view, outcome.seats
    points = "" if _score_unit(outcome) or view.goal is not None else gettext("points")
    for place in range(1 if outcome.game.has_one_turn else len(seats)):
        seat = seats[(outcome.seat_number + place) % len(seats)]
        is_viewer = seat.number == outcome.seat_number
        own_steps = [step for step in others.steps if step.seat == seat.number]
        latest = [step for step in own_steps if step.number]
        steps = latest or own_steps
        speaker = speaker_of(outcome, steps[-1]) if steps else ""
        yield Player(
            seat=seat.number,
            name=gettext("You") if is_viewer else seat.name,
            face=seat.face,
            is_viewer=is_viewer,
            score=_shown_score(view, seat.number),
            count=view.hand_sizes[seat.number],
            cards_text=words.cards_held(view.hand_sizes[seat.number], view.ruleset),
            steps=tuple(steps),
            is_at_turn=view.phase not in OVER_PHASES and view.turn == seat.number,
            points=points,
            says_now=others.are_new and bool(latest or not outcome.has_several_players),
            speaks_last=bool(own_steps) and own_steps[-1] == others.steps[-1],
            is_spoken_for=bool(steps) and steps[-1].is_stand_in,
            speaker=gettext("%(who)s:") % {"who": speaker} if speaker else "",
            is_other_player=not is_viewer and seat.player is not None,
            has_stand_in=bool(outcome.has_several_players and seat.player and seat.away_since),
            is_ready=view.phase == ROUND_OVER and seat.answered_at is not None,
            sign=sign_of(outcome, seat),
        )


def _shown_score(view: View, seat: int) -> int | None:
    if view.goal is not None:
        return None
    return (view.hand_sizes if words.counts_blocks(view.ruleset) else view.scores)[seat]


ANY_NUMBER: Final = 0


def rules_for_the_script(ruleset: Ruleset) -> str:
    """The rules as JSON, in the language of the page. In `names`, `{n}` stands for the number of
    the table or the step."""
    number = str(ANY_NUMBER)
    names: dict[str, str] = {family: str(FAMILY_NAMES[family]) for family in ruleset.families}
    names["table"] = table_name(ANY_NUMBER).replace(number, "{n}")
    names["steps"] = jumps_name(ANY_NUMBER).replace(number, "{n}")
    names["neighbours"] = jumps_name(1)
    rules = {
        "highest": ruleset.highest,
        "back": ruleset.counts_back_to,
        "tables": ruleset.tables,
        "families": {name: family_numbers(name, ruleset.highest) for name in ruleset.families},
        "keep": 0 if ruleset.may_empty_hand else 1,
        "names": names,
    }
    return json.dumps(rules, separators=(",", ":"), ensure_ascii=False)


MOST_STEPS: Final = 31
"""The most steps that the styles can show: more than the rows that a player lays in a round."""


def _highlights(hint: Hint | None, guide: Guide | None, market: Sequence[Card]) -> Highlights:
    if guide is not None:
        return guide.highlights
    if hint is None:
        return Highlights()
    move = {"open card": "draw-open", "pile": "draw-closed"}.get(hint.take, "")
    if hint.open_card is not None and hint.open_card in market:
        move = f"take-{card_text(hint.open_card)}"
    return Highlights(
        cards=frozenset(map(card_text, hint.lit_in_hand)),
        on_table=frozenset(map(card_text, hint.lit_on_table)),
        move=move,
    )


def _light(buttons: Iterable[Button], move: str) -> tuple[Button, ...]:
    return tuple([replace(button, is_lit=button.move == move) for button in buttons])


def light_plays_in_order(
    islands: Iterable[TableIsland], end: RoundEnd, after: int
) -> Iterator[TableIsland]:
    """Highlight the player's plays one by one on the islands of an ended round. `after` is the
    number of steps of the others, which come first."""
    plays = list(enumerate(end.plays, start=after + 1))
    steps_of = {card: min(step, MOST_STEPS) for step, (_, cards) in plays for card in cards}
    for island in islands:
        rows = []
        for row in island.rows:
            steps = [step for step, (numbers, _) in plays if {*row.numbers}.issuperset(numbers)]
            rows.append(replace(row, lights_at_step=min(max(steps, default=0), MOST_STEPS)))
        lit = [
            replace(card, lights_at_step=steps_of.get(card.face.card, 0)) for card in island.cards
        ]
        yield replace(island, cards=tuple(lit), rows=tuple(rows))
