"""The end of a round or of the match, in words for each scoring (rules 6.3–6.5, 7.5, 7.6)."""

from collections.abc import Collection, Iterator

from django.utils.translation import gettext, ngettext

from games.engine.round import MATCH_OVER, View
from games.engine.ruleset import Scoring
from games.play.hooks import AfterRound, adviser
from games.play.round_story import RoundStory, story_of_round
from games.play.services import Outcome
from games.screen import words
from games.screen.guided.guided_words import end_note, end_title
from games.screen.learning_panels import missed_panel
from games.screen.pictures.garden import garden
from games.screen.pictures.player_faces import own_face
from games.screen.view_models import Missed, Over, Score


def over(outcome: Outcome) -> Over:
    view = outcome.view
    match_over = view.phase == MATCH_OVER
    story = story_of_round(outcome.game, len(outcome.seats), outcome.seat)
    winners = (view.winners or ()) if match_over else (view.round_winner,)
    return Over(
        title=_title(outcome),
        match=match_over,
        won=outcome.seat in winners,
        scores=tuple(_scores(outcome, winners)),
        found=tuple(_found(story)),
        note=end_note(view) if outcome.game.lesson else _note(view),
        more=_more(outcome, story),
        cheer=_cheer(outcome) if match_over else "",
        nearly=_nearly(outcome, story),
        garden=garden(story.tables) if match_over and not outcome.game.lesson else None,
    )


def _title(outcome: Outcome) -> str:
    if outcome.game.lesson:
        return end_title(outcome.view.ruleset)
    over = outcome.view.phase == MATCH_OVER
    return _match_title(outcome) if over else _round_title(outcome)


def _cheer(outcome: Outcome) -> str:
    """A won round is a win, also where another wins the match."""
    view = outcome.view
    several = view.ruleset.rounds != 1
    won = view.round_winner == outcome.seat and outcome.seat not in (view.winners or ())
    return gettext("You won the round!") if won and several else ""


def _nearly(outcome: Outcome, story: RoundStory) -> Missed | None:
    """A row that was missed: one tap away in every game, for the round is over. Whether it is shown
    after each turn too is another setting. A guided round has an end of its own."""
    if story.nearly is None or outcome.game.lesson:
        return None
    return missed_panel(story.nearly, outcome.view.ruleset)


def _more(outcome: Outcome, story: RoundStory) -> AfterRound:
    player = outcome.seats[outcome.seat].player
    assert player is not None
    return adviser().after_round(outcome.game, player, story)


def _match_title(outcome: Outcome) -> str:
    winners = outcome.view.winners or ()
    if not winners:
        return gettext("The game is over: nobody won")
    if outcome.seat in winners:
        return gettext("You share the win!") if len(winners) > 1 else gettext("You won the game!")
    who = words.listed([outcome.seats[seat].name for seat in winners])
    return ngettext("%(who)s won the game", "%(who)s share the win", len(winners)) % {"who": who}


def _round_title(outcome: Outcome) -> str:
    winner = outcome.view.round_winner
    if winner is None:
        return gettext("The round is over: nobody won")
    if winner == outcome.seat:
        return gettext("You won the round!")
    return gettext("%(who)s won the round") % {"who": outcome.seats[winner].name}


def _note(view: View) -> str:
    """How the match goes on, or how its winner is found."""
    ruleset = view.ruleset
    if ruleset.scoring == "penalty":
        return gettext(
            "Each block left in your hand costs 1 penalty point. A joker costs 3. The player "
            "with the fewest points wins."
        )
    if ruleset.scoring == "rounds won":
        return "" if ruleset.rounds == 1 else gettext("Whoever wins the most rounds wins the game.")
    return " ".join(filter(None, (_lost(view), _to_go(view))))


def _lost(view: View) -> str:
    """Why players with cards left have fewer points now."""
    if view.ruleset.piles is not None:
        return gettext("The pile is used up. Whoever earned most in this round wins it.")
    if not any(view.counts):
        return ""
    if view.ruleset.earning == "one":
        return gettext("Each card left in a hand costs 1 point.")
    return gettext("Each dot left in a hand costs 1 point.")


def _to_go(view: View) -> str:
    ruleset = view.ruleset
    if ruleset.rounds is not None or view.phase == MATCH_OVER:
        return ""
    if max(view.scores) >= ruleset.target:
        return gettext("It’s a draw! One more round decides who wins.")
    return gettext("The first to reach %(target)d points wins the game.") % {
        "target": ruleset.target
    }


def _scores(outcome: Outcome, winners: Collection[int | None]) -> Iterator[Score]:
    for seat in outcome.seats:
        name = gettext("You") if seat.number == outcome.seat else seat.name
        score = outcome.view.scores[seat.number]
        values = _counted(outcome.view.ruleset.scoring, score)
        yield Score(
            face="" if seat.player else seat.face,
            dressed=own_face(seat.face) if seat.player else None,
            text=values % {"name": name, "n": score},
            won=seat.number in winners,
        )


def _counted(scoring: Scoring, score: int) -> str:
    if scoring == "penalty":
        return ngettext("%(name)s: %(n)d penalty point", "%(name)s: %(n)d penalty points", score)
    if scoring == "rounds won":
        return ngettext("%(name)s: %(n)d round won", "%(name)s: %(n)d rounds won", score)
    return ngettext("%(name)s: %(n)d point", "%(name)s: %(n)d points", score)


def _found(story: RoundStory) -> Iterator[str]:
    for table, count in story.rows:
        values = {"n": count, "table": words.table_name(table)}
        if table:
            yield (
                ngettext("%(n)d row in the %(table)s", "%(n)d rows in the %(table)s", count)
                % values
            )
        else:
            yield ngettext("%(n)d other row", "%(n)d other rows", count) % values
