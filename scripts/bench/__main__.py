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
    workers,
)

random_play.report()
positions.report()
moves.report()
bots.report()
live.report()
news.report()
progress.report()
workers.report()
class_page.report()
full_class.report()
interaction.report()
