import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("classrooms", "0042_no_names_in_logs_of_admin")]

    operations = [
        migrations.CreateModel(
            name="KeptAct",
            fields=[
                ("key", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=40)),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("back", models.CharField(max_length=200)),
                ("data", models.JSONField(default=dict, editable=False)),
                (
                    "school_class",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kept_acts",
                        to="classrooms.schoolclass",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kept_acts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ("-at", "key")},
        )
    ]
