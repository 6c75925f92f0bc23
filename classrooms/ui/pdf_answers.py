"""The answer that shows a PDF in the browser, to print or save."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify


def pdf_answer(pdf: bytes, *, whose: str, kind: str) -> HttpResponse:
    """`whose`: the name of a child or a class, which begins the name of the file: saved papers of a
    class have different names."""
    name = f"{slugify(whose, allow_unicode=True) or 'nmbrs'}-{kind}.pdf"
    shown = str(content_disposition_header(False, name))
    return HttpResponse(pdf, content_type="application/pdf", headers={"Content-Disposition": shown})
