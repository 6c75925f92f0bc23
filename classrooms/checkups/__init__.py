"""Check-ups: 25 questions that a teacher gives a class, for example three times a year, to see
growth."""
