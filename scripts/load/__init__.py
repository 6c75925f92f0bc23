"""Simulates children as HTTP clients of the commands in docker-compose.yml, and checks that every
acknowledged move is in the log and the reports."""
