from django.db import migrations
from django.db import models


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0044_weekly_steps"),
    ]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="hand",
            field=models.JSONField(default=None, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="schoolclass",
            name="hand_until",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
