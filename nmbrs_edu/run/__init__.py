"""`make run`: everything on one machine, from one command, ended as one."""
