from django.contrib.admin.apps import AdminConfig


class OperatorAdminConfig(AdminConfig):
    """Django's admin with the site of the operator's pages."""

    default_site = "classrooms.accounts.admin_site.OperatorSite"
