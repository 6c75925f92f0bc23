"""Check-ups: 25 questions that a teacher gives a class, for example three times a year.

`services` gives them and stores the answers, `results` shows the growth between them, and `words`
has the teacher's texts.
"""
