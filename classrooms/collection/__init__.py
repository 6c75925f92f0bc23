"""What is a child's own: the face that it chose, and a collection that grows with practice."""
