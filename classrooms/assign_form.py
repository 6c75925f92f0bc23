"""What a class is asked to play, as a form: an edition, what is agreed apart from it, and samples.

As it stands it is what a class is best offered first; the details stay folded until wanted.
"""

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.bots import companion
from games.bots.registry import BOTS as LEVELS
from games.engine.errors import RulesetError
from games.engine.ruleset import EDITIONS, Ruleset
from games.samples import Samples, samples
from games.wording import EDITION_NAMES, FAMILY_NAMES, title

from . import assigning, wording
from .models import SchoolClass

MEANINGS: Final[dict[str, Promise]] = {
    "simplified": _("Every card earns 1 point. Short turns: good to begin with."),
    "simplified-2010": _("The same, but a turn may end without putting a card down."),
    "classic": _("Hard cards earn 2 or 3 points, so a child weighs which ones to lay."),
    "advanced": _("As classic, but every row is checked: choose below what rows count back to."),
    "blocks": _("Two new blocks every turn and no points for rows: who keeps fewest blocks wins."),
    "blocks-simple": _("Every row may be added to from the start. Who lays all blocks wins."),
}
"""What each edition means for a child, one sentence each; in the order of the form."""

PROBLEMS: Final[dict[str, tuple[str, Promise]]] = {
    "no-tables": ("tables", _("Choose at least one times table.")),
    "rounds-needed": ("rounds", _("This game has no points to reach. Choose how many rounds.")),
}
"""The reasons of `RulesetError` that the fields can reach: at which of them it is told, and how."""

BOTS: Final[dict[str, Promise]] = {
    companion.NAME: _("as strong as suits each child"),
    "beginner": _("a beginner, who overlooks a row now and then"),
    "steady": _("steady: lays the best row in sight"),
    "sharp": _("sharp: minds which cards to keep as well"),
    "expert": _("an expert, who thinks ahead"),
}
"""How strong the bots can be, in the words of the form."""

KNOWN_BOTS: Final = (companion.NAME, *LEVELS)
AS_IN_EDITION: Final = ("", _("as in this game"))
MOST_BOTS: Final = max(ruleset.most_players for ruleset in EDITIONS.values()) - 1
MOST_ROUNDS: Final = 5
TO_TARGET: Final = "target"


def _editions() -> list[tuple[str, str]]:
    return [
        (
            name,
            format_html(
                "<strong>{}</strong> <small>{}</small>", EDITION_NAMES[name], MEANINGS[name]
            ),
        )
        for name in MEANINGS
    ]


def _rounds(text: str) -> int | None:
    return None if text == TO_TARGET else int(text)


