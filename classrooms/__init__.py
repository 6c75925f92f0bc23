"""The school: classes, children, teachers and assignments."""
