"""The people of the school and their assignments. Adults are `User`s. Children are not: a child has
a name, a class and three pictures. `name_order` sorts them in every database."""

from classrooms.models.adults import (
    AddressChange,
    AdultDevice,
    KeptAct,
    Membership,
    NewYear,
    School,
    SharedValue,
    Tombstone,
    User,
    UserManager,
    Visitor,
    WrongSignIns,
)
from classrooms.models.assignments import Assignment, Attempt, Chair, GameTable, Seating
from classrooms.models.audit import AuditEntry
from classrooms.models.children import (
    Child,
    ChildSession,
    Group,
    KnownDevice,
    Merge,
    QrCode,
    WrongCodes,
    WrongNames,
    WrongTries,
)
from classrooms.models.classes import Invitation, SchoolClass, Teaching, WeeklyMail, free_code
from classrooms.models.sources import Connection, RosterSource, SourceClass, SourcePupil
