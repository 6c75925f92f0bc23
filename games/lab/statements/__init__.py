"""Whether what is said of children is true of model children."""
