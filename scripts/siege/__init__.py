"""Attacks from one address and one session at a time, while children play and teachers work at the
same and at another address: what answers these get, and how soon."""
