"""A child's sign-in card: three pictures and a QR code, which are renewed together. The log shows
who saw it and when. Also the letters to parents, and the PDFs of both."""

import secrets
import xml.etree.ElementTree as ET  # nosec B405 # reads the site's own drawings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from classrooms import credentials
from classrooms.audit import What, audit_children, log_view_of_secrets
from classrooms.downloads.kinds import FileKind, ReportProgress
from classrooms.downloads.models import Download
from classrooms.locks import lock
from classrooms.models import AuditEntry, Child, KnownDevice, QrCode, SchoolClass, User
from classrooms.signin import sessions, wrong_tries
from classrooms.signin.children_only import is_offered
from classrooms.ui.qr import qr_svg
from classrooms.ui.typesetting import Pdf, typeset
from games.screen.words import listed

_PICTURE_FIELDS: Final = ("pictures_encrypted", "former_pictures", "pictures_renewal")
_QR_CODE_FIELDS: Final = ("nonce", "token_hash", "former_nonce", "former_hash", "renewal")


@dataclass(frozen=True, slots=True)
class LoginCard:
    """What a child needs to sign in. `token` is the part of the QR code's URL after `/q/`."""

    child: Child
    pictures: credentials.Pictures
    token: str

    @property
    def words(self) -> list[tuple[str, str]]:
        """The pictures, each with its word in the active language."""
        return credentials.with_labels(self.pictures)

    @property
    def path(self) -> str:
        return reverse("classrooms:card", args=[self.token])

    @property
    def letter(self) -> dict[str, str]:
        return letter_words(self.child.school_class, self.child)


def view_cards(user: User, children: Sequence[Child], page: AuditEntry.Page) -> list[LoginCard]:
    """The cards of these children of a class, in the given order. The view is logged."""
    with transaction.atomic():
        log_view_of_secrets(user, page, children)
        return cards_of(children)


def cards_of(children: Sequence[Child]) -> list[LoginCard]:
    """The cards of these children. The caller logs who sees them."""
    codes = _qr_codes(children)
    return [
        LoginCard(
            child, credentials.decrypt_pictures(child.pictures_encrypted), _token(codes[child.pk])
        )
        for child in children
    ]


def page_of(child: Child) -> str:
    """The address of the page that shows only this child's card."""
    return f"{reverse('classrooms:cards', args=[child.school_class_id])}?child={child.pk}"


def _qr_codes(children: Sequence[Child]) -> dict[UUID, QrCode]:
    """The QR codes of these children, by the children's ids. Creates missing ones."""
    codes = QrCode.objects.filter(child__in=children)
    by_child = {code.child_id: code for code in codes}
    without_code = [child for child in children if child.pk not in by_child]
    if not without_code:
        return by_child
    QrCode.objects.bulk_create(map(_new_qr_code, without_code), ignore_conflicts=True)
    return {code.child_id: code for code in codes.all()}


def _new_qr_code(child: Child) -> QrCode:
    nonce = secrets.token_urlsafe(16)
    token = credentials.qr_tokens(child.pk, nonce)[0]
    return QrCode(child=child, nonce=nonce, token_hash=credentials.token_hash(token))


def _token(code: QrCode) -> str:
    """The token of a QR code. Raises `LookupError` if its key is no longer configured; then the
    code must be renewed."""
    for token in credentials.qr_tokens(code.child_id, code.nonce):
        if credentials.token_hash(token) == code.token_hash:
            return token
    raise LookupError("The key under which this QR code was made is not in PICTURES_KEY.")


