from typing import Any

from django.db import migrations

import classrooms.models.children
from classrooms.models.name_order import name_order


def order_groups(apps: Any, schema_editor: Any) -> None:
    """The keys of the names that are there already."""
    manager = apps.get_model("classrooms", "Group")._base_manager
    groups = list(manager.select_related("school_class"))
    for group in groups:
        group.name_order = name_order(group.name, group.school_class.language)
    manager.bulk_update(groups, ["name_order"], batch_size=1000)


class Migration(migrations.Migration):

    dependencies = [
        ('classrooms', '0032_closed_accounts'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='group',
            options={'ordering': ('name_order', 'name'), 'verbose_name': 'group', 'verbose_name_plural': 'groups'},
        ),
        migrations.AddField(
            model_name='group',
            name='name_order',
            field=classrooms.models.children.NameOrderField(default='', editable=False, max_length=200),
        ),
        migrations.RunPython(order_groups, migrations.RunPython.noop),
    ]
