"""What is a child's own: the face that they chose, and a collection that grows with practice."""
