"""What is wrong with a name, in words."""

from django.utils.translation import gettext

from classrooms.child_names import LONGEST_NAME, SIGNS, WrongLine


def wrong_line(wrong: WrongLine) -> str:
    """A wrong line of a pasted list, in words."""
    return gettext("Line %(line)d: %(problem)s") % {
        "line": wrong.line,
        "problem": wrong_name(wrong),
    }


def wrong_name(wrong: WrongLine, on_line: int = 0) -> str:
    """What is wrong with a name. `on_line`: where else it is, if not on the line of the detail."""
    match wrong.problem:
        case "too long":
            return gettext("“%(name)s…” is too long: at most %(most)d characters.") % {
                "name": wrong.name,
                "most": LONGEST_NAME,
            }
        case "sign":
            return gettext(
                "“%(name)s” contains “%(sign)s”. Only letters, numbers and %(signs)s are allowed."
            ) % {
                "name": wrong.name,
                "sign": wrong.detail,
                "signs": SIGNS.strip(),
            }
        case "missing":
            return gettext("There is no name on this line. Type one, or the line will be left out.")
        case "begins":
            return gettext("“%(name)s” begins with “%(sign)s”. Begin with a letter.") % {
                "name": wrong.name,
                "sign": wrong.detail,
            }
        case "no letter":
            return gettext("“%(name)s” does not contain any letters.") % {"name": wrong.name}
        case "in class":
            return gettext(
                "%(name)s is already in this class. Is this a different child? Add a letter "
                "to tell them apart, such as “%(name)s B”."
            ) % {"name": wrong.name}
        case "on line":
            return gettext(
                "%(name)s is also on line %(other)s. "
                "Add a letter to tell them apart, such as “%(name)s B”."
            ) % {"name": wrong.name, "other": on_line or wrong.detail}
