from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0051_paused_classes"),
    ]

    operations = [
        migrations.AddField(
            model_name="teaching",
            name="mail_days",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=7
            ),
        ),
        migrations.AddField(
            model_name="teaching",
            name="mail_names",
            field=models.CharField(
                blank=True,
                choices=[("", "No names"), ("initials", "Initials"), ("names", "Names")],
                db_default="",
                default="",
                editable=False,
                max_length=8,
            ),
        ),
    ]
