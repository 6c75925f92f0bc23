"""Children at play as HTTP clients of the commands of docker-compose.yml: what answers they get,
how soon, and whether every move that they were told of is in the log and the reports."""
