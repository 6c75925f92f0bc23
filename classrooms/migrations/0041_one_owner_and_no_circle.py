"""What no two acts at once can break any more: a class has one owner, and no two children are merged
into each other. Data that already break it are mended first."""

import django.db.models.functions.comparison
from django.db import migrations
from django.db import models


def break_circles(apps, schema_editor):
    """Children merged into each other are merely removed: their teacher can bring them back."""
    Merge = apps.get_model("classrooms", "Merge")
    into = dict(Merge.objects.values_list("child", "into"))
    for child in list(into):
        seen = set()
        other = child
        while other in into and other not in seen:
            seen.add(other)
            other = into[other]
        if other == child:
            for each in seen:
                del into[each]
            Merge.objects.filter(child__in=seen).delete()


def leave_one_owner(apps, schema_editor):
    """If a class has several owners, the first stays; where there is none, the first co-teacher
    becomes it."""
    Teaching = apps.get_model("classrooms", "Teaching")
    classes = Teaching.objects.order_by().values("school_class")
    owners = models.Count("pk", filter=models.Q(role="owner"))
    wrong = classes.annotate(owners=owners).exclude(owners=1)
    for school_class in list(wrong.values_list("school_class", flat=True)):
        own = Teaching.objects.filter(school_class=school_class)
        by_role = own.order_by("-role", "-user__is_active", "pk")
        first = by_role.first()
        own.exclude(pk=first.pk).update(role="co-teacher")
        own.filter(pk=first.pk).update(role="owner")


class Migration(migrations.Migration):

    dependencies = [
        ("classrooms", "0001_squashed_0040_reader_words"),
    ]

    operations = [
        migrations.AddField(
            model_name="school",
            name="removals",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.RunPython(break_circles, migrations.RunPython.noop),
        migrations.RunPython(leave_one_owner, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="merge",
            constraint=models.CheckConstraint(
                condition=models.Q(("child", models.F("into")), _negated=True),
                name="merged_into_another",
            ),
        ),
        migrations.AddConstraint(
            model_name="merge",
            constraint=models.UniqueConstraint(
                django.db.models.functions.comparison.Least("child", "into"),
                django.db.models.functions.comparison.Greatest("child", "into"),
                name="merged_one_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="teaching",
            constraint=models.UniqueConstraint(
                condition=models.Q(("role", "owner")),
                fields=("school_class",),
                name="one_owner",
            ),
        ),
    ]
