"""Deleting a child deletes every file about it."""

from typing import Any

from django.db.models.signals import pre_delete
from django.dispatch import receiver

from classrooms.models import Child

from .models import Download


@receiver(pre_delete, sender=Child)
def delete_files_about_child(instance: Child, **kwargs: Any) -> None:
    # The lock makes a worker that starts on the class meanwhile wait until the child is gone.
    list(Child.everyone.select_for_update().filter(pk=instance.pk).values_list("pk"))
    Download.objects.filter(children=instance).delete()
