"""Times each page of an adult, and the names at the door, for a class at every limit. Pages and
floor requests take turns, in one process on one PostgreSQL."""

from statistics import median
from typing import Final

from scripts.bench.floor import client_of_a_teacher, site, timed_request

TIMINGS: Final = 5
MOST_SHOWN: Final = 20
AIM: Final = "≤ 300 ms, ≤ 500 kB"


def main() -> None:
    with site():
        from classrooms.models import Child, SchoolClass
        from tests import full_class
        from tests.every_page import every_page, fill_class, is_page
        from tests.permission_world import make_world

        world = make_world()
        target = fill_class(world)
        school_class = SchoolClass.objects.get(pk=target["class_id"])
        full_class.fill(school_class, Child.objects.get(pk=target["child_id"]))
        floor_client, floors, pages = client_of_a_teacher(), [], []
        for request in every_page(target):
            client = world.clients[request.who]
            if request.data is not None or not is_page(answer := client.get(request.url)):
                continue
            if request.who != "Dora" and (request.who != "nobody" or request.name == "names"):
                floors += [timed_request(floor_client) for _ in range(TIMINGS)]
                spent = median(timed_request(client, request.url) for _ in range(TIMINGS))
                pages.append((request.called, spent, len(answer.content)))
        floor = median(floors)
        print(f"\nPages of a full class ({AIM}), a floor request {floor:.1f} ms")
        for name, spent, size in sorted(pages, key=lambda page: -page[1])[:MOST_SHOWN]:
            print(f"{name:32} {spent / floor:5.1f} floor requests, {spent:4.0f} ms, {size:7,} B")


if __name__ == "__main__":
    main()
