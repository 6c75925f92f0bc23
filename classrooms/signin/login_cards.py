"""What is on a child's card: its three pictures and its QR code. Looked up for its teacher, which
is written down, and given anew."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid4

from django.db import transaction

from classrooms.audit import Page, What, audit_children, looked_at_secrets
from classrooms.credentials.secrets import (
    Pictures,
    decrypt_pictures,
    encrypt_pictures,
    new_nonce,
    new_pictures,
    qr_tokens,
    token_hash,
)
from classrooms.models import AuditEntry, Child, KnownDevice, QrCode, User
from classrooms.signin import child_sign_in

_OF_PICTURES: Final = ("pictures_encrypted", "former_pictures", "pictures_renewal")
_OF_QR_CODE: Final = ("nonce", "token_hash", "former_nonce", "former_hash", "renewal")


@dataclass(frozen=True, slots=True)
class LoginCard:
    """What a child signs in with. `token` is what its QR code says after `/q/`."""

    child: Child
    pictures: Pictures
    token: str


def look_up_pictures(user: User, child: Child) -> Pictures:
    """The child's pictures for its teacher; that they were looked at is written down first."""
    looked_at_secrets(user, Page.PICTURES, [child])
    return decrypt_pictures(child.pictures_encrypted)


def look_up(user: User, children: Iterable[Child], page: AuditEntry.Page) -> list[LoginCard]:
    """The cards of these children of a class, in their order; written down as well."""
    found = list(children)
    with transaction.atomic():
        looked_at_secrets(user, page, found)
        codes = _qr_codes(found)
    return _cards(found, codes)


def cards_of(children: Iterable[Child]) -> list[LoginCard]:
    """The cards, for a paper that nobody has seen yet; who sees it is written down then."""
    found = list(children)
    with transaction.atomic():
        codes = _qr_codes(found)
    return _cards(found, codes)


def _cards(children: Iterable[Child], codes: Mapping[UUID, QrCode]) -> list[LoginCard]:
    return [
        LoginCard(child, decrypt_pictures(child.pictures_encrypted), _token(codes[child.pk]))
        for child in children
    ]


def _qr_codes(children: Sequence[Child]) -> dict[UUID, QrCode]:
    """The children's QR codes by child; who has none yet is given one."""
    codes = QrCode.objects.filter(child__in=children)
    found = {code.child_id: code for code in codes}
    lacking = [child for child in children if child.pk not in found]
    if not lacking:
        return found
    QrCode.objects.bulk_create(map(_new_qr_code, lacking), ignore_conflicts=True)
    return {code.child_id: code for code in codes.all()}


def _new_qr_code(child: Child) -> QrCode:
    nonce = new_nonce()
    token = qr_tokens(child.pk, nonce)[0]
    return QrCode(child=child, nonce=nonce, token_hash=token_hash(token))


def _token(code: QrCode) -> str:
    """The token that was printed, under whichever of the keys. Raises `LookupError` where the key
    is gone: then the codes must be given anew."""
    for token in qr_tokens(code.child_id, code.nonce):
        if token_hash(token) == code.token_hash:
            return token
    raise LookupError("The key under which this QR code was made is not in PICTURES_KEY.")


def renew_pictures(children: Sequence[Child], by: User | None = None) -> UUID:
    """Other pictures for these children: whoever knew the old ones is out. The id is that with
    which it can be taken back."""
    renewal = uuid4()
    with transaction.atomic():
        for child in children:
            child.former_pictures = child.pictures_encrypted
            child.pictures_encrypted = encrypt_pictures(new_pictures())
            child.pictures_renewal = renewal
        Child.objects.bulk_update(children, _OF_PICTURES)
        child_sign_in.forget_tries(children)
        _shut_out(children)
        audit_children(by, What.NEW_PICTURES, children)
    return renewal


def renew_qr_codes(children: Sequence[Child], by: User | None = None) -> UUID:
    """Other QR codes for these children: the old cards open nothing any more. The id is that with
    which it can be taken back."""
    renewal = uuid4()
    with transaction.atomic():
        codes = _qr_codes(children)
        for child in children:
            code, fresh = codes[child.pk], _new_qr_code(child)
            code.former_nonce, code.former_hash = code.nonce, code.token_hash
            code.nonce, code.token_hash = fresh.nonce, fresh.token_hash
            code.renewal = renewal
        QrCode.objects.bulk_update(codes.values(), _OF_QR_CODE)
        _shut_out(children)
        audit_children(by, What.NEW_QR_CODES, children)
    return renewal


def take_back(children: Sequence[Child], renewal: UUID, by: User | None = None) -> bool:
    """Undo a renewal: the cards before it work again, those since then do not. False where there
    is nothing of it any more."""
    with transaction.atomic():
        pictured = [child for child in children if child.pictures_renewal == renewal]
        for child in pictured:
            child.pictures_encrypted, child.former_pictures = child.former_pictures, ""
            child.pictures_renewal = None
        Child.objects.bulk_update(pictured, _OF_PICTURES)
        child_sign_in.forget_tries(pictured)
        codes = list(
            QrCode.objects.filter(child__in=children, renewal=renewal).select_related("child")
        )
        for code in codes:
            code.nonce, code.token_hash = code.former_nonce, code.former_hash
            code.former_nonce = code.former_hash = ""
            code.renewal = None
        QrCode.objects.bulk_update(codes, _OF_QR_CODE)
        back = [*pictured, *(code.child for code in codes)]
        _shut_out(back)
        audit_children(by, What.CARDS_BACK, back)
    return bool(back)


def forget_former() -> None:
    """What was renewed can from now on not be taken back."""
    Child.everyone.exclude(pictures_renewal=None).update(former_pictures="", pictures_renewal=None)
    codes = QrCode.objects.exclude(renewal=None)
    codes.update(former_nonce="", former_hash="", renewal=None)


def _shut_out(children: Sequence[Child]) -> None:
    """End sessions and forget devices: who got in with what was known has nothing left of it."""
    child_sign_in.end_sessions(children)
    KnownDevice.objects.filter(child__in=children).delete()
