"""Taking back what an act has changed."""
