import django.db.models.deletion
from django.db import migrations
from django.db import models


def mark(apps, schema_editor):
    """Let the workers count all answers again, with the children whom 0006 marked: in the
    migration this would keep the site waiting."""
    apps.get_model("progress", "ChildAbility").objects.filter(kind="facts").delete()
    answers = apps.get_model("checks", "Check").objects.filter(kind="fact")
    locks = apps.get_model("progress", "ProgressLock").objects
    locks.filter(child__in=answers.values("child")).update(to_rebuild=True)


class Migration(migrations.Migration):

    dependencies = [
        ('checks', '0002_timed'),
        ('classrooms', '0005_audit_log'),
        ('progress', '0006_count_chances'),
    ]

    operations = [
        migrations.RemoveField(model_name='factday', name='fluent'),
        migrations.RemoveField(model_name='factday', name='secure'),
        migrations.DeleteModel(name='FactMastery'),
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
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='classrooms.child')),
            ],
            options={
                'verbose_name_plural': 'levels of facts known by heart',
                'constraints': [models.UniqueConstraint(fields=('child', 'low', 'high'), name='fact_mastery_once')],
            },
        ),
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
        migrations.AlterField(
            model_name='childability',
            name='kind',
            field=models.CharField(choices=[('rows', 'rows')], max_length=5),
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
