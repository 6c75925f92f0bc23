"""Files for teachers that take long to make: made by a worker, kept for a week to be fetched."""
