"""Papers, tables and mails for a teacher.

`pdf` sets the reports on a class and a child (`class_paper`, `child_paper`), the sheet to read
before a lesson (`before_lesson`) and `certificates`. The export has tables (`sheets`). `downloads`
has the files that a worker makes, `paper_words` their words. `weekly_mail` decides when a mail is
due, each week or before lessons, and sends it; `weekly_letter` writes it.
"""
