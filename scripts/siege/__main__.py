"""`make siege SECONDS=60 KINDS="names codes"`: runs the whole site by the commands of
docker-compose.yml, and one kind of attack after another, from one address and one session.
Meanwhile 100 children play and 5 teachers work, half of them at the attacker's address. The exit
status is 1 if an aim was missed. `KINDS=morning` is not an attack: a school signs in."""

import argparse

from scripts.load.machine import databases, running_site
from scripts.siege.attacks import KINDS, MORNING


def main() -> int:
    options = _arguments()
    with databases() as (postgresql, _), running_site(postgresql) as site:
        from scripts.siege.run import run

        missed = run(site, options)
        print("\n".join(f"MISSED: {aim}" for aim in missed) or "Nothing was missed.", flush=True)
        return int(bool(missed))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.siege", description=__doc__)
    every = [*KINDS, MORNING]
    parser.add_argument("--kinds", nargs="+", choices=every, default=every, metavar="KIND")
    parser.add_argument("--seconds", type=float, default=60, help="of each kind")
    parser.add_argument(
        "--pace", type=float, default=6, help="seconds between two moves of a child"
    )
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
