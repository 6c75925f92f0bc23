"""The ways an adult can sign in, how identity is proved, and how these change."""
