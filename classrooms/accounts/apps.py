from django.contrib.admin.apps import AdminConfig


class OperatorAdminConfig(AdminConfig):
    """Django's admin, with `OperatorSite` as its site."""

    default_site = "classrooms.accounts.admin_site.OperatorSite"
