"""Pictures of numbers, prepared for the templates."""
