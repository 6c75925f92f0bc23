"""Messages of the children's sign-in."""

from django.utils.translation import gettext


def door_is_shut() -> str:
    """Why codes are not checked for now, and what still works."""
    return gettext(
        "There have been too many wrong codes today. Class codes will not work for now. Point "
        "a camera at the QR code on your card, or use your usual device."
    )
