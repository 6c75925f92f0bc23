"""Signing in through a school's learning platform by LTI 1.3 (`docs/lti.md`).

An admin adds `platforms`. A person signs in by a launch (`launches`), which is a signed message
(`messages`) from a course that is linked to a class (`courses`). A teacher says which person is
which child (`forms`, `staff_views`). `tasks` sends back (`outgoing`) how much of an assignment is
done.
"""
