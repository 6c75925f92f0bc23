from django.db import migrations
from django.db import models


def mark_untimed(apps, schema_editor):
    """For earlier answers it is only known whether a time was measured."""
    Check = apps.get_model("checks", "Check")
    Check.objects.filter(child__untimed=True, ms=None).update(timed=False)


class Migration(migrations.Migration):

    dependencies = [
        ('checks', '0001_quick_checks'),
        ('classrooms', '0011_groups_and_weeks'),
    ]

    operations = [
        migrations.AddField(
            model_name='check',
            name='timed',
            field=models.BooleanField(default=True),
        ),
        migrations.RunPython(mark_untimed, migrations.RunPython.noop),
    ]
