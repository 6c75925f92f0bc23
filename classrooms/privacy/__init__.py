"""What is kept about people: its export, its erasure, and the log of who did what.

`export` lists every table with data of a child. `erasure` erases children, classes and accounts,
and what was removed long enough ago. `words` puts the audit log (`classrooms.audit`) into
sentences.
"""
