"""The end of a round or of the match, for each way of scoring (rules 6.3–6.5, 7.5, 7.6, 9)."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext, ngettext

from games.bots.reasons import Reason
from games.bots.riddles import TRIES
from games.engine.cards import card_text, is_joker
from games.engine.round import MATCH_OVER
from games.engine.ruleset import Ruleset
from games.engine.view import View
from games.play.hooks import AfterRound, Link, host
from games.play.round_story import LaidRow, RoundStory, story_of_round
from games.play.services import Outcome
from games.screen import words
from games.screen.garden import garden
from games.screen.guided_words import end_note, end_title
from games.screen.hint_words import missed_panel
from games.screen.others_steps import line_in_character
from games.screen.player_faces import own_face
from games.screen.view_models import Board, BotLine, Goal, NextButton, RoundEnd, Score, ShownPlay

ALMOST_SHARE: Final = 0.75
"""From this share of the goal on, the bridge is almost finished."""
CLOSE_MARGIN: Final = 3
"""The page says how many points a player lost the match by if there are no more than this."""
LONGEST_ROW_FROM: Final = 5
"""From this many cards on, the player's longest row is an achievement."""


def end_of_round(outcome: Outcome) -> RoundEnd:
    seats, own_seat = outcome.seats, outcome.seat_number
    others = [seat.number for seat in seats if seat.player and seat.number != own_seat]
    story = story_of_round(outcome.game, len(seats), own_seat, others)
    plays = [row for row in story.plays if row.seat == outcome.seat_number]
    player = outcome.own_seat.player
    assert player is not None
    after_round = host().after_round(outcome.game, player, story)
    if outcome.game.riddle_cards:
        return _end_of_riddle(outcome, plays, after_round)
    if outcome.game.has_one_turn:
        return _end_of_one_turn(plays, after_round)
    end = _end_of_usual_round(outcome, story, plays, after_round)
    if outcome.has_several_players:
        return _end_at_table(end, outcome, story)
    return replace(end, spoken=_spoken(end))


def next_buttons(board: Board, leave: Link | None) -> Iterator[NextButton]:
    """The buttons after a round. The first one is for the next thing to do."""
    if board.over is None:
        return
    after_round = board.over.after_round
    link = after_round.questions
    to_answer = [NextButton("to-questions", link.label, url=link.url)] if link else []
    if after_round.begins_with_questions:
        yield from to_answer
    if after_round.again:
        yield NextButton("to-again", after_round.again.label, posts_to=after_round.again.url)
    for button in board.buttons:
        yield NextButton(f"do-{button.move}", button.label, move=button.move)
    if not after_round.begins_with_questions:
        yield from to_answer
    if (
        leave
        and board.over.is_match_over
        and not board.is_hand
        and not (after_round.again and after_round.questions)
    ):
        yield NextButton("to-list", leave.label, url=leave.url)


