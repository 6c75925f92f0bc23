#!/bin/sh
# The tests on PostgreSQL; then, on SQLite, those that must hold on both. Usage: test.sh [FILE …]
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python
export DJANGO_SETTINGS_MODULE=nmbrs_edu.settings.test
named=$#
# What one process has compiled, the others need not.
unset PYTHONDONTWRITEBYTECODE
# Half of the time, a test waits for a browser, a database or a process of its own. Valkey has 16
# databases: one for its tasks and one for those of its servers for each of seven.
processes=$(($(nproc) * 3))
[ "$processes" -le 7 ] || processes=7
$python -m pytest -q -n "$processes" --dist loadscope --no-loadscope-reorder "$@"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "The same on SQLite:"
# Only these files are collected: all of them take as long as these tests.
[ "$named" -gt 0 ] || set -- $(grep -rl both_databases tests --include='test_*.py')
status=0
DATABASE_URL="sqlite:///$folder/db.sqlite3" $python -m pytest -q -n "$processes" --dist loadscope --no-loadscope-reorder -m both_databases "$@" || status=$?
# 5: none of these files has such a test.
[ "$status" = 5 ] && [ "$named" -gt 0 ] && exit 0
exit "$status"
