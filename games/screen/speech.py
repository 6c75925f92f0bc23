"""The words of a game's page: the title, a notice, the next thing to do, and the text for a screen
reader."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext

from games.coach.times_tables import row_table_of
from games.engine.cards import card_text
from games.engine.play_application import make_play
from games.engine.ruleset import Ruleset
from games.engine.table import Line, Play
from games.engine.text.notation import parse_play
from games.engine.text.record import EntryKind
from games.play import presence
from games.play.posted_move import MissingChoice
from games.play.services import Outcome
from games.screen import refusal_words, turn_strip, words
from games.screen.card_drawing import face
from games.screen.guided_words import praise_in_first_step, step_text
from games.screen.hint_pictures import number_line
from games.screen.hint_words import hint_notice, missed_panel
from games.screen.others_steps import StepsOfOthers, speaker_of
from games.screen.turn_strip import EndNotice
from games.screen.view_models import Guide, Notice, OwnPlay, PlayChoice, Player, RoundEnd, Speech


def speech_of(
    outcome: Outcome,
    notice: Notice | None,
    others: StepsOfOthers,
    over: RoundEnd | None,
    guide: Guide | None,
    players: Sequence[Player],
    end_notice: EndNotice,
) -> Speech:
    """The page's words to the player. After a move, a screen reader says the notice. If there is
    none, it says the player's row, the row that they missed, the steps of the others, and the next
    thing to do."""
    own_play = _own_play(outcome)
    missed_row = outcome.result.missed_row if over is None else None
    panel = missed_panel(missed_row, outcome.view.ruleset) if missed_row else None
    warning, goal = end_notice.warning, end_notice.goal
    view, exchanged = outcome.view, outcome.result.cards_exchanged
    laid = own_play is not None and not outcome.game.has_one_turn
    is_known = not (over or guide or warning) and turn_strip.is_next_step_known(view, laid=laid)
    to_do = _to_do(outcome, over, guide, warning, is_known=is_known)
    refill = words.refill_text(outcome.result.cards_refilled, exchanged)
    # After two turns, the page shows by motion alone that a hand is filled up.
    is_first = view.round == 1 and view.turns[view.seat] <= 2
    hand_news = "" if over else words.exchange_text(exchanged) or (refill if is_first else "")
    # The coach of a guided round says both.
    sentences = [own_play.praise, own_play.earned] if own_play and not guide else []
    sentences += [panel.text] if panel else []
    for step in others.new_steps:
        sentences.append(words.with_explanation(speaker_of(outcome, step), step.full_text))
    signs = [(other.name, other.sign) for other in players if other.sign and not other.is_viewer]
    sentences += [f"{name}: {sign.words}" for name, sign in signs]
    sentences += [refill]
    if goal and (own_play or others.new_steps):
        sentences += [goal.spoken, goal.turns_left_text]
    return Speech(
        to_do=words.joined(hand_news, to_do),
        is_short=is_known and not hand_news,
        live=notice.text if notice else words.joined(*sentences, to_do),
        notice=notice,
        guide=guide,
        own_play=own_play,
        missed=panel,
    )


def notice_of(outcome: Outcome, missing_choice: MissingChoice | None) -> Notice | None:
    ruleset, result = outcome.view.ruleset, outcome.result
    if result.is_stale:
        return Notice("stale", refusal_words.reason_text("stale"))
    if refusal := result.refusal:
        row, numbers = refusal.row_table, refusal.numbers
        has_line = refusal.code == "not-a-sequence" and refusal.repeated_number is None
        line = number_line(row.numbers if row else numbers, numbers) if has_line else None
        return Notice("refusal", refusal_words.refusal_text(refusal, ruleset), line)
    if reason := missing_choice or result.error:
        return Notice("refusal", refusal_words.reason_text(reason))
    if result.choices:
        question = gettext("Which row do you mean?")
        if len(result.choices) == 1:
            question = gettext("Do you mean this row?")
        elif all(play.swaps for play in result.choices):
            question = gettext("The joker stays on the table. Where does it go?")
        return Notice("choices", question)
    if outcome.hint is not None and not (outcome.hint.row_count or outcome.view.may_act):
        return Notice("hint", gettext("No row yet. Wait and see what comes."))
    if outcome.hint is not None:
        return hint_notice(outcome.hint, ruleset, is_too_soon=result.is_too_soon)
    return None


def _to_do(
    outcome: Outcome, over: RoundEnd | None, guide: Guide | None, warning: str, *, is_known: bool
) -> str:
    """The next thing to do, or the end of the round, in sentences."""
    if over is not None:
        return over.spoken
    if outcome.game.has_one_turn:
        return turn_strip.to_do_in_one_turn(outcome.view, riddle=outcome.game.riddle_cards)
    if guide is not None:
        return guide.text
    names, has_hints = [seat.name for seat in outcome.seats], outcome.own_seat.most_hint_steps > 0
    to_do = turn_strip.to_do(outcome.view, names, warning, has_hints=has_hints)
    if is_known:
        to_do = turn_strip.to_do_if_known(outcome.view)
    if outcome.has_several_players:
        return " ".join(_sentences_at_table(outcome, to_do, warning))
    return to_do


def _sentences_at_table(outcome: Outcome, to_do: str, warning: str) -> Iterator[str]:
    """The sentences at a table of several players, which also say whose turn it is."""
    if any(
        entry.seat == outcome.seat_number
        and entry.kind == EntryKind.STAND_IN
        and entry.number > (outcome.since or 0)
        for entry in outcome.entries
    ):
        yield gettext("A bot has played for you.")
    if outcome.view.may_act and presence.is_asked_to_go_on(outcome.game):
        yield gettext("The others wait. Tap anything, or a bot plays this turn.")
        return
    news = turn_strip.stand_in_news(outcome)
    if text := turn_strip.whose_turn(outcome):
        yield from filter(None, (*news, text, warning))
        return
    if turn_strip.can_begin(outcome.view):
        yield gettext("It is your turn!")
    yield from (to_do, *news)  # A phone shows only the first two lines.


def _own_play(outcome: Outcome) -> OwnPlay | None:
    """The row that the player laid with this move; None if they did not lay one."""
    view = outcome.view
    for entry in outcome.entries:
        if entry.seat == outcome.seat_number and entry.kind == EntryKind.ACT and entry.lays_row:
            data = entry.data
            # In a guided round the coach explains the points; in a riddle only cards count.
            is_plain = not outcome.game.is_guided and not outcome.game.riddle_cards
            earned = words.earned_text(data, view.ruleset) if is_plain else ""
            if is_plain and words.counts_blocks(view.ruleset):
                earned = words.blocks_left_text(
                    len(data["laid"]), view.hand_sizes[outcome.seat_number]
                )
            play = parse_play(entry.text, view.ruleset)
            praise = words.praise(data, crosses=bool(play.across))
            if outcome.game.is_guided:
                praise = praise_in_first_step(view, play)
            return OwnPlay(
                data["points"],
                tuple(data["numbers"]),
                praise,
                earned,
                words.moved_jokers_text(play),
                frozenset(card_text(card) for card, _ in play.moved_jokers),
                shows_points=bool(earned)
                and 0 < data["points"] != view.scores[view.seat] - view.ruleset.start,
                is_great=words.is_great_row(data),
            )
    return None


def round_text(outcome: Outcome) -> str:
    view, ruleset = outcome.view, outcome.view.ruleset
    if outcome.game.is_guided:
        return step_text(ruleset)
    if outcome.game.has_one_turn:
        return words.rows_title(ruleset)
    values = {"round": view.round, "rounds": ruleset.rounds, "target": ruleset.target}
    if ruleset.rounds is None:
        return gettext("round %(round)d, playing to %(target)d") % values
    return gettext("round %(round)d of %(rounds)d") % values


def title_of(outcome: Outcome) -> str:
    if outcome.game.is_guided:
        return gettext("How to play")
    if outcome.game.riddle_cards:
        return gettext("The riddle of the day")
    if outcome.game.has_one_turn:
        return gettext("One hand for everybody")
    return words.title(outcome.view.ruleset)


def choice_of(play: Play, outcome: Outcome) -> PlayChoice:
    view = outcome.view
    result = make_play(view.position, play)
    line = result.line
    faces = tuple(
        (face(card.card, view.ruleset, card.number), card in play.hand) for card in line.cards
    )
    name = _choice_name(play, line, view.ruleset)
    if play.swaps and not all(other.swaps for other in outcome.result.choices):
        name = words.with_explanation(gettext("Swap the joker"), name)
    return PlayChoice(str(play), faces, name, result.points)


def _choice_name(play: Play, line: Line, ruleset: Ruleset) -> str:
    name = words.row_name(row_table_of(line.numbers), ruleset)
    if play.lines or not play.across:
        return name
    values = {"table": name, "crossed": words.listed([number for _, number in play.across])}
    return gettext("%(table)s, a new row across %(crossed)s") % values
