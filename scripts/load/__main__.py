"""`make load CHILDREN=300 SECONDS=60 PACE=6`: children at play on the commands of
docker-compose.yml. `SIGN_IN=60` measures a rush instead: all sign in within these seconds, while
others play. With `HANDS=5` five more classes of 30 look at one hand together meanwhile."""

import argparse

from scripts.load.machine import databases


def main() -> int:
    options = _arguments()
    with databases() as (postgresql, _):
        from scripts.load.run import run

        return int(run(postgresql, options))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.load", description=__doc__)
    parser.add_argument("--children", type=int, nargs="+", default=[120, 300, 600, 1000, 2000])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pace", type=float, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sign-in", type=float, help="measure a rush of this many seconds")
    parser.add_argument("--school", type=int, default=200, help="children behind one address")
    parser.add_argument("--teachers", type=int, default=10, help="who look, at most, in a rush")
    parser.add_argument("--tables", type=float, default=0, help="the share of classes at tables")
    parser.add_argument("--hands", type=int, default=0, help="classes that look at one hand")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
