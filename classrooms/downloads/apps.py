from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DownloadsConfig(AppConfig):
    name = "classrooms.downloads"
    label = "downloads"
    verbose_name = _("Downloads")
    default_auto_field = "django.db.models.BigAutoField"
