import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0014_tables_of_several_players"),
        ("classrooms", "0048_roster_sources"),
    ]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="answer_seconds",
            field=models.PositiveSmallIntegerField(
                db_default=20, default=20, verbose_name="seconds to answer an offer"
            ),
        ),
        migrations.AddField(
            model_name="assignment",
            name="chairs",
            field=models.PositiveSmallIntegerField(
                db_default=1, default=1, verbose_name="seats at a table"
            ),
        ),
        migrations.AddField(
            model_name="assignment",
            name="seating",
            field=models.CharField(
                choices=[
                    ("open", "whoever comes"),
                    ("groups", "groups"),
                    ("level", "equal strength"),
                ],
                db_default="open",
                default="open",
                max_length=6,
                verbose_name="who sits together",
            ),
        ),
        migrations.AddField(
            model_name="assignment",
            name="waits",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="wait for classmates"
            ),
        ),
        migrations.AddField(
            model_name="child",
            name="signs",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="signs at the tables"
            ),
        ),
        migrations.AddField(
            model_name="child",
            name="tables",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="tables with classmates"
            ),
        ),
        migrations.AddField(
            model_name="schoolclass",
            name="has_signs",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="signs at the tables"
            ),
        ),
        migrations.AddField(
            model_name="schoolclass",
            name="has_tables",
            field=models.BooleanField(db_default=False, default=False, verbose_name="tables"),
        ),
        migrations.AlterField(
            model_name="attempt",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="attempts",
                related_query_name="attempt",
                to="games.game",
            ),
        ),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.UniqueConstraint(fields=("game", "child"), name="attempt_once"),
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "opened_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("ended_at", models.DateTimeField(editable=False, null=True)),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables",
                        to="classrooms.assignment",
                    ),
                ),
                (
                    "game",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="table",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "verbose_name": "table of several children",
                "verbose_name_plural": "tables of several children",
                "ordering": ("opened_at",),
            },
        ),
        migrations.CreateModel(
            name="Chair",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seen_at", models.DateTimeField(null=True)),
                (
                    "child",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chairs",
                        to="classrooms.child",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="taken",
                        to="classrooms.table",
                    ),
                ),
            ],
            options={
                "verbose_name": "chair",
                "verbose_name_plural": "chairs",
                "ordering": ("pk",),
                "constraints": [
                    models.UniqueConstraint(fields=("table", "child"), name="chair_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("seen_at__isnull", False)),
                        fields=("child",),
                        name="child_sits_once",
                    ),
                ],
            },
        ),
    ]
