from django.db import migrations
from django.db import models


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0033_groups_in_order"),
    ]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="facts",
            field=models.JSONField(
                blank=True, default=list, verbose_name="facts to ask first"
            ),
        ),
    ]
