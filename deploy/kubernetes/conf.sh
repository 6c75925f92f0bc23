#!/bin/sh
# Make deploy/nginx.conf fit a cluster: its name server, and full names, since nginx completes none.
# Usage: NAMESPACE=nmbrs conf.sh FROM TO [RESOLV_CONF]
set -eu
server=$(sed -n 's/^nameserver[[:space:]]*//p' "${3:-/etc/resolv.conf}" | head -n 1)
case $server in *:*) server="[$server]" ;; esac
sed -e "s/resolver 127\.0\.0\.11 /resolver $server /" \
    -e "s/server \([a-z]*\):8000 /server \1.$NAMESPACE.svc.cluster.local:8000 /" "$1" >"$2"