def _end_of_usual_round(
    outcome: Outcome, story: RoundStory, plays: Sequence[LaidRow], after_round: AfterRound
) -> RoundEnd:
    view, ruleset = outcome.view, outcome.view.ruleset
    is_guided = outcome.game.is_guided
    is_match_over = view.phase == MATCH_OVER
    goal = words.goal_of(view, of_table=False)
    reasons = [row.reason for row in plays]
    is_unscored = is_guided or outcome.has_several_players
    is_out_in_one_turn = view.round_winner == outcome.seat_number and story.turns == 1
    winners = (view.winners or ()) if is_match_over else _round_winners(view, story)
    has_won = outcome.seat_number in winners if goal is None else view.is_goal_reached
    bridges = after_round.bridges + story.bridges
    best_play = None if is_guided else _best(reasons)
    row = words.row_text(best_play.row.numbers) if best_play else ""
    return RoundEnd(
        title=_title(outcome, winners),
        is_match_over=is_match_over,
        has_won=has_won,
        scores=() if goal or is_unscored else tuple(_scores(outcome, story, winners)),
        rows_found=_rows_found(reasons),
        note=end_note(view) if is_guided else _note(outcome, bridges),
        after_round=after_round,
        cheer=_cheer(outcome) if is_match_over else "",
        missed=missed_panel(story.missed_row, ruleset)
        if story.missed_row and not is_guided
        else None,
        garden=None if is_unscored else garden(_tables(reasons)),
        best_move=_best_move(best_play, ruleset),
        achievements=tuple(_achievements(outcome, reasons, is_out_in_one_turn=is_out_in_one_turn)),
        bot_line=None if is_guided else _bot_line(outcome, story, row),
        is_great=not is_guided
        and (is_out_in_one_turn or (has_won and (is_match_over or goal is not None))),
        plays=_shown_plays(plays),
        has_more_rounds=ruleset.rounds != 1,
        unit=gettext("penalty points") if ruleset.fewest_wins else gettext("this round"),
        goal=goal,
        bridges=bridges,
        next_goal=Goal(0, view.next_goal, "") if view.next_goal else None,
    )


def _spoken(end: RoundEnd) -> str:
    """The end of a round for a screen reader; the title comes first only if the player has won."""
    line = words.with_explanation(end.bot_line.who, end.bot_line.text) if end.bot_line else ""
    successes = _successes(end)
    news = (end.title, *successes) if end.has_won else (*successes, end.title)
    return words.joined(end.cheer, *news, end.note, line)


def _end_at_table(end: RoundEnd, outcome: Outcome, story: RoundStory) -> RoundEnd:
    """The end of a round of several players. Where each plays for themselves, the player's own
    progress comes first, and others do not read who has won. Then come everyone's points in the
    order of the seats, and the rows of the whole table in one garden. Everyone celebrates."""
    view = outcome.view
    reasons = [row.reason for row in story.plays if row.seat == outcome.seat_number]
    tables_of_all = _tables([row.reason for row in story.plays])
    if end.goal is None:
        best = end.after_round.best
        cheer = end.title if end.has_won else gettext("Well played, all of you!")
        end = replace(
            end,
            cheer=cheer if best or end.rows_found else "",
            title=best or end.rows_found or cheer,
            rows_found=end.rows_found if best else "",
            after_round=replace(end.after_round, best=""),
        )
    rows = len(tables_of_all)
    text = ngettext("Your table laid %(n)d row.", "Your table laid %(n)d rows.", rows)
    count = text % {"n": rows} if rows else ""
    if _tables(reasons):
        count += " " + gettext("Your own have a star.")
    scores = tuple(_scores(outcome, story, ())) if _is_scored(view) else ()
    points = words.listed([f"{score.name} {score.total}" for score in scores])
    standing = words.with_explanation(gettext("Points"), points) + "." if points else ""
    return replace(
        end,
        scores=scores,
        best_move="" if scores else end.best_move,
        unit=end.unit if end.has_more_rounds else gettext("points"),
        garden=garden(tables_of_all, new_tables=_tables(reasons)),
        garden_caption=count,
        is_great=end.is_great or end.goal is None,
        spoken=words.joined(
            end.cheer, end.title, standing, end.rows_found, count, *_successes(end), end.note
        ),
    )


def _is_scored(view: View) -> bool:
    """Whether each player has points of their own, and many points are good."""
    is_counted = not (words.score_unit(view.ruleset) or view.ruleset.fewest_wins)
    return view.goal is None and is_counted


def _successes(end: RoundEnd) -> Iterator[str]:
    """The sentences on the best move and on the achievements, if there are any."""
    if end.best_move:
        yield words.with_explanation(gettext("Your best move"), end.best_move) + "."
    if end.achievements:
        yield f"{words.listed(end.achievements)}."


