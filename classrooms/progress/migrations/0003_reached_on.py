from datetime import date

from django.db import migrations
from django.db import models


def forget(apps, schema_editor):
    """What was folded without these days is folded again, with a child's next day or in a rebuild.
    """
    for name in ("TableMastery", "FactMastery", "ChildAbility"):
        apps.get_model("progress", name).objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("progress", "0002_facts_and_mastery")]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
        migrations.AddField(
            "tablemastery", "reached_on", models.DateField(default=date.min), preserve_default=False
        ),
        migrations.AddField(
            "factmastery", "reached_on", models.DateField(default=date.min), preserve_default=False
        ),
    ]
