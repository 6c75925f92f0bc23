#!/bin/sh
# Makes .venv and installs what is locked. Usage: scripts/install.sh run|dev
# It repeats an earlier install that was cut off: a stamp is written only at the end.
set -eu
cd "$(dirname "$0")/.."
kind=$1
lock=requirements/$kind.txt

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))'
}
has_venv() {
    "$1" -c 'import venv, ensurepip' >/dev/null 2>&1
}
# A distribution builds its Python with a profile. A Python that pyenv has built, often the first in
# PATH, takes a seventh more time for everything.
if [ -z "${PYTHON:-}" ] && has_venv /usr/bin/python3 && is_new_enough /usr/bin/python3; then
    PYTHON=/usr/bin/python3
fi
python=${PYTHON:-python3}

fail() {
    echo "nmbrs_edu: $*" >&2
    exit 1
}

command -v "$python" >/dev/null 2>&1 || fail "Python 3.11 or newer is needed, and there is no $python. Install it, or say PYTHON=/path/to/python."
is_new_enough "$python" || fail "Python 3.11 or newer is needed; $python is $("$python" -V 2>&1). Say PYTHON=/path/to/python."

hash_of() {
    "$python" - "$1" <<'PYTHON'
import hashlib, sys
print(hashlib.sha256(open(sys.argv[1], "rb").read() + sys.version.encode()).hexdigest())
PYTHON
}
wanted=$(hash_of "$lock")
for done in run dev; do
    [ -f ".venv/installed-$done" ] || continue
    [ "$done" = dev ] || [ "$done" = "$kind" ] || continue
    stamp=$(sed -n "s/^$kind //p" ".venv/installed-$done")
    [ "$stamp" = "$wanted" ] && [ -x .venv/bin/python ] && exit 0
done

if ! has_venv "$python"; then
    fail "Python's venv module is missing. On Debian and Ubuntu: apt install python3-venv, then the same command again."
fi
if [ -d .venv ] && ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    echo "An earlier install did not finish; starting it afresh."
    rm -rf .venv
fi
if [ ! -d .venv ]; then
    echo "Making the virtual environment in .venv …"
    "$python" -m venv .venv || { rm -rf .venv; fail "The virtual environment could not be made (see above)."; }
fi
rm -f .venv/installed-*
echo "Installing what $lock names (a minute or two the first time) …"
.venv/bin/python -m pip install --disable-pip-version-check --no-input --require-hashes \
    --progress-bar off -r "$lock" 2>&1 | sed -n 's/^Collecting \([^ ]*\).*/  \1/p; /^ERROR/p; /^error/p' \
    || true
.venv/bin/python - "$lock" <<'PYTHON' || fail "The install did not finish (see above). Check the network, then give the same command again."
import re, sys
from importlib.metadata import version, PackageNotFoundError
from pip._vendor.packaging.requirements import Requirement
missing = []
for line in open(sys.argv[1]):
    if re.match(r"[a-z0-9]", line):
        wanted = Requirement(line.rstrip().rstrip("\\"))
        if wanted.marker and not wanted.marker.evaluate():
            continue
        try:
            if version(wanted.name) not in wanted.specifier:
                missing.append(wanted.name)
        except PackageNotFoundError:
            missing.append(wanted.name)
if missing:
    print("Not installed:", ", ".join(missing), file=sys.stderr)
    sys.exit(1)
PYTHON
{
    echo "run $(hash_of requirements/run.txt)"
    [ "$kind" = run ] || echo "dev $(hash_of requirements/dev.txt)"
} >".venv/installed-$kind"
echo "Installed."
