"""Children at play, as HTTP clients of the commands of docker-compose.yml: their answers, the
delays, and whether every acknowledged move is in the log and the reports."""
