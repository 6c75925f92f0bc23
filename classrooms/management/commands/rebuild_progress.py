"""`manage.py rebuild_progress [--class CODE]`: rebuild chances, counts and levels from the logs."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from classrooms.credentials import read_code
from classrooms.models import Child, SchoolClass
from classrooms.progress.rebuild import rebuild


class Command(BaseCommand):
    help = "Rebuild the progress of all children, or of a class, from the logs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--class", dest="code", metavar="CODE", help="only this class")

    def handle(self, *args: Any, **options: Any) -> None:
        children = Child.all_objects.order_by("pk")
        if options["code"]:
            children = children.filter(school_class=self._class_with_code(options["code"]))
        games, silent = 0, not options["verbosity"]
        everyone = list(children)
        with tqdm(everyone, unit="child", disable=silent) as bar:
            for child in bar:
                games += rebuild(child)
                bar.set_postfix(games=games)
        if not silent:
            self.stdout.write(f"{len(everyone)} children, {games} games: made anew.")

    def _class_with_code(self, code: str) -> SchoolClass:
        try:
            return SchoolClass.objects.get(code=read_code(code) or "")
        except SchoolClass.DoesNotExist:
            raise CommandError(f"There is no class with the code {code}.") from None
