"""Deleting a child or an adult deletes every file about them."""

from typing import Any

from django.db.models import Q
from django.db.models.signals import pre_delete
from django.dispatch import receiver

from classrooms.downloads.models import Download
from classrooms.models import Child, User


@receiver(pre_delete, sender=Child)
def delete_files_about_child(instance: Child, **kwargs: Any) -> None:
    # The lock makes a worker that starts on the class meanwhile wait until the child is gone.
    list(Child.everyone.select_for_update().filter(pk=instance.pk).values_list("pk"))
    Download.objects.filter(children=instance).delete()


@receiver(pre_delete, sender=User)
def delete_files_signed_by_adult(instance: User, **kwargs: Any) -> None:
    taught = Q(school_class__teachings__user=instance)
    Download.objects.filter(taught | Q(asked_by=instance)).delete()
