"""The export and the erasure of what is kept about people, and the log of who did what.

`export` lists every table with data about a child. `erasure` erases children, classes and accounts,
and children who were removed long ago. `words` puts the audit log (`classrooms.audit`) into
sentences.
"""
