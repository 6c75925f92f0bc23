"""A school: its teachers, among whom its admins move classes, and its files."""
