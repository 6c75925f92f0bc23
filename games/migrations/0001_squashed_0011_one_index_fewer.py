import django.db.models.deletion
import django.utils.timezone
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):
    """The tables of commit 80d270dd, the oldest whose database can be upgraded."""

    replaces = [('games', '0001_initial'), ('games', '0002_kind_deals'), ('games', '0003_missed_rows'), ('games', '0004_guided_rounds'), ('games', '0005_focus_of_deals'), ('games', '0006_key_of_a_move'), ('games', '0007_moved_lately'), ('games', '0008_longer_faces'), ('games', '0009_shared_deals'), ('games', '0010_rows_for_bots'), ('games', '0011_one_index_fewer')]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('ruleset_data', models.JSONField()),
                ('engine_version', models.CharField(max_length=12)),
                ('seed', models.BigIntegerField()),
                ('hint_steps', models.PositiveSmallIntegerField(default=0)),
                ('version', models.PositiveIntegerField(default=0)),
                ('phase', models.CharField(default='draw', max_length=12)),
                ('round', models.PositiveSmallIntegerField(default=1)),
                ('snapshot', models.JSONField(null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('moved_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('finished_at', models.DateTimeField(editable=False, null=True)),
                ('kind_decks', models.PositiveSmallIntegerField(default=1)),
                ('kind_draws', models.PositiveSmallIntegerField(default=0)),
                ('round_winners', models.JSONField(default=list)),
                ('missed_rows', models.BooleanField(default=False)),
                ('lesson', models.BooleanField(default=False)),
                ('kind_tables', models.JSONField(default=list)),
                ('shared_deal', models.BooleanField(default=False)),
                ('kind_orders', models.PositiveSmallIntegerField(default=1)),
            ],
            options={
                'verbose_name': 'game',
                'verbose_name_plural': 'games',
                'indexes': [models.Index(fields=['moved_at'], name='games_game_moved_a_164d54_idx')],
            },
        ),
        migrations.CreateModel(
            name='Action',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('deal', 'Deal'), ('act', 'Act'), ('take back', 'Take Back'), ('hint', 'Hint'), ('refused', 'Refused')], max_length=10)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('text', models.TextField(blank=True)),
                ('data', models.JSONField(default=dict)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('key', models.UUIDField(null=True)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='actions', to='games.game')),
            ],
            options={
                'ordering': ('number',),
                'constraints': [models.UniqueConstraint(fields=('game', 'number'), name='action_once'), models.UniqueConstraint(condition=models.Q(('key__isnull', False)), fields=('game', 'key'), name='key_once')],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('player', models.UUIDField(db_index=True, null=True)),
                ('bot', models.CharField(blank=True, max_length=20)),
                ('name', models.CharField(blank=True, max_length=40)),
                ('face', models.CharField(blank=True, max_length=40)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.game')),
            ],
            options={
                'ordering': ('number',),
                'constraints': [models.UniqueConstraint(fields=('game', 'number'), name='seat_once'), models.UniqueConstraint(condition=models.Q(('player__isnull', False)), fields=('game', 'player'), name='player_seated_once'), models.CheckConstraint(condition=models.Q(('player__isnull', True), ('bot', ''), _connector='XOR'), name='seat_of_player_or_bot')],
            },
        ),
    ]
