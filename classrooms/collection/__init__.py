"""A child's own face (`views`), and their collection, which grows with practice (`pieces`)."""
