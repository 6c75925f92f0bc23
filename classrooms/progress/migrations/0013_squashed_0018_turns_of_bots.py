from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("progress", "0013_several_children"),
        ("progress", "0014_rules_of_facts"),
        ("progress", "0015_rules_of_levels"),
        ("progress", "0016_surer_facts"),
        ("progress", "0017_days_of_levels"),
        ("progress", "0018_turns_of_bots"),
    ]

    dependencies = [
        ("classrooms", "0046_squashed_0057_more_booleans_as_questions"),
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
        migrations.AlterField(
            model_name="progresslock",
            name="rules",
            field=models.PositiveSmallIntegerField(db_default=1, default=10),
        ),
    ]
