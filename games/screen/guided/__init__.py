"""What the coach of a guided round says, and what it points at."""
