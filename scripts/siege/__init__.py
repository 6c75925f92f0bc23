"""Attacks from one address and one session at a time, while children play and teachers work, some
at the attacker's address: which answers they get, and how soon."""
