"""One audit log: looks at children's pictures move into it, with every row that there is."""

from itertools import groupby

import django.db.models.deletion
from django.conf import settings
from django.db import migrations
from django.db import models

import classrooms.models.classes

PAGES = {"child": "pictures", "cards": "cards", "letters": "letters"}
AT_A_TIME = 1000


def take_over_looks(apps, schema_editor):
    """Each look at a child's pictures becomes an entry about the child. Those of one printing are
    parts of one entry about the class. Where the log has the look already, the row is kept as a
    part of it, so that it is not shown twice."""
    LookedUp = apps.get_model("classrooms", "LookedUp")
    AuditEntry = apps.get_model("classrooms", "AuditEntry")
    known = {
        (entry.user_id, entry.page, entry.class_id, entry.child_id, _hour(entry.at))
        for entry in AuditEntry.objects.filter(page__in=PAGES.values()).iterator()
    }
    looks = LookedUp.objects.select_related("child").order_by(
        "at", "user_id", "where", "child__school_class_id", "pk"
    )
    made = []
    for key, rows in groupby(looks.iterator(), _printing):
        made += _entries(AuditEntry, key, list(rows), known)
        if len(made) >= AT_A_TIME:
            AuditEntry.objects.bulk_create(made)
            made = []
    AuditEntry.objects.bulk_create(made)
    if schema_editor.connection.vendor == "postgresql":
        # PostgreSQL cannot build an index on a table while foreign keys of its new rows are
        # unchecked.
        schema_editor.connection.check_constraints()


def _printing(look):
    return look.at, look.user_id, look.where, look.child.school_class_id


def _hour(at):
    return at.replace(minute=0, second=0, microsecond=0)


def _entries(AuditEntry, key, rows, known):
    at, user_id, where, class_id = key
    page = PAGES[where]

    def entry(child_id, **more):
        return AuditEntry(
            user_id=user_id, what="looked", page=page, class_id=class_id, child_id=child_id, at=at,
            **more,
        )  # fmt: skip

    def is_known(child_id):
        return (user_id, page, class_id, child_id, _hour(at)) in known

    several = len(rows) > 1
    made = [
        entry(row.child_id, is_part=several or is_known(row.child_id) or is_known(None))
        for row in rows
    ]
    if several and not is_known(None):
        made.append(entry(None, detail={"count": len(rows)}))
    return made


class Migration(migrations.Migration):

    dependencies = [
        ("classrooms", "0019_addresses"),
    ]

    operations = [
        migrations.AddField(
            model_name='auditentry',
            name='account',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='history', to=settings.AUTH_USER_MODEL, verbose_name='account'),
        ),
        migrations.AddField(
            model_name='auditentry',
            name='actor',
            field=models.CharField(choices=[('teacher', 'a teacher'), ('operator', 'the operator'), ('site', 'the site itself')], default='teacher', max_length=8, verbose_name='as'),
        ),
        migrations.AddField(
            model_name='auditentry',
            name='detail',
            field=models.JSONField(blank=True, default=dict, verbose_name='detail'),
        ),
        migrations.AddField(
            model_name='auditentry',
            name='is_part',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='class_id',
            field=models.UUIDField(db_index=True, null=True, verbose_name='class'),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='what',
            field=models.CharField(choices=[('looked', 'looked'), ('asked', 'asked for a file'), ('exported', 'exported'), ('added', 'added'), ('renamed', 'renamed'), ('removed', 'removed'), ('brought back', 'brought back'), ('moved', 'moved'), ('merged', 'merged'), ('agreed', 'changed what is agreed'), ('erased', 'erased'), ('new pictures', 'new pictures'), ('new QR codes', 'new QR codes'), ('cards back', 'went back to the cards from before'), ('signed out', 'signed out'), ('tries cleared', 'cleared wrong tries'), ('new code', 'new class code'), ('former code', 'went back to the class code from before'), ('closed', 'closed to new devices'), ('opened', 'opened to new devices'), ('made', 'made the class'), ('changed', 'changed the class'), ('archived', 'archived'), ('restored', 'restored'), ('invited', 'invited'), ('invitation ended', 'ended an invitation'), ('joined', 'joined'), ('left', 'left'), ('teacher removed', 'removed a teacher'), ('teacher back', 'brought a teacher back'), ('role given', 'gave a role'), ('handed over', 'handed over'), ('signed in', 'signed in'), ('wrong password', 'wrong password'), ('wrong second step', 'wrong second step'), ('password', 'changed the password'), ('new password', 'chose a new password by mail'), ('address asked', 'asked for another address'), ('address', 'changed the address'), ('second step', 'set up a second step'), ('second step gone', 'removed a second step'), ('recovery codes', 'made new recovery codes'), ('connected', 'connected an account elsewhere'), ('disconnected', 'disconnected an account elsewhere'), ('switched on', 'may sign in again'), ('switched off', 'may no longer sign in'), ('staff', 'may use the admin site'), ('staff gone', 'may no longer use the admin site')], max_length=24, verbose_name='what'),
        ),
        migrations.AlterField(
            model_name='teaching',
            name='user',
            field=models.ForeignKey(on_delete=classrooms.models.classes.unless_owner, related_name='teachings', to=settings.AUTH_USER_MODEL),
        ),
        # Backwards the entries stay where they are, and the old table comes back empty.
        migrations.RunPython(take_over_looks, migrations.RunPython.noop),
        migrations.DeleteModel(
            name='LookedUp',
        ),
    ]
