import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """The tables of commit 80d270dd, the oldest whose database can be upgraded."""

    replaces = [('checks', '0001_quick_checks'), ('checks', '0002_timed')]

    initial = True

    dependencies = [
        ('classrooms', '0001_squashed_0040_reader_words'),
        ('games', '0001_squashed_0011_one_index_fewer'),
    ]

    operations = [
        migrations.CreateModel(
            name='Sitting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('questions', models.JSONField()),
                ('done', models.PositiveSmallIntegerField(default=0)),
                ('asked_at', models.DateTimeField(null=True)),
                ('helped', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('closed_at', models.DateTimeField(null=True)),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.child')),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.game')),
            ],
        ),
        migrations.CreateModel(
            name='Check',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('fact', 'fact'), ('table', 'table of a row')], max_length=5)),
                ('first', models.PositiveSmallIntegerField(null=True)),
                ('second', models.PositiveSmallIntegerField(null=True)),
                ('numbers', models.JSONField(default=list)),
                ('step', models.PositiveSmallIntegerField(null=True)),
                ('answer', models.PositiveIntegerField()),
                ('right', models.BooleanField()),
                ('ms', models.PositiveIntegerField(null=True)),
                ('net_ms', models.PositiveIntegerField(null=True)),
                ('how', models.CharField(choices=[('recalled', 'recalled'), ('derived', 'derived'), ('hinted', 'with a hint'), ('guessed', 'not known')], max_length=8)),
                ('asked_at', models.DateTimeField()),
                ('answered_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('day', models.DateField()),
                ('timed', models.BooleanField(default=True)),
                ('assignment', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='classrooms.assignment')),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='quick_checks', to='classrooms.child')),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.schoolclass')),
                ('sitting', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='checks', to='checks.sitting')),
            ],
            options={
                'ordering': ('answered_at', 'id'),
            },
        ),
        migrations.CreateModel(
            name='Typed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digits', models.PositiveSmallIntegerField()),
                ('ms', models.PositiveIntegerField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.child')),
            ],
            options={
                'verbose_name_plural': 'typed',
                'ordering': ('at', 'id'),
            },
        ),
        migrations.AddConstraint(
            model_name='sitting',
            constraint=models.UniqueConstraint(fields=('game', 'round', 'child'), name='sitting_once'),
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(fields=['child', 'day'], name='checks_chec_child_i_992355_idx'),
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(fields=['school_class', 'day'], name='checks_chec_school__423680_idx'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.UniqueConstraint(fields=('sitting', 'number'), name='check_once'),
        ),
    ]
