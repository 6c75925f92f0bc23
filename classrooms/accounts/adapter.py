"""Where allauth asks the site: what differs from what it does by itself."""

from allauth.account.adapter import DefaultAccountAdapter


class AccountAdapter(DefaultAccountAdapter):
    """Each method hands over to the module of its subject in this folder."""

    def is_safe_url(self, url: str | None) -> bool:
        """Whether one may be led on to there; an address that cannot be read is none."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False
