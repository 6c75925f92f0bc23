"""Tools for developers: tournaments, simulated children, fitting. Used only by commands, tests and
the demo school, by no page."""
