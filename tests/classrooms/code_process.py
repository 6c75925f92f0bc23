"""Carries out commands from standard input, to test what a process of `processes.run` may do."""

import sys

exec(sys.stdin.read())  # nosec B102
