"""`make bench`: each benchmark by itself, with its own servers."""

import subprocess
import sys
from typing import Final

BENCHES: Final = (
    "bench.random_play",
    "bench.positions",
    "bench.moves SQLite",
    "bench.moves PostgreSQL",
    "bench.bots",
    "bench.live",
    "bench.news",
    "bench.progress",
    "bench.class_page",
    "bench.full_class",
    "bench.interaction",
    "load --children 120 --pace 1",
)

for bench in BENCHES:
    subprocess.run([sys.executable, "-m", *f"scripts.{bench}".split()], check=True)
