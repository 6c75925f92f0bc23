from django.db import migrations, models


class Migration(migrations.Migration):
    """Fields get better names; the columns keep theirs, so the database does not change."""

    dependencies = [("games", "0019_shows_missed_rows")]

    operations = [
        migrations.AlterField(
            "game", "at_turn", models.PositiveSmallIntegerField(db_column="at_turn", null=True)
        ),
        migrations.RenameField("game", "at_turn", "awaited_seat"),
    ]