def _shown_plays(plays: Sequence[LaidRow]) -> tuple[ShownPlay, ...]:
    return tuple(
        [ShownPlay(row.reason.row.numbers, tuple(map(card_text, row.cards))) for row in plays]
    )


def _end_of_riddle(outcome: Outcome, plays: Sequence[LaidRow], after_round: AfterRound) -> RoundEnd:
    """The end of a try at a riddle. It does not reveal the solution."""
    count = outcome.view.scores[outcome.seat_number]
    most_cards = outcome.game.riddle_cards
    is_solved = count >= most_cards
    title = gettext("You laid %(n)d of %(most)d cards") % {"n": count, "most": most_cards}
    tries_left = TRIES - len(after_round.riddle.tries) if after_round.riddle else 0
    note = ""
    if tries_left > 0 and not is_solved:
        tries = ngettext("You have %(n)d more try.", "You have %(n)d more tries.", tries_left)
        note = tries % {"n": tries_left}
    cheer = gettext("Solved!") if is_solved else ""
    others_text = after_round.riddle.others if after_round.riddle else ""
    return RoundEnd(
        title=title,
        is_match_over=True,
        has_won=is_solved,
        rows_found=_rows_found([row.reason for row in plays]),
        after_round=after_round,
        note=note,
        cheer=cheer,
        is_great=is_solved,
        plays=_shown_plays(plays),
        spoken=words.joined(cheer, f"{title}.", note, others_text),
    )


def _end_of_one_turn(plays: Sequence[LaidRow], after_round: AfterRound) -> RoundEnd:
    """The end of a player's only turn. Nobody wins, and the page does not show what they missed."""
    reasons = [row.reason for row in plays]
    title = _rows_found(reasons) or gettext("You laid no row this time.")
    next_hand = gettext("The next hand comes here by itself.")
    note = " ".join((gettext("Look at the big screen."), next_hand))
    return RoundEnd(
        title=title,
        is_match_over=True,
        has_won=False,
        note=note,
        after_round=after_round,
        garden=garden(_tables(reasons)),
        plays=_shown_plays(plays),
        spoken=f"{title} {note}",
    )


def _tables(reasons: Sequence[Reason]) -> list[int]:
    """The times table of each new row; 0 for a row of no table. A row that was only made longer is
    not new."""
    return [reason.row.times_table or 0 for reason in reasons if reason.way != "added"]


def _best(reasons: Sequence[Reason]) -> Reason | None:
    """The best play: the one with the most points, then with the most cards from the hand, then a
    crossing, then the longest row, then the latest."""

    def worth(reason: Reason) -> tuple[int, int, bool, int]:
        cards, length = len(reason.hand_numbers), len(reason.row.numbers)
        return reason.points, cards, reason.way == "crossed", length

    return max(reversed(reasons), key=worth, default=None)


def _best_move(best: Reason | None, ruleset: Ruleset) -> str:
    if best is None:
        return ""
    values = {"row": words.row_text(best.row.numbers), "table": words.row_name(best.row, ruleset)}
    if best.way == "crossed":
        return gettext("%(row)s across, %(table)s") % values
    return gettext("%(row)s, %(table)s") % values


def _achievements(
    outcome: Outcome, plays: Sequence[Reason], *, is_out_in_one_turn: bool
) -> Iterator[str]:
    if outcome.game.is_guided:
        return
    is_together = outcome.view.goal is not None
    if is_together and (count := sum(reason.points for reason in plays)):
        yield ngettext("%(n)d plank from you", "%(n)d planks from you", count) % {"n": count}
    if is_out_in_one_turn:
        yield gettext("Out in one turn")
    if (
        longest := max((len(reason.row.numbers) for reason in plays), default=0)
    ) >= LONGEST_ROW_FROM:
        text = ngettext(
            "Your longest row: %(n)d number", "Your longest row: %(n)d numbers", longest
        )
        yield text % {"n": longest}
    if crossings := sum(reason.way == "crossed" for reason in plays):
        yield ngettext("%(n)d row across", "%(n)d rows across", crossings) % {"n": crossings}
    if doubled := sum(reason.colours is not None for reason in plays):
        text = ngettext("%(n)d row counted double", "%(n)d rows counted double", doubled)
        yield text % {"n": doubled}
    if joins := sum(reason.way == "joined" for reason in plays):
        yield gettext("%(n)d joined") % {"n": joins}
    if swapped := sum(len(reason.swapped_numbers) for reason in plays):
        yield ngettext("%(n)d joker swapped", "%(n)d jokers swapped", swapped) % {"n": swapped}


