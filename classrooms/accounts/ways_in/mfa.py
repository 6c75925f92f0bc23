"""The second step of an adult's sign-in: kept encrypted, drawn in our own way."""

from allauth.mfa.adapter import DefaultMFAAdapter

from classrooms.credentials.secrets import decrypt, encrypt
from classrooms.ui.qr_drawing import qr_svg


class MfaAdapter(DefaultMFAAdapter):
    """Secrets of the second step are kept encrypted; their QR code is drawn into the page."""

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text)

    def build_totp_svg(self, url: str) -> str:
        return qr_svg(url)

    def get_totp_issuer(self) -> str:
        return "nmbrs"
