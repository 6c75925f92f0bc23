"""`make run`: starts the whole site on one machine, and stops all of it."""
