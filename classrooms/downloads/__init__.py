"""Files that take long to make: a worker makes them for teachers, and they are kept for a week."""
