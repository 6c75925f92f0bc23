from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("classrooms", "0045_riddles_and_hands"),)

    operations = (
        migrations.AddField(
            "assignment",
            "together",
            models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=10,
                verbose_name="one goal for all at the table",
            ),
        ),
    )
