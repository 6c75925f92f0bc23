import django.db.models.deletion
from django.db import migrations
from django.db import models

import classrooms.models.children
from classrooms.child_names import plain_name


def fill_plain_names(apps, schema_editor):
    Child = apps.get_model("classrooms", "Child")
    children = Child._base_manager.only("name")
    for start in range(0, children.count(), 1000):
        some = list(children.order_by("pk")[start : start + 1000])
        for child in some:
            child.plain_name = plain_name(child.name)
        Child._base_manager.bulk_update(some, ["plain_name"])


class Migration(migrations.Migration):
    """Classes that there are already list the names at school only, too: it keeps nobody out, for
    whoever types its name gets in as well, and a QR code works at any hour."""

    dependencies = [
        ("classrooms", "0020_one_log"),
    ]

    operations = [
        migrations.AddField(
            model_name="child",
            name="plain_name",
            field=classrooms.models.children.PlainNameField(
                default="", editable=False, max_length=80
            ),
        ),
        migrations.AddField(
            model_name="schoolclass",
            name="in_school_hours",
            field=models.BooleanField(default=True, verbose_name="names in school hours"),
        ),
        migrations.AddField(
            model_name="schoolclass",
            name="names_shown",
            field=models.CharField(
                choices=[
                    ("always", "Everyone with the class code"),
                    ("at school", "Only at school. Elsewhere children type their names"),
                    ("never", "Nobody. Children type their names on a new device"),
                ],
                default="at school",
                max_length=9,
                verbose_name="who sees the names",
            ),
        ),
        migrations.AddField(
            model_name="schoolclass",
            name="networks",
            field=models.JSONField(default=list, editable=False),
        ),
        migrations.AddField(
            model_name="schoolclass",
            name="school_from",
            field=models.PositiveSmallIntegerField(default=7, verbose_name="school from"),
        ),
        migrations.AddField(
            model_name="schoolclass",
            name="school_until",
            field=models.PositiveSmallIntegerField(default=17, verbose_name="school until"),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='what',
            field=models.CharField(choices=[('looked', 'looked'), ('asked', 'asked for a file'), ('exported', 'exported'), ('added', 'added'), ('renamed', 'renamed'), ('removed', 'removed'), ('brought back', 'brought back'), ('moved', 'moved'), ('merged', 'merged'), ('agreed', 'changed what is agreed'), ('erased', 'erased'), ('new pictures', 'new pictures'), ('new QR codes', 'new QR codes'), ('cards back', 'went back to the cards from before'), ('signed out', 'signed out'), ('tries cleared', 'cleared wrong tries'), ('new code', 'new class code'), ('former code', 'went back to the class code from before'), ('closed', 'closed to new devices'), ('opened', 'opened to new devices'), ('names shown', 'changed who sees the names'), ('made', 'made the class'), ('changed', 'changed the class'), ('archived', 'archived'), ('restored', 'restored'), ('invited', 'invited'), ('invitation ended', 'ended an invitation'), ('joined', 'joined'), ('left', 'left'), ('teacher removed', 'removed a teacher'), ('teacher back', 'brought a teacher back'), ('role given', 'gave a role'), ('handed over', 'handed over'), ('signed in', 'signed in'), ('wrong password', 'wrong password'), ('wrong second step', 'wrong second step'), ('password', 'changed the password'), ('new password', 'chose a new password by mail'), ('address asked', 'asked for another address'), ('address', 'changed the address'), ('second step', 'set up a second step'), ('second step gone', 'removed a second step'), ('recovery codes', 'made new recovery codes'), ('connected', 'connected an account elsewhere'), ('disconnected', 'disconnected an account elsewhere'), ('sessions ended', 'signed out everywhere'), ('switched on', 'may sign in again'), ('switched off', 'may no longer sign in'), ('staff', 'may use the admin site'), ('staff gone', 'may no longer use the admin site')], max_length=24, verbose_name='what'),
        ),
        migrations.CreateModel(
            name="WrongNames",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("times", models.JSONField(default=list)),
                (
                    "school_class",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="wrong_names",
                        to="classrooms.schoolclass",
                    ),
                ),
            ],
            options={"verbose_name_plural": "wrong names"},
        ),
        migrations.RunPython(fill_plain_names, migrations.RunPython.noop),
    ]
