"""What `docs/security.md` and `docs/asvs.md` name is there, and no requirement is left out."""

import re
from collections.abc import Iterator

import pytest

from tests.documents import missing, paths_in, text_of

DOCS = ("docs/asvs.md", "docs/security.md", "docs/signing-in.md", "SECURITY.md")
ANSWERS = ("Yes", "Partly", "No", "Not here")
LEVELS_1_AND_2 = """
1.1: 2  1.2: 9  1.3: 11  1.4: 3  1.5: 2  2.1: 3  2.2: 3  2.3: 4  2.4: 1  3.2: 2  3.3: 4  3.4: 6
3.5: 5  3.7: 2  4.1: 3  4.2: 1  4.3: 2  4.4: 4  5.1: 1  5.2: 3  5.3: 2  5.4: 3  6.1: 3  6.2: 12
6.3: 4  6.4: 4  6.5: 5  6.6: 3  6.8: 4  7.1: 3  7.2: 4  7.3: 2  7.4: 5  7.5: 2  7.6: 2  8.1: 2
8.2: 3  8.3: 1  8.4: 1  9.1: 3  9.2: 4  10.1: 2  10.2: 2  10.3: 4  10.4: 11  10.5: 5  10.6: 2
10.7: 3  11.1: 2  11.2: 3  11.3: 3  11.4: 4  11.5: 1  11.6: 1  12.1: 3  12.2: 2  12.3: 4  13.1: 1
13.2: 5  13.3: 2  13.4: 5  14.1: 2  14.2: 4  14.3: 3  15.1: 3  15.2: 3  15.3: 7  16.1: 1  16.2: 5
16.3: 4  16.4: 3  16.5: 3  17.1: 1  17.2: 4  17.3: 2
"""
"""How many requirements of levels 1 and 2 each section of OWASP ASVS 5.0.0 has: 70 + 183."""


def requirements() -> Iterator[tuple[str, str]]:
    """Each requirement in `docs/asvs.md`: its number, and what is said of it."""
    for item in re.split(r"\n(?=- V|\n|#)", text_of("docs/asvs.md")):
        if match := re.match(r"- V([\d.]+) \([12]\) (.*)", item, re.DOTALL):
            yield match[1], " ".join(match[2].split())


def test_every_requirement_of_levels_1_and_2_has_its_line() -> None:
    expected = {
        section: int(count) for section, count in re.findall(r"([\d.]+): (\d+)", LEVELS_1_AND_2)
    }
    numbers = [number for number, _said in requirements()]
    sections = [number.rpartition(".")[0] for number in numbers]
    assert len(numbers) == len(set(numbers)) == sum(expected.values()) == 253
    assert {section: sections.count(section) for section in sections} == expected


def test_every_requirement_is_answered() -> None:
    for number, said in requirements():
        assert re.search(rf"\*\*({'|'.join(ANSWERS)})\.?\*\*", said), number


@pytest.mark.parametrize("document", DOCS)
def test_every_path_that_the_documents_name_exists(document: str) -> None:
    paths = paths_in(text_of(document))
    assert missing(paths) == []
    assert len(paths) > 3 or document == "SECURITY.md"
