#!/bin/sh
# Runs the tests on PostgreSQL and, with NMBRS_PROOF=1, at the same time on SQLite those that must
# pass on both. While one run waits, the other goes on. Usage: test.sh [FILE …]
set -eu
cd "$(dirname "$0")/.."
export DJANGO_SETTINGS_MODULE=nmbrs_edu.settings.test
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
[ "${NMBRS_PROOF:-}" = 1 ] || exec $pytest -n "$processes" "$@"
folder=$(mktemp -d)
DATABASE_URL="sqlite:///$folder/db.sqlite3" \
    $pytest -n 2 -m both_databases "$@" >"$folder/printed" 2>&1 &
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
[ "$second_status" = 5 ] && [ "$#" -gt 0 ] && second_status=0
[ "$status" != 0 ] || status=$second_status
exit "$status"
