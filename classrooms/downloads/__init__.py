"""Files for teachers that take long to make: a worker makes them, and they are kept for a week."""
