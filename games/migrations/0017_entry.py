import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The model gets a better name; the table keeps its own, so the database does not change."""

    dependencies = [("games", "0016_guided")]

    operations = [
        migrations.AlterModelTable("action", "games_action"),
        migrations.RenameModel("Action", "Entry"),
        migrations.AlterModelOptions(
            "entry", {"ordering": ("number",), "verbose_name_plural": "log entries"}
        ),
        migrations.AlterField(
            "entry",
            "game",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="entries",
                to="games.game",
            ),
        ),
    ]