def renew(children: Sequence[Child], by: User | None) -> UUID:
    """Give these children new cards. The pictures and QR codes of the old cards no longer work, and
    the children are signed out on all devices. Return the id of the renewal for `restore_cards`."""
    renewal = uuid4()
    with lock(*children) as children:
        codes = _qr_codes(children)
        for child in children:
            child.former_pictures = child.pictures_encrypted
            child.pictures_encrypted = credentials.encrypt_pictures(credentials.new_pictures())
            child.pictures_renewal = renewal
            code, qr_code = codes[child.pk], _new_qr_code(child)
            code.former_nonce, code.former_hash = code.nonce, code.token_hash
            code.nonce, code.token_hash = qr_code.nonce, qr_code.token_hash
            code.renewal = renewal
        Child.all_objects.bulk_update(children, _PICTURE_FIELDS)
        QrCode.objects.bulk_update(codes.values(), _QR_CODE_FIELDS)
        wrong_tries.forget_tries(children)
        _end_access(children)
        audit_children(by, What.NEW_PICTURES, children)
        audit_children(by, What.NEW_QR_CODES, children)
    return renewal


def restore_cards(children: Sequence[Child], renewal: UUID, by: User | None) -> bool:
    """Undo a renewal: the earlier cards work again, and the new ones no longer do. Return False if
    that is no longer possible."""
    with lock(*children) as children:
        pictured = [child for child in children if child.pictures_renewal == renewal]
        for child in pictured:
            child.pictures_encrypted, child.former_pictures = child.former_pictures, ""
            child.pictures_renewal = None
        Child.all_objects.bulk_update(pictured, _PICTURE_FIELDS)
        wrong_tries.forget_tries(pictured)
        codes = list(
            QrCode.objects.filter(child__in=children, renewal=renewal).select_related("child")
        )
        for code in codes:
            code.nonce, code.token_hash = code.former_nonce, code.former_hash
            code.former_nonce = code.former_hash = ""
            code.renewal = None
        QrCode.objects.bulk_update(codes, _QR_CODE_FIELDS)
        children_with_cards = [*pictured, *(code.child for code in codes)]
        _end_access(children_with_cards)
        audit_children(by, What.CARDS_BACK, children_with_cards)
    return bool(children_with_cards)


def forget_former_secrets() -> None:
    """Delete the former secrets, so that earlier renewals can no longer be undone."""
    Child.all_objects.exclude(pictures_renewal=None).update(
        former_pictures="", pictures_renewal=None
    )
    codes = QrCode.objects.exclude(renewal=None)
    codes.update(former_nonce="", former_hash="", renewal=None)


def _end_access(children: Sequence[Child]) -> None:
    """End the children's sessions and forget their devices, so that nobody stays signed in with
    former secrets."""
    sessions.end_sessions(children)
    KnownDevice.objects.filter(child__in=children).delete()


# The text of the letter to parents.


def letter_words(school_class: SchoolClass, child: Child) -> dict[str, str]:
    """The parts of a child's letter by their names in the templates, in the active language. The
    teachers who have chosen a name sign it."""
    teachers = listed(school_class.signing_names)
    names = {"name": child.name, "school_class": school_class.name, "teachers": teachers}
    by_hand = _("Then type or tap the name %(name)s, and tap these three pictures in this order:")
    if school_class.names_shown == SchoolClass.NamesShown.ALWAYS:
        by_hand = _("Then tap the name %(name)s, and these three pictures in this order:")
    ending = _("With kind regards, the teacher of %(school_class)s")
    if teachers:
        ending = _("With kind regards, %(teachers)s, class %(school_class)s")
    return {
        "title": _("%(name)s can play nmbrs at home") % names,
        "greeting": _("Dear parents and carers of %(name)s,") % names,
        "opening": _(
            "In %(school_class)s we practise the times tables with nmbrs, a card game "
            "with rows of numbers. %(name)s may play at home too, on a computer, tablet or "
            "phone. Nothing needs to be installed."
        )
        % names,
        "by_qr": _("With a camera: point it at this code, open the address and tap “Play”."),
        "by_hand": _("Without a camera: type this address and this class code."),
        "by_hand_then": by_hand % names,
        "secret": _(
            "Please keep this letter private: anyone who has it can sign in as %(name)s. If "
            "you lose it, please tell the teacher, who will give out new pictures and a new "
            "code."
        )
        % names,
        "kept": _(
            "What we keep about %(name)s: this name, the class and the games played, so that "
            "the teacher can see which tables are going well and which need practice. We keep "
            "no postal or e-mail address, date of birth or photo. There is no advertising, "
            "and nothing is loaded from other websites. You may ask the teacher at any time "
            "to show you what we keep, or to delete it."
        )
        % names,
        "ending": ending % names,
    }


