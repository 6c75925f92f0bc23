"""Carries out commands from standard input, to test what a process of `processes.run` may do."""

import sys


def printed_by(code: str, seconds: int = 20, memory: int = 300 << 20, patience: int = 60) -> bytes:
    """The output of a process that runs this code."""
    from classrooms.ui.processes import run  # Not in the process itself, which it would slow down.

    process = run(
        "tests.classrooms.code_process",
        code.encode(),
        seconds=seconds,
        memory=memory,
        patience=patience,
    )
    return process.stdout + process.stderr


if __name__ == "__main__":
    exec(sys.stdin.read())  # nosec B102
