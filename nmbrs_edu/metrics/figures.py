"""All figures for Prometheus. None contains a name, an address or a person's id."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import nan
from typing import Final

from django.db import DatabaseError, connection

from classrooms.progress import evidence
from classrooms.progress.models import Difference
from nmbrs_edu.metrics.counting import FAILED_TASKS, MOVES, REQUESTS
from nmbrs_edu.models import Counted, Upkeep
from nmbrs_edu.operating.running import queue_lengths

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
COUNTERS: Final = {
    REQUESTS: ("nmbrs_requests_total", "Answers, by part of the site and status."),
    MOVES: ("nmbrs_moves_total", "Moves that were stored."),
    FAILED_TASKS: ("nmbrs_failed_tasks_total", "Tasks that ended with an error."),
}
LABELS: Final = {REQUESTS: ("kind", "status"), MOVES: (), FAILED_TASKS: ("task",)}


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    about: str
    samples: Sequence[tuple[Mapping[str, str], float]]

    def lines(self) -> Iterator[str]:
        kind = "counter" if self.name.endswith("_total") else "gauge"
        yield f"# HELP {self.name} {self.about}"
        yield f"# TYPE {self.name} {kind}"
        for labels, value in self.samples:
            label_text = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
            yield f"{self.name}{f'{{{label_text}}}' if labels else ''} {_number(value)}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return "NaN" if value != value else f"{value:.15g}"


def text(now: datetime) -> str:
    return "".join(f"{line}\n" for figure in _figures(now) for line in figure.lines())


def _figures(now: datetime) -> Iterator[Figure]:
    yield from _queues()
    try:
        figures = [*_counts(), *_progress(now), *_upkeep(now), *_sizes()]
    except DatabaseError:
        figures = []
    about = "Whether the database answers. If not, figures are missing."
    yield Figure("nmbrs_database_up", about, [({}, bool(figures))])
    yield from figures


def _queues() -> Iterator[Figure]:
    lengths = queue_lengths()
    up = None not in lengths.values()
    yield Figure("nmbrs_redis_up", "Whether Redis answers.", [({}, up)])
    samples = [({"queue": name}, nan if n is None else n) for name, n in lengths.items()]
    yield Figure("nmbrs_queue_length", "Tasks that wait; NaN while Redis is away.", samples)


def _counts() -> Iterator[Figure]:
    rows = list(Counted.objects.order_by("kind", "status"))
    for what, (name, about) in COUNTERS.items():
        samples = [
            (dict(zip(LABELS[what], (row.kind, row.status), strict=False)), row.number)
            for row in rows
            if row.what == what
        ]
        yield Figure(name, about, samples if LABELS[what] else samples or [({}, 0)])


def _progress(now: datetime) -> Iterator[Figure]:
    since = evidence.earliest_due_at()
    age = max((now - since).total_seconds(), 0) if since else 0
    about = "For how long the report that waits longest has been due."
    yield Figure("nmbrs_oldest_due_report_seconds", about, [({}, age)])
    about = "Differences found at night."
    yield Figure("nmbrs_differences", about, [({}, Difference.objects.count())])


def _upkeep(now: datetime) -> Iterator[Figure]:
    parts = list(Upkeep.objects.order_by("part"))
    ages = [
        ({"part": part.part}, (now - part.went_well_at).total_seconds())
        for part in parts
        if part.went_well_at
    ]
    about = "Since a part of the machine last did its work well."
    yield Figure("nmbrs_upkeep_age_seconds", about, ages)
    failed = [({"part": part.part}, bool(part.problem)) for part in parts]
    yield Figure("nmbrs_upkeep_failed", "Whether it failed the last time.", failed)


def _sizes() -> Iterator[Figure]:
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        whole = cursor.fetchone()[0]
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname"
        )
        tables = cursor.fetchall()
    yield Figure("nmbrs_database_bytes", "Size of the database.", [({}, whole)])
    samples = [({"table": name}, size) for name, size in tables]
    yield Figure("nmbrs_table_bytes", "Size of each table with its indexes.", samples)
