from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ProgressConfig(AppConfig):
    name = "classrooms.progress"
    label = "progress"
    verbose_name = _("Progress")

    def ready(self) -> None:
        from classrooms.progress import receivers  # noqa: F401
