"""Maps a function in one process or in several, with the same results."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_processes(
    function: Callable[[Item], Result], items: Sequence[Item], processes: int, *, chunk: int = 1
) -> Iterator[Result]:
    """The results for `items` in their order; `chunk` of them go to a process at a time. The
    processes are spawned, so `function` and the items are pickled. They are not forked, because the
    fork of a process with threads can inherit a lock that nobody releases."""
    if processes == 1:
        yield from map(function, items)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(function, items, chunksize=chunk)
