"""The weekly mail to the teacher who wants it: when it is due, what it says, how it is sent once,
and how it is stopped."""
