"""What a reader finds in a PDF."""

from typing import Any

import pypdfium2

A4 = (595, 842)
SCRIPTS = ("Łukasz Żółć", "דורה כהן", "محمد علي", "W" * 40)


def opened(answer: Any) -> pypdfium2.PdfDocument:
    assert answer.status_code == 200, answer.headers
    assert answer.headers["Content-Type"] == "application/pdf"
    return pypdfium2.PdfDocument(answer.content)


def words(document: pypdfium2.PdfDocument, page: int | None = None) -> str:
    """The text of a page or of all of them; what may not be broken reads as other spaces."""
    numbers = range(len(document)) if page is None else [page]
    pages = (document[number].get_textpage().get_text_bounded() for number in numbers)
    # What a PDF writes for a hyphen at the end of a line.
    return " ".join(" ".join(pages).replace("\ufffe", "").split())


def squeezed(text: str) -> str:
    """The letters alone: for names that are broken over lines."""
    return "".join(text.replace("\u200b", "").split())


def is_named(name: str, text: str) -> bool:
    """Whether a name is there, read forwards or backwards, as the reader of a PDF likes."""
    return any(part in squeezed(text) for part in (squeezed(name), squeezed(name)[::-1])) or all(
        word in text or word[::-1] in text for word in name.split()
    )
