"""The reports of all children of a class as one PDF, made by a worker."""

from collections.abc import Callable

from classrooms.downloads.models import Download

from . import setting
from .child_paper import child_paper

Tell = Callable[[int, int], None]


def make_child_reports(download: Download, tell: Tell) -> bytes:
    """A step is what one child's report says; setting them all is the last one. Raises
    `LettersMissing`."""
    school_class = download.school_class
    children = list(school_class.children.all())
    steps = len(children) + 1
    tell(0, steps)
    papers = []
    for done, child in enumerate(children, start=1):
        child.school_class = school_class
        papers.append(child_paper(child))
        tell(done, steps)
    made = setting.children_pdf(school_class, papers)
    tell(steps, steps)
    return made
