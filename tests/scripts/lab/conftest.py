"""The measurements of the makers' simulations are read and tested in `make proof` only."""

from tests.counts import times

collect_ignore_glob = times(["test_*.py"], [])
