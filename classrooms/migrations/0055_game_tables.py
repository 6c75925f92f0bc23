"""New names in the code. Tables and columns keep theirs, so older processes go on working."""

import django.db.models.deletion
from django.db import migrations, models


def forget_undos(apps, schema_editor):
    """What brings a table back names its model, and lasts an hour."""
    apps.get_model("classrooms", "KeptAct").objects.filter(data__model="classrooms.Table").delete()


class Migration(migrations.Migration):
    dependencies = [("classrooms", "0054_demo_class")]

    operations = [
        migrations.AlterModelTable("table", "classrooms_table"),
        migrations.RenameModel("Table", "GameTable"),
        migrations.AlterField(
            "chair",
            "table",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="chairs_taken",
                to="classrooms.gametable",
            ),
        ),
        migrations.AlterField(
            "child",
            "at_table",
            models.ForeignKey(
                db_column="at_table_id",
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="games.game",
            ),
        ),
        migrations.RenameField("child", "at_table", "last_game"),
        migrations.RunPython(forget_undos, migrations.RunPython.noop),
    ]
