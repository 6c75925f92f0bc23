"""The school as a Django app. At start it registers signal receivers, kinds of downloads, and the
hooks by which the game learns about its players."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ClassroomsConfig(AppConfig):
    name = "classrooms"
    verbose_name = _("Classrooms")

    def ready(self) -> None:
        from classrooms.accounts import receivers  # noqa: F401
        from classrooms.downloads.kinds import register
        from classrooms.lesson.game_hooks import SchoolHost
        from classrooms.privacy import erasure  # noqa: F401
        from classrooms.privacy.export import KINDS as CHILD_KINDS
        from classrooms.reports.downloads import PAPER_KINDS, TABLE_KINDS
        from classrooms.signin import children_only  # noqa: F401
        from classrooms.signin.cards import KINDS as CARD_KINDS
        from games.play.hooks import set_host

        set_host(SchoolHost())
        for kinds in (TABLE_KINDS, CHILD_KINDS, PAPER_KINDS, CARD_KINDS):
            register(kinds)