class AssignForm(forms.Form):
    edition = forms.ChoiceField(
        label=_("Game"), choices=_editions, initial="simplified", widget=forms.RadioSelect
    )
    rows = forms.ChoiceField(
        label=_("Rows must"),
        choices=(
            (assigning.TABLES, _("be in the tables you choose")),
            (assigning.ZERO, _("count back to 0: any times table")),
            (assigning.ONE, _("count back to 1, such as 11, 16, 21")),
            (assigning.ZERO_OR_ONE, _("count back to 0 or 1")),
            (assigning.ANYTHING, _("have equal jumps, from any number")),
        ),
        initial=assigning.TABLES,
        widget=forms.RadioSelect,
    )
    tables = forms.TypedMultipleChoiceField(
        label=_("Times tables"),
        choices=[(table, str(table)) for table in assigning.TABLES_TO_CHOOSE],
        coerce=int,
        initial=[2, 5, 10],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    bots = forms.TypedChoiceField(
        label=_("Bots to play against"),
        choices=[(n, str(n)) for n in range(1, MOST_BOTS + 1)],
        coerce=int,
        initial=1,
        widget=forms.RadioSelect,
        help_text=_("With one bot it is the child's turn most often."),
    )
    bot = forms.ChoiceField(
        label=_("How strong the bots play"),
        choices=[(name, words) for name, words in BOTS.items() if name in KNOWN_BOTS],
        initial=companion.NAME,
        widget=forms.RadioSelect,
    )
    kind = forms.BooleanField(
        label=_("Kind deals"),
        initial=True,
        required=False,
        help_text=_("Of several deals the one that gives the child most rows. Off: plain luck."),
    )
    rounds = forms.TypedChoiceField(
        label=_("Rounds in a match"),
        choices=[
            *((str(n), str(n)) for n in range(1, MOST_ROUNDS + 1)),
            (TO_TARGET, _("to a number of points")),
        ],
        coerce=_rounds,
        empty_value=None,
        initial="3",
        widget=forms.RadioSelect,
        help_text=_("A round takes three to five minutes."),
    )
    hints = forms.BooleanField(
        label=_("Hints, when a child asks for one"), initial=True, required=False
    )
    due_on = forms.DateField(
        label=_("To be done by"),
        required=False,
        help_text=_("You may leave this empty."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    families = forms.MultipleChoiceField(
        label=_("Rows that count as well"),
        choices=list(FAMILY_NAMES.items()),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Three or more that follow each other, such as 9, 16, 25."),
    )
    offers = forms.BooleanField(
        label=_("Offer the open card to the others before drawing"),
        initial=False,
        required=False,
        help_text=_("As in the printed rules. It makes turns longer. Card games only."),
    )
    doubling = forms.ChoiceField(
        label=_("Double points for a row"),
        choices=(
            AS_IN_EDITION,
            ("same", _("of one colour")),
            ("different", _("of different colours")),
            ("both", _("of one or of different colours")),
            ("never", _("never")),
        ),
        required=False,
        help_text=_("Card games only."),
        widget=forms.RadioSelect,
    )
    opening = forms.ChoiceField(
        label=_("Before adding to the table"),
        choices=(
            AS_IN_EDITION,
            ("yes", _("one must have laid a row of one's own")),
            ("no", _("nothing is needed")),
        ),
        required=False,
        widget=forms.RadioSelect,
    )
    target = forms.IntegerField(
        label=_("Points that win the match"),
        initial=100,
        min_value=10,
        max_value=500,
        required=False,
    )

    def __init__(self, school_class: SchoolClass, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.today = school_class.today()
        for name in ("doubling", "opening"):
            self.fields[name].initial = ""

    @property
    def details_wrong(self) -> bool:
        """Whether a problem lies in what is folded away."""
        return any(self[name].errors for name in DETAILS)

    def clean_due_on(self) -> date | None:
        due_on: date | None = self.cleaned_data["due_on"]
        if due_on and due_on < self.today:
            raise forms.ValidationError(_("This day is over."))
        return due_on

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("rounds") is not None and "target" in self.errors:
            del self.errors["target"]
            cleaned["target"] = None
        if cleaned.keys() >= RULES:
            choice = self.choice
            try:
                choice.ruleset()
            except RulesetError as problem:
                field, words = PROBLEMS[problem.reason]
                self.add_error(field, str(words))
            self._check_against(EDITIONS[choice.edition], choice)
        return cleaned

    def _check_against(self, base: Ruleset, choice: assigning.Choice) -> None:
        """What an edition would leave aside, or refuse only when the cards are dealt."""
        most = base.most_players
        if choice.bots >= most:
            words = gettext("This game has at most %(most)d players: the child and %(bots)d bots.")
            self.add_error("bots", words % {"most": most, "bots": most - 1})
        if base.with_pot and choice.offers:
            self.add_error("offers", gettext("In blocks there is no open card to offer."))
        if base.earning == "nothing" and choice.doubling:
            self.add_error("doubling", gettext("In blocks rows earn no points to double."))
        if choice.rounds is None and choice.target <= base.start:
            words = gettext("Everyone begins with %(start)d points: choose a higher target.")
            self.add_error("target", words % {"start": base.start})

    @property
    def choice(self) -> assigning.Choice:
        """What was chosen. Only where the fields by themselves are right."""
        cleaned = self.cleaned_data
        target = cleaned.get("target")
        return assigning.Choice(
            **{name: cleaned[name] for name in PLAIN},
            doubling=DOUBLING[cleaned["doubling"]],
            opening=OPENING[cleaned["opening"]],
            target=self.fields["target"].initial if target is None else target,
            due_on=cleaned.get("due_on"),
        )


PLAIN: Final = (
    "edition", "rows", "tables", "families", "bots", "bot", "kind", "rounds", "hints", "offers",
)  # fmt: skip
RULES: Final = {*PLAIN, "doubling", "opening", "target"}
"""What must be right by itself before rules can be made of it."""
DETAILS: Final = ("bot", "families", "offers", "doubling", "opening")
DOUBLING: Final[dict[str, tuple[str, ...] | None]] = {
    "": None,
    "same": ("same",),
    "different": ("different",),
    "both": ("different", "same"),
    "never": (),
}
OPENING: Final[dict[str, bool | None]] = {"": None, "yes": True, "no": False}


class Preview:
    """What the rules in a form come to: a sentence, and rows that they allow and refuse."""

    def __init__(self, form: AssignForm) -> None:
        self.problems: Iterable[str] = ()
        self.ruleset: Ruleset | None = None
        choice = assigning.Choice(tables=form["tables"].initial)
        if form.is_bound:
            wrong = [str(e) for name in sorted(RULES) for e in form.errors.get(name, ())]
            self.problems = [*wrong, *map(str, form.non_field_errors())]
            if self.problems:
                return
            choice = form.choice
        self.choice = choice
        self.ruleset = choice.ruleset()

    @property
    def title(self) -> str:
        return title(self.ruleset) if self.ruleset else ""

    @property
    def sentence(self) -> str:
        if self.ruleset is None:
            return ""
        cards = self.ruleset.hand_size(self.choice.bots + 1)
        setting = gettext(
            "Numbers 1 to %(highest)d, %(cards)d cards each to begin with, %(length)s."
        )
        if self.ruleset.with_pot:
            setting = gettext(
                "Numbers 1 to %(highest)d, %(cards)d blocks each to begin with, %(length)s."
            )
        told = setting % {
            "highest": self.ruleset.highest,
            "cards": cards,
            "length": wording.length(self.ruleset),
        }
        return f"{MEANINGS[self.ruleset.edition]} {told}"

    @property
    def samples(self) -> Samples | None:
        return samples(self.ruleset) if self.ruleset else None

    @property
    def live(self) -> str:
        """For who listens: what is wrong, or what the rules are now."""
        return " ".join([*self.problems, self.title])
