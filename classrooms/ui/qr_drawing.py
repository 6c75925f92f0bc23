"""QR codes as SVG, in the page itself: the content policy lets no picture in from an address."""

from typing import Final

import segno
from django.utils.safestring import SafeString, mark_safe

MASK: Final = 2
"""Any will do; to try all eight for the best takes six times as long."""


def qr_svg(text: str) -> SafeString:
    code = segno.make(text, error="m", micro=False, mask=MASK)
    drawn = code.svg_inline(omitsize=True, border=2, svgclass="qr", lineclass=None)
    # Squares drawn by segno; the text itself is not in it.
    return mark_safe(drawn)  # nosec B308 B703
