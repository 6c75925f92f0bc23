"""The makers' tools: tournaments, simulated children, fitting. Used by commands, tests and the
demo school only; no page needs them."""
