import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations
from django.db import models


class Migration(migrations.Migration):
    dependencies = [("classrooms", "0018_known_devices_and_limits")]

    operations = [
        migrations.RemoveConstraint(model_name="user", name="user_email_once"),
        migrations.AlterField(
            model_name="user",
            name="email",
            field=models.EmailField(db_index=True, max_length=254, verbose_name="e-mail address"),
        ),
        migrations.CreateModel(
            name="AddressChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("old", models.EmailField(max_length=254, verbose_name="old address")),
                ("new", models.EmailField(max_length=254, verbose_name="new address")),
                (
                    "asked_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("stopped_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="address_changes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "change of address",
                "verbose_name_plural": "changes of address",
            },
        ),
    ]
