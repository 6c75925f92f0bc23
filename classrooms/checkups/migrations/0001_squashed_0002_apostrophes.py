import django.db.models.deletion
import django.utils.timezone
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):
    """The tables of commit 80d270dd, the oldest whose database can be upgraded."""

    replaces = [('checkups', '0001_check_ups'), ('checkups', '0002_apostrophes')]

    initial = True

    dependencies = [
        ('classrooms', '0001_squashed_0040_reader_words'),
    ]

    operations = [
        migrations.CreateModel(
            name='CheckUp',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('tables', models.JSONField()),
                ('timed', models.BooleanField(default=False)),
                ('term', models.CharField(blank=True, choices=[('start', 'Start of the year'), ('middle', 'Middle of the year'), ('end', 'End of the year')], max_length=6)),
                ('opens_on', models.DateField()),
                ('closes_on', models.DateField(null=True)),
                ('closed_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='check_ups', to='classrooms.schoolclass')),
            ],
            options={
                'verbose_name': 'check-up',
                'verbose_name_plural': 'check-ups',
                'ordering': ('-number',),
            },
        ),
        migrations.CreateModel(
            name='ChildCheckUp',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('questions', models.JSONField()),
                ('timed', models.BooleanField()),
                ('done', models.PositiveSmallIntegerField(default=0)),
                ('asked_at', models.DateTimeField(null=True)),
                ('shown', models.PositiveSmallIntegerField(default=0)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(null=True)),
                ('check_up', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='of_children', to='checkups.checkup')),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='check_ups', to='classrooms.child')),
            ],
            options={
                'verbose_name': 'child’s check-up',
                'verbose_name_plural': 'children’s check-ups',
            },
        ),
        migrations.CreateModel(
            name='CheckUpAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('first', models.PositiveSmallIntegerField()),
                ('second', models.PositiveSmallIntegerField()),
                ('answer', models.PositiveIntegerField(null=True)),
                ('right', models.BooleanField()),
                ('ms', models.PositiveIntegerField(null=True)),
                ('shown', models.PositiveSmallIntegerField(default=1)),
                ('answered_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('child_check_up', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='checkups.childcheckup')),
            ],
            options={
                'verbose_name': 'answer of a check-up',
                'verbose_name_plural': 'answers of check-ups',
                'ordering': ('child_check_up', 'number'),
            },
        ),
        migrations.AddConstraint(
            model_name='checkup',
            constraint=models.UniqueConstraint(fields=('school_class', 'number'), name='check_up_number_once'),
        ),
        migrations.AddConstraint(
            model_name='childcheckup',
            constraint=models.UniqueConstraint(fields=('check_up', 'child'), name='check_up_once_a_child'),
        ),
        migrations.AddConstraint(
            model_name='checkupanswer',
            constraint=models.UniqueConstraint(fields=('child_check_up', 'number'), name='check_up_answer_once'),
        ),
    ]
