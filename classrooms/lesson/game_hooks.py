"""What the school adds to a child's game: known facts, personal bests, the class goal, short
questions, settings, and links out of the game."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Final, cast
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, Max, OuterRef, Q
from django.urls import reverse
from django.utils.translation import get_language, gettext

from classrooms.access import SchoolRequest
from classrooms.assignments import riddles, status, table_offers, tables
from classrooms.assignments.playing import bridges_before
from classrooms.assignments.presets import FIRST, PRESETS, title_of
from classrooms.collection.pieces import growth_in_round, picture_of_class, picture_to_finish
from classrooms.lesson import hands
from classrooms.models import Assignment, Attempt, Child, GameTable
from classrooms.progress.facts import secure_facts, troubles_of
from classrooms.progress.goals import goal_of
from classrooms.progress.models import LAID, Chance, must_be_rebuilt
from classrooms.questions import services as questions
from games.coach.guided_rounds import STEPS, guided_step
from games.coach.questions.short_questions import Trouble
from games.coach.times_tables import TABLES_TO_12, Fact
from games.engine.round import MATCH_OVER
from games.models import Game
from games.play import services as play
from games.play.hooks import (
    AfterRound,
    CollectionGrowth,
    Host,
    Link,
    PlayerRequest,
    Speeds,
    Surroundings,
)
from games.play.round_story import RoundStory
from games.screen import words

# After a guided round a child continues with the next one, and after the last with a real round.


def link_after_guided_round(game: Game, player: UUID) -> Link | None:
    """The link to the next guided round, or to a real one. None after a round that is not guided,
    for a player who is not a child, or if there is nothing to play."""
    if not game.is_guided:
        return None
    child = Child.objects.select_related("school_class").filter(player=player).first()
    if child is None:
        return None
    step = guided_step(game.ruleset) + 1
    if step <= STEPS:
        query = urlencode({"edition": game.ruleset.edition, "step": step})
        label = gettext("Continue: step %(step)d of %(steps)d") % {"step": step, "steps": STEPS}
        return Link(label, f"{reverse('classrooms:learn')}?{query}")
    assignment = _first_to_play(child, game.ruleset.edition)
    if assignment is None:
        return None
    start = reverse("classrooms:start", args=[assignment.pk])
    return Link(gettext("Now play a real round"), start)


def _first_to_play(child: Child, edition: str) -> Assignment | None:
    """The first assignment to play, of this edition if there is one."""
    now = [item.assignment for item in status.playable_assignments(child)]
    return min(now, key=lambda assignment: assignment.edition != edition, default=None)


GAME_FRAME: Final = "lesson/game.html"
HAND_FRAME: Final = "lesson/hand_game.html"


class SchoolHost(Host):
    """Tells the game what the school knows about a child. About other players it knows nothing."""

    def secure_facts(self, player: UUID) -> Collection[Fact]:
        child = Child.objects.select_related("school_class").filter(player=player).first()
        return () if child is None else secure_facts(child)

    def troubles(self, player: UUID) -> Collection[Trouble]:
        return troubles_of(player)

    def after_round(self, game: Game, player: UUID, story: RoundStory) -> AfterRound:
        waits = ExpressionWrapper(must_be_rebuilt("child__progress_lock__"), BooleanField())
        attempts = Attempt.objects.select_related(
            "assignment__school_class", "child__school_class", "game"
        ).annotate(
            is_rebuilding=waits, at_table=Exists(GameTable.objects.filter(game=OuterRef("game")))
        )
        attempt = attempts.filter(game=game.pk, child__player=player).first()
        if attempt is None:
            return AfterRound(again=link_after_guided_round(game, player))
        attempt.game = game
        # Both are iterators, which are read only if the page shows them.
        of_child = () if attempt.is_rebuilding else growth_in_round(attempt, story)
        grown = chain(of_child, _picture_of_class(attempt, len(story.rows) + story.rows_of_others))
        if game.riddle_cards:
            return _after_riddle(attempt, grown)
        if game.has_one_turn:
            return AfterRound()
        return AfterRound(
            best=""
            if attempt.is_rebuilding
            else _best_text(attempt, len(story.rows), at_table=attempt.at_table),
            bridges=bridges_before(attempt) if game.ruleset.is_together else 0,
            grown=tuple(grown),
            questions=_questions(attempt, at_table=attempt.at_table),
            begins_with_questions=bool(attempt.assignment.facts),
            again=_play_again_link(attempt, at_table=attempt.at_table),
        )

    def check_may_play(self, request: PlayerRequest, game_id: UUID) -> None:
        """Raise `TableEnded` if a teacher has ended the child's table, or removed them from it."""
        child = _child(request)
        if child and child.last_game_id != game_id and tables.is_barred(child, game_id):
            go_on = GameTable.objects.filter(game=game_id, ended_at=None).exists()
            goal = words.goal_of(play.watch(game_id, child.player).outcome.view, of_table=True)
            sits = table_offers.table_of(child) is not None
            raise tables.TableEnded(reached=goal.spoken if goal else "", go_on=go_on, sits=sits)

    def around_game(self, request: PlayerRequest, *, game_id: UUID, is_hand: bool) -> Surroundings:
        """What surrounds a game. A player who is not a child is an adult who tries a game out."""
        child = _child(request)
        if child is None:
            # Translators: the button with which a visitor leaves the trial game
            leave = Link(gettext("Leave"), reverse("classrooms:leave_try"))
            return Surroundings(frame=GAME_FRAME, leave=leave)
        leave, call, speeds = _child_links(get_language(), child.speed)
        around = Surroundings(
            frame=GAME_FRAME,
            leave=leave,
            speeds=speeds,
            has_larger_cards=child.has_larger_cards,
            has_sounds=child.hears_sounds,
            call=call if child.looks_at_hand and not is_hand else None,
            may_give_signs=child.may_give_signs and child.school_class.has_signs,
        )
        if is_hand:
            return replace(around, frame=HAND_FRAME, poll=hands.poll_of(hands.hand_of(game_id)))
        if request.method == "POST":  # A move does not change the head of the page.
            return around
        assignment = Assignment.objects.filter(
            attempts__game=game_id, attempts__child=child
        ).first()
        if assignment is None:
            return around
        aim = picture_to_finish(child, assignment.ruleset.tables or TABLES_TO_12)
        return replace(around, title=title_of(assignment), aim=aim)

    def around_rules(self, request: PlayerRequest) -> Surroundings:
        learn_url = reverse("classrooms:learn") if _child(request) else ""
        # From the front page, the rules are those of the game that a class is usually given first.
        rules = PRESETS[FIRST].choice.ruleset() if "first" in request.GET else None
        return Surroundings(frame="base.html", learn_url=learn_url, rules=rules)


