from django.db import migrations, models

RENAMED = (
    ("game", "riddle", models.PositiveSmallIntegerField(db_column="riddle", db_default=0, default=0), "riddle_cards"),
    ("seat", "away", models.DateTimeField(db_column="away", null=True), "away_since"),
    ("seat", "knocked_at", models.DateTimeField(db_column="knocked_at", null=True), "answered_at"),
)


class Migration(migrations.Migration):
    """Fields get better names; the columns keep theirs, as in 0020."""

    dependencies = [("games", "0020_clearer_names")]

    operations = [
        operation
        for model, name, field, new_name in RENAMED
        for operation in (
            migrations.AlterField(model, name, field),
            migrations.RenameField(model, name, new_name),
        )
    ]
