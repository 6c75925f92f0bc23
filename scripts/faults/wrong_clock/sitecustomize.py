"""Python runs this at its start if this folder is on its path. The clock is then `WRONG_DAYS` days
off; monotonic clocks are right."""

import os
from datetime import UTC, datetime, timedelta

import time_machine

days = timedelta(days=int(os.environ["WRONG_DAYS"]))
time_machine.travel(datetime.now(UTC) + days, tick=True).start()
