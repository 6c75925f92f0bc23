"""What the door says."""

from django.utils.translation import gettext


def door_is_shut() -> str:
    """Why a code is not looked at just now, and what works all the same."""
    return gettext(
        "Very many wrong codes were typed today, so codes do not open the door for now. Point a "
        "camera at the QR code on your card, or use the device you always use."
    )
