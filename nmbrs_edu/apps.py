from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig
from django.core.mail import DNS_NAME
from django.utils.encoding import punycode


class SiteConfig(AppConfig):
    name = "nmbrs_edu"

    def ready(self) -> None:
        from celery.signals import task_failure

        from games.signals import move_made
        from nmbrs_edu.metrics import counting

        # Mail servers refuse a client that introduces itself with the name of a container.
        vars(DNS_NAME)["_fqdn"] = punycode(urlsplit(settings.SITE_URL).hostname or "localhost")
        move_made.connect(counting.count_move, dispatch_uid="nmbrs_edu.count_move")
        task_failure.connect(counting.count_failed_task, dispatch_uid="nmbrs_edu.count_failed_task")


class OperatorAdminConfig(AdminConfig):
    default_site = "nmbrs_edu.operating.operator_site.OperatorSite"
