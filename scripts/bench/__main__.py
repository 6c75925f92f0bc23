import subprocess
import sys

from scripts.bench import (
    bots,
    class_page,
    full_class,
    interaction,
    live,
    moves,
    news,
    positions,
    progress,
    random_play,
)

random_play.report()
positions.report()
moves.report()
bots.report()
live.report()
news.report()
progress.report()
class_page.report()
full_class.report()
interaction.report()
load = ("scripts.load", "--children", "120", "--pace", "1")
subprocess.run([sys.executable, "-m", *load], check=True)
