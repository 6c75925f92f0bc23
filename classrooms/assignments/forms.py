"""The form of an assignment: an edition, the settings that differ from it, and sample rows. Its
defaults are a good first game. Details stay folded until the teacher opens them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, cast

from django import forms
from django.db.models import QuerySet
from django.forms.boundfield import BoundWidget
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from classrooms.assignments.audience import WHOLE_CLASS, Audience, groups_of
from classrooms.assignments.choice import (
    BOT_WORDS,
    DAYS,
    DEFAULT_CHOICE,
    HINTS,
    MEANINGS,
    PROBLEMS,
    SETTINGS,
    TOGETHER,
    Choice,
    RulesPreview,
)
from classrooms.assignments.services import ONE_WEEK
from classrooms.models import Assignment, SchoolClass, Seating
from classrooms.ui.dates import check_future_day, day_field
from classrooms.ui.tables_and_facts import FactsField, tables_field
from games.bots import companion
from games.bots.registry import LEVELS
from games.coach.times_tables import TABLES_TO_12
from games.engine.errors import RulesetError
from games.engine.ruleset import EDITIONS, Ruleset
from games.screen.words import EDITION_NAMES, FAMILY_NAMES

KNOWN_BOTS: Final = (companion.NAME, *LEVELS)
MOST_BOTS: Final = max(ruleset.most_players for ruleset in EDITIONS.values()) - 1
MOST_ROUNDS: Final = 5
TO_TARGET: Final = "target"
RULE_FIELDS: Final = frozenset(SETTINGS).difference(DAYS)
"""The fields that must be valid before there can be a ruleset."""
ANSWER_SECONDS: Final = (10, 20, 30, 60)
"""The seconds that a child may have to answer."""
TURN_MINUTES: Final = (1, 2, 3, 5)
"""The minutes that a turn at a table may last."""
POSTED_NAMES: Final = {
    "has_kind_deals": "kind",
    "has_questions": "checks",
    "shows_missed_rows": "missed_rows",
    "waits_for_classmates": "waits",
}
FIRST_EDITIONS: Final = ("simplified", "classic", "blocks")
"""The editions that are shown before "More games"."""
FOLDED_RULES: Final = (
    "more_rows",
    "bots",
    "bot",
    "hint_steps",
    "focus",
    "facts",
    "seating",
    "waits_for_classmates",
    "answer_seconds",
    "turn_seconds",
    "families",
    "opening",
    "doubling",
    "offers",
)
"""The fields behind "All rules", which most classes never change."""
DOUBLING: Final[Mapping[str, Sequence[str] | None]] = {
    "": None,
    "same": ("same",),
    "different": ("different",),
    "both": ("different", "same"),
    "never": (),
}
OPENING: Final[Mapping[str, bool | None]] = {"": None, "yes": True, "no": False}


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


def _is_yes(text: str) -> bool:
    return text == "yes"


def _rounds(text: str) -> int | None:
    return None if text == TO_TARGET else int(text)


def _rule(
    label: Any, values: Mapping[str, Any], *choices: tuple[str, Any]
) -> forms.TypedChoiceField:
    """A field for a rule that may differ from the edition's. `values` has the value of each
    choice."""
    return forms.TypedChoiceField(
        label=label,
        choices=[("", _("as in this game")), *choices],
        coerce=values.__getitem__,
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
    )


class _OptionalChoice(forms.TypedChoiceField):
    """A choice with a default, which a post may leave out."""

    def __init__(self, *, default: Any, **options: Any) -> None:
        super().__init__(required=False, **options)
        self.empty_value = default


class AssignForm(forms.Form):
    """The settings of an assignment. Each field has the name of a field of `Choice`, and the
    property `choice` is made from the cleaned data (CONTRIBUTING.md, *A setting of an
    assignment*)."""

    edition = forms.ChoiceField(label=_("Game"), choices=_editions, widget=forms.RadioSelect)
    rows = forms.ChoiceField(
        label=_("Rows must"),
        choices=(
            ("tables", _("be in the times tables that you choose")),
            ("zero", _("count back to 0: any times table")),
            ("one", _("count back to 1, such as 11, 16, 21")),
            ("zero-or-one", _("count back to 0 or 1")),
            ("anything", _("have equal jumps, starting at any number")),
        ),
        widget=forms.RadioSelect,
    )
    tables = tables_field(_("Times tables"), TABLES_TO_12, required=False)
    more_rows = _OptionalChoice(
        label=_("How to play"),
        choices=(
            ("yes", _("More rows: several cards lie open to choose from, and hands fill up")),
            ("no", _("As printed: one open card, and hands get smaller")),
        ),
        coerce=_is_yes,
        default=DEFAULT_CHOICE.more_rows,
        widget=forms.RadioSelect,
        help_text=_("Card games only."),
    )
    together = forms.ChoiceField(
        label=_("Against each other or together"),
        choices=list(TOGETHER.items()),
        required=False,
        widget=forms.RadioSelect,
        help_text=_("Together: all at the table build one bridge."),
    )
    focus = tables_field(
        _("Times tables to practise most"),
        TABLES_TO_12,
        required=False,
        help_text=_("Helpful deals and short questions have more of these."),
    )
    facts = FactsField(label=_("Facts to ask first"), help_text=_("For example 6 × 7, 7 × 8"))
    bots = forms.TypedChoiceField(
        label=_("Number of bots"),
        choices=[(n, str(n)) for n in range(1, MOST_BOTS + 1)],
        coerce=int,
        widget=forms.RadioSelect,
    )
    bot = forms.ChoiceField(
        label=_("How strong the bots are"),
        choices=[(name, words) for name, words in BOT_WORDS.items() if name in KNOWN_BOTS],
        widget=forms.RadioSelect,
    )
    has_kind_deals = forms.BooleanField(
        label=_("Helpful deals"),
        required=False,
        help_text=_("The child gets the best of several deals."),
    )
    chairs = _OptionalChoice(
        label=_("Who plays together"),
        choices=[
            (1, _("each child alone, with bots")),
            (2, _("two at a table")),
            (3, _("three")),
            (4, _("four")),
        ],
        coerce=int,
        default=DEFAULT_CHOICE.chairs,
        widget=forms.RadioSelect,
    )
    seating = _OptionalChoice(
        label=_("Who sits together"),
        choices=[
            (Seating.OPEN, _("whoever comes: children see who is waiting")),
            (Seating.GROUPS, _("the groups of the class")),
            (Seating.LEVEL, _("children of about equal strength")),
        ],
        default=DEFAULT_CHOICE.seating,
        widget=forms.RadioSelect,
    )
    waits_for_classmates = _OptionalChoice(
        label=_("Bots take empty chairs"),
        choices=[("yes", _("after a minute")), ("no", _("at once"))],
        coerce=_is_yes,
        default=DEFAULT_CHOICE.waits_for_classmates,
        widget=forms.RadioSelect,
    )
    answer_seconds = _OptionalChoice(
        label=_("Time to answer an offer or to knock"),
        choices=[
            *(
                (n, ngettext_lazy("%(n)d second", "%(n)d seconds", n) % {"n": n})
                for n in ANSWER_SECONDS
            ),
            (0, _("no limit")),
        ],
        coerce=int,
        default=DEFAULT_CHOICE.answer_seconds,
        help_text=_("Then the game goes on."),
    )
    turn_seconds = _OptionalChoice(
        label=_("Time for a turn"),
        choices=[
            (0, _("no limit")),
            *(
                (60 * n, ngettext_lazy("%(n)d minute", "%(n)d minutes", n) % {"n": n})
                for n in TURN_MINUTES
            ),
        ],
        coerce=int,
        default=DEFAULT_CHOICE.turn_seconds,
        help_text=_("Then a bot finishes the turn."),
    )
    rounds = forms.TypedChoiceField(
        label=_("Rounds in a game"),
        choices=[
            *((str(n), str(n)) for n in range(1, MOST_ROUNDS + 1)),
            (TO_TARGET, _("to a target score")),
        ],
        coerce=_rounds,
        empty_value=None,
        widget=forms.RadioSelect,
        help_text=_("A round takes three to five minutes."),
    )
    hint_steps = forms.TypedChoiceField(
        label=_("Hints when a child asks for one"), choices=list(enumerate(HINTS)), coerce=int
    )
    shows_missed_rows = forms.BooleanField(
        label=_("Show a missed row after the turn"), required=False
    )
    has_questions = forms.BooleanField(
        label=_("Short questions between turns"),
        required=False,
        help_text=_("Such as 6 × 7; a child may skip them."),
    )
    note = forms.CharField(
        label=_("A note to the children"),
        max_length=Assignment._meta.get_field("note").max_length,
        required=False,
    )
    starts_on = day_field(_("From"), _("If empty, starts now."))
    due_on = day_field(_("To be done by"))
    weekly = forms.BooleanField(label=_("Repeat every week for the same children"), required=False)
    families = forms.MultipleChoiceField(
        label=_("Other rows that count"),
        choices=list(FAMILY_NAMES.items()),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Three or more in order, such as 9, 16, 25."),
    )
    offers = forms.BooleanField(
        label=_("Offer the open card to the others before taking a card"),
        required=False,
        help_text=_("This makes turns longer."),
    )
    doubling = _rule(
        _("Double points for a row"),
        DOUBLING,
        ("same", _("of one colour")),
        ("different", _("of different colours")),
        ("both", _("of one or of different colours")),
        ("never", _("never")),
    )
    opening = _rule(
        _("Before adding to the table"),
        OPENING,
        ("yes", _("you must have laid a row of your own")),
        ("no", _("no row of your own is needed")),
    )
    target = forms.IntegerField(
        label=_("Points needed to win"), min_value=10, max_value=500, required=False
    )

    def __init__(
        self,
        school_class: SchoolClass,
        data: QueryDict | None = None,
        *,
        begin_with: Choice = DEFAULT_CHOICE,
    ) -> None:
        """`begin_with` has the settings that the form shows at first."""
        super().__init__(data, initial=_initial(begin_with))
        self.initial_choice = begin_with
        self.today = school_class.today()

    def add_prefix(self, field_name: str) -> str:
        """The field's name in the HTML. Some fields keep the names of an earlier release, whose
        pages may still be open."""
        return POSTED_NAMES.get(field_name, field_name)

    @property
    def editions(self) -> tuple[list[BoundWidget], list[BoundWidget]]:
        """The first editions, and those behind "More games"."""
        groups: tuple[list[BoundWidget], list[BoundWidget]] = ([], [])
        for choice in self["edition"]:
            groups[choice.data["value"] not in FIRST_EDITIONS].append(choice)
        return groups

    @property
    def shows_more_games(self) -> bool:
        """Whether a game behind "More games" is chosen."""
        return self["edition"].value() in set(MEANINGS).difference(FIRST_EDITIONS)

    @property
    def shows_all_rules(self) -> bool:
        """Whether a rule behind "All rules" has an error or differs from a first game."""
        first = _initial(DEFAULT_CHOICE)
        fields = ((self.fields[name], self[name], first[name]) for name in FOLDED_RULES)
        return any(
            value.errors or field.has_changed(field.prepare_value(usual), value.value())
            for field, value, usual in fields
        )

    def clean_target(self) -> int:
        target: int | None = self.cleaned_data["target"]
        return DEFAULT_CHOICE.target if target is None else target

    def clean_note(self) -> str:
        return " ".join(self.cleaned_data["note"].split())

    def clean_starts_on(self) -> date | None:
        return check_future_day(self.cleaned_data["starts_on"], self.today)

    def clean_due_on(self) -> date | None:
        return check_future_day(self.cleaned_data["due_on"], self.today)

    def _check_days(self, cleaned: dict[str, Any]) -> None:
        due_on = cleaned.get("due_on")
        begins = cleaned.get("starts_on") or self.today
        if due_on is None or "starts_on" in self.errors:
            return
        if due_on < begins:
            self.add_error("due_on", gettext("The last day is before the first day."))
        elif cleaned.get("weekly") and due_on - begins >= ONE_WEEK:
            self.add_error(
                "due_on", gettext("An assignment that repeats weekly can last seven days at most.")
            )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("rounds") is not None and "target" in self.errors:
            del self.errors["target"]
            cleaned["target"] = DEFAULT_CHOICE.target
        if cleaned.keys() >= RULE_FIELDS & self.fields.keys():
            choice = self.choice
            try:
                choice.ruleset()
            except RulesetError as problem:
                field, words = PROBLEMS[problem.reason]
                self.add_error(field, str(words))
            self._check_against(EDITIONS[choice.edition], choice)
        self._check_days(cleaned)
        return cleaned

    def _check_against(self, base: Ruleset, choice: Choice) -> None:
        """Add errors for settings that the edition would ignore, or refuse only at the deal."""
        most_players = base.most_players
        if choice.bots >= most_players:
            words = gettext(
                "This game can have at most %(most)d players: the child and %(bots)d bots."
            )
            self.add_error("bots", words % {"most": most_players, "bots": most_players - 1})
        if choice.chairs > most_players:
            words = gettext("This game can have at most %(most)d players.")
            self.add_error("chairs", words % {"most": most_players})
        if base.has_pot and choice.offers:
            self.add_error("offers", gettext("The blocks game has no open card to offer."))
        if not base.rows_earn and choice.doubling:
            self.add_error(
                "doubling",
                gettext("In the blocks game, rows earn no points, so there is nothing to double."),
            )
        if choice.focus and choice.rows == "one":
            words = gettext("Rows that count back to 1 are not in any of these tables.")
            self.add_error("focus", words)
        if choice.rows == "tables" and not {*choice.focus} <= {*choice.tables}:
            words = gettext("Choose these tables above as well: rows have to be in them.")
            self.add_error("focus", words)
        if choice.facts and not choice.has_questions:
            self.add_error(
                "facts", gettext("Facts are only asked in the short questions: switch them on.")
            )
        if choice.rounds is None and choice.target <= base.start:
            words = gettext("Everyone begins with %(start)d points: choose a higher target.")
            self.add_error("target", words % {"start": base.start})

    @property
    def choice(self) -> Choice:
        """The teacher's choice. The fields of `RULE_FIELDS` must be valid."""
        return replace(self.initial_choice, **self.cleaned_data)

    @property
    def preview(self) -> RulesPreview:
        """A preview of the chosen rules, or of their problems."""
        if not self.is_bound:
            return RulesPreview(self.initial_choice)
        wrong = [str(e) for name in sorted(RULE_FIELDS) for e in self.errors.get(name, ())]
        problems = [*wrong, *map(str, self.non_field_errors())]
        return RulesPreview(DEFAULT_CHOICE if problems else self.choice, problems)


