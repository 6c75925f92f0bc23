#!/bin/sh
# Finds a command that no wheel contains, or installs its Debian package.
# Usage: scripts/debian.sh COMMAND PACKAGE
set -eu
command=$1
package=$2
command -v "$command" >/dev/null 2>&1 && exit 0
run=""
[ "$(id -u)" = 0 ] || run=sudo
if ! command -v apt-get >/dev/null 2>&1 || { [ -n "$run" ] && ! command -v sudo >/dev/null 2>&1; }; then
    echo "nmbrs_edu: $command is needed. Install it (on Debian: apt install $package), then the same command again." >&2
    exit 1
fi
echo "Installing $package …"
# A server that comes with its package must not run on this machine, neither now nor later.
[ ! -d /run/systemd/system ] || $run systemctl mask --runtime "$package.service" >/dev/null 2>&1 || true
$run apt-get update -qq || true
$run env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends "$package" >/dev/null || {
    echo "nmbrs_edu: $package could not be installed (see above)." >&2
    exit 1
}
[ ! -d /run/systemd/system ] || $run systemctl disable "$package.service" >/dev/null 2>&1 || true
command -v "$command" >/dev/null 2>&1
