"""The second step of an adult's sign-in: encrypted secrets and our own QR drawing."""

from allauth.mfa.adapter import DefaultMFAAdapter

from classrooms.credentials.secrets import decrypt, encrypt
from classrooms.ui.qr_drawing import qr_svg


class MfaAdapter(DefaultMFAAdapter):
    """Stores second-step secrets encrypted and draws their QR code into the page."""

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text)

    def build_totp_svg(self, url: str) -> str:
        return qr_svg(url)

    def get_totp_issuer(self) -> str:
        return "nmbrs"
