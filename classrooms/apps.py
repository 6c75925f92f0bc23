"""The school as a Django app. At start it registers signal receivers and kinds of downloads."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ClassroomsConfig(AppConfig):
    name = "classrooms"
    verbose_name = _("Classrooms")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from classrooms.accounts import history, sessions  # noqa: F401
        from classrooms.accounts import receivers as account_receivers  # noqa: F401
        from classrooms.accounts.ways_in import proof  # noqa: F401
        from classrooms.downloads.kinds import register
        from classrooms.lesson.game_hooks import SchoolAdviser
        from classrooms.privacy import child_export, erasure  # noqa: F401
        from classrooms.reports.paper import paper_downloads
        from classrooms.reports.tables import tables_download
        from classrooms.signin import receivers  # noqa: F401
        from classrooms.signin.paper import card_downloads
        from games.play.hooks import listen_to

        listen_to(SchoolAdviser())
        for module in (tables_download, child_export, paper_downloads, card_downloads):
            register(module.KINDS)
