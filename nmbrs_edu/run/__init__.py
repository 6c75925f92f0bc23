"""`make run`: one command starts the whole site on one machine, and stops all of it."""
