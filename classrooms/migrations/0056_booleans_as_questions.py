"""Booleans that read as questions. The columns keep their names, so older processes go on working."""

from django.db import migrations, models

MODELS = ("classrooms.Child", "classrooms.Assignment", "classrooms.Attempt")


def forget_undos(apps, schema_editor):
    """What brings rows back names their fields, and lasts an hour."""
    apps.get_model("classrooms", "KeptAct").objects.filter(data__model__in=MODELS).delete()


class Migration(migrations.Migration):
    dependencies = [("classrooms", "0055_game_tables")]

    operations = [
        migrations.AlterField(
            "child",
            "checks",
            models.BooleanField(db_column="checks", default=True, verbose_name="short questions"),
        ),
        migrations.RenameField("child", "checks", "gets_questions"),
        migrations.AlterField(
            "child",
            "tables",
            models.BooleanField(
                db_column="tables",
                db_default=True,
                default=True,
                verbose_name="tables with classmates",
            ),
        ),
        migrations.RenameField("child", "tables", "may_sit_at_tables"),
        migrations.AlterField(
            "assignment",
            "kind",
            models.BooleanField(db_column="kind", default=True, verbose_name="helpful deals"),
        ),
        migrations.RenameField("assignment", "kind", "has_kind_deals"),
        migrations.AlterField(
            "assignment",
            "missed_rows",
            models.BooleanField(
                db_column="missed_rows",
                default=True,
                verbose_name="show a missed row after a turn",
            ),
        ),
        migrations.RenameField("assignment", "missed_rows", "shows_missed_rows"),
        migrations.AlterField(
            "attempt",
            "again",
            models.BooleanField(
                db_column="again", db_default=False, default=False, editable=False
            ),
        ),
        migrations.RenameField("attempt", "again", "is_repeat"),
        migrations.RunPython(forget_undos, migrations.RunPython.noop),
    ]
