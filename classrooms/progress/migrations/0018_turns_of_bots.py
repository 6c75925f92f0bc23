from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("progress", "0017_days_of_levels")]

    operations = [
        migrations.AlterField(
            model_name="progresslock",
            name="rules",
            field=models.PositiveSmallIntegerField(db_default=1, default=10),
        ),
    ]
