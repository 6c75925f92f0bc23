from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LtiConfig(AppConfig):
    name = "classrooms.lti"
    label = "lti"
    verbose_name = _("Learning platforms")
    default_auto_field = "django.db.models.BigAutoField"
