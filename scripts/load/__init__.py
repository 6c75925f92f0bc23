"""Children at play, as HTTP clients of the commands of docker-compose.yml: which answers they get,
how soon, and whether every acknowledged move is in the log and the reports."""
