"""Hostile requests to every address as everyone: `make fuzz`, and a short form in `make test`."""
