"""What lets an adult in, how it is proved, and how it changes."""
