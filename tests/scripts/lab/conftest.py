"""What the simulations of the makers measure is only read, and tested, in `make proof`."""

from tests.counts import times

collect_ignore_glob = times(["test_*.py"], [])