def _bot_line(outcome: Outcome, story: RoundStory, row: str) -> BotLine | None:
    """A line of the bot that won, or else of the next bot clockwise from the player."""
    view, seats = outcome.view, outcome.seats
    in_order = [seats[(outcome.seat_number + place) % len(seats)] for place in range(1, len(seats))]
    bots = sorted(
        (seat for seat in in_order if seat.bot), key=lambda seat: seat.number != view.round_winner
    )
    if not bots:
        return None
    bot = bots[0]
    text = closing_line(
        story, outcome.seat_number, bot.number, view.round_winner, view.is_goal_reached, row
    )
    return BotLine(bot.face, bot.name, line_in_character(bot.face, text))


def closing_line(
    story: RoundStory,
    player: int,
    bot: int,
    winner: int | None,
    has_reached_goal: bool = False,
    row: str = "",
) -> str:
    """A bot's line at the end of a round. It is about a play that the player can learn from, if
    there is one that concerns both of them; else about the goal of the table, or about the winner
    and the player's best `row`."""
    if winner == player and story.turns == 1:
        return gettext("All your cards in one turn! I could only watch.")
    if crossed_number := _last_crossed(story.plays, player, bot):
        return gettext("You crossed my %(number)d! I did not see that coming.") % {
            "number": crossed_number
        }
    if card := _card_laid_for_thanks(story, bot):
        return gettext("Thank you for the %(card)d! It was just what I needed.") % {"card": card}
    if crossed_number := _last_crossed(story.plays, bot, player):
        return gettext("Your %(number)d was a good one to cross.") % {"number": crossed_number}
    if has_reached_goal:
        return gettext("We did it! Your rows made the bridge long.")
    # Two wordings, so that a bot seldom says the same after the next round.
    is_odd = len(story.plays) % 2
    if winner == player and row:
        liked = gettext("Well played! I liked your %(row)s best.")
        wished = gettext("You won! I wish I had found %(row)s.")
        return (liked if is_odd else wished) % {"row": row}
    if winner == bot and row:
        liked = gettext("I liked your %(row)s. Once more?")
        feared = gettext("Your %(row)s made it exciting. Once more?")
        return (liked if is_odd else feared) % {"row": row}
    if winner == bot:
        return gettext("I had good cards this time. Once more?")
    return gettext("That was a good round. Once more?")


def _last_crossed(plays: Sequence[LaidRow], crossing_seat: int, owner: int) -> int:
    """The last number that the `crossing_seat` crossed and the seat `owner` laid; 0 for none."""
    owners: dict[int, int | None] = {}
    number = 0
    for seat, _, reason in plays:
        owners |= dict.fromkeys((*reason.hand_numbers, *reason.swapped_numbers), seat)
        if seat == crossing_seat:
            number = next((n for n in reason.crossed_numbers if owners.get(n) == owner), number)
    return number


def _card_laid_for_thanks(story: RoundStory, bot: int) -> int:
    """The number of a card that the player put down and this bot laid; 0 for none."""
    numbers = [number for seat, _, r in story.plays if seat == bot for number in r.hand_numbers]
    return next((n for n in numbers if n in story.cards_given and not is_joker(n)), 0)


