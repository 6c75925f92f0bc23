from django.db import migrations
from django.db import models


def mark(apps, schema_editor):
    """The workers fill in the day as they rebuild each child; until then the pages do without."""
    apps.get_model("progress", "ProgressLock").objects.update(to_rebuild=True)


class Migration(migrations.Migration):
    dependencies = [("progress", "0009_points_of_rounds")]

    operations = [
        migrations.AddField("factmastery", "holds_until", models.DateField(null=True)),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
