from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0049_tables"),
        ("progress", "0012_rules"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="played", name="played_once"),
        migrations.AddConstraint(
            model_name="played",
            constraint=models.UniqueConstraint(
                fields=("game", "child", "round", "day"), name="played_of_child_once"
            ),
        ),
    ]
