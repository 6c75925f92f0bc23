"""The weekly mail to teachers who want it: when it is due, its text, sending it once, and stopping
it."""
