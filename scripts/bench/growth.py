"""`python -m scripts.bench.growth --weeks 10 --children 24`: the bytes that a child takes in the
database in a school year, from simulated weeks that are stored and counted like real ones."""

import argparse
from typing import Final

from scripts.load.machine import databases

SCHOOL_WEEKS: Final = 40
"""The weeks of a school year."""
LEAST_SHOWN: Final = 10_000
"""Tables that take fewer bytes for a child and year are added up as others."""


def main() -> None:
    options = _arguments()
    with databases():
        from django.core.management import call_command

        from classrooms.demo.school import make_long_class
        from classrooms.demo.simulated_weeks import Weeks
        from classrooms.models import Attempt

        weeks = Weeks(options.weeks, options.sittings)
        before = _sizes()
        for _ in make_long_class(weeks, options.children):
            pass
        call_command("rebuild_progress", verbosity=0)
        grown = {table: size - before[table] for table, size in _sizes().items()}
        years = options.children * options.weeks / SCHOOL_WEEKS
        games = Attempt.objects.count()
    print(
        f"{options.children} children, {options.weeks} weeks, {games} games: "
        f"{sum(grown.values()) / 1e6:.1f} MB with indexes"
    )
    rest = 0.0
    for table, size in sorted(grown.items(), key=lambda item: -item[1]):
        if size / years < LEAST_SHOWN:
            rest += size / years
        else:
            print(f"  {table:40} {size / years / 1e3:8.0f} kB a child and year")
    print(f"  {'others':40} {rest / 1e3:8.0f} kB a child and year")
    print(
        f"{sum(grown.values()) / years / 1e6:.2f} MB a child and year of {SCHOOL_WEEKS} weeks with "
        f"{games / options.children / options.weeks:.1f} games each; "
        f"{sum(grown.values()) / games / 1e3:.1f} kB a game"
    )


def _sizes() -> dict[str, int]:
    """The size of each table with its indexes and long values, in bytes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        return dict(cursor.fetchall())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.bench.growth", description=__doc__)
    parser.add_argument("--weeks", type=int, default=10)
    parser.add_argument("--children", type=int, default=24)
    parser.add_argument("--sittings", type=float, default=2.0, help="of a child and week")
    return parser.parse_args()


if __name__ == "__main__":
    main()
