"""More booleans that read as questions. The columns keep their names, as in 0056."""

from django.db import migrations, models

MODELS = ("classrooms.Child", "classrooms.Assignment")


def forget_undos(apps, schema_editor):
    """What brings rows back names their fields, and lasts an hour."""
    apps.get_model("classrooms", "KeptAct").objects.filter(data__model__in=MODELS).delete()


def boolean(label, default, column, **options):
    return models.BooleanField(label, db_column=column, default=default, **options)


RENAMED = (
    ("child", "is_untimed", boolean("untimed", False, "untimed")),
    ("child", "may_give_signs", boolean("signs at the tables", True, "signs", db_default=True)),
    ("child", "has_larger_cards", boolean("larger cards", False, "larger")),
    ("schoolclass", "is_quiet", boolean("quiet lessons", False, "quiet")),
    ("schoolclass", "has_sounds", boolean("sounds", False, "sounds")),
    ("schoolclass", "may_sit_at_tables", boolean("tables", False, "has_tables", db_default=False)),
    ("assignment", "is_for_everyone", boolean("for the whole class", True, "everyone")),
    ("assignment", "has_questions", boolean("short questions", True, "checks")),
    (
        "assignment",
        "waits_for_classmates",
        boolean("wait for classmates", True, "waits", db_default=True),
    ),
)


class Migration(migrations.Migration):
    dependencies = [("classrooms", "0056_booleans_as_questions")]

    operations = [
        operation
        for model, name, field in RENAMED
        for operation in (
            migrations.AlterField(model, field.db_column, field),
            migrations.RenameField(model, field.db_column, name),
        )
    ] + [migrations.RunPython(forget_undos, migrations.RunPython.noop)]
