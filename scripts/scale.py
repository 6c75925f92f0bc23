"""`python -m scripts.scale`: what a city and a country need, computed from measurements on one
school's machine. docs/scale.md has the table and says where each figure comes from."""

from dataclasses import dataclass
from math import ceil
from typing import Final

# Measured: `make load`, 600 children on two cores, 27 November 2026.
WEB_MS: Final = 3.6
DATABASE_MS: Final = 0.7
PROXY_MS: Final = 0.3
WORKERS_MS: Final = 0.1
# Measured: `python -m scripts.bench.growth`, 25 November 2026.
KB_A_GAME: Final = 20.3
"""The size of one round, with all that is counted from it."""
# Measured: resident memory of a process of the web under load, 25 November 2026.
WEB_PROCESS_MB: Final = 164

# Assumed.
PACE: Final = 6
"""Seconds between two moves of a child."""
AT_ONCE: Final = 0.2
"""The share of all children who play in the busiest minute of the week."""
GAMES_A_YEAR: Final = 5 * 40
"""The games of a child: five a week."""
BUSY: Final = 0.6
"""How busy a processor may be before moves wait for each other."""
HOT: Final = 0.25
"""The share of a year's data that is best kept in memory."""
YEARS: Final = 2
"""The most that is kept: a class that is not used is archived and then erased."""
COPIES: Final = 3
"""The copies of the data: the database, a standby, and backups."""
EURO_A_CORE: Final = 20
"""For a month, rented, with 4 GB of memory."""
EURO_A_GB: Final = 0.1
"""For a month of disk."""


@dataclass(frozen=True, slots=True)
class Need:
    """The load of this many children, in their busiest minute."""

    children: int

    @property
    def moves(self) -> float:
        """Moves per second."""
        return self.children * AT_ONCE / PACE

    def cores(self, ms: float) -> int:
        return max(1, ceil(self.moves * ms / 1000 / BUSY))

    @property
    def web(self) -> int:
        return self.cores(WEB_MS + PROXY_MS + WORKERS_MS)

    @property
    def database(self) -> int:
        return self.cores(DATABASE_MS)

    @property
    def growth(self) -> float:
        """How much data a year adds, in GB."""
        return self.children * GAMES_A_YEAR * KB_A_GAME / 1e6

    @property
    def memory(self) -> int:
        """The memory in GB: a process for each core of the web, and what the database reads again
        and again."""
        return ceil(self.web * WEB_PROCESS_MB / 1000 + self.growth * HOT)

    @property
    def disk(self) -> int:
        """The disk in GB, with all copies."""
        return ceil(self.growth * YEARS * COPIES)

    @property
    def euro(self) -> int:
        """The costs for a month. The standby is as large as the database."""
        cores = max(self.web + 2 * self.database, ceil(self.memory / 4))
        return round(cores * EURO_A_CORE + self.disk * EURO_A_GB)


NEEDS: Final = {"a school": Need(600), "a city": Need(20_000), "a country": Need(1_000_000)}


def table() -> str:
    """The table in docs/scale.md."""
    lines = [
        "| | children | moves a second | cores: web, proxy, workers | cores: database | memory | "
        "disk | € a month |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, need in NEEDS.items():
        lines.append(
            f"| {name} | {need.children:,} | {need.moves:,.0f} | {need.web} | {need.database} | "
            f"{need.memory:,} GB | {need.disk:,} GB | {need.euro:,} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