# The PDFs of sign-in cards and letters to parents, which typst makes from the `.typ` files in this
# folder.

FOLDER: Final = Path(__file__).parent
MOST_CARDS_AT_ONCE: Final = 40
"""The PDF for up to this many children is made while the teacher waits. A worker makes larger
ones."""
SPRITE: Final = "signin/_pictures.svg"
SVG: Final = "http://www.w3.org/2000/svg"


def language_of(query: QueryDict, school_class: SchoolClass) -> str:
    """The language of a paper: the one in the query, if the site offers it, or else that of the
    class."""
    language = query.get("language", "")
    return language if is_offered(language) else school_class.language


def pdf(kind: str, school_class: SchoolClass, cards: Iterable[LoginCard], origin: str) -> Pdf:
    """The PDF of this kind, "cards" or "letters", in the active language, for the site at the URL
    `origin`. Without cards it has one page that says so."""
    is_letters = kind == "letters"
    title = _("Letters to parents") if is_letters else _("Sign-in cards")
    data = {
        "title": f"{title} · {school_class.name}",
        "language": get_language(),
        "class": school_class.name,
        "site": origin.partition("://")[2],
        "code_word": _("Class code"),
        "code": school_class.spaced_code,
        "qr_word": _("QR code"),
        "none": _("There are no children in this class yet."),
        "pictures": _pictures(),
        "cards": [
            {
                "name": card.child.name,
                "pictures": [{"name": name, "word": word} for name, word in card.words],
                "qr": qr_svg(origin + card.path).replace("<svg ", f'<svg xmlns="{SVG}" ', 1),
                "letter": card.letter if is_letters else None,
            }
            for card in cards
        ],
    }
    return typeset(FOLDER / f"{kind}.typ", data, school_class.name)


@cache
def _pictures() -> dict[str, str]:
    """Each picture of the site's sprite as a separate SVG, by name."""
    ET.register_namespace("", SVG)
    templates = settings.TEMPLATES[0]["DIRS"]
    root = ET.parse(templates[0] / SPRITE).getroot()  # nosec B314 # a file of the site's own
    drawings = {}
    for symbol in root.iter(f"{{{SVG}}}symbol"):
        name = symbol.attrib.pop("id").removeprefix("picture-")
        symbol.tag = f"{{{SVG}}}svg"
        drawings[name] = ET.tostring(symbol, encoding="unicode")
    return drawings


# The sign-in cards and letters of a whole class, which a worker makes.


def _make(kind: str, download: Download, report_progress: ReportProgress) -> bytes:
    """Make the PDF in two steps: look up the cards, then typeset them."""
    report_progress(0, 2)
    school_class = download.school_class
    cards = cards_of(list(school_class.children.all()))
    report_progress(1, 2)
    content = pdf(kind, school_class, cards, download.options["site"])
    report_progress(2, 2)
    return content


KINDS: Final = (
    FileKind(
        name="cards",
        label=gettext_lazy("Sign-in cards (PDF)"),
        about=gettext_lazy("Eight to a sheet, to cut out."),
        title=gettext_lazy("Sign-in cards for %(name)s (PDF)"),
        make=partial(_make, "cards"),
        has_languages=False,
        secret_page=AuditEntry.Page.CARDS,
    ),
    FileKind(
        name="letters",
        label=gettext_lazy("Letters to parents (PDF)"),
        about=gettext_lazy("A page for each child, to play at home."),
        title=gettext_lazy("Letters to the parents of %(name)s (PDF)"),
        make=partial(_make, "letters"),
        secret_page=AuditEntry.Page.LETTERS,
    ),
)
