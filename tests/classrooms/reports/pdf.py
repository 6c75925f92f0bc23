"""Helpers that read a PDF."""

from typing import Any

import pypdfium2

from tests.counts import times

A4 = (595, 842)
SCRIPTS = (
    "Nguyễn Thị Ánh",
    "Łukasz Żółć",
    "İlayda Şığ",
    "Ștefan Țăran",
    "Ελένη Γεωργίου",
    "Олександр Їжак",
    "Արամ Խաչատրյան",
    "ნინო ბერიძე",
    "דורה כהן",
    "محمد علي",
    "پریسا گلچین",
    "ٹیپو ڑ ڈھے",
    "ښایسته ځلا ګل",
    "ܡܪܝܡ",
    "क्षितिज श्रीकृष्ण",
    "কৃষ্ণা শ্রী",
    "ਗੁਰਪ੍ਰੀਤ",
    "કૃષ્ણા",
    "କୃଷ୍ଣା",
    "கிருஷ்ணன் ஸ்ரீ",
    "కృష్ణ శ్రీ",
    "ಕೃಷ್ಣ ಶ್ರೀ",
    "കൃഷ്ണൻ ശ്രീ",
    "ශ්‍රී ලංකා",
    "สมชาย น้ำ",
    "ສົມໄຊ",
    "សុខា ស្រី",
    "အောင်ဆန်း မြင့်",
    "བསྟན་འཛིན་",
    "አበበ ትግስት",
    "ሰላም ጸጋይ ቈ",
    "ⵜⴰⵣⵉⵔⵉ ⵢⵓⴱⴰ",
    "ߒߞߏ",
    "王小明",
    "陳怡君 張偉",
    "さくら サクラ 髙橋",
    "김서연",
    "W" * 40,
)
SOME_SCRIPTS = times(SCRIPTS[-3:], SCRIPTS)
"""Some of the scripts, for a paper whose fonts another test tries with all."""
NO_FONT = "Ot\U0010fffdto"
"""A name with a character that no font has."""


def open_pdf(answer: Any) -> pypdfium2.PdfDocument:
    assert answer.status_code == 200, answer.headers
    assert answer.headers["Content-Type"] == "application/pdf"
    return pypdfium2.PdfDocument(answer.content)


def words(document: pypdfium2.PdfDocument, page: int | None = None) -> str:
    """The text of one page or of all pages. Characters that must not be broken are read as other
    spaces."""
    numbers = range(len(document)) if page is None else [page]
    pages = (document[number].get_textpage().get_text_bounded() for number in numbers)
    # The character that a PDF has for a hyphen at the end of a line.
    return " ".join(" ".join(pages).replace("\ufffe", "").split())


def squeezed(text: str) -> str:
    """The letters without spaces, for names that are broken over lines."""
    return "".join(text.replace("\u200b", "").split())


def is_named(name: str, text: str) -> bool:
    """Whether the text has this name, forwards or backwards, because a reader of PDFs may turn it.
    Characters around another letter may be in any order."""
    is_read = any(part in squeezed(text) for part in (squeezed(name), squeezed(name)[::-1]))
    return is_read or (name > "\u0590" and set(squeezed(name)) <= set(text))
