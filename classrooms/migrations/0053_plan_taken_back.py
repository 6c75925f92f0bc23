from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0052_mail_before_lessons"),
    ]

    operations = [
        migrations.AddField(
            model_name="schoolclass",
            name="steps_given_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
