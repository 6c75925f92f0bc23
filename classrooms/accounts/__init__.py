"""Adults' accounts: signing in, the second step, devices and sessions, on top of allauth."""
