"""Signing in through a school's learning platform by LTI 1.3 (`docs/lti.md`).

`platforms` are added by an admin; a person comes in by a launch (`launches`, whose `messages` are
signed) from a course that is linked to a class (`courses`). Who is which child is said by a teacher
(`people`, `forms`). `deep_links` lead to an assignment; `tasks` sends back how much of it is done.
"""
