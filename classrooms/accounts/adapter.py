"""Where allauth asks the site: what differs from what it does by itself."""

from allauth.account.adapter import DefaultAccountAdapter


class AccountAdapter(DefaultAccountAdapter):
    """Each method hands over to the module of its subject in this folder."""
