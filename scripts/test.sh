#!/bin/sh
# Runs the tests on PostgreSQL and, at the same time, those that must pass on both databases on
# SQLite: while one run waits, the other goes on. Usage: test.sh [FILE …]
set -eu
cd "$(dirname "$0")/.."
export DJANGO_SETTINGS_MODULE=nmbrs_edu.settings.test
named=$#
# What one process has compiled, the others need not compile.
unset PYTHONDONTWRITEBYTECODE
# A test spends half of its time waiting for a browser, a database or another process. Valkey has 16
# databases: each of seven processes needs one for its tasks and one for those of its servers.
processes=$(($(nproc) * 3))
[ "$processes" -le 7 ] || processes=7
pytest=".venv/bin/python -m pytest -q --dist loadscope --no-loadscope-reorder"
on_sqlite() {
    # Only these files are collected: to collect all takes as long as to run these tests.
    [ "$named" -gt 0 ] || set -- $(grep -rl both_databases tests --include='test_*.py')
    export DATABASE_URL="sqlite:///$folder/db.sqlite3"
    exec $pytest -n 2 -m both_databases "$@"
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
