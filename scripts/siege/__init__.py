"""Attacks the site from one address and one session at a time, while children play and teachers
work, half of them at the attacker's address, and measures their answers and delays."""
