from django.db import migrations
from django.db import models


def forget(apps, schema_editor):
    """What is known about a table is folded in another way: with what 0006 marked to be rebuilt."""
    apps.get_model("progress", "TableMastery").objects.all().delete()
    apps.get_model("progress", "ProgressLock").objects.update(to_rebuild=True)


class Migration(migrations.Migration):
    dependencies = [("progress", "0007_facts_by_answers")]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
        migrations.DeleteModel("ChildAbility"),
        migrations.AddField("played", "turns_with_hint", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("childday", "hint_turns", models.PositiveIntegerField(default=0)),
    ]
