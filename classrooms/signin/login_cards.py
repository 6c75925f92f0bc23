"""A child's login card: three pictures and a QR code. Looking at them is logged; both can be
renewed."""

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
from classrooms.locks import lock
from classrooms.models import AuditEntry, Child, KnownDevice, QrCode, User
from classrooms.signin import child_sign_in

_OF_PICTURES: Final = ("pictures_encrypted", "former_pictures", "pictures_renewal")
_OF_QR_CODE: Final = ("nonce", "token_hash", "former_nonce", "former_hash", "renewal")


@dataclass(frozen=True, slots=True)
class LoginCard:
    """What a child signs in with. `token`: the part of the QR code's URL after `/q/`."""

    child: Child
    pictures: Pictures
    token: str


def look_up_pictures(user: User, child: Child) -> Pictures:
    """The child's pictures for its teacher. The look is logged first."""
    looked_at_secrets(user, Page.PICTURES, [child])
    return decrypt_pictures(child.pictures_encrypted)


def look_up(user: User, children: Iterable[Child], page: AuditEntry.Page) -> list[LoginCard]:
    """The cards of these children of a class, in the given order. The look is logged."""
    listed = list(children)
    with transaction.atomic():
        looked_at_secrets(user, page, listed)
        codes = _qr_codes(listed)
    return _cards(listed, codes)


def cards_of(children: Iterable[Child]) -> list[LoginCard]:
    """The cards for a PDF that nobody has seen yet; looks are logged when it is fetched."""
    listed = list(children)
    with transaction.atomic():
        codes = _qr_codes(listed)
    return _cards(listed, codes)


def _cards(children: Iterable[Child], codes: Mapping[UUID, QrCode]) -> list[LoginCard]:
    return [
        LoginCard(child, decrypt_pictures(child.pictures_encrypted), _token(codes[child.pk]))
        for child in children
    ]


def _qr_codes(children: Sequence[Child]) -> dict[UUID, QrCode]:
    """The QR codes by child id, creating those that are missing."""
    codes = QrCode.objects.filter(child__in=children)
    by_child = {code.child_id: code for code in codes}
    without_code = [child for child in children if child.pk not in by_child]
    if not without_code:
        return by_child
    QrCode.objects.bulk_create(map(_new_qr_code, without_code), ignore_conflicts=True)
    return {code.child_id: code for code in codes.all()}


def _new_qr_code(child: Child) -> QrCode:
    nonce = new_nonce()
    token = qr_tokens(child.pk, nonce)[0]
    return QrCode(child=child, nonce=nonce, token_hash=token_hash(token))


def _token(code: QrCode) -> str:
    """The printed token, under whichever key it was made. Raises `LookupError` where that key is no
    longer configured: then the codes must be renewed."""
    for token in qr_tokens(code.child_id, code.nonce):
        if token_hash(token) == code.token_hash:
            return token
    raise LookupError("The key under which this QR code was made is not in PICTURES_KEY.")


def renew_pictures(children: Sequence[Child], by: User | None = None) -> UUID:
    """Give these children new pictures; whoever knew the old ones is signed out. Returns the id for
    `take_back`."""
    renewal = uuid4()
    with lock(*children) as children:
        for child in children:
            child.former_pictures = child.pictures_encrypted
            child.pictures_encrypted = encrypt_pictures(new_pictures())
            child.pictures_renewal = renewal
        Child.everyone.bulk_update(children, _OF_PICTURES)
        child_sign_in.forget_tries(children)
        _shut_out(children)
        audit_children(by, What.NEW_PICTURES, children)
    return renewal


def renew_qr_codes(children: Sequence[Child], by: User | None = None) -> UUID:
    """Give these children new QR codes; the old cards stop working. Returns the id for
    `take_back`."""
    renewal = uuid4()
    with lock(*children) as children:
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
    """Undo a renewal: the earlier cards work again, the new ones do not. False if there is nothing
    left to undo."""
    with lock(*children) as children:
        pictured = [child for child in children if child.pictures_renewal == renewal]
        for child in pictured:
            child.pictures_encrypted, child.former_pictures = child.former_pictures, ""
            child.pictures_renewal = None
        Child.everyone.bulk_update(pictured, _OF_PICTURES)
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
    """Delete the former secrets, so that earlier renewals can no longer be undone."""
    Child.everyone.exclude(pictures_renewal=None).update(former_pictures="", pictures_renewal=None)
    codes = QrCode.objects.exclude(renewal=None)
    codes.update(former_nonce="", former_hash="", renewal=None)


def _shut_out(children: Sequence[Child]) -> None:
    """End sessions and forget devices, so that nobody stays in with the former secrets."""
    child_sign_in.end_sessions(children)
    KnownDevice.objects.filter(child__in=children).delete()
