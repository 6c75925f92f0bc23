"""Model children who do not try (docs/learning.md): one taps at random, one always takes the whole
hint, one answers at random."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from classrooms.demo.model_children import SCHOOL_DAYS, ModelAnswers, ModelChild
from games.coach.hints import LAST_STEP
from games.coach.mastery import Level
from games.coach.questions import short_questions
from games.coach.questions.recall import FactAnswer, Recall
from games.coach.statements.odd_play import RecentPlay, is_near
from games.coach.times_tables import Fact, facts_of
from games.engine.actions import Discard, DrawClosed, DrawOpen
from games.engine.cards import cards_in
from games.engine.plays import TapTarget
from games.engine.round import ROUND_OVER
from games.play.moves import NO_RESULT, AskHint, Choose, Do, Draft, Lay, Move, NextRound
from scripts.lab.table_evaluation import PlayedDay, is_counted

MOST_TAPS: Final = 6
"""After this many tries without a row the child gives up the turn."""
CHANCE_OF_A_ROW: Final = 0.3
"""The chance that a try also taps a row on the table."""
RECENT_DAYS: Final = 28
NEIGHBOUR: Final = 0.7
SLIP: Final = 0.15
"""The shares of a model child's wrong answers that are a neighbouring product or a slip; the others
are any number."""
HIGHEST_ANSWER: Final = 144


@dataclass(slots=True)
class RandomTapper:
    """Taps three to five random cards until they make a row or the child gives up."""

    child: ModelChild
    seed: int
    _moves: int = 0
    _tries: Counter[tuple[int, ...]] = field(default_factory=Counter)

    def choose(self, draft: Draft, seat: int) -> tuple[Move, float]:
        state = draft.state
        self._moves += 1
        random = Random(f"{self.seed}/{self._moves}")
        if state.phase == ROUND_OVER:
            return NextRound(), 1.0
        if state.phase != "play":
            return Do(random.choice((DrawOpen(), DrawClosed()))), 1.0
        if draft.result.choices:
            play = random.choice(draft.result.choices)
            draft.result = NO_RESULT
            return Choose(str(play)), 1.0
        hand = cards_in(state.hands[seat])
        if state.play_count or self._tries[state.turns] >= MOST_TAPS or len(hand) < 3:
            return Do(Discard(random.choice(hand))), 1.0
        self._tries[state.turns] += 1
        cards = random.sample(hand, random.randint(3, min(5, len(hand))))
        rows: Sequence[TapTarget] = state.table.lines
        places = (random.choice(rows),) if rows and random.random() < CHANCE_OF_A_ROW else ()
        return Lay(tuple(cards), places), 1.0


@dataclass(slots=True)
class HintTaker:
    """Asks in each turn until the whole row is shown, lays it, and asks again."""

    child: ModelChild
    seed: int
    _moves: int = 0

    def choose(self, draft: Draft, seat: int) -> tuple[Move, float]:
        state = draft.state
        self._moves += 1
        random = Random(f"{self.seed}/{self._moves}")
        if state.phase == ROUND_OVER:
            return NextRound(), 1.0
        if state.phase != "play":
            return Do(random.choice((DrawOpen(), DrawClosed()))), 1.0
        step = draft.snapshot.hint_step
        hint = draft.hint if step else None
        if hint is None or (hint.play is not None and step < LAST_STEP):
            return AskHint(), 1.0
        if hint.play is not None:
            return Do(hint.play), 1.0
        return Do(Discard(random.choice(cards_in(state.hands[seat])))), 1.0


@dataclass(slots=True)
class AnswersGiven:
    """The answers of some weeks: the questions and answers of each day, and every level that a fact
    has had."""

    answers: list[tuple[int, Fact, int]] = field(default_factory=list)
    levels: set[Level] = field(default_factory=set)


def weeks_of_answers(
    tables: Collection[int], replies: ModelAnswers | None, seed: int, weeks: int, sets: int = 2
) -> AnswersGiven:
    """A model child's answers to short questions; without `replies`, random numbers."""
    random = Random(f"{seed}/{tables}")
    recall, result = Recall(), AnswersGiven()
    for day in (7 * week + weekday for week in range(weeks) for weekday in SCHOOL_DAYS):
        result.levels |= {recall.level(fact, day) for fact in facts_of(tables)}
        for _ in range(sets):
            topic = short_questions.Topic(tables)
            for question in short_questions.fact_questions(recall, topic, day, random):
                fact = (question.numbers[0], question.numbers[1])
                product = fact[0] * fact[1]
                if replies is None:
                    answer, seconds = random.randint(1, HIGHEST_ANSWER), 1.0
                else:
                    reply = replies.answer(fact, day)
                    answer, seconds = product, reply.seconds
                    if not reply.right:
                        answer = wrong_answer(fact, random)
                right = answer == product
                recall.add(FactAnswer(fact, right, day, net_ms=round(1000 * seconds)))
                result.answers.append((day, fact, answer))
    return result


def wrong_answer(fact: Fact, random: Random) -> int:
    """A model child's wrong answer in place of the product."""
    product = fact[0] * fact[1]
    kind = random.random()
    while True:
        answer = random.randint(1, HIGHEST_ANSWER)
        if kind < NEIGHBOUR:
            answer = product + random.choice((-1, 1)) * random.choice(fact)
        elif kind < NEIGHBOUR + SLIP:
            answer = product + random.choice((-10, -1, 1, 10))
        if answer > 0 and answer != product:
            return answer
        kind = random.random()


def recent_play(days: Iterable[PlayedDay], answers: AnswersGiven, today: int) -> RecentPlay:
    """The counts of the last four weeks before a day, as the site would have them."""
    so_far = [day for day in days if day.day < today]
    recent = [day for day in so_far if day.day >= today - RECENT_DAYS]
    recent_answers = [
        (fact, answer)
        for day, fact, answer in answers.answers
        if today - RECENT_DAYS <= day < today
    ]
    wrong = [(fact, answer) for fact, answer in recent_answers if answer != fact[0] * fact[1]]
    tables: Counter[int] = Counter()
    for chance in (chance for day in so_far for chance in day.chances if chance.outcome != "open"):
        tables[chance.table] += is_counted(chance)
    return RecentPlay(
        turns=sum(day.turns for day in recent),
        refused=sum(day.refused for day in recent),
        laid=sum(day.laid for day in recent),
        hint_turns=sum(day.hint_turns for day in recent),
        answers=len(recent_answers),
        right=len(recent_answers) - len(wrong),
        near=sum(is_near(*pair) for pair in wrong),
        tables=tuple(sorted(tables.items())),
        days_away=today - so_far[-1].day if so_far else None,
    )
