import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """The tables of commit 80d270dd, the oldest whose database can be upgraded."""

    replaces = [('downloads', '0001_initial'), ('downloads', '0002_heavy_work_and_options'), ('downloads', '0003_words'), ('downloads', '0004_problem_words')]

    initial = True

    dependencies = [
        ('classrooms', '0001_squashed_0040_reader_words'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Download',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=30)),
                ('language', models.CharField(max_length=8)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('working', 'being made'), ('ready', 'ready'), ('failed', 'not made')], default='waiting', max_length=7)),
                ('problem', models.CharField(blank=True, choices=[('error', 'Something went wrong. It is not your fault; the operator can see it.'), ('too long', 'It took too long. Try again when fewer people are playing.'), ('too large', 'The file became too large. Download the children’s files one at a time.'), ('letters', 'The PDF cannot show all the letters in these names.')], max_length=9)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('claim', models.UUIDField(null=True)),
                ('alive_at', models.DateTimeField(null=True)),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ready_at', models.DateTimeField(null=True)),
                ('ends_at', models.DateTimeField()),
                ('size', models.PositiveIntegerField(default=0)),
                ('content', models.BinaryField(null=True)),
                ('options', models.JSONField(default=dict)),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('child', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='own_downloads', to='classrooms.child')),
                ('children', models.ManyToManyField(related_name='downloads', to='classrooms.child')),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='downloads', to='classrooms.schoolclass')),
            ],
            options={
                'verbose_name': 'download',
                'verbose_name_plural': 'downloads',
                'ordering': ('-asked_at', '-pk'),
                'indexes': [models.Index(fields=['state', 'asked_at'], name='downloads_d_state_6e19a7_idx'), models.Index(fields=['ends_at'], name='downloads_d_ends_at_cb9475_idx')],
            },
        ),
        migrations.CreateModel(
            name='HeavyWork',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('paper', 'a PDF'), ('export', 'a table'), ('import', 'names from a file'), ('job', 'a download')], max_length=6)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='heavy_work', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'kind', 'at'], name='downloads_h_user_id_26b273_idx'), models.Index(fields=['at'], name='downloads_h_at_d5a6e2_idx')],
            },
        ),
    ]
