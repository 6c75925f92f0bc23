"""Check-ups: 25 questions that a teacher gives a class, say three times a year, to see growth."""
