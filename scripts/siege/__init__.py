"""Attacks from one address and one session at a time, while children play and teachers work, some
at the attacker's address: their answers, and the delays."""
