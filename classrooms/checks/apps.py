from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChecksConfig(AppConfig):
    name = "classrooms.checks"
    label = "checks"
    verbose_name = _("Short questions")
    default_auto_field = "django.db.models.BigAutoField"
