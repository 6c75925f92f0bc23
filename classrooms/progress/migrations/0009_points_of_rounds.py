from django.db import migrations
from django.db import models


def mark(apps, schema_editor):
    """The points of rounds come from the logs: with what 0006 and 0008 marked to be rebuilt."""
    apps.get_model("progress", "ProgressLock").objects.update(to_rebuild=True)


class Migration(migrations.Migration):
    dependencies = [("progress", "0008_levels_of_tables")]

    operations = [
        migrations.RunPython(mark, migrations.RunPython.noop),
        migrations.AddField("played", "points", models.IntegerField(null=True)),
        migrations.AddField("played", "won", models.BooleanField(null=True)),
    ]
