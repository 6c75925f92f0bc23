from django.db import migrations
from django.db import models


class Migration(migrations.Migration):

    dependencies = [
        ('downloads', '0001_squashed_0004_problem_words'),
    ]

    operations = [
        migrations.AlterField(
            model_name='download',
            name='problem',
            field=models.CharField(blank=True, choices=[('error', 'Something went wrong. It is not your fault; the operator can see it.'), ('too long', 'It took too long. Try again when fewer people are playing.'), ('too large', 'The file became too large. Download the children’s files one at a time.')], max_length=9),
        ),
    ]
