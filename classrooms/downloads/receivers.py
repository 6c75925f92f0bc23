"""With a child goes every file that tells of it."""

from typing import Any

from django.db.models.signals import pre_delete
from django.dispatch import receiver

from classrooms.models import Child

from .models import Download


@receiver(pre_delete, sender=Child)
def delete_what_tells_of_it(instance: Child, **kwargs: Any) -> None:
    # The lock keeps a worker that begins with the class meanwhile waiting until the child is gone.
    list(Child.everyone.select_for_update().filter(pk=instance.pk).values_list("pk"))
    Download.objects.filter(children=instance).delete()
