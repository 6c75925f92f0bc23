from django.db import migrations


def mark(apps, schema_editor):
    """Forget what was counted by turns. The workers rebuild each child from its logs; what was
    played and answered stays on the pages until then."""
    for name in ("TableDay", "TableMastery"):
        apps.get_model("progress", name).objects.all().delete()
    apps.get_model("progress", "ChildAbility").objects.filter(kind="rows").delete()
    apps.get_model("progress", "ChildAssignment").objects.update(hinted=0, missed=0)
    apps.get_model("progress", "ProgressLock").objects.update(to_rebuild=True)


class Migration(migrations.Migration):
    dependencies = [("progress", "0005_chances")]

    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
