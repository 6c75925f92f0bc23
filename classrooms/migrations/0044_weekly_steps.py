from django.db import migrations
from django.db import models


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0043_kept_acts"),
    ]

    operations = [
        migrations.AddField(
            model_name="schoolclass",
            name="steps_given_on",
            field=models.DateField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="schoolclass",
            name="weekly_steps",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "Only when I choose to"),
                    ("ask", "Every Monday, once I have said yes"),
                    ("give", "Every Monday, without asking me"),
                ],
                db_default="",
                default="",
                editable=False,
                max_length=4,
            ),
        ),
    ]
