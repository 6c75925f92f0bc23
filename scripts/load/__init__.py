"""Children at play as HTTP clients of the commands of docker-compose.yml: what they are answered,
how soon, and whether every move that they were told of is in the log and the reports."""
