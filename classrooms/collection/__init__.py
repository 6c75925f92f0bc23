"""A child's own face, and their collection, which grows with practice."""
