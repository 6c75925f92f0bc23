"""Switches off each permission check ("guard"), one at a time, and expects a test to fail.

    python -m scripts.permissions [--only TEXT]

In a temporary copy of the tree every guard that `scripts.permissions.removals` finds gets a switch.
One pytest process collects the tests of permissions, runs them once with all guards, and notes
which guards each test meets. Then, for each guard, a fork switches it off and runs the tests that
meet it, the fastest first, until one fails. Guards whose removal no test notices are printed. They
must be explained in `scripts/permissions/survivors.toml`, and tests must notice 98 of 100 removals.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from scripts.permissions.removals import Removal, instrument
from scripts.proof import FULL_COUNTS
from tests.repository import copy_tree

ROOT: Final = Path(__file__).parent.parent.parent
SURVIVORS: Final = ROOT / "scripts" / "permissions" / "survivors.toml"
LEAST_NOTICED: Final = 0.98
TESTS: Final = (
    "tests/classrooms/accounts/test_adapters.py",
    "tests/classrooms/accounts/test_sessions.py",
    "tests/classrooms/accounts/test_views.py",
    "tests/classrooms/assignments/test_assign_views.py",
    "tests/classrooms/assignments/test_child_views.py",
    "tests/classrooms/assignments/test_choice.py",
    "tests/classrooms/assignments/test_editing.py",
    "tests/classrooms/assignments/test_riddles.py",
    "tests/classrooms/assignments/test_tables.py",
    "tests/classrooms/checkups/test_views.py",
    "tests/classrooms/classes/test_class_settings.py",
    "tests/classrooms/classes/test_closing_accounts.py",
    "tests/classrooms/classes/test_co_teacher_views.py",
    "tests/classrooms/classes/test_co_teachers.py",
    "tests/classrooms/classes/test_new_year.py",
    "tests/classrooms/downloads/test_services.py",
    "tests/classrooms/downloads/test_views.py",
    "tests/classrooms/lesson/test_class_tables.py",
    "tests/classrooms/lesson/test_one_deal.py",
    "tests/classrooms/lesson/test_live_views.py",
    "tests/classrooms/lesson/test_pause.py",
    "tests/classrooms/lti/test_advantage.py",
    "tests/classrooms/lti/test_launches.py",
    "tests/classrooms/lti/test_people.py",
    "tests/classrooms/privacy/test_views.py",
    "tests/classrooms/progress/test_class_page.py",
    "tests/classrooms/progress/test_next_steps.py",
    "tests/classrooms/progress/test_replayed_turns.py",
    "tests/classrooms/reports/test_certificates.py",
    "tests/classrooms/reports/test_weekly_mail.py",
    "tests/classrooms/roster/test_changes.py",
    "tests/classrooms/roster/test_group_views.py",
    "tests/classrooms/roster/test_merge_children.py",
    "tests/classrooms/roster/test_move_views.py",
    "tests/classrooms/roster/test_several_classes.py",
    "tests/classrooms/roster/test_source_views.py",
    "tests/classrooms/roster/test_views.py",
    "tests/classrooms/signin/test_typed_names.py",
    "tests/classrooms/signin/test_views.py",
    "tests/classrooms/test_access.py",
    "tests/classrooms/test_collection.py",
    "tests/classrooms/test_look_around.py",
    "tests/classrooms/test_child_names.py",
    "tests/classrooms/test_schools.py",
    "tests/games/screen/test_help.py",
    "tests/games/test_views.py",
    "tests/test_destructive_acts.py",
    "tests/test_permissions.py",
)  # fmt: skip
"""The tests that check permissions, except two: one makes 300 requests to limit a stranger's
tries, the other (`test_every_refusal_has_a_sentence`) reads the code that is changed here."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only guards with this text in their title")
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="nmbrs-permissions-") as folder:
        tree = Path(folder) / "tree"
        copy_tree(ROOT, tree)
        removals = instrument(tree)
        tried = [removal for removal in removals if options.only in removal.title]
        survived = survivors(tree, tried)
    unexplained = explain(removals, tried, survived)
    noticed = len(tried) - len(survived)
    share = noticed / max(len(tried), 1)
    minutes = (time.monotonic() - began) / 60
    print(f"{len(tried)} removals, {noticed} noticed ({share:.1%}), in {minutes:.1f} minutes.")
    return 1 if unexplained or (len(tried) == len(removals) and share < LEAST_NOTICED) else 0


def survivors(tree: Path, removals: Sequence[Removal]) -> list[Removal]:
    work = tree.parent / "removals.json"
    work.write_text(json.dumps([asdict(removal) for removal in removals]))
    survived_file = tree.parent / "survived.json"
    command = [sys.executable, "-m", "pytest", "-q", "--tb=line", "-p", "no:logging"]
    command += ["-p", "no:cacheprovider", "-p", "scripts.permissions.guardless"]
    command += ["-k", "not tries_at_a_child and not refusal_has_a"]
    command += TESTS
    environment = {**os.environ, "GUARDS": str(work), "SURVIVED": str(survived_file)}
    environment |= FULL_COUNTS  # Otherwise the tests skip some addresses for some people.
    ended = subprocess.run(command, cwd=tree, env=environment, check=False)
    if not survived_file.exists():
        raise SystemExit(f"The tests did not run (pytest ended with {ended.returncode}).")
    numbers = set(json.loads(survived_file.read_text()))
    return [removal for removal in removals if removal.number in numbers]


def explain(
    removals: Sequence[Removal], tried: Sequence[Removal], survivors: Sequence[Removal]
) -> bool:
    """Print which removals no test noticed, and why; return whether any of them needs work."""
    reasons = {
        row["removal"]: row["why"] for row in tomllib.loads(SURVIVORS.read_text())["survivor"]
    }
    wrong = False
    for removal in survivors:
        why = reasons.get(removal.title)
        print(f"SURVIVED {removal.title}\n    {why or 'NOT EXPLAINED'}")
        wrong = wrong or why is None
    there = {removal.title for removal in removals}
    noticed = {removal.title for removal in tried} - {removal.title for removal in survivors}
    for title in sorted(reasons.keys() - there):
        print(f"EXPLAINED, BUT NO LONGER THERE {title}")
        wrong = True
    for title in sorted(reasons.keys() & noticed):
        print(f"EXPLAINED, BUT NOTICED {title}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
