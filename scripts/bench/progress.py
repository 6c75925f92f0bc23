"""Measures the cost of progress: stage 2 compared with bare SQL, one more round after one week and
after forty, and the games read in a second."""

from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any, Final

from scripts.bench.floor import site

CHILDREN: Final = 1000
CHANCES: Final = 1000
"""The chances of each child: a million in all."""
PLAYED_ROWS: Final = 400
TIMINGS: Final = 3
ROUNDS: Final = 30
WEEKS: Final = (1, 40)
GAMES: Final = 200

FILL_STATEMENTS: Final = (
    """INSERT INTO progress_chance (game_id, child_id, school_class_id, assignment_id, day,
        round, entry, at, "table", outcome, first_turn, last_turn, tries, hint_step, entries,
        "row", numbers)
    SELECT a.game_id, a.child_id, t.school_class_id, a.assignment_id,
        DATE '2026-01-05' + (n %% 120) * 2, 1, n, now(), 2 + n %% 9,
        (ARRAY['at once', 'later', 'with a hint', 'after tries', 'with a joker', 'missed'])
            [1 + n %% 6], 1, 1 + n %% 3, 0, 0, '[1]', '4 8 12', '[4, 8, 12]'
    FROM classrooms_attempt a JOIN classrooms_assignment t ON t.id = a.assignment_id,
        generate_series(1, %s) n""",
    """INSERT INTO progress_played (game_id, child_id, school_class_id, assignment_id, day,
        round, entry, at, rounds_ended, turns_ended, hints_asked, turns_with_hint, tries_refused)
    SELECT a.game_id, a.child_id, t.school_class_id, a.assignment_id,
        DATE '2026-01-05' + (n %% 120) * 2, n, n, now(), 1, 6, n %% 2, n %% 2, n %% 3
    FROM classrooms_attempt a JOIN classrooms_assignment t ON t.id = a.assignment_id,
        generate_series(1, %s) n""",
)
BY_OUTCOME: Final = """count(*) FILTER (WHERE outcome = 'at once') at_once,
        count(*) FILTER (WHERE outcome = 'later') later,
        count(*) FILTER (WHERE outcome = 'with a hint') hinted,
        count(*) FILTER (WHERE outcome = 'after tries') tried,
        count(*) FILTER (WHERE outcome = 'missed') missed,
        count(*) FILTER (WHERE outcome = 'with a joker') joker, max(at) last_at"""
BARE_STATEMENTS: Final = (
    f"""INSERT INTO progress_tableday (child_id, school_class_id, "table", day, at_once, later,
        hinted, tried, missed, joker, last_at)
    SELECT child_id, school_class_id, "table", day, {BY_OUTCOME}
    FROM progress_chance GROUP BY child_id, school_class_id, "table", day
    ON CONFLICT (child_id, school_class_id, "table", day) DO UPDATE SET
        at_once = excluded.at_once, later = excluded.later, hinted = excluded.hinted,
        tried = excluded.tried, missed = excluded.missed, joker = excluded.joker,
        last_at = excluded.last_at""",
    """INSERT INTO progress_childday (child_id, school_class_id, day, rounds, turns, hints,
        hint_turns, tries, checks, checks_right, last_at)
    SELECT child_id, school_class_id, day, sum(rounds_ended), sum(turns_ended), sum(hints_asked),
        sum(turns_with_hint), sum(tries_refused), 0, 0, max(at)
    FROM progress_played GROUP BY child_id, school_class_id, day
    ON CONFLICT (child_id, school_class_id, day) DO UPDATE SET rounds = excluded.rounds,
        turns = excluded.turns, hints = excluded.hints, hint_turns = excluded.hint_turns,
        tries = excluded.tries, last_at = excluded.last_at""",
    f"""INSERT INTO progress_childassignment (child_id, assignment_id, at_once, later, hinted,
        tried, missed, joker, rounds, turns, hints, tries, checks, checks_right, last_at)
    SELECT c.child_id, c.assignment_id, c.at_once, c.later, c.hinted, c.tried, c.missed, c.joker,
        p.rounds, p.turns, p.hints, p.tries, 0, 0, greatest(c.last_at, p.last_at)
    FROM (SELECT child_id, assignment_id, {BY_OUTCOME}
        FROM progress_chance GROUP BY child_id, assignment_id) c
    JOIN (SELECT child_id, assignment_id, sum(rounds_ended) rounds, sum(turns_ended) turns,
            sum(hints_asked) hints, sum(tries_refused) tries, max(at) last_at
        FROM progress_played GROUP BY child_id, assignment_id) p
    ON p.child_id = c.child_id AND p.assignment_id = c.assignment_id
    ON CONFLICT (child_id, assignment_id) DO UPDATE SET at_once = excluded.at_once,
        later = excluded.later, hinted = excluded.hinted, tried = excluded.tried,
        missed = excluded.missed, joker = excluded.joker, rounds = excluded.rounds,
        turns = excluded.turns, hints = excluded.hints, tries = excluded.tries,
        last_at = excluded.last_at""",
)


def main() -> None:
    print("\nProgress, PostgreSQL", flush=True)
    with site():
        _one_more_round()
        _stage_two()


def _timed(do: Callable[[], Any]) -> float:
    start = perf_counter()
    do()
    return perf_counter() - start


