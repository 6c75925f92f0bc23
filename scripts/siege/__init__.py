"""Attacks from one address and one session at a time, while children play and teachers work, some
at the attacker's address and some at another: which answers the children and teachers get, and how
soon."""
