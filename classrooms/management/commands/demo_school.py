import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from classrooms import demo
from classrooms.pictures import labelled


class Command(BaseCommand):
    help = "Make a class to look at, once, and tell how to sign in as its teacher and as a child."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--reset", action="store_true", help="remove it first, and make it anew"
        )
        parser.add_argument("--json", action="store_true", help="tell it as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["reset"]:
            demo.remove_school()
        sign_in = demo.sign_in_of(demo.make_school())
        if options["json"]:
            self.stdout.write(json.dumps(sign_in.as_data()))
            return
        pictures = ", ".join(label for _, label in labelled(sign_in.pictures))
        self.stdout.write(f"Teacher   e-mail {sign_in.email}   password {sign_in.password}")
        self.stdout.write(
            f"Child     class code {sign_in.code}   name {sign_in.child}   pictures {pictures}"
        )
