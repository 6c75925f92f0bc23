from django.db import migrations, models


class Migration(migrations.Migration):
    """The field gets a better name; the column keeps its own, so the database does not change."""

    dependencies = [("games", "0015_hint_steps_of_a_seat")]

    operations = [
        migrations.AlterField("game", "lesson", models.BooleanField(db_column="lesson", default=False)),
        migrations.RenameField("game", "lesson", "guided"),
    ]
