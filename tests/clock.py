"""The clock of this process, set by a test. It stands still until the test moves it.

`time.monotonic` runs on, and so do the clocks of PostgreSQL, of other processes and of the browser.
"""

from datetime import UTC, datetime

import time_machine


def at(moment: datetime) -> time_machine.travel:
    """Set the clock to this moment until the block ends."""
    return time_machine.travel(moment.astimezone(UTC), tick=False)
