#!/bin/sh
# The tests on PostgreSQL; then, on SQLite, those that must hold on both. Usage: test.sh [FILE …]
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python
export DJANGO_SETTINGS_MODULE=nmbrs_edu.settings.test
# Half of the time, a test waits for a browser, a database or a process of its own.
processes=$(($(nproc) * 2))
$python -m pytest -q -n "$processes" --dist worksteal "$@"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "The same on SQLite:"
status=0
DATABASE_URL="sqlite:///$folder/db.sqlite3" $python -m pytest -q -n "$processes" --dist worksteal -m both_databases "$@" || status=$?
# 5: none of these files has such a test.
[ "$status" = 5 ] && [ "$#" -gt 0 ] && exit 0
exit "$status"
