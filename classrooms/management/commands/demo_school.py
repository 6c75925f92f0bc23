import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from classrooms.credentials import with_labels
from classrooms.demo import school
from classrooms.demo.simulated_weeks import Weeks, sittings_to_expect


class Command(BaseCommand):
    help = "Make a class to look at, once, and print how to sign in as its teacher and as a child."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--reset", action="store_true", help="remove it first, and make it anew"
        )
        parser.add_argument("--json", action="store_true", help="print it as JSON")
        parser.add_argument(
            "--weeks", type=int, help="one more class of the same teacher, with this many weeks"
        )
        parser.add_argument("--children", type=int, default=30, help="of that class")
        parser.add_argument(
            "--sittings", type=float, default=1.65, help="a week and child, of that class"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["reset"]:
            school.remove_school()
        sign_in = school.sign_in_of(school.make_school())
        if options["weeks"]:
            plan = Weeks(options["weeks"], options["sittings"])
            self._make_long_class(
                plan, options["children"], with_progress=bool(options["verbosity"])
            )
        if options["json"]:
            self.stdout.write(json.dumps(sign_in))
            return
        self.stdout.write("Teacher   e-mail {email}   password {password}".format(**sign_in))
        for kind, name, pictures in (
            ("Child    ", sign_in["child"], sign_in["pictures"]),
            ("New child", sign_in["newcomer"], sign_in["newcomer_pictures"]),
        ):
            code = sign_in["code"]
            labels = ", ".join(label for _, label in with_labels(pictures))
            self.stdout.write(f"{kind} class code {code}   name {name}   pictures {labels}")

    def _make_long_class(self, plan: Weeks, children: int, *, with_progress: bool) -> None:
        expected = sittings_to_expect(children, plan)
        with tqdm(total=expected, unit="game", disable=None if with_progress else True) as bar:
            for count in school.make_long_class(plan, children):
                bar.update(count - bar.n)
