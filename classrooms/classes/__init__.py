"""A class and its teachers, until the end of its year.

`services` creates, changes and archives classes, and begins new years. `expiry`
archives and purges unused classes. `teachers` invites and removes teachers and hands classes over
(`teacher_views`, `teacher_mail`). `closing_accounts` closes a teacher's account. `operator` is for
/admin/.
"""
