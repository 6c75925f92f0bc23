"""`make faults FAULTS=2000 CHILDREN=60`: lets children play while parts of the machine fail, and
compares what they saw with the logs. The same SEED gives the same faults in the same order. With
WITHOUT_VERSION_CHECK=1 the web runs without its version check, and the run must end with
differences."""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.faults.disk import small_disk
from scripts.load.machine import databases, running_site


def main() -> int:
    options = _arguments()
    with TemporaryDirectory(prefix="nmbrs-faults-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with (
            small_disk(folder / "disk") as disk,
            databases(disk.folder if disk else None) as (postgresql, valkey),
            running_site(postgresql) as site,
        ):
            from scripts.faults.run import run

            return int(run(site, (postgresql, valkey), disk, options))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.faults", description=__doc__)
    parser.add_argument("--faults", type=int, default=2000)
    parser.add_argument("--children", type=int, default=60)
    parser.add_argument("--pace", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=float, default=0, help="the share of classes at tables")
    parser.add_argument("--without-version-check", action="store_true", help="must differ")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
