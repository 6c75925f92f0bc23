"""The page of short questions: a question, feedback on the answer, and the way back to the game."""

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from classrooms.access import ChildRequest, attempt_for_child
from classrooms.assignments.status import may_be_played_again
from classrooms.models import Attempt, Child
from classrooms.questions import services, words
from classrooms.questions.models import Sitting
from classrooms.questions.services import CheckedAnswer
from classrooms.signin.children_only import for_children
from games.coach.questions.short_questions import Question
from games.coach.times_tables import Derivation, derive
from games.engine.round import ROUND_OVER
from games.play.hooks import host
from games.play.posted_values import MOST_MS, MOST_TYPED, parse_int, parse_typed
from games.screen.hint_pictures import array_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@for_children
def check(request: ChildRequest, game_id: UUID) -> HttpResponse:
    child = request.child
    attempt = attempt_for_child(child, game_id)
    sitting = services.sitting_of(attempt, child)
    if sitting is None:
        return redirect("games:page", game_id)
    if request.method != "POST":
        return _page(request, attempt, child, sitting)
    number = parse_int(request.POST.get("number"), most=MOST_TYPED)
    action = request.POST.get("do", "answer")
    if action == "skip":
        services.skip(sitting)
        return redirect("games:page", game_id)
    if action == "help":
        services.note_help(sitting, -1 if number is None else number)
        return _page(request, attempt, child, sitting)
    answer = parse_typed(request.POST.get("answer"))
    if answer is None:
        return _page(request, attempt, child, sitting, lacks_number=True)
    checked = services.answer(
        attempt,
        child,
        sitting,
        number=-1 if number is None else number,
        answer=answer,
        ms=parse_int(request.POST.get("ms"), most=MOST_MS),
    )
    return _page(request, attempt, child, sitting, checked=checked)


def _page(
    request: HttpRequest,
    attempt: Attempt,
    child: Child,
    sitting: Sitting,
    *,
    checked: CheckedAnswer | None = None,
    lacks_number: bool = False,
) -> HttpResponse:
    context: dict[str, object] = {
        "game": attempt.game,
        "sitting": sitting,
        "lacks_number": lacks_number,
    }
    if checked is not None and checked.is_right:
        context["praise"] = words.praise(checked)
    elif checked is not None and checked.question.kind == "typing":
        context["slip"] = words.slip(checked)
    elif checked is not None:
        way = _way(checked.question, child)
        context |= {
            "solved": words.with_answer(checked.question),
            "way": words.way_text(checked.question, way),
            "array": None if way is None else array_of(way),
        }
        return render(request, "questions/wrong.html", context)
    if sitting.closed_at is not None:
        if checked is None and sitting.done < len(sitting.questions):
            return redirect("games:page", attempt.game_id)
        tally = services.tally_of(sitting)
        context |= {
            "next_round": attempt.game.phase == ROUND_OVER,
            "again": may_be_played_again(attempt),
            "assignment": attempt.assignment,
            "key": uuid4(),
            "tally": words.tally_text(tally),
            "new_facts": words.new_facts(tally),
            "stamps": [words.stamp(fact) for fact in tally.stamps],
            "new_stamps": words.new_stamps(tally.stamps),
        }
        return render(request, "questions/done.html", context)
    context["is_timed"] = services.start_clock(sitting) and not child.is_untimed
    return render(request, "questions/check.html", context | _question_context(sitting, child))


def _question_context(sitting: Sitting, child: Child) -> dict[str, object]:
    question = services.question_of(sitting)
    help_text = words.help_text(question, _way(question, child)) if sitting.helped else ""
    return {
        "question": words.question_text(question),
        "spoken_question": words.spoken_question(question),
        "instruction": words.instruction(question),
        "earlier_note": words.earlier_note(question),
        "is_typing": question.kind == "typing",
        "help_text": help_text,
        "place": words.place(sitting),
    }


def _way(question: Question, child: Child) -> Derivation | None:
    if question.kind != "fact":
        return None
    # Tens are easy to count, so 10 × 7 is shown as 7 × 10.
    times, table = sorted(question.numbers, key=lambda factor: factor == 10)
    return derive(times, table, host().secure_facts(child.player))
