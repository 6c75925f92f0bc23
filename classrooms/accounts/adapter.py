"""Where allauth asks the site: what differs from what it does by itself."""

from allauth.account.adapter import DefaultAccountAdapter

from classrooms.pages import is_address


class AccountAdapter(DefaultAccountAdapter):
    """Each method hands over to the module of its subject in this folder."""

    def is_safe_url(self, url: str) -> bool:
        return is_address(url) and bool(super().is_safe_url(url))
