"""`make images [FROM=COMMIT]`: builds the image and runs docker-compose.yml in real containers.
First `make school` with a certificate from an ACME server, a teacher and a child, a backup and a
restore. Then, while children play, the upgrade from that commit, the way back, and a restart of
each service."""

import argparse
import os
import shutil
import sys
from typing import Final

import django

from scripts.images.engine import Engine, install_tools
from scripts.load.upgrade import checked_out
from tests.repository import ROOT

LAST_RELEASE: Final = "282ed4e0"
PROJECT: Final = "nmbrs-images"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.images", description=__doc__)
    parser.add_argument("commit", nargs="?", default=LAST_RELEASE)
    options = parser.parse_args()
    # The children of `scripts.load` import the site's models but query no database.
    os.environ["DJANGO_SETTINGS_MODULE"] = "nmbrs_edu.settings.local"
    django.setup()
    from scripts.images.run import Run

    install_tools(ROOT)
    folder = ROOT / "var" / "images"
    engine = Engine(folder, folder / PROJECT)
    shutil.rmtree(engine.project, ignore_errors=True)
    engine.project.mkdir()
    engine.remove()
    try:
        with checked_out(options.commit) as older:
            Run(engine, older).all()
    finally:
        engine.remove()
        leftovers = engine.leftovers()
        shutil.rmtree(engine.project)
        print(f"left behind: {', '.join(leftovers) or 'nothing'}")
    return int(bool(leftovers))


if __name__ == "__main__":
    sys.exit(main())
