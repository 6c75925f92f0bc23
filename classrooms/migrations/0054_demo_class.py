from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0053_plan_taken_back"),
    ]

    operations = [
        migrations.AddField(
            model_name="schoolclass",
            name="is_demo",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddConstraint(
            model_name="schoolclass",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_demo", True)), fields=("is_demo",), name="one_demo"
            ),
        ),
    ]
