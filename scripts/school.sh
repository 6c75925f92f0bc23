#!/bin/sh
# Sets the site up for a school: asks three things, starts everything, makes the first operator.
# Where that is done it changes nothing. COMPOSE names another program than `docker compose`.
set -eu
cd "$(dirname "$0")/.."
compose=${COMPOSE:-docker compose}
$compose version >/dev/null 2>&1 || {
    echo "nmbrs_edu: Docker with its compose plugin is needed, and “$compose version” fails." >&2
    exit 1
}
$compose config >/dev/null || {
    echo "nmbrs_edu: “$compose” cannot read docker-compose.yml (see above). It needs 2.24 or newer." >&2
    exit 1
}
[ -f .env ] || $compose run --rm school
$compose up -d
$compose run --rm school
