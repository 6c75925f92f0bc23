"""Hostile requests to every address as every person: `make fuzz`, and a short form in `make
test`."""
