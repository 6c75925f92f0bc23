#!/bin/sh
# Runs the tests on PostgreSQL and, at the same time, some on SQLite: those of what SQLite does in a
# way of its own, and with NMBRS_PROOF=1 all that must pass on both. While one run waits, the other
# goes on. Usage: test.sh [FILE …]
set -eu
cd "$(dirname "$0")/.."
export DJANGO_SETTINGS_MODULE=nmbrs_edu.settings.test
named=$#
# What one process has compiled, the others need not compile.
unset PYTHONDONTWRITEBYTECODE
# A test waits for a browser, a database or another process. Valkey has 16 databases: each of seven
# processes needs one for its tasks and one for those of its servers.
processes=$(($(nproc) * 2 + 1))
[ "$processes" -le 7 ] || processes=7
# In a fresh clone, each process would compile all tests anew.
if ! [ -d tests/__pycache__ ]; then
    for part in tests/classrooms "tests --ignore tests/classrooms"; do
        DATABASE_URL=sqlite://:memory: REDIS_URL=redis://none \
            .venv/bin/python -m pytest --collect-only -q $part >/dev/null || true &
    done
    wait
fi
pytest=".venv/bin/python -m pytest -q --dist loadscope --no-loadscope-reorder"
on_sqlite() {
    marks=sqlite side_by_side=0
    [ "${NMBRS_PROOF:-}" != 1 ] || marks="sqlite or both_databases" side_by_side=2
    # Only these files are collected: to collect all takes as long as to run these tests.
    [ "$named" -gt 0 ] || set -- $(grep -rl 'mark\.sqlite' tests --include='test_*.py')
    export DATABASE_URL="sqlite:///$folder/db.sqlite3"
    exec $pytest -n $side_by_side -m "$marks" "$@"
}
folder=$(mktemp -d)
on_sqlite "$@" >"$folder/printed" 2>&1 &
second=$!
trap 'kill "$second" 2>/dev/null || true; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
status=0
$pytest -n "$processes" "$@" || status=$?
second_status=0
wait "$second" || second_status=$?
echo "The same on SQLite:"
cat "$folder/printed"
# 5: none of these files has such a test.
[ "$second_status" = 5 ] && [ "$named" -gt 0 ] && second_status=0
[ "$status" != 0 ] || status=$second_status
exit "$status"
