"""`manage.py rebuild_progress [--class CODE]`: evidence and counts anew, from the logs alone."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from classrooms.models import Child, SchoolClass
from classrooms.progress.rebuilding import rebuild
from classrooms.secrets import read_code


class Command(BaseCommand):
    help = "Make the evidence and counts of all children, or of a class, anew from the logs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--class", dest="code", metavar="CODE", help="only this class")

    def handle(self, *args: Any, **options: Any) -> None:
        children = Child.objects.order_by("pk")
        if options["code"]:
            children = children.filter(school_class=self._class(options["code"]))
        total, games = children.count(), 0
        for done, child in enumerate(children.iterator(), start=1):
            games += rebuild(child)
            if options["verbosity"]:
                self._show(done, total, games)
        if options["verbosity"]:
            self.stdout.write("" if total else "No children.")

    def _class(self, code: str) -> SchoolClass:
        try:
            return SchoolClass.objects.get(code=read_code(code) or "")
        except SchoolClass.DoesNotExist:
            raise CommandError(f"There is no class with the code {code}.") from None

    def _show(self, done: int, total: int, games: int) -> None:
        bar = "#" * (20 * done // total)
        self.stdout.write(f"\r[{bar:<20}] {done}/{total} children, {games} games", ending="")
        self.stdout.flush()