def _round_winners(view: View, story: RoundStory) -> tuple[int, ...]:
    """The seats that won the round: all that earned most in it, if earnings decide."""
    if view.round_winner is not None:
        return (view.round_winner,)
    earned = [now - before for now, before in zip(view.scores, story.scores_before, strict=True)]
    is_shared = view.ruleset.earnings_decide
    return tuple(seat for seat, n in enumerate(earned) if is_shared and n == max(earned))


def _title(outcome: Outcome, winners: Sequence[int]) -> str:
    if outcome.game.is_guided:
        return end_title(outcome.view.ruleset)
    if outcome.view.goal is not None:
        return _goal_title(outcome.view)
    if outcome.view.phase == MATCH_OVER or len(winners) > 1:
        return _match_title(outcome, winners)
    if not winners:
        return gettext("The round is over: nobody won")
    if outcome.seat_number in winners:
        return gettext("You won the round!")
    return gettext("%(who)s won the round") % {"who": outcome.seats[winners[0]].name}


def _goal_title(view: View) -> str:
    values = {"n": view.earned_together, "goal": view.goal}
    if view.is_goal_reached:
        return gettext("You did it together!")
    if view.earned_together >= ALMOST_SHARE * (view.goal or 0):
        return gettext("Almost: %(n)d of %(goal)d") % values
    return gettext("%(n)d of %(goal)d: you came this far") % values


def _cheer(outcome: Outcome) -> str:
    """The cheer for a player who won the last round, but not the match."""
    view, seat = outcome.view, outcome.seat_number
    won = view.round_winner == seat and seat not in (view.winners or ())
    return gettext("You won the round!") if won and view.ruleset.rounds != 1 else ""


def _match_title(outcome: Outcome, winners: Sequence[int]) -> str:
    """The title at the end of a match, or of a round that several won."""
    if len(outcome.seats) == 2 and len(winners) != 1 and outcome.view.ruleset.earnings_decide:
        return gettext("A draw: you both win!")
    if not winners and outcome.view.ruleset.earnings_decide:
        return gettext("The game is a draw!")
    if not winners:
        return gettext("The game is over: nobody won")
    if outcome.seat_number in winners:
        return gettext("You share the win!") if len(winners) > 1 else gettext("You won the game!")
    view = outcome.view
    # In other games, points also count against a player.
    short = max(view.scores) - view.scores[view.seat] if view.ruleset.earnings_decide else 0
    values = {"who": words.listed([outcome.seats[seat].name for seat in winners]), "n": short}
    if len(winners) == 1 and 0 < short <= CLOSE_MARGIN:
        text = ngettext(
            "So close: %(who)s won by %(n)d point", "So close: %(who)s won by %(n)d points", short
        )
        return text % values
    return ngettext("%(who)s won the game", "%(who)s share the win", len(winners)) % values


def _note(outcome: Outcome, bridges: int) -> str:
    """Why the round has ended and how the match goes on, in words, if the scores do not show it."""
    view, ruleset = outcome.view, outcome.view.ruleset
    sentences = [_cause_of_end(outcome)]
    if view.goal is not None:
        return words.joined(*sentences, _goal_note(outcome, bridges))
    # At a table of several players, the page shows no scores.
    if ruleset.earnings_decide and not outcome.has_several_players:
        if view.phase == MATCH_OVER and ruleset.rounds != 1:
            sentences.append(gettext("Whoever has the most points in all wins the game."))
        elif outcome.game.round == 1:
            sentences.append(gettext("Whoever earned most in the round wins it."))
    if ruleset.fewest_wins:
        sentences.append(gettext("Penalty points: the fewest wins."))
    if ruleset.rounds is None and view.phase != MATCH_OVER and max(view.scores) >= ruleset.target:
        sentences.append(gettext("It’s a draw! One more round decides who wins."))
    return words.joined(*sentences)


