"""The text of the letter to parents."""

from typing import TypedDict

from django.utils.translation import gettext as _

from classrooms.models import Child, SchoolClass
from games.screen.words import listed


class LetterWords(TypedDict):
    """The parts of a letter, in reading order."""

    title: str
    greeting: str
    opening: str
    by_qr: str
    by_hand: str
    by_hand_then: str
    secret: str
    kept: str
    ending: str


def letter_words(school_class: SchoolClass, child: Child) -> LetterWords:
    """In the active language."""
    names = {"name": child.name, "school_class": school_class.name}
    return {
        "title": _("%(name)s can play nmbrs at home") % names,
        "greeting": _("Dear parents and carers of %(name)s,") % names,
        "opening": _(
            "In class %(school_class)s we practise the times tables with nmbrs, a card game "
            "with rows of numbers. %(name)s may play at home too, on a computer, tablet or "
            "phone. Nothing needs to be installed."
        )
        % names,
        "by_qr": _("With a camera: point it at this code, open the address and tap “Play”."),
        "by_hand": _("Without a camera: type this address and this class code."),
        "by_hand_then": _by_hand_then(school_class) % names,
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
        "ending": _ending(school_class),
    }


def _ending(school_class: SchoolClass) -> str:
    """Signed by the teachers who have chosen a name."""
    teachers = listed(school_class.signing_names)
    names = {"school_class": school_class.name, "teachers": teachers}
    if teachers:
        return _("With kind regards, %(teachers)s, class %(school_class)s") % names
    return _("With kind regards, the teacher of %(school_class)s") % names


def _by_hand_then(school_class: SchoolClass) -> str:
    if school_class.names_shown == SchoolClass.NamesShown.ALWAYS:
        return _("Then tap the name %(name)s, and these three pictures in this order:")
    return _("Then type or tap the name %(name)s, and tap these three pictures in this order:")
