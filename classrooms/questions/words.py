"""Texts of short questions: the question, the feedback, and the way to the answer."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from classrooms.questions.models import Sitting
from classrooms.questions.services import CheckedAnswer, SittingTally
from games.coach.questions.short_questions import Question
from games.coach.times_tables import Derivation, Fact, row_table_of
from games.screen import hint_words, words
from games.screen.words import product, products, spoken, unbroken


def question_text(question: Question) -> str:
    match question.kind:
        case "typing":
            warm_up = gettext("Warm up your fingers: type %(number)d.")
            return warm_up % {"number": question.numbers[0]}
        case "table":
            return gettext("Which times table do %(row)s belong to?") % {"row": _row(question)}
        case "fact":
            return f"{product(*question.numbers)} = ?"


def spoken_question(question: Question) -> str:
    """The question as a voice reads it."""
    return spoken(*question.numbers) if question.kind == "fact" else question_text(question)


def instruction(question: Question) -> str:
    """What the child has to do; empty for a fact, where the question says enough."""
    match question.kind:
        case "typing":
            return gettext("Tap this number on the keys. Then tap “OK”.")
        case "table":
            return gettext("Just type the number. Then tap “OK”.")
        case "fact":
            return ""


def earlier_note(question: Question) -> str:
    """Why the child is asked for a fact outside the game's tables; empty for any other question."""
    return gettext("This one is from an earlier game.") if question.is_of_earlier_table else ""


def praise(checked: CheckedAnswer) -> str:
    question = checked.question
    if question.kind == "typing":
        return gettext("Thank you.")
    if question.kind == "fact":
        return gettext("Yes: %(fact)s.") % {"fact": with_answer(question)}
    values = {"row": _row(question), "table": words.table_name(question.answer)}
    if checked.answer == question.answer:
        return gettext("Yes: %(row)s belong to the %(table)s.") % values
    return gettext(
        "Right, they are all in the %(given)s. They go up in %(step)ds, so the %(table)s fits best."
    ) % {**values, "given": words.table_name(checked.answer), "step": question.answer}


def slip(checked: CheckedAnswer) -> str:
    """The feedback on a number that was typed wrong."""
    values = {"typed": checked.answer, "number": checked.question.answer}
    return gettext("You typed %(typed)d. The number was %(number)d.") % values


def with_answer(question: Question) -> str:
    if question.kind == "fact":
        return f"{product(*question.numbers)} = {question.answer}"
    values = {"row": _row(question), "table": words.table_name(question.answer)}
    return gettext("%(row)s: the %(table)s") % values


def way_text(question: Question, way: Derivation | None) -> str:
    if way is not None:
        return hint_words.derivation(way)
    values = {"step": question.answer, "facts": _facts(question)}
    return gettext("It goes up by %(step)d each time: %(facts)s.") % values


def help_text(question: Question, way: Derivation | None) -> str:
    """The first half of `way_text`, without the answer."""
    if way is not None:
        return hint_words.known_fact_sentence(way)
    first, second = question.numbers[:2]
    return gettext("How big is the jump from %(first)d to %(second)d?") % {
        "first": first,
        "second": second,
    }


def place(sitting: Sitting) -> str:
    """The number of the current question among the questions that count; empty if it does not
    count."""
    counts = [kind != "typing" for kind, *_ in sitting.questions]
    if not counts[sitting.done]:
        return ""
    values = {"n": sum(counts[: sitting.done + 1]), "of": sum(counts)}
    return gettext("Question %(n)s of %(of)s") % values


def tally_text(tally: SittingTally) -> str:
    """How many questions the child answered right; empty if no question counts."""
    if not tally.count:
        return ""
    return ngettext(
        "You got %(right)d of %(all)d right.", "You got %(right)d of %(all)d right.", tally.count
    ) % {"right": tally.right, "all": tally.count}


def new_facts(tally: SittingTally) -> list[str]:
    """The facts that the child answered right for the first time."""
    return [unbroken(f"{product(a, b)} = {a * b}") for a, b in tally.new_facts]


def new_stamps(facts: Sequence[Fact]) -> str:
    """The new stamps of the child; empty if there are none."""
    names = words.listed([stamp(fact) for fact in facts])
    if not names:
        return ""
    return ngettext("A new stamp: %(facts)s", "New stamps: %(facts)s", len(facts)) % {
        "facts": names
    }


def stamp(fact: Fact) -> str:
    return unbroken(product(*fact))


def _row(question: Question) -> str:
    return words.listed(question.numbers)


def _facts(question: Question) -> str:
    return products(row_table_of(question.numbers).facts)