def _cause_of_end(outcome: Outcome) -> str:
    """The cause of the end of the round, in the words of the rule (`words.end_rules`). Empty if the
    goal or rule 6.4 ended it."""
    view, ruleset = outcome.view, outcome.view.ruleset
    rows, ends_with_pile = len(view.table.lines), ruleset.piles is not None and ruleset.refill
    if view.is_goal_reached:
        return ""
    if ruleset.most_turns is not None and min(view.turns) >= ruleset.most_turns:
        return gettext("No turns are left: the round is over.")
    if ruleset.most_rows is not None and rows >= ruleset.most_rows:
        text = ngettext(
            "%(n)d row lies on the table: the round is over.",
            "%(n)d rows lie on the table: the round is over.",
            rows,
        )
        return text % {"n": rows}
    if not (ends_with_pile or ruleset.is_together or all(view.hand_sizes)):
        return _empty_hand_text(outcome, view.hand_sizes.index(0))
    if ruleset.has_pot and ruleset.is_together and not view.closed_count:
        return gettext("The pot is empty: the round is over.")
    if ruleset.piles is None or view.cards_to_come:
        return ""
    return gettext("The pile is empty: the round is over.")


def _empty_hand_text(outcome: Outcome, seat: int) -> str:
    has_pot = outcome.view.ruleset.has_pot
    if seat == outcome.seat_number:
        no_blocks = gettext("You have no blocks left: the round is over.")
        return no_blocks if has_pot else gettext("You have no cards left: the round is over.")
    text = gettext("%(who)s has no cards left: the round is over.")
    if has_pot:
        text = gettext("%(who)s has no blocks left: the round is over.")
    return text % {"who": outcome.seats[seat].name}


def _goal_note(outcome: Outcome, bridges: int) -> str:
    """The length of the bridge, the next goal and how many `bridges` the table has crossed."""
    view, sentences = outcome.view, list[str]()
    if view.is_goal_reached:
        sentences.append(gettext("The bridge is whole: %(n)d of %(goal)d points."))
    else:
        sentences.append(gettext("The bridge has %(n)d of %(goal)d planks."))
    if view.next_goal != view.goal:
        sentences.append(gettext("The next goal is %(next)d."))
    if bridges > 1:
        sentences.append(gettext("You have crossed %(bridges)d bridges so far."))
    values = {"n": view.earned_together, "goal": view.goal, "next": view.next_goal}
    return " ".join(sentences) % (values | {"bridges": bridges})


def _scores(
    outcome: Outcome, story: RoundStory, winners: Collection[int | None]
) -> Iterator[Score]:
    """The scores of the player and then of the others, in order of their seats."""
    view, seats = outcome.view, outcome.seats
    has_gains = not view.ruleset.fewest_wins
    of_table = outcome.has_several_players
    for place in range(len(seats)):
        seat = seats[(outcome.seat_number + place) % len(seats)]
        now = view.scores[seat.number]
        earned = now - story.scores_before[seat.number]
        total = str(now).replace("-", "−")
        earned_text = f"+{earned}" if earned > 0 and has_gains else str(earned).replace("-", "−")
        yield Score(
            face="" if seat.player else seat.face,
            own_face=own_face(seat.face) if seat.player else None,
            name=gettext("You") if seat.number == outcome.seat_number else seat.name,
            # In a match of one round, all at a table of several players have seen the total.
            earned=total if of_table and view.ruleset.rounds == 1 else earned_text,
            total=total,
            has_won=seat.number in winners,
        )


def _rows_found(reasons: Sequence[Reason]) -> str:
    """The number of new rows that the player laid, and of rows that they made longer, in words."""
    longer = sum(reason.way == "added" for reason in reasons)
    count = len(reasons) - longer
    parts = []
    if count:
        parts.append(ngettext("You laid %(n)d row.", "You laid %(n)d rows.", count) % {"n": count})
    if longer:
        text = ngettext("You made a row longer.", "You made rows longer %(n)d times.", longer)
        parts.append(text % {"n": longer})
    return " ".join(parts)
