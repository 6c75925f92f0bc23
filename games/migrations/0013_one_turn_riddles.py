from django.db import migrations
from django.db import models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0012_missed_row_shown"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="one_turn",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="game",
            name="riddle",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
