from django.contrib.admin.apps import AdminConfig


class OperatorAdminConfig(AdminConfig):
    """Django's admin, with our own site."""

    default_site = "nmbrs_edu.operating.operator_site.SiteWithState"
