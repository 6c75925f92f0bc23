"""The people of the school and what they are assigned to play.

Adults are `User`s; children are not. A child is a name, a class and three pictures.
"""

from .adults import AddressChange, AdultDevice, SharedValue, WrongSignIns
from .assignments import Assignment, Attempt
from .audit import AuditEntry
from .children import Child
from .classes import SchoolClass, Teaching, free_code
from .groups import Group
from .invitations import Invitation
from .mailing import WeeklyMail
from .merges import Merge
from .schools import Membership, NewYear, School
from .signing_in import ChildSession, KnownDevice, QrCode, WrongCodes, WrongNames, WrongTries
from .tombstones import Tombstone
from .users import User, UserManager

__all__ = [
    "AddressChange",
    "AdultDevice",
    "Assignment",
    "Attempt",
    "AuditEntry",
    "Child",
    "ChildSession",
    "Group",
    "Invitation",
    "KnownDevice",
    "Membership",
    "Merge",
    "NewYear",
    "QrCode",
    "School",
    "SchoolClass",
    "SharedValue",
    "Teaching",
    "Tombstone",
    "User",
    "UserManager",
    "WeeklyMail",
    "WrongCodes",
    "WrongNames",
    "WrongSignIns",
    "WrongTries",
    "free_code",
]
