"""Attacks of one address and one session at a time, beside children at play and teachers at the
same and at another address: what these are answered, and how soon."""
