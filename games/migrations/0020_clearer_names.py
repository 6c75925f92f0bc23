from django.db import migrations, models


class Migration(migrations.Migration):
    """Fields get better names; the columns keep theirs, so the database does not change."""

    dependencies = [("games", "0019_shows_missed_rows")]

    operations = [
        migrations.AlterField(
            "game", "at_turn", models.PositiveSmallIntegerField(db_column="at_turn", null=True)
        ),
        migrations.RenameField("game", "at_turn", "awaited_seat"),
        migrations.RenameField("game", "guided", "is_guided"),
        migrations.AlterField(
            "game", "shared_deal", models.BooleanField(db_column="shared_deal", default=False)
        ),
        migrations.RenameField("game", "shared_deal", "has_shared_deal"),
        migrations.AlterField(
            "game",
            "one_turn",
            models.BooleanField(db_column="one_turn", db_default=False, default=False),
        ),
        migrations.RenameField("game", "one_turn", "has_one_turn"),
    ]
