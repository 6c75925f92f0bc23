"""A separate process reads a stranger's file. Whatever is in it, the web process does little work
and does not grow, and the teacher gets a list or a sentence."""

import io
import json
import resource
import time
import zipfile
from datetime import date
from typing import Any

import pytest

from classrooms.models import SchoolClass, User
from classrooms.roster.importing import reading
from classrooms.roster.importing.encodings import UnreadableFile
from classrooms.roster.importing.file_process import read_file
from classrooms.roster.importing.grid import MOST_FILE_BYTES
from classrooms.ui import processes
from tests.classrooms.code_process import printed_by
from tests.classrooms.people import client_of, names_in
from tests.classrooms.roster.importing.corpus import CLASSES, ENROLLED, FILES, USERS, one_roster
from tests.classrooms.roster.importing.hostile import HOSTILE
from tests.classrooms.roster.importing.uploading import upload
from tests.counts import times

pytestmark = pytest.mark.django_db

MB = 1024 * 1024
MOST_PER_FILE = 100_000
NAMES = b"\n".join(b"Child %d" % number for number in range(499))
TRIED_FILES = times(
    (
        "15,000 sheets of one part", "c within c", "a long format", "all three",
        "quotes and commas",
    ),
    tuple(HOSTILE),
)  # fmt: skip


def processor_seconds() -> tuple[float, float]:
    """Processor seconds of this thread, and of all processes that it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.thread_time(), children.ru_utime + children.ru_stime


def most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("name", TRIED_FILES)
def test_a_small_file_costs_little_time_and_memory(
    name: str, alice: User, school_class: SchoolClass
) -> None:
    data = HOSTILE[name]()
    assert len(data) <= MOST_PER_FILE
    client = client_of(alice)
    before, _ = processor_seconds()
    upload(client, school_class, NAMES)
    ordinary = processor_seconds()[0] - before
    memory = most_memory()
    mine, theirs = processor_seconds()
    answer = upload(client, school_class, data)
    assert answer.status_code == 200
    assert processor_seconds()[1] - theirs < reading.PROCESSOR_SECONDS + 1
    assert processor_seconds()[0] - mine < 2 + 5 * ordinary
    assert most_memory() - memory < 64 * MB
    assert names_in(school_class) == []


def test_a_file_that_needs_too_much_memory_is_refused_in_words(
    alice: User, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MEMORY_BYTES", 60 * MB)
    answer = upload(client_of(alice), school_class, HOSTILE["c"]())
    (problem,) = answer.context["file_form"].errors["file"]
    assert "took too long" in problem


def test_a_sandboxed_process_reads_each_file_as_this_one_does() -> None:
    files = [file.data for file in FILES if len(file.data) <= MOST_FILE_BYTES]
    code = f"""
import json, resource
from datetime import date
from classrooms.roster.importing.file_process import UnreadableFile, read_file
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
for data in {files!r}:
    try:
        print(json.dumps(read_file(data, date(2026, 11, 27)).as_data()))
    except UnreadableFile as problem:
        print(json.dumps(problem.args))
"""
    output = printed_by(code, seconds=60, patience=600)
    assert [json.loads(line) for line in output.splitlines()] == [*map(read_or_refused, files)]


def read_or_refused(data: bytes) -> Any:
    try:
        return json.loads(json.dumps(read_file(data, date(2026, 11, 27)).as_data()))
    except UnreadableFile as problem:
        return [*problem.args]


@pytest.mark.parametrize("act", ["open('/etc/hostname')", "socket.socket()"])
def test_the_reader_opens_no_file_and_no_connection(act: str) -> None:
    code = f"""
import io, socket, sys
from classrooms.roster.importing import file_process
sys.stdin = io.TextIOWrapper(io.BytesIO(b"Dora"))
file_process.main()
try:
    {act}
except OSError as problem:
    print(problem.strerror)
"""
    output, _, problem = printed_by(code).partition(b"}")
    assert b"Dora" in output
    assert problem.rstrip().endswith(b"Too many open files")


def test_a_file_waits_only_briefly_for_its_turn(
    alice: User, school_class: SchoolClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "WAIT_SECONDS", 0.01)
    with reading.TURNS.turn(0):
        answer: Any = upload(client_of(alice), school_class, b"Dora")
    assert (answer.status_code, "Retry-After" in answer) == (503, True)


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_boundless_compression_is_not_unpacked(
    packing: int, alice: User, school_class: SchoolClass
) -> None:
    """358 bytes of bz2 became 588 MB in memory."""
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", packing) as archive:
        archive.writestr("users.csv", USERS)
        archive.writestr("classes.csv", CLASSES)
        archive.writestr("enrollments.csv", ENROLLED)
    answer = upload(client_of(alice), school_class, to.getvalue())
    assert answer.context["file_form"].errors["file"] == [
        "users.csv: The zip file cannot be unpacked."
    ]


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("again", ["users.csv", "Users.CSV", "./users.csv", "x\\..\\users.csv"])
def test_an_archive_names_no_part_twice(again: str, alice: User, school_class: SchoolClass) -> None:
    to = io.BytesIO(one_roster())
    with zipfile.ZipFile(to, "a") as archive:
        archive.writestr(again, USERS)
    answer = upload(client_of(alice), school_class, to.getvalue())
    assert answer.context["file_form"].errors["file"] == ["The zip file cannot be unpacked."]
