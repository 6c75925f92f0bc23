"""Prints what a run found: first causes, then times."""

import json
from pathlib import Path
from typing import Final

from scripts.fuzz.judging import CHILDS_SECONDS, TEACHERS_SECONDS
from scripts.fuzz.running import SLOWEST, Tally, slowest

OUT: Final = Path("var/fuzz")
BOUNDS: Final = {"a child": CHILDS_SECONDS, "a teacher": TEACHERS_SECONDS}


def report(tally: Tally, seed: int, seconds: float) -> int:
    """Print the results and store the requests with wrong answers. Returns 1 if anything is
    wrong."""
    print(
        f"\n{tally.requests} requests, seed {seed}, {seconds / 60:.1f} minutes,"
        f" {tally.processor:.0f} processor seconds beside the database's"
    )
    print("people:", ", ".join(f"{who} {n}" for who, n in tally.people.most_common()))
    print("answers:", ", ".join(f"{status} {n}" for status, n in sorted(tally.statuses.items())))
    print(f"addresses asked for: {len(tally.urls)}")
    for key, findings in sorted(tally.findings.items()):
        print(f"\n{tally.counts[key]} × {key}")
        for finding in findings:
            print(f"  at {finding.place}: {finding.ask}")
        print("    " + findings[0].ask.as_test()[:1500].replace("\n", "\n    "))
        print("    " + findings[0].detail.strip()[-1500:].replace("\n", "\n    "))
    late = _late(tally)
    _keep(tally)
    print(
        f"\nfindings: {sum(tally.counts.values())} of {len(tally.findings)} kinds; too slow: {late}"
    )
    return int(bool(tally.findings) or late > 0)


def _late(tally: Tally) -> int:
    """Print the slowest and the most expensive addresses. Returns how many requests were too
    slow."""
    print("\nmost time altogether (seconds, requests, mean ms):")
    for url, spent in sorted(tally.seconds.items(), key=lambda each: -each[1])[:10]:
        mean = 1000 * spent / tally.urls[url]
        print(f"  {spent:7.1f} {tally.urls[url]:7} {mean:7.1f}  {url}")
    late = 0
    for kind in ("a child", "nobody", "a teacher"):
        slow = [each for each in slowest(tally.slow) if each[1] == kind][:SLOWEST]
        print(f"\nslowest of {kind}:")
        for spent, _, place, ask in slow:
            too_slow = spent > BOUNDS.get(kind, TEACHERS_SECONDS)
            late += too_slow
            mark = "TOO SLOW " if too_slow else ""
            print(f"  {1000 * spent:6.0f} ms at {place}: {mark}{ask[:180]!r}")
    return late


def _keep(tally: Tally) -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    kept = [
        {"kind": found.kind, "cause": found.cause, "place": found.place, **found.ask.as_data()}
        for each in tally.findings.values()
        for found in each
    ]
    (OUT / "findings.json").write_text(json.dumps(kept, indent=1))
