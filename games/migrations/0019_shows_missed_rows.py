from django.db import migrations, models


class Migration(migrations.Migration):
    """The field gets a better name; the column keeps its own, so the database does not change."""

    dependencies = [("games", "0018_waits_since")]

    operations = [
        migrations.AlterField(
            "game", "missed_rows", models.BooleanField(db_column="missed_rows", default=False)
        ),
        migrations.RenameField("game", "missed_rows", "shows_missed_rows"),
    ]
