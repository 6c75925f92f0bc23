"""The lists of other systems, tables of several children, lessons. Where a field or a model got a
better name, its column or table keeps the old one, so older processes go on working."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

RENAMED_MODELS = ("Child", "Assignment", "Attempt", "Table")


def forget_undos(apps, schema_editor):
    """What brings rows back names their model and their fields, and lasts an hour."""
    labels = [f"classrooms.{name}" for name in RENAMED_MODELS]
    apps.get_model("classrooms", "KeptAct").objects.filter(data__model__in=labels).delete()


def boolean(label, default, column, **options):
    return models.BooleanField(label, db_column=column, default=default, **options)


def seconds(label, default):
    return models.PositiveSmallIntegerField(label, db_default=default, default=default)


RENAMED = (
    ("child", "gets_questions", boolean("short questions", True, "checks")),
    ("child", "is_untimed", boolean("untimed", False, "untimed")),
    ("child", "has_larger_cards", boolean("larger cards", False, "larger")),
    ("schoolclass", "is_quiet", boolean("quiet lessons", False, "quiet")),
    ("schoolclass", "has_sounds", boolean("sounds", False, "sounds")),
    ("assignment", "has_kind_deals", boolean("helpful deals", True, "kind")),
    (
        "assignment",
        "shows_missed_rows",
        boolean("show a missed row after a turn", True, "missed_rows"),
    ),
    ("assignment", "is_for_everyone", boolean("for the whole class", True, "everyone")),
    ("assignment", "has_questions", boolean("short questions", True, "checks")),
    (
        "attempt",
        "is_repeat",
        models.BooleanField(db_column="again", db_default=False, default=False, editable=False),
    ),
)
ADDED = (
    (
        "assignment",
        "together",
        models.CharField(
            "one goal for all at the table", blank=True, db_default="", default="", max_length=10
        ),
    ),
    ("assignment", "answer_seconds", seconds("seconds to answer an offer", 20)),
    ("assignment", "chairs", seconds("seats at a table", 1)),
    (
        "assignment",
        "seating",
        models.CharField(
            "who sits together",
            choices=[("open", "whoever comes"), ("groups", "groups"), ("level", "equal strength")],
            db_default="open",
            default="open",
            max_length=6,
        ),
    ),
    (
        "assignment",
        "waits_for_classmates",
        boolean("wait for classmates", True, "waits", db_default=True),
    ),
    ("assignment", "turn_seconds", seconds("seconds for a turn at a table", 0)),
    ("child", "may_give_signs", boolean("signs at the tables", True, "signs", db_default=True)),
    (
        "child",
        "may_sit_at_tables",
        boolean("tables with classmates", True, "tables", db_default=True),
    ),
    ("schoolclass", "has_signs", boolean("signs at the tables", True, None, db_default=True)),
    ("schoolclass", "may_sit_at_tables", boolean("tables", False, "has_tables", db_default=False)),
    ("schoolclass", "paused_until", models.DateTimeField(editable=False, null=True)),
    ("schoolclass", "steps_given_at", models.DateTimeField(editable=False, null=True)),
    (
        "schoolclass",
        "is_demo",
        models.BooleanField(db_default=False, default=False, editable=False),
    ),
    (
        "teaching",
        "mail_days",
        models.CharField(blank=True, db_default="", default="", editable=False, max_length=7),
    ),
    (
        "teaching",
        "mail_names",
        models.CharField(
            blank=True,
            choices=[("", "No names"), ("initials", "Initials"), ("names", "Names")],
            db_default="",
            default="",
            editable=False,
            max_length=8,
        ),
    ),
)


class Migration(migrations.Migration):
    replaces = [
        ("classrooms", "0046_one_goal"),
        ("classrooms", "0047_learning_platforms"),
        ("classrooms", "0048_roster_sources"),
        ("classrooms", "0049_tables"),
        ("classrooms", "0050_time_for_a_turn"),
        ("classrooms", "0051_paused_classes"),
        ("classrooms", "0052_mail_before_lessons"),
        ("classrooms", "0053_plan_taken_back"),
        ("classrooms", "0054_demo_class"),
        ("classrooms", "0055_game_tables"),
        ("classrooms", "0056_booleans_as_questions"),
        ("classrooms", "0057_more_booleans_as_questions"),
    ]

    dependencies = [
        ("games", "0014_squashed_0021_answers_and_riddles"),
        ("classrooms", "0045_riddles_and_hands"),
    ]

    operations = [
        *(
            operation
            for model, name, field in RENAMED
            for operation in (
                migrations.AlterField(model, field.db_column, field),
                migrations.RenameField(model, field.db_column, name),
            )
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
        *(migrations.AddField(*added) for added in ADDED),
        migrations.AddConstraint(
            model_name="schoolclass",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_demo", True)), fields=("is_demo",), name="one_demo"
            ),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='what',
            field=models.CharField(choices=[('looked', 'looked'), ('asked', 'asked for a file'), ('exported', 'exported'), ('added', 'added'), ('renamed', 'renamed'), ('removed', 'removed'), ('brought back', 'brought back'), ('moved', 'moved'), ('merged', 'merged'), ('merge undone', 'undid a merge'), ('agreed', 'changed individual settings'), ('list agreed', 'looked through the school’s list'), ('erased', 'deleted'), ('new pictures', 'new pictures'), ('new QR codes', 'new QR codes'), ('cards back', 'went back to the earlier cards'), ('signed out', 'signed out'), ('tries cleared', 'cleared wrong tries'), ('new code', 'new class code'), ('former code', 'went back to the earlier class code'), ('closed', 'closed to new devices'), ('opened', 'opened to new devices'), ('names shown', 'changed who sees the names'), ('made', 'created the class'), ('changed', 'changed the class'), ('archived', 'archived'), ('restored', 'restored'), ('invited', 'invited'), ('invitation ended', 'withdrew an invitation'), ('joined', 'joined'), ('left', 'left'), ('teacher removed', 'removed a teacher'), ('teacher back', 'brought a teacher back'), ('role given', 'gave a role'), ('handed over', 'handed over'), ('named', 'chose a name'), ('account closed', 'closed the account'), ('account reopened', 'opened the account again'), ('school joined', 'joined the school'), ('school left', 'left the school'), ('school role', 'gave a role in the school'), ('source', 'connected a source of lists'), ('source gone', 'disconnected a source of lists'), ('course linked', 'linked a course'), ('course unlinked', 'unlinked a course'), ('person linked', 'linked with a learning platform'), ('person unlinked', 'unlinked from a learning platform'), ('launch refused', 'refused a launch'), ('platform added', 'added a learning platform'), ('platform changed', 'changed a learning platform'), ('platform removed', 'removed a learning platform'), ('signed in', 'signed in'), ('wrong password', 'wrong password'), ('wrong second step', 'wrong second step'), ('password', 'changed the password'), ('new password', 'chose a new password by e-mail'), ('address asked', 'asked for another address'), ('address', 'changed the address'), ('second step', 'set up a second step'), ('second step gone', 'removed a second step'), ('recovery codes', 'made new recovery codes'), ('connected', 'linked another account'), ('disconnected', 'unlinked another account'), ('sessions ended', 'signed out everywhere'), ('switched on', 'may sign in again'), ('switched off', 'may no longer sign in'), ('staff', 'has access to the admin site'), ('staff gone', 'no longer has access to the admin site')], max_length=24, verbose_name='what'),
        ),
        migrations.CreateModel(
            name='RosterSource',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(max_length=300, verbose_name='address')),
                ('token_address', models.CharField(max_length=300, verbose_name='address for the token')),
                ('client_id', models.CharField(max_length=200, verbose_name='client ID')),
                ('secret_encrypted', models.TextField(editable=False)),
                ('org', models.CharField(blank=True, max_length=255, verbose_name='ID of the school at the source')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('tried_at', models.DateTimeField(editable=False, null=True)),
                ('reached_at', models.DateTimeField(editable=False, null=True)),
                ('read_all_at', models.DateTimeField(editable=False, null=True)),
                ('read_all_on', models.DateField(editable=False, null=True)),
                ('changed_since', models.DateTimeField(editable=False, null=True)),
                ('not_before', models.DateTimeField(editable=False, null=True)),
                ('problem', models.CharField(blank=True, choices=[('unreached', 'The address does not answer.'), ('address', 'This is not an https address.'), ('not public', 'The address is not on the public internet.'), ('certificate', 'The certificate of the address is not valid.'), ('elsewhere', 'The address leads to another one. Enter the new address.'), ('refused', 'The client ID or the secret was refused.'), ('missing', 'There are no lists at this address.'), ('busy', 'The source is busy and has asked us to wait.'), ('down', 'The source reports an error of its own.'), ('slow', 'The source takes too long.'), ('too large', 'The source sends too much. Enter the ID of your school there.'), ('cut off', 'The list broke off before its end.'), ('unreadable', 'What the source sends is not OneRoster 1.2.'), ('pages', 'The source sends the same page again and again.'), ('nobody', 'The source lists nobody. No child was removed.'), ('secret', 'The secret cannot be read any more. Enter it again.')], editable=False, max_length=12)),
                ('added_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('school', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='roster_source', to='classrooms.school')),
            ],
            options={
                'verbose_name': 'source of lists',
                'verbose_name_plural': 'sources of lists',
            },
        ),
        migrations.CreateModel(
            name='SourceClass',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_hash', models.CharField(max_length=64)),
                ('title', models.CharField(max_length=80, verbose_name='name')),
                ('is_here', models.BooleanField(default=True)),
                ('is_empty', models.BooleanField(default=False)),
                ('agreed_at', models.DateTimeField(editable=False, null=True)),
                ('school_class', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='source_class', to='classrooms.schoolclass')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='classes', to='classrooms.rostersource')),
            ],
            options={
                'verbose_name': 'class at a source',
                'verbose_name_plural': 'classes at a source',
                'ordering': ('title', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='SourcePupil',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_hash', models.CharField(max_length=64)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('family', models.CharField(blank=True, max_length=200)),
                ('known_name', models.CharField(blank=True, max_length=200)),
                ('is_here', models.BooleanField(default=True)),
                ('is_left_out', models.BooleanField(default=False)),
                ('child', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='source_pupils', to='classrooms.child')),
                ('source_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pupils', to='classrooms.sourceclass')),
            ],
            options={
                'verbose_name': 'pupil at a source',
                'verbose_name_plural': 'pupils at a source',
                'ordering': ('pk',),
            },
        ),
        migrations.AddConstraint(
            model_name='sourceclass',
            constraint=models.UniqueConstraint(fields=('source', 'key_hash'), name='source_class_once'),
        ),
        migrations.AddConstraint(
            model_name='sourcepupil',
            constraint=models.UniqueConstraint(fields=('source_class', 'key_hash'), name='source_pupil_once'),
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
            name="GameTable",
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
                "db_table": "classrooms_table",
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
                        related_name="chairs_taken",
                        to="classrooms.gametable",
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
        migrations.RunPython(forget_undos, migrations.RunPython.noop),
    ]
