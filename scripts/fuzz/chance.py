"""Repeatable chance: what a test draws, and what the site draws during the test."""

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch


@contextmanager
def repeatable(*seed: object) -> Iterator[random.Random]:
    """Makes the keys, tokens and deals of the site follow from this seed."""
    inside = random.Random("site/" + "/".join(map(str, seed)))
    with patch.object(os, "urandom", inside.randbytes), patch("random._urandom", inside.randbytes):
        yield random.Random("/".join(map(str, seed)))
