"""Deep links: a teacher chooses an assignment, and the platform gets a link to it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from classrooms.credentials import token_hash
from classrooms.lti import messages
from classrooms.lti.launches import end
from classrooms.lti.messages import Message
from classrooms.lti.models import Launch, Platform
from classrooms.lti.platforms import dict_or_empty
from classrooms.models import Assignment


def choose(
    launch: Launch, message: Message, assignment: Assignment, launch_url: str, title: str
) -> dict[str, Any]:
    """End the launch with a link to the assignment, and return the choice that `answer_to` signs. A
    waiting frame can fetch it too. Raises `Refused`."""
    item: dict[str, Any] = {
        "type": "ltiResourceLink",
        "title": title,
        "url": launch_url,
        "custom": {"assignment": str(assignment.pk)},
    }
    if launch.platform.sends_grades and message.takes_line_item:
        grade = {"scoreMaximum": 100, "label": title, "resourceId": str(assignment.pk)}
        item["lineItem"] = grade
    answer = {"url": message.return_url, "data": message.data, "item": item}
    with transaction.atomic():
        end(launch)
        if launch.frame_hash:
            Launch.objects.filter(pk=launch.pk).update(answer=answer)
    return answer


def answer_to(platform: Platform, choice: Mapping[str, Any]) -> dict[str, str]:
    """The address of the platform to which the browser posts the answer, and the signed answer."""
    signed = messages.sign_choice(platform, choice["data"], choice["item"])
    return {"url": choice["url"], "signed": signed}


def take_choice(platform: Platform, frame: str) -> dict[str, Any] | None:
    """Take the choice for the frame with this token; None if nothing is chosen yet."""
    launches = Launch.objects.filter(
        platform=platform, frame_hash=token_hash(frame), answer__isnull=False
    )
    launch = launches.filter(ends_at__gt=timezone.now()).first() if frame else None
    if launch is None or not launches.filter(pk=launch.pk).update(answer=None):
        return None
    return dict_or_empty(launch.answer)
