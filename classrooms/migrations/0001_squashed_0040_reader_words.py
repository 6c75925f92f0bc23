import classrooms.models.children
import classrooms.models.classes
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """The tables of commit 80d270dd, the oldest whose database can be upgraded."""

    replaces = [('classrooms', '0001_initial'), ('classrooms', '0002_paced_games'), ('classrooms', '0003_rounds_or_target'), ('classrooms', '0004_checks_and_missed_rows'), ('classrooms', '0005_audit_log'), ('classrooms', '0006_speed_of_the_others'), ('classrooms', '0007_qr_codes'), ('classrooms', '0008_six_hint_steps'), ('classrooms', '0009_childs_language'), ('classrooms', '0010_wrong_codes'), ('classrooms', '0011_groups_and_weeks'), ('classrooms', '0012_removed_archived_invited'), ('classrooms', '0013_renewals_can_be_undone'), ('classrooms', '0014_tombstones'), ('classrooms', '0015_focus'), ('classrooms', '0016_weekly_mail'), ('classrooms', '0017_who_looked'), ('classrooms', '0018_known_devices_and_limits'), ('classrooms', '0019_addresses'), ('classrooms', '0020_one_log'), ('classrooms', '0021_who_sees_the_names'), ('classrooms', '0022_check_up_page'), ('classrooms', '0023_face'), ('classrooms', '0024_quiet_lessons'), ('classrooms', '0025_sounds'), ('classrooms', '0026_one_deal'), ('classrooms', '0027_undone_merges'), ('classrooms', '0028_table_looked_at'), ('classrooms', '0029_names_in_order'), ('classrooms', '0030_schools'), ('classrooms', '0031_note_to_the_children'), ('classrooms', '0032_closed_accounts'), ('classrooms', '0033_groups_in_order'), ('classrooms', '0034_facts_of_assignments'), ('classrooms', '0035_sounds_of_classes'), ('classrooms', '0036_new_years'), ('classrooms', '0037_names_in_the_order_of_icu'), ('classrooms', '0038_words'), ('classrooms', '0039_audit_words'), ('classrooms', '0040_reader_words')]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('games', '0001_squashed_0011_one_index_fewer'),
    ]

    operations = [
        migrations.CreateModel(
            name='School',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'verbose_name': 'school',
                'verbose_name_plural': 'schools',
                'ordering': ('name', 'created_at'),
            },
        ),
        migrations.CreateModel(
            name='SchoolClass',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('code', models.CharField(default=classrooms.models.classes.free_code, max_length=8, unique=True, verbose_name='class code')),
                ('language', models.CharField(default='en', max_length=8, verbose_name='language of the children')),
                ('time_zone', models.CharField(default='Europe/Amsterdam', max_length=64, verbose_name='time zone')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('archived_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='archived')),
                ('former_code', models.CharField(blank=True, editable=False, max_length=8)),
                ('is_closed', models.BooleanField(default=False, verbose_name='closed to new devices')),
                ('restored_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('in_school_hours', models.BooleanField(default=True, verbose_name='names in school hours')),
                ('names_shown', models.CharField(choices=[('always', 'Everyone with the class code'), ('at school', 'Only at school: elsewhere children type their names'), ('never', 'Nobody: children type their names on a new device')], default='at school', max_length=9, verbose_name='who sees the names')),
                ('networks', models.JSONField(default=list, editable=False)),
                ('school_from', models.PositiveSmallIntegerField(default=7, verbose_name='school from')),
                ('school_until', models.PositiveSmallIntegerField(default=17, verbose_name='school until')),
                ('quiet', models.BooleanField(default=False, verbose_name='quiet lessons')),
                ('sounds', models.BooleanField(default=False, verbose_name='sounds')),
            ],
            options={
                'verbose_name': 'class',
                'verbose_name_plural': 'classes',
                'ordering': ('name', 'created_at'),
            },
        ),
        migrations.CreateModel(
            name='SharedValue',
            fields=[
                ('key_hash', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('value', models.JSONField(null=True)),
                ('ends_at', models.DateTimeField(blank=True, db_index=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Tombstone',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(unique=True)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='at')),
            ],
            options={
                'verbose_name': 'tombstone',
                'verbose_name_plural': 'tombstones',
                'ordering': ('-at',),
            },
        ),
        migrations.CreateModel(
            name='WrongCodes',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hour', models.DateTimeField(unique=True)),
                ('count', models.PositiveIntegerField(default=0)),
            ],
            options={
                'verbose_name_plural': 'wrong codes',
            },
        ),
        migrations.CreateModel(
            name='WrongSignIns',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_hash', models.CharField(max_length=64, unique=True)),
                ('times', models.JSONField(default=list)),
                ('ends_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(db_index=True, max_length=254, verbose_name='e-mail address')),
                ('is_staff', models.BooleanField(default=False, verbose_name='has access to the admin site')),
                ('is_active', models.BooleanField(default=True, verbose_name='may sign in')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='joined')),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='account closed')),
                ('display_name', models.CharField(blank=True, max_length=60, verbose_name='name that others see')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
            },
        ),
        migrations.CreateModel(
            name='AddressChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('old', models.EmailField(max_length=254, verbose_name='old address')),
                ('new', models.EmailField(max_length=254, verbose_name='new address')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('stopped_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='address_changes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'change of address',
                'verbose_name_plural': 'changes of address',
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('looked', 'looked'), ('asked', 'asked for a file'), ('exported', 'exported'), ('added', 'added'), ('renamed', 'renamed'), ('removed', 'removed'), ('brought back', 'brought back'), ('moved', 'moved'), ('merged', 'merged'), ('merge undone', 'undid a merge'), ('agreed', 'changed individual settings'), ('erased', 'deleted'), ('new pictures', 'new pictures'), ('new QR codes', 'new QR codes'), ('cards back', 'went back to the earlier cards'), ('signed out', 'signed out'), ('tries cleared', 'cleared wrong tries'), ('new code', 'new class code'), ('former code', 'went back to the earlier class code'), ('closed', 'closed to new devices'), ('opened', 'opened to new devices'), ('names shown', 'changed who sees the names'), ('made', 'created the class'), ('changed', 'changed the class'), ('archived', 'archived'), ('restored', 'restored'), ('invited', 'invited'), ('invitation ended', 'withdrew an invitation'), ('joined', 'joined'), ('left', 'left'), ('teacher removed', 'removed a teacher'), ('teacher back', 'brought a teacher back'), ('role given', 'gave a role'), ('handed over', 'handed over'), ('named', 'chose a name'), ('account closed', 'closed the account'), ('account reopened', 'opened the account again'), ('school joined', 'joined the school'), ('school left', 'left the school'), ('school role', 'gave a role in the school'), ('signed in', 'signed in'), ('wrong password', 'wrong password'), ('wrong second step', 'wrong second step'), ('password', 'changed the password'), ('new password', 'chose a new password by e-mail'), ('address asked', 'asked for another address'), ('address', 'changed the address'), ('second step', 'set up a second step'), ('second step gone', 'removed a second step'), ('recovery codes', 'made new recovery codes'), ('connected', 'linked another account'), ('disconnected', 'unlinked another account'), ('sessions ended', 'signed out everywhere'), ('switched on', 'may sign in again'), ('switched off', 'may no longer sign in'), ('staff', 'has access to the admin site'), ('staff gone', 'no longer has access to the admin site')], max_length=24, verbose_name='what')),
                ('child_id', models.UUIDField(db_index=True, null=True, verbose_name='child')),
                ('class_id', models.UUIDField(db_index=True, null=True, verbose_name='class')),
                ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, verbose_name='at')),
                ('once', models.UUIDField(editable=False, null=True, unique=True)),
                ('page', models.CharField(blank=True, choices=[('class', 'the class page'), ('live', 'the lesson in progress'), ('table', 'the child’s table'), ('fact', 'the answers to a fact'), ('check-up', 'the check-ups'), ('child', 'the child’s page'), ('moves', 'the moves behind a number'), ('replay', 'the replay of a turn'), ('pictures', 'the sign-in pictures'), ('cards', 'sign-in cards'), ('letters', 'letters to parents')], max_length=8, verbose_name='page')),
                ('actor', models.CharField(choices=[('teacher', 'a teacher'), ('operator', 'the operator'), ('school', 'an admin of the school'), ('site', 'the site itself')], default='teacher', max_length=8, verbose_name='as')),
                ('detail', models.JSONField(blank=True, default=dict, verbose_name='detail')),
                ('is_part', models.BooleanField(default=False, editable=False)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='history', to=settings.AUTH_USER_MODEL, verbose_name='account')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='audited', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'audit log entry',
                'verbose_name_plural': 'audit log',
                'ordering': ('-at', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='Child',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=40, verbose_name='name')),
                ('player', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('pictures_encrypted', models.TextField(default=classrooms.models.children.encrypted_new_pictures, editable=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('checks', models.BooleanField(default=True, verbose_name='short questions')),
                ('speed', models.CharField(choices=[('slow', 'slow'), ('normal', 'normal'), ('at-once', 'at once')], default='normal', max_length=8)),
                ('language', models.CharField(blank=True, default='', max_length=8, verbose_name='language')),
                ('hints', models.CharField(blank=True, choices=[('', 'as assigned'), ('all', 'all hints'), ('none', 'never')], default='', max_length=4, verbose_name='hints')),
                ('larger', models.BooleanField(default=False, verbose_name='larger cards')),
                ('untimed', models.BooleanField(default=False, verbose_name='untimed')),
                ('removed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('former_pictures', models.TextField(blank=True, editable=False)),
                ('pictures_renewal', models.UUIDField(blank=True, editable=False, null=True)),
                ('plain_name', classrooms.models.children.PlainNameField(default='', editable=False, max_length=80)),
                ('face', models.CharField(blank=True, default='', editable=False, max_length=40, verbose_name='face')),
                ('sounds', models.BooleanField(default=None, editable=False, null=True, verbose_name='sounds')),
                ('name_order', classrooms.models.children.NameOrderField(default='', editable=False, max_length=200)),
                ('at_table', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.game')),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='children', to='classrooms.schoolclass')),
            ],
            options={
                'verbose_name': 'child',
                'verbose_name_plural': 'children',
                'ordering': ('name_order', 'name'),
            },
        ),
        migrations.CreateModel(
            name='Group',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=40, verbose_name='name')),
                ('removed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('name_order', classrooms.models.children.NameOrderField(default='', editable=False, max_length=200)),
                ('children', models.ManyToManyField(related_name='groups', to='classrooms.child')),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='groups', to='classrooms.schoolclass')),
            ],
            options={
                'verbose_name': 'group',
                'verbose_name_plural': 'groups',
                'ordering': ('name_order', 'name'),
            },
        ),
        migrations.CreateModel(
            name='Merge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('moved', models.JSONField(default=dict)),
                ('replaced', models.JSONField(default=list)),
                ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('child', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='merge', to='classrooms.child')),
                ('into', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='merges', to='classrooms.child')),
            ],
            options={
                'verbose_name': 'merge',
                'verbose_name_plural': 'merges',
                'ordering': ('-at',),
            },
        ),
        migrations.CreateModel(
            name='QrCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('nonce', models.CharField(max_length=32)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('issued_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('former_hash', models.CharField(blank=True, max_length=64)),
                ('former_nonce', models.CharField(blank=True, max_length=32)),
                ('renewal', models.UUIDField(blank=True, null=True)),
                ('child', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='qr_code', to='classrooms.child')),
            ],
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('teacher', 'teacher'), ('admin', 'admin')], default='teacher', max_length=8, verbose_name='role')),
                ('joined_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='membership', to=settings.AUTH_USER_MODEL)),
                ('school', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='classrooms.school')),
            ],
            options={
                'verbose_name': 'teacher of a school',
                'verbose_name_plural': 'teachers of a school',
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                ('role', models.CharField(choices=[('owner', 'owner'), ('co-teacher', 'co-teacher')], default='co-teacher', max_length=12)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('ends_at', models.DateTimeField(verbose_name='until')),
                ('used_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to=settings.AUTH_USER_MODEL)),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='classrooms.schoolclass')),
            ],
            options={
                'verbose_name': 'invitation',
                'verbose_name_plural': 'invitations',
                'ordering': ('-created_at',),
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('edition', models.CharField(default='simplified', max_length=20)),
                ('options', models.JSONField(default=dict)),
                ('bots', models.PositiveSmallIntegerField(default=1, verbose_name='number of bots')),
                ('hint_steps', models.PositiveSmallIntegerField(default=6, verbose_name='hint steps')),
                ('rounds', models.PositiveSmallIntegerField(blank=True, default=3, null=True, verbose_name='rounds')),
                ('due_on', models.DateField(blank=True, null=True, verbose_name='to be done by')),
                ('ended_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('bot', models.CharField(default='companion', max_length=20, verbose_name='bot')),
                ('kind', models.BooleanField(default=True, verbose_name='helpful deals')),
                ('checks', models.BooleanField(default=True, verbose_name='short questions')),
                ('missed_rows', models.BooleanField(default=True, verbose_name='show a missed row after a turn')),
                ('everyone', models.BooleanField(default=True, verbose_name='for the whole class')),
                ('series', models.UUIDField(editable=False, null=True)),
                ('starts_on', models.DateField(blank=True, null=True, verbose_name='from')),
                ('focus', models.JSONField(blank=True, default=list, verbose_name='times tables to practise most')),
                ('deal_seed', models.BigIntegerField(editable=False, null=True)),
                ('note', models.CharField(blank=True, default='', max_length=140, verbose_name='note to the children')),
                ('facts', models.JSONField(blank=True, default=list, verbose_name='facts to ask first')),
                ('children', models.ManyToManyField(blank=True, related_name='assignments', to='classrooms.child')),
                ('groups', models.ManyToManyField(blank=True, related_name='assignments', to='classrooms.group')),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='classrooms.schoolclass')),
            ],
            options={
                'verbose_name': 'assignment',
                'verbose_name_plural': 'assignments',
                'ordering': ('-created_at',),
            },
        ),
        migrations.CreateModel(
            name='Teaching',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'owner'), ('co-teacher', 'co-teacher')], default='owner', max_length=12)),
                ('mailed_since', models.DateTimeField(blank=True, editable=False, null=True)),
                ('school_class', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='teachings', to='classrooms.schoolclass')),
                ('user', models.ForeignKey(on_delete=classrooms.models.classes.unless_owner, related_name='teachings', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='schoolclass',
            name='teachers',
            field=models.ManyToManyField(related_name='classes', through='classrooms.Teaching', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='WeeklyMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('week', models.DateField(verbose_name='week')),
                ('state', models.CharField(choices=[('due', 'due'), ('making', 'being made'), ('handed', 'passed to the mail server'), ('sent', 'sent'), ('silent', 'nothing to report'), ('failed', 'failed')], default='due', max_length=8, verbose_name='state')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='at')),
                ('tries', models.PositiveSmallIntegerField(default=0, verbose_name='tries')),
                ('failed_at', models.DateTimeField(null=True, verbose_name='failed at')),
                ('problem', models.CharField(blank=True, choices=[('refused', 'the mail was refused'), ('unreached', 'the mail server did not answer as it should')], max_length=9, verbose_name='problem')),
                ('teaching', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='weekly_mails', to='classrooms.teaching')),
            ],
            options={
                'verbose_name': 'weekly mail',
                'verbose_name_plural': 'weekly mails',
                'ordering': ('-week', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='WrongNames',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('times', models.JSONField(default=list)),
                ('school_class', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='wrong_names', to='classrooms.schoolclass')),
            ],
            options={
                'verbose_name_plural': 'wrong names',
            },
        ),
        migrations.CreateModel(
            name='WrongTries',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device_hash', models.CharField(blank=True, default='', max_length=64)),
                ('times', models.JSONField(default=list)),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='wrong_tries', to='classrooms.child')),
            ],
            options={
                'verbose_name_plural': 'wrong tries',
            },
        ),
        migrations.CreateModel(
            name='AdultDevice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device_hash', models.CharField(max_length=64, unique=True)),
                ('seen_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('signed_in_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='known_devices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['seen_at'], name='classrooms__seen_at_ce380b_idx')],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='classrooms.assignment')),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='attempt', to='games.game')),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='classrooms.child')),
            ],
            options={
                'ordering': ('created_at',),
                'indexes': [models.Index(fields=['child', 'assignment'], name='classrooms__child_i_0e60fc_idx')],
            },
        ),
        migrations.CreateModel(
            name='ChildSession',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('ends_at', models.DateTimeField()),
                ('seen_at', models.DateTimeField()),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='classrooms.child')),
            ],
            options={
                'indexes': [models.Index(fields=['ends_at'], name='classrooms__ends_at_9c3106_idx')],
            },
        ),
        migrations.CreateModel(
            name='KnownDevice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device_hash', models.CharField(max_length=64)),
                ('seen_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('child', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='known_devices', to='classrooms.child')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('child', 'device_hash'), name='known_device_once')],
            },
        ),
        migrations.CreateModel(
            name='NewYear',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('classes', models.JSONField(default=list, editable=False)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='new_years', to=settings.AUTH_USER_MODEL)),
                ('school', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='new_year', to='classrooms.school')),
            ],
            options={
                'verbose_name': 'new school year',
                'verbose_name_plural': 'new school years',
                'constraints': [models.UniqueConstraint(models.F('user'), condition=models.Q(('school', None)), name='new_year_once_per_teacher')],
            },
        ),
        migrations.AddConstraint(
            model_name='group',
            constraint=models.UniqueConstraint(models.F('school_class'), django.db.models.functions.text.Lower('name'), condition=models.Q(('removed_at', None)), name='group_name_once'),
        ),
        migrations.AddConstraint(
            model_name='child',
            constraint=models.UniqueConstraint(models.F('school_class'), django.db.models.functions.text.Lower('name'), condition=models.Q(('removed_at', None)), name='child_name_once'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(fields=('series', 'starts_on'), name='week_of_series_once'),
        ),
        migrations.AddConstraint(
            model_name='teaching',
            constraint=models.UniqueConstraint(fields=('school_class', 'user'), name='teaching_once'),
        ),
        migrations.AddIndex(
            model_name='weeklymail',
            index=models.Index(fields=['failed_at'], name='classrooms__failed__16ad19_idx'),
        ),
        migrations.AddConstraint(
            model_name='weeklymail',
            constraint=models.UniqueConstraint(fields=('teaching', 'week'), name='weekly_mail_once'),
        ),
        migrations.AddConstraint(
            model_name='wrongtries',
            constraint=models.UniqueConstraint(fields=('child', 'device_hash'), name='wrong_tries_once'),
        ),
    ]
