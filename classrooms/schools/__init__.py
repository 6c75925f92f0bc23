"""A school: its teachers and admins, who take over each other's classes, and its files."""
