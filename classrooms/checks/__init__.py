"""Short questions: a few questions between rounds, with the answers and their times.
`classrooms.progress` reads this log."""
