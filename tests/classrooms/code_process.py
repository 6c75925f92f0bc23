"""Carries out commands from standard input: what a process of `processes.run` may do at all."""

import sys

exec(sys.stdin.read())  # nosec B102
