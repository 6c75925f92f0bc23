"""The school: classes, children, teachers, and what is assigned to play."""
