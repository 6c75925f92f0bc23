"""The faces that players choose and dress.

A face is stored as one text: the animal, then its clothes, and last the tablecloth of the player,
such as "fox cap scarf cloth3". `games/_faces.svg` has a symbol for each animal, and
`icons/clothes.svg` for each piece of clothing; each symbol is a square of 48 units.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

ANIMALS: Final = ("owl", "fox", "bear", "hare", "cat", "frog", "penguin", "panda")
HATS: Final = ("cap", "bobble", "party", "bow", "flower")
GLASSES: Final = ("round", "square")
NECKWEAR: Final = ("scarf", "tie", "beads")
CLOTHS: Final = tuple([f"cloth{drawing}" for drawing in range(10)])
"""The pictures of `icons/collection.svg` as tablecloths."""
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "animal": ANIMALS,
    "hat": HATS,
    "glasses": GLASSES,
    "neck": NECKWEAR,
    "cloth": CLOTHS,
}
"""The choices for each part of the face. Only the animal is required."""

_HAT_DROPS: Final = {"owl": 2, "bear": -1, "hare": 4, "cat": 1, "frog": -5, "penguin": -3}
"""How many units lower a hat sits on an animal than on the fox."""
_GLASSES_DROPS: Final = {"owl": -1, "bear": -1, "hare": 4, "cat": 1, "frog": -9}
_WIDE_EYES: Final = frozenset({"frog"})


@dataclass(frozen=True, slots=True)
class Clothing:
    """A symbol of `icons/clothes.svg`, drawn `y` units lower than it is there."""

    symbol: str
    y: int


@dataclass(frozen=True, slots=True)
class PlayerFace:
    """A face. `parts` has a value for each chosen part, in the order of `CHOICES`."""

    parts: Mapping[str, str]

    @property
    def animal(self) -> str:
        return self.parts["animal"]

    @property
    def text(self) -> str:
        return " ".join(self.parts.values())

    @property
    def cloth(self) -> str:
        """Which drawing of `icons/collection.svg` is the tablecloth; empty for none."""
        return self.parts.get("cloth", "").removeprefix("cloth")

    @property
    def clothes(self) -> tuple[Clothing, ...]:
        drops = {"hat": _HAT_DROPS, "glasses": _GLASSES_DROPS}
        return tuple(
            Clothing(
                f"{value}-wide" if part == "glasses" and self.animal in _WIDE_EYES else value,
                drops.get(part, {}).get(self.animal, 0),
            )
            for part, value in self.parts.items()
            if part not in ("animal", "cloth")
        )

    def with_part(self, part: str, value: str) -> "PlayerFace":
        """This face with another value for one part; "" takes the part off. Raises `ValueError` for
        a value that cannot be chosen."""
        if value not in (CHOICES[part] if part == "animal" else ("", *CHOICES[part])):
            raise ValueError(f"no {part}: {value!r}")
        return _face_of_words({**self.parts, part: value}.values())


@cache
def player_face(text: str) -> PlayerFace | None:
    """The face that a text describes; None without an animal. Unknown words are ignored."""
    face = _face_of_words(text.split())
    return face if "animal" in face.parts else None


def _face_of_words(words: Iterable[str]) -> PlayerFace:
    choices = set(words)
    fitting = {part: [v for v in values if v in choices] for part, values in CHOICES.items()}
    return PlayerFace({part: values[0] for part, values in fitting.items() if values})


PLAIN_FACE: Final = PlayerFace({"animal": "panda"})
"""The face of a child who has not chosen one yet. No bot has this animal."""


def own_face(text: str) -> PlayerFace:
    """The face of a child as they dressed it, or else the plain one."""
    return player_face(text) or PLAIN_FACE
