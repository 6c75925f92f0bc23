#!/bin/sh
# Every check of the code that does not run the suite.
set -eu
cd "$(dirname "$0")/.."
bin=.venv/bin
export DJANGO_SETTINGS_MODULE=nmbrs_edu.settings.test
step() {
    echo "– $1"
    shift
    "$@"
}
# The types take as long as all the rest: they are checked beside it.
types=$(mktemp)
$bin/mypy >"$types" 2>&1 &
mypy=$!
trap 'kill "$mypy" 2>/dev/null || true; rm -f "$types"' EXIT
step "ruff" $bin/ruff check .
step "ruff format" $bin/ruff format --check .
step "bandit" $bin/bandit -c pyproject.toml -q -r games classrooms nmbrs_edu scripts 2>/dev/null
step "bandit, chance and secrets" $bin/bandit -q -t B311 -r classrooms nmbrs_edu -x classrooms/demo 2>/dev/null
step "locks" $bin/python -m scripts.audit --offline
step "djlint" $bin/djlint templates --lint --quiet
step "imports" $bin/lint-imports --no-cache
step "templates" $bin/python -m scripts.templates
step "migrations" $bin/python manage.py makemigrations --check --dry-run
step "translations" $bin/python -m scripts.translations
step "proxy" $bin/python -m scripts.proxy
step "wording" $bin/python -m scripts.wording
step "deploy" env DJANGO_SETTINGS_MODULE=nmbrs_edu.settings.production \
    SECRET_KEY="$($bin/python -c 'import secrets; print(secrets.token_urlsafe(60))')" \
    PICTURES_KEY="$($bin/python -c 'from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())')" \
    ALLOWED_HOSTS=school.example DATABASE_URL=postgres://nobody@localhost/none \
    $bin/python manage.py check --deploy --fail-level WARNING
echo "– mypy"
wait "$mypy" || { cat "$types"; exit 1; }
cat "$types"
