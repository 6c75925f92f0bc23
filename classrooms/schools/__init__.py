"""A school: `services` has its teachers, among whom its admins move classes, and `school_files` the
zip with all its data."""
