"""Tables of several players. Where a field or a model got a better name, its column or table keeps
the old one, so older processes go on working."""

import django.db.models.deletion
from django.db import migrations, models


def small(default=None, column=None):
    if default is None:
        return models.PositiveSmallIntegerField(db_column=column, null=True)
    return models.PositiveSmallIntegerField(db_column=column, db_default=default, default=default)


def time(column=None):
    return models.DateTimeField(db_column=column, null=True)


RENAMED = (
    ("is_guided", models.BooleanField(db_column="lesson", default=False)),
    ("shows_missed_rows", models.BooleanField(db_column="missed_rows", default=False)),
    ("has_shared_deal", models.BooleanField(db_column="shared_deal", default=False)),
    (
        "has_one_turn",
        models.BooleanField(db_column="one_turn", db_default=False, default=False),
    ),
    ("riddle_cards", small(0, "riddle")),
)
ADDED = (
    ("game", "answer_seconds", small(20)),
    ("game", "awaited_seat", small(column="at_turn")),
    ("game", "due_at", time()),
    ("game", "news", models.PositiveIntegerField(db_default=0, default=0)),
    ("game", "turn_seconds", small(0)),
    ("game", "waits_since", time()),
    ("seat", "away_since", time("away")),
    ("seat", "here_until", time()),
    ("seat", "answered_at", time("knocked_at")),
    ("seat", "sign", models.CharField(blank=True, db_default="", default="", max_length=12)),
    ("seat", "sign_count", small(0)),
    ("seat", "sign_turn", models.PositiveIntegerField(db_default=0, default=0)),
    ("seat", "hint_steps", small()),
)


class Migration(migrations.Migration):
    replaces = [
        ("games", "0014_tables_of_several_players"),
        ("games", "0015_hint_steps_of_a_seat"),
        ("games", "0016_guided"),
        ("games", "0017_entry"),
        ("games", "0018_waits_since"),
        ("games", "0019_shows_missed_rows"),
        ("games", "0020_clearer_names"),
        ("games", "0021_answers_and_riddles"),
    ]

    dependencies = [("games", "0013_one_turn_riddles")]

    operations = [
        *(
            operation
            for name, field in RENAMED
            for operation in (
                migrations.AlterField("game", field.db_column, field),
                migrations.RenameField("game", field.db_column, name),
            )
        ),
        *(migrations.AddField(*added) for added in ADDED),
        migrations.AlterModelTable("action", "games_action"),
        migrations.RenameModel("Action", "Entry"),
        migrations.AlterModelOptions(
            "entry", {"ordering": ("number",), "verbose_name_plural": "log entries"}
        ),
        migrations.AlterField(
            "entry",
            "kind",
            models.CharField(
                choices=[
                    ("deal", "Deal"),
                    ("act", "Act"),
                    ("stand in", "Stand In"),
                    ("take back", "Take Back"),
                    ("hint", "Hint"),
                    ("refused", "Refused"),
                ],
                max_length=10,
            ),
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
