"""The names of the parts of a face."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.screen.player_faces import CHOICES, PlayerFace

PARTS: Final[dict[str, Promise]] = {
    "animal": gettext_lazy("Animal"),
    "hat": gettext_lazy("On the head"),
    "glasses": gettext_lazy("Glasses"),
    "neck": gettext_lazy("Round the neck"),
}
NAMES: Final[dict[str, Promise]] = {
    "": gettext_lazy("nothing"),
    "owl": gettext_lazy("owl"),
    "fox": gettext_lazy("fox"),
    "bear": gettext_lazy("bear"),
    "hare": gettext_lazy("hare"),
    "cat": gettext_lazy("cat"),
    "frog": gettext_lazy("frog"),
    "penguin": gettext_lazy("penguin"),
    "panda": gettext_lazy("panda"),
    "cap": gettext_lazy("cap"),
    "bobble": gettext_lazy("bobble hat"),
    "party": gettext_lazy("party hat"),
    "bow": pgettext_lazy("in the hair", "bow"),
    "flower": gettext_lazy("flower"),
    "round": gettext_lazy("round glasses"),
    "square": gettext_lazy("square glasses"),
    "scarf": gettext_lazy("scarf"),
    "tie": gettext_lazy("bow tie"),
    "beads": gettext_lazy("beads"),
}


@dataclass(frozen=True, slots=True)
class FaceChoice:
    """A button that changes the face to `face`."""

    value: str
    name: Promise
    face: PlayerFace
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class FacePart:
    part: str
    name: Promise
    choices: Sequence[FaceChoice]


def choices(shown: PlayerFace) -> list[FacePart]:
    """The choices, each with the child's face as it would look."""
    return [
        FacePart(
            part,
            name,
            [
                FaceChoice(value, NAMES[value], shown.changed(part, value), value == chosen)
                for value in (values if part == "animal" else ("", *values))
            ],
        )
        for part, name in PARTS.items()
        for values, chosen in ((CHOICES[part], shown.parts.get(part, "")),)
    ]
