"""How many wrong tries an account, a device and a network have, and where they are counted."""
