#!/bin/sh
# The whole suite on PostgreSQL; then, on SQLite, the tests that must hold on both.
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python
$python -m pytest -q -n 2 --dist worksteal "$@"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "The same on SQLite:"
DATABASE_URL="sqlite:///$folder/db.sqlite3" $python -m pytest -q -m both_databases
