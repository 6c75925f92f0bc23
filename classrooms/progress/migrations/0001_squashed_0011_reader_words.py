import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """The tables of commit 80d270dd, the oldest whose database can be upgraded."""

    replaces = [('progress', '0001_initial'), ('progress', '0002_facts_and_mastery'), ('progress', '0003_reached_on'), ('progress', '0004_stale'), ('progress', '0005_chances'), ('progress', '0006_count_chances'), ('progress', '0007_facts_by_answers'), ('progress', '0008_levels_of_tables'), ('progress', '0009_points_of_rounds'), ('progress', '0010_holds_until'), ('progress', '0011_reader_words')]

    initial = True

    dependencies = [
        ('checks', '0001_squashed_0002_timed'),
        ('classrooms', '0001_squashed_0040_reader_words'),
        ('games', '0001_squashed_0011_one_index_fewer'),
    ]

    operations = [
        migrations.CreateModel(
            name='FactAbility',
            fields=[
                ('child', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='fact_ability', serialize=False, to='classrooms.child')),
                ('value', models.FloatField()),
                ('answers', models.PositiveIntegerField()),
                ('last_at', models.DateTimeField()),
                ('last_answer', models.BigIntegerField()),
            ],
            options={
                'verbose_name_plural': 'abilities at facts',
            },
        ),
        migrations.CreateModel(
            name='GameEvidence',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='evidence_mark', serialize=False, to='games.game')),
                ('upto_entry', models.PositiveIntegerField()),
                ('upto_at', models.DateTimeField()),
                ('problem', models.CharField(blank=True, max_length=40)),
                ('rounds', models.PositiveSmallIntegerField(default=0)),
                ('start_entry', models.PositiveIntegerField(default=0)),
                ('start', models.JSONField(null=True)),
            ],
            options={
                'verbose_name_plural': 'games counted',
            },
        ),
        migrations.CreateModel(
            name='ProgressLock',
            fields=[
                ('child', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='progress_lock', serialize=False, to='classrooms.child')),
                ('stale', models.BooleanField(db_index=True, default=False)),
                ('to_rebuild', models.BooleanField(db_index=True, default=False)),
            ],
        ),
        migrations.CreateModel(
            name='SittingEvidence',
            fields=[
                ('sitting', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='evidence_mark', serialize=False, to='checks.sitting')),
                ('upto', models.PositiveSmallIntegerField()),
            ],
            options={
                'verbose_name_plural': 'questions counted',
            },
        ),
        migrations.CreateModel(
            name='Difference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('progress', 'progress differs from a rebuild'), ('ledger', 'snapshot differs from the replay'), ('rebuild', 'rebuild failed')], max_length=8)),
                ('told', models.TextField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('child', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.child')),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.game')),
            ],
            options={
                'verbose_name': 'difference found at night',
                'verbose_name_plural': 'differences found at night',
                'ordering': ('-at',),
            },
        ),
        migrations.CreateModel(
            name='Chance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('round', models.PositiveSmallIntegerField()),
                ('entry', models.PositiveIntegerField()),
                ('at', models.DateTimeField()),
                ('table', models.PositiveSmallIntegerField()),
                ('outcome', models.CharField(choices=[('at once', 'at once'), ('later', 'later'), ('with a hint', 'with a hint'), ('after tries', 'after tries'), ('with a joker', 'with a joker'), ('missed', 'missed')], max_length=12)),
                ('first_turn', models.PositiveSmallIntegerField()),
                ('last_turn', models.PositiveSmallIntegerField()),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('hint_step', models.PositiveSmallIntegerField(default=0)),
                ('entries', models.JSONField()),
                ('row', models.TextField()),
                ('numbers', models.JSONField()),
                ('thinking_ms', models.PositiveIntegerField(null=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.assignment')),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.child')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.game')),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.schoolclass')),
            ],
            options={
                'verbose_name': 'possible row',
                'verbose_name_plural': 'possible rows',
                'indexes': [models.Index(fields=['child', 'day', 'table'], name='progress_ch_child_i_d6db3a_idx'), models.Index(fields=['child', 'table', 'at'], name='progress_ch_child_i_5e69b1_idx')],
            },
        ),
        migrations.CreateModel(
            name='ChildAssignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hinted', models.PositiveIntegerField(default=0)),
                ('missed', models.PositiveIntegerField(default=0)),
                ('rounds', models.PositiveIntegerField(default=0)),
                ('turns', models.PositiveIntegerField(default=0)),
                ('hints', models.PositiveIntegerField(default=0)),
                ('last_at', models.DateTimeField()),
                ('checks', models.PositiveIntegerField(default=0)),
                ('checks_right', models.PositiveIntegerField(default=0)),
                ('at_once', models.PositiveIntegerField(default=0)),
                ('later', models.PositiveIntegerField(default=0)),
                ('joker', models.PositiveIntegerField(default=0)),
                ('tried', models.PositiveIntegerField(default=0)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='child_counts', to='classrooms.assignment')),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignment_counts', to='classrooms.child')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('child', 'assignment'), name='child_assignment_once')],
            },
        ),
        migrations.CreateModel(
            name='ChildDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('rounds', models.PositiveIntegerField(default=0)),
                ('turns', models.PositiveIntegerField(default=0)),
                ('hints', models.PositiveIntegerField(default=0)),
                ('last_at', models.DateTimeField()),
                ('checks', models.PositiveIntegerField(default=0)),
                ('checks_right', models.PositiveIntegerField(default=0)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('hint_turns', models.PositiveIntegerField(default=0)),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='days', to='classrooms.child')),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.schoolclass')),
            ],
            options={
                'indexes': [models.Index(fields=['school_class', 'day'], name='progress_ch_school__fe777b_idx')],
                'constraints': [models.UniqueConstraint(fields=('child', 'school_class', 'day'), name='child_day_once')],
            },
        ),
        migrations.CreateModel(
            name='FactDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('low', models.PositiveSmallIntegerField()),
                ('high', models.PositiveSmallIntegerField()),
                ('day', models.DateField()),
                ('asked', models.PositiveIntegerField(default=0)),
                ('recalled', models.PositiveIntegerField(default=0)),
                ('derived', models.PositiveIntegerField(default=0)),
                ('hinted', models.PositiveIntegerField(default=0)),
                ('guessed', models.PositiveIntegerField(default=0)),
                ('last_at', models.DateTimeField()),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fact_days', to='classrooms.child')),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.schoolclass')),
            ],
            options={
                'indexes': [models.Index(fields=['school_class', 'day'], name='progress_fa_school__885653_idx')],
                'constraints': [models.UniqueConstraint(fields=('child', 'school_class', 'low', 'high', 'day'), name='fact_day_once')],
            },
        ),
        migrations.CreateModel(
            name='FactMastery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('low', models.PositiveSmallIntegerField()),
                ('high', models.PositiveSmallIntegerField()),
                ('stability', models.FloatField()),
                ('difficulty', models.FloatField()),
                ('day', models.DateField()),
                ('due_on', models.DateField()),
                ('ability', models.FloatField()),
                ('lately', models.JSONField()),
                ('reached', models.CharField(max_length=8)),
                ('reached_on', models.DateField()),
                ('recalled', models.PositiveIntegerField(default=0)),
                ('derived', models.PositiveIntegerField(default=0)),
                ('hinted', models.PositiveIntegerField(default=0)),
                ('guessed', models.PositiveIntegerField(default=0)),
                ('last_at', models.DateTimeField()),
                ('holds_until', models.DateField(null=True)),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.child')),
            ],
            options={
                'verbose_name_plural': 'levels of facts known by heart',
                'constraints': [models.UniqueConstraint(fields=('child', 'low', 'high'), name='fact_mastery_once')],
            },
        ),
        migrations.CreateModel(
            name='Played',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('round', models.PositiveSmallIntegerField()),
                ('entry', models.PositiveIntegerField()),
                ('at', models.DateTimeField()),
                ('rounds_ended', models.PositiveSmallIntegerField(default=0)),
                ('turns_ended', models.PositiveSmallIntegerField(default=0)),
                ('hints_asked', models.PositiveSmallIntegerField(default=0)),
                ('tries_refused', models.PositiveSmallIntegerField(default=0)),
                ('turns_with_hint', models.PositiveSmallIntegerField(default=0)),
                ('points', models.IntegerField(null=True)),
                ('won', models.BooleanField(null=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.assignment')),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.child')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.game')),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.schoolclass')),
            ],
            options={
                'verbose_name_plural': 'rounds played',
                'indexes': [models.Index(fields=['child', 'day'], name='progress_pl_child_i_a00514_idx')],
                'constraints': [models.UniqueConstraint(fields=('game', 'round', 'day'), name='played_once')],
            },
        ),
        migrations.CreateModel(
            name='TableDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hinted', models.PositiveIntegerField(default=0)),
                ('missed', models.PositiveIntegerField(default=0)),
                ('table', models.PositiveSmallIntegerField()),
                ('day', models.DateField()),
                ('tried', models.PositiveIntegerField(default=0)),
                ('last_at', models.DateTimeField()),
                ('at_once', models.PositiveIntegerField(default=0)),
                ('later', models.PositiveIntegerField(default=0)),
                ('joker', models.PositiveIntegerField(default=0)),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='table_days', to='classrooms.child')),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.schoolclass')),
            ],
            options={
                'indexes': [models.Index(fields=['school_class', 'day'], name='progress_ta_school__f09e1e_idx')],
                'constraints': [models.UniqueConstraint(fields=('child', 'school_class', 'table', 'day'), name='table_day_once')],
            },
        ),
        migrations.CreateModel(
            name='TableMastery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hinted', models.PositiveIntegerField(default=0)),
                ('missed', models.PositiveIntegerField(default=0)),
                ('day', models.DateField()),
                ('known', models.JSONField()),
                ('before', models.JSONField()),
                ('reached', models.CharField(max_length=8)),
                ('last_at', models.DateTimeField()),
                ('table', models.PositiveSmallIntegerField()),
                ('tried', models.PositiveIntegerField(default=0)),
                ('reached_on', models.DateField()),
                ('at_once', models.PositiveIntegerField(default=0)),
                ('later', models.PositiveIntegerField(default=0)),
                ('joker', models.PositiveIntegerField(default=0)),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.child')),
            ],
            options={
                'verbose_name_plural': 'levels at finding rows',
                'constraints': [models.UniqueConstraint(fields=('child', 'table'), name='table_mastery_once')],
            },
        ),
    ]
