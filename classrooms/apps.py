from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ClassroomsConfig(AppConfig):
    name = "classrooms"
    verbose_name = _("Classrooms")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from classrooms.accounts.ways_in import proof  # noqa: F401
        from classrooms.lesson.game_hooks import SchoolAdviser
        from classrooms.signin import receivers  # noqa: F401
        from games.play.hooks import listen_to

        from .accounts import receivers as account_receivers  # noqa: F401

        listen_to(SchoolAdviser())