def _stage_two() -> None:
    """Count a million chances, in turn with bare statements on the same rows."""
    from django.db import connection
    from django.db.models import Q

    from classrooms.progress import counts

    _fill()

    def run(statements: Any) -> None:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def count_all() -> None:
        counts.count_all(Q())

    run(["VACUUM ANALYZE"])
    count_all()
    before = _counts()
    run(BARE_STATEMENTS)
    assert _counts() == before, "the bare statements make other rows"
    spent: dict[str, list[float]] = {"own": [], "bare": []}
    for _ in range(TIMINGS):
        for name, do in (("own", count_all), ("bare", lambda: run(BARE_STATEMENTS))):
            run(["VACUUM ANALYZE"])
            spent[name].append(_timed(do))
    middle = {name: median(seconds) for name, seconds in spent.items()}
    print(
        f"{'stage 2, 1,000,000 chances':38} {middle['own']:.2f} s; bare INSERT … ON CONFLICT "
        f"{middle['bare']:.2f} s; ratio {middle['own'] / middle['bare']:.2f} (≤ 1.3)"
    )


def _counts() -> list[dict[str, Any]]:
    from django.db.models import Count, Sum

    from classrooms.progress.models import CHANCE_COUNTS, ChildAssignment, ChildDay, TableDay

    figures = {
        TableDay: CHANCE_COUNTS,
        ChildDay: ("rounds", "turns", "hints", "tries"),
        ChildAssignment: (*CHANCE_COUNTS, "rounds", "turns", "hints", "tries"),
    }
    return [
        model._default_manager.aggregate(n=Count("pk"), **{name: Sum(name) for name in names})
        for model, names in figures.items()
    ]


def _fill() -> None:
    from django.db import connection

    from classrooms.models import Assignment, Attempt, Child, SchoolClass
    from games.engine.ruleset import edition, ruleset_to_data
    from games.models import Game

    Game.objects.all().delete()
    SchoolClass.objects.all().delete()
    data = ruleset_to_data(edition("simplified", rounds=1))
    classes = SchoolClass.objects.bulk_create(
        SchoolClass(name=f"Class {n}") for n in range(CHILDREN // 25)
    )
    tasks = Assignment.objects.bulk_create(
        Assignment(school_class=school_class) for school_class in classes
    )
    children = Child.all_objects.bulk_create(
        Child(school_class=classes[n % len(classes)], name=f"Child {n}", pictures_encrypted="-")
        for n in range(CHILDREN)
    )
    games = Game.objects.bulk_create(
        Game(ruleset_data=data, engine_version="-", seed=n) for n in range(CHILDREN)
    )
    Attempt.objects.bulk_create(
        Attempt(assignment=tasks[n % len(tasks)], child=child, game=games[n])
        for n, child in enumerate(children)
    )
    with connection.cursor() as cursor:
        # Foreign keys are not checked: there are a million, and they are right.
        cursor.execute("SET session_replication_role = replica")
        for statement, count in zip(FILL_STATEMENTS, (CHANCES, PLAYED_ROWS), strict=True):
            cursor.execute(statement, [count])
        cursor.execute("SET session_replication_role = DEFAULT")


def _one_more_round() -> None:
    """Count the same rounds of a child who has played for one week and of one who has played for
    forty."""
    from classrooms.models import Attempt
    from classrooms.progress import evidence
    from classrooms.progress.rebuild import rebuild

    children = [_child_after(weeks) for weeks in WEEKS]
    for child in children:
        rebuild(child)
    spent: list[list[float]] = [[] for _ in children]
    for seed in range(ROUNDS):
        for times, child in zip(spent, children, strict=True):
            game_id = _just_played_round(child, seed).game_id
            times.append(_timed(partial(evidence.process_game, game_id)))
    few_ms, many_ms = (median(times) * 1e3 for times in spent)
    print(
        f"{'one more round':38} after {WEEKS[1]} weeks {many_ms:.1f} ms, "
        f"after {WEEKS[0]} {few_ms:.1f} ms; ratio {many_ms / few_ms:.2f} (≤ 1.2)"
    )
    games = list(Attempt.objects.filter(child=children[1]).values_list("game", flat=True)[:GAMES])
    seconds = _timed(lambda: evidence.read_games(games))
    print(f"{'chances of a game of one round':38} {len(games) / seconds:.0f} games a second")


def _child_after(weeks: int) -> Any:
    from classrooms.demo.simulated_weeks import Weeks, play_weeks
    from classrooms.models import SchoolClass
    from classrooms.roster import services as roster

    school_class = SchoolClass.objects.create(name=f"{weeks} weeks")
    (child,) = roster.add_children(school_class, ["Dora"], None)
    for _ in play_weeks(school_class, Weeks(weeks, sittings=5)):
        pass
    return child


def _just_played_round(child: Any, seed: int) -> Any:
    """A round that the child has just finished and that is not counted yet."""
    from django.utils import timezone

    from classrooms.demo.model_children import MIDDLE, ModelChooser
    from classrooms.demo.past_games import PastGame, play_out, store_games
    from classrooms.models import Attempt
    from games.play.starting import NewSeat

    task = child.school_class.assignments.first()
    seats = [NewSeat(player=child.player), NewSeat(bot="beginner")]
    past = PastGame(task.ruleset, seats, timezone.now(), seed=seed, hint_steps=4)
    (game,) = store_games([play_out(past, ModelChooser(MIDDLE, seed))])
    return Attempt.objects.create(assignment=task, child=child, game=game)


if __name__ == "__main__":
    main()
