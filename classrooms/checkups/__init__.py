"""Check-ups: 25 questions that a teacher gives a class, three times a year say, to see growth."""
