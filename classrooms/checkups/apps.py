from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CheckupsConfig(AppConfig):
    name = "classrooms.checkups"
    label = "checkups"
    verbose_name = _("Check-ups")
    default_auto_field = "django.db.models.BigAutoField"
