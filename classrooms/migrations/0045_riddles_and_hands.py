from django.db import migrations
from django.db import models


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0044_weekly_steps"),
    ]

    operations = [
        migrations.AddField(
            model_name="schoolclass",
            name="hand_until",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="schoolclass",
            name="has_riddles",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="riddle of the day"
            ),
        ),
        migrations.AddField(
            model_name="assignment",
            name="one_turn",
            field=models.JSONField(default=None, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="assignment",
            name="riddle_on",
            field=models.DateField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="attempt",
            name="again",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                fields=("school_class", "riddle_on"), name="riddle_once_a_day"
            ),
        ),
    ]
