#!/bin/sh
# What the official image of PostgreSQL does at its start, as far as docker-compose.yml needs it.
set -eu
if [ "$(id -u)" = 0 ]; then
    chown postgres:postgres "$PGDATA" /run/postgresql
    chmod 700 "$PGDATA"
    exec setpriv --reuid postgres --regid postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    echo "$POSTGRES_PASSWORD" >/tmp/password
    initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust
    rm /tmp/password
    echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
    echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
    pg_ctl -w -o "-c listen_addresses=" start
    createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
    pg_ctl -w stop
fi
exec "$@"
