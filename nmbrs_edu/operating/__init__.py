"""What keeps the site running, and what its operator reads about that."""