# Cached by language, because each move needs these addresses and words, and building them takes
# half a millisecond.
@lru_cache
def _child_links(language: str | None, speed: str) -> tuple[Link, Link, Speeds]:
    """The way out of a child's game, the call to a hand, and the speeds, this one chosen."""
    leave = Link(gettext("Back to my games"), reverse("classrooms:home"))
    call = Link(gettext("Your teacher shows a hand: come"), reverse("classrooms:childs_hand"))
    choices = tuple((value, str(name)) for value, name in Child.Speed.choices)
    return leave, call, Speeds(choices, speed, reverse("classrooms:speed"))


def _child(request: PlayerRequest) -> Child | None:
    """The child who plays; None for an adult. The middleware of the school has put the child into
    the request, of which the game only knows that somebody plays."""
    return cast(SchoolRequest, request).child


def _picture_of_class(attempt: Attempt, new_rows: int) -> Iterator[CollectionGrowth]:
    """The picture of the class, if the `new_rows` rows of this round's children uncover a piece of
    it. At a table all see the same."""
    school_class = attempt.child.school_class
    goal = goal_of(school_class)
    if goal is None:
        return
    of_round = Chance.objects.filter(LAID, game=attempt.game_id, round=attempt.game.round)
    rows_counted = of_round.count()
    rows = goal.reached + max(new_rows - rows_counted, 0)
    picture = picture_of_class(school_class, rows, new_rows)
    if not picture.new:
        return
    text = gettext("A new piece for the picture of your class!")
    if picture.is_whole:
        text = gettext("Your class has finished a picture!")
    yield CollectionGrowth(text, "collection/_picture.html", picture, is_whole=picture.is_whole)


def _best_text(attempt: Attempt, new_rows: int, *, at_table: bool) -> str:
    """The sentence that this round is the child's best so far. After another round, it is empty or,
    at a table, says what is better than last time or what to beat, because there somebody else may
    have most. Children are never compared with others."""
    this_round = Q(game=attempt.game_id, round=attempt.game.round)
    rounds = (
        Chance.objects.filter(LAID, child=attempt.child)
        .exclude(this_round)
        .values("game", "round")
        .annotate(rows=Count("id"), ended=Max("at"))
    )
    before = rounds.aggregate(best=Max("rows"))["best"]
    if not before or (new_rows <= before and not at_table):
        return ""
    text = gettext("%(n)d new or longer rows: your most in one round! It was %(before)d.")
    more = 0
    if new_rows <= before:
        more = new_rows - rounds.order_by("-ended")[0]["rows"]
        text = gettext("Your record: %(before)d new or longer rows in one round. Can you beat it?")
    if more > 0:
        text = gettext("%(n)d new or longer rows: %(more)d more than last time!")
    return text % {"n": new_rows, "before": before, "more": more}


def _after_riddle(attempt: Attempt, grown: Iterable[CollectionGrowth]) -> AfterRound:
    riddle, school_class = attempt.assignment, attempt.child.school_class
    if riddle.school_class_id != school_class.pk or not school_class.has_riddles:
        return AfterRound()
    own_riddle, of_class = riddles.riddle_results(attempt.child, riddle)
    is_first = own_riddle.is_solved and of_class.solved == 1
    others = gettext("You are the first to solve it!") if is_first else of_class.text
    url = reverse("classrooms:riddle", args=[attempt.assignment_id])
    return AfterRound(
        grown=() if attempt.is_repeat else tuple(grown),
        again=None if own_riddle.is_done else Link(gettext("Try again"), url),
        riddle=riddles.result(own_riddle.tries, others),
    )


def _play_again_link(attempt: Attempt, *, at_table: bool) -> Link | None:
    """The link to another match of the assignment, while it can be played. If the last match was at
    a table, so is this one."""
    if not status.may_be_played_again(attempt):
        return None
    if at_table and table_offers.may_meet(attempt.child, attempt.assignment):
        offer = table_offers.offers(attempt.child, [attempt.assignment])[attempt.assignment_id]
        url = reverse("classrooms:sit", args=[attempt.assignment_id])
        return Link(
            gettext("Another game with the others"), url, offer.words if offer.others else ""
        )
    return Link(gettext("Play again"), reverse("classrooms:start", args=[attempt.assignment_id]))


def _questions(attempt: Attempt, *, at_table: bool) -> Link | None:
    # Others at a table should not wait while a child answers, so questions come after the match.
    if at_table and attempt.game.phase != MATCH_OVER:
        return None
    if not questions.are_questions_due(attempt, attempt.child):
        return None
    return Link(
        gettext("A few short questions"), reverse("classrooms:check", args=[attempt.game_id])
    )
