"""Builds the image and runs docker-compose.yml in real containers, without Docker."""