def _initial(choice: Choice) -> dict[str, Any]:
    """The values of the fields that show these settings."""
    doubling = None if choice.doubling is None else tuple(sorted(choice.doubling))
    return {
        **{name: getattr(choice, name) for name in SETTINGS},
        "more_rows": "yes" if choice.more_rows else "no",
        "waits_for_classmates": "yes" if choice.waits_for_classmates else "no",
        "rounds": TO_TARGET if choice.rounds is None else str(choice.rounds),
        "doubling": next(word for word, value in DOUBLING.items() if value == doubling),
        "opening": next(word for word, value in OPENING.items() if value == choice.opening),
    }


class TableForm(forms.Form):
    """Who plays a preset together, and how."""

    chairs = AssignForm.base_fields["chairs"]
    together = AssignForm.base_fields["together"]


class ClassesForm(forms.Form):
    """The form for the teacher's other classes that get an assignment with the same settings."""

    classes = forms.ModelMultipleChoiceField(
        SchoolClass.objects.none(),
        label=_("Other classes too"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Each class gets its own assignment, for everyone in it."),
    )

    def __init__(
        self,
        others: QuerySet[SchoolClass],
        data: QueryDict | None = None,
        *,
        begin_with: Collection[SchoolClass] = (),
    ) -> None:
        super().__init__(data, initial={"classes": begin_with})
        cast(forms.ModelMultipleChoiceField, self.fields["classes"]).queryset = others

    @property
    def chosen(self) -> list[SchoolClass]:
        """The chosen classes of a valid form."""
        return list(self.cleaned_data["classes"])


class AudienceForm(forms.Form):
    """The form for the groups and children who get an assignment. Without any, the whole class gets
    it."""

    def __init__(
        self,
        school_class: SchoolClass,
        data: QueryDict | None = None,
        *,
        begin_with: Audience = WHOLE_CLASS,
    ) -> None:
        initial: dict[str, Any] = {"groups": begin_with.groups, "children": begin_with.children}
        super().__init__(data, initial=initial)
        for name, label, queryset in (
            ("groups", _("Groups"), groups_of(school_class)),
            ("children", _("Children"), school_class.children.all()),
        ):
            self.fields[name] = forms.ModelMultipleChoiceField(
                queryset, label=label, required=False, widget=forms.CheckboxSelectMultiple
            )

    @property
    def audience(self) -> Audience:
        """The chosen audience of a valid form."""
        data = self.cleaned_data
        return Audience(list(data["groups"]), list(data["children"]))

    @property
    def names(self) -> list[str]:
        """The names of the groups and children chosen so far, for the heading."""
        if self.is_bound:
            return self.audience.names if self.is_valid() else []
        return [str(key) for key in (*self.initial["groups"], *self.initial["children"])]
