from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0017_entry")]

    operations = [
        migrations.AddField("game", "waits_since", models.DateTimeField(null=True)),
    ]
