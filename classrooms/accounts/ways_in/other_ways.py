"""Ways to sign in besides the password, removed where a stranger may have added them."""

from datetime import UTC, datetime

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount

from classrooms.audit import What, audit_account
from classrooms.models import User

EVER = datetime.min.replace(tzinfo=UTC)


def remove_other_ways_in(user: User, since: datetime = EVER) -> None:
    """Remove each second step, passkey and social account added since then, and log it."""
    for step in Authenticator.objects.filter(user=user, created_at__gte=since):
        step.delete()
        audit_account(user, What.SECOND_STEP_GONE, user, step=str(step.type))
    for connected in SocialAccount.objects.filter(user=user, date_joined__gte=since):
        connected.delete()
        audit_account(user, What.DISCONNECTED, user, provider=str(connected.provider))
