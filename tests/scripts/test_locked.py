"""Lock files, as they are read."""

import re
from importlib.metadata import requires

import pytest
from packaging.requirements import Requirement

from scripts.locked import LockError, needed_by, normal, read
from tests.documents import text_of

HASH = f"--hash=sha256:{'a' * 64}"
LOCK = f"""\
# This file was made by a tool.
upper==1.0 \\
    {HASH}
    # via nmbrs-edu (pyproject.toml)
Middle_One==2.0 ; python_version < '4' \\
    {HASH} \\
    {HASH}
    # via upper
lower==3.0 \\
    {HASH}
    # via
    #   middle-one
    #   other
other==4.0 \\
    {HASH}
    # via nmbrs-edu (pyproject.toml)
"""


def test_a_lock_says_what_is_pinned_with_how_many_hashes_and_for_whom() -> None:
    lock = read(LOCK)
    assert {name: pinned.version for name, pinned in lock.items()} == {
        "upper": "1.0",
        "middle-one": "2.0",
        "lower": "3.0",
        "other": "4.0",
    }
    assert lock["middle-one"].hashes == 2
    assert lock["lower"].via == {"middle-one", "other"}
    assert [name for name, pinned in lock.items() if pinned.direct] == ["upper", "other"]


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://packages.example/simple",
        "loose>=1.0",
        "elsewhere @ https://packages.example/a.whl",
        f"odd==1.0 \\\n    {HASH} \\\n    --no-binary",
        "-r other.txt",
    ],
)
def test_what_is_no_pin_is_refused(line: str) -> None:
    with pytest.raises(LockError):
        read(f"{LOCK}{line}\n")


def test_what_a_package_needs_is_it_and_all_below_it() -> None:
    assert list(needed_by("upper", read(LOCK))) == ["lower", "middle-one", "upper"]
    assert list(needed_by("other", read(LOCK))) == ["lower", "other"]
    with pytest.raises(LockError):
        needed_by("missing", read(LOCK))


def test_the_sbom_maker_gets_all_that_it_needs_in_the_image() -> None:
    lock = read(text_of("requirements/dev.txt"))
    part = needed_by("cyclonedx-bom", lock)
    for name in part:
        for text in requires(name) or ():
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                assert normal(wanted.name) in part, f"{name} needs {text}"


def test_what_is_printed_can_be_installed_by_hashes() -> None:
    part = needed_by("upper", read(LOCK))
    assert all(re.search(r"--hash=sha256:a{64}$", pinned.text) for pinned in part.values())
    assert read("\n".join(pinned.text for pinned in part.values())).keys() == part.keys()
