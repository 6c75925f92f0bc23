from django.db import migrations
from django.db import models


def nobody_turned_them_off(apps, schema_editor):
    """Until now a child that had turned sounds off was like one that never turned them on."""
    apps.get_model("classrooms", "Child").objects.filter(sounds=False).update(sounds=None)


def off_where_nothing_was_said(apps, schema_editor):
    apps.get_model("classrooms", "Child").objects.filter(sounds=None).update(sounds=False)


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0034_facts_of_assignments"),
    ]

    operations = [
        migrations.AddField(
            model_name="schoolclass",
            name="sounds",
            field=models.BooleanField(default=False, verbose_name="sounds"),
        ),
        migrations.AlterField(
            model_name="child",
            name="sounds",
            field=models.BooleanField(
                default=None, editable=False, null=True, verbose_name="sounds"
            ),
        ),
        migrations.RunPython(nobody_turned_them_off, off_where_nothing_was_said),
    ]
