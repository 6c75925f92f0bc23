from typing import Any

from django.db import migrations

from classrooms.models.name_order import name_order

BATCH = 1000


def order_again(apps: Any, schema_editor: Any) -> None:
    """The earlier keys had another place for some signs, and none for accents."""
    for model in ("Child", "Group"):
        manager = apps.get_model("classrooms", model)._base_manager
        batch = []
        for named in manager.select_related("school_class").iterator(BATCH):
            named.name_order = name_order(named.name, named.school_class.language)
            batch.append(named)
            if len(batch) == BATCH:
                manager.bulk_update(batch, ["name_order"])
                batch = []
        manager.bulk_update(batch, ["name_order"])


class Migration(migrations.Migration):
    dependencies = [("classrooms", "0036_new_years")]

    operations = [migrations.RunPython(order_again, migrations.RunPython.noop)]
