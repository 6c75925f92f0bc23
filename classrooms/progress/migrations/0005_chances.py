from django.db import migrations
from django.db import models
from django.db.models import CASCADE


def foreign_key(to):
    return models.ForeignKey(on_delete=CASCADE, related_name="+", to=to)


def shown():
    return [
        (
            "id",
            models.BigAutoField(
                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
            ),
        ),
        ("day", models.DateField()),
        ("round", models.PositiveSmallIntegerField()),
        ("entry", models.PositiveIntegerField()),
        ("at", models.DateTimeField()),
        ("assignment", foreign_key("classrooms.assignment")),
        ("child", foreign_key("classrooms.child")),
        ("game", foreign_key("games.game")),
        ("school_class", foreign_key("classrooms.schoolclass")),
    ]


def count():
    return models.PositiveIntegerField(default=0)


OUTCOMES = ("at once", "later", "with a hint", "after tries", "with a joker", "missed")


class Migration(migrations.Migration):
    """Evidence by turn cannot become chances: the logs are read again (0006)."""

    dependencies = [
        ("classrooms", "0021_who_sees_the_names"),
        ("games", "0007_moved_lately"),
        ("progress", "0004_stale"),
    ]

    operations = [
        migrations.DeleteModel("Evidence"),
        migrations.DeleteModel("Played"),
        migrations.CreateModel(
            name="Played",
            fields=[
                *shown(),
                ("rounds_ended", models.PositiveSmallIntegerField(default=0)),
                ("turns_ended", models.PositiveSmallIntegerField(default=0)),
                ("hints_asked", models.PositiveSmallIntegerField(default=0)),
                ("tries_refused", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "verbose_name_plural": "played",
                "indexes": [
                    models.Index(fields=["child", "day"], name="progress_pl_child_i_a00514_idx")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "round", "day"), name="played_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Chance",
            fields=[
                *shown(),
                ("table", models.PositiveSmallIntegerField()),
                (
                    "outcome",
                    models.CharField(choices=[(one, one) for one in OUTCOMES], max_length=12),
                ),
                ("first_turn", models.PositiveSmallIntegerField()),
                ("last_turn", models.PositiveSmallIntegerField()),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("hint_step", models.PositiveSmallIntegerField(default=0)),
                ("entries", models.JSONField()),
                ("row", models.TextField()),
                ("numbers", models.JSONField()),
                ("thinking_ms", models.PositiveIntegerField(null=True)),
            ],
            options={
                "verbose_name": "chance",
                "verbose_name_plural": "chances",
                "indexes": [
                    models.Index(
                        fields=["child", "day", "table"], name="progress_ch_child_i_d6db3a_idx"
                    ),
                    models.Index(
                        fields=["child", "table", "at"], name="progress_ch_child_i_5e69b1_idx"
                    ),
                ],
            },
        ),
        *(
            migrations.RemoveField(model, "found")
            for model in ("childassignment", "tableday", "tablemastery")
        ),
        migrations.RemoveField("tableday", "tenths"),
        *(
            migrations.AddField(model, name, count())
            for model in ("childassignment", "tableday", "tablemastery")
            for name in ("at_once", "later", "joker")
        ),
        migrations.AddField("childassignment", "tried", count()),
        migrations.AddField("childassignment", "tries", count()),
        migrations.AddField("childday", "tries", count()),
        migrations.AddField(
            "gameevidence", "rounds", models.PositiveSmallIntegerField(default=0)
        ),
        migrations.AddField("gameevidence", "start_entry", count()),
        migrations.AddField("gameevidence", "start", models.JSONField(null=True)),
        migrations.AddField(
            "progresslock", "to_rebuild", models.BooleanField(db_index=True, default=False)
        ),
        migrations.AlterField(
            "difference",
            "what",
            models.CharField(
                choices=[
                    ("progress", "progress differs from a rebuild"),
                    ("ledger", "snapshot differs from the replay"),
                    ("rebuild", "rebuild failed"),
                ],
                max_length=8,
            ),
        ),
    ]
